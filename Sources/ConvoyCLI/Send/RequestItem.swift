/// One item of `convoy send`, in HTTPie's syntax.
struct RequestItem: Sendable, Equatable, CustomStringConvertible {
    enum Kind: String, Sendable {
        /// `Name:value`; with an empty value it removes a header that is sent by default.
        case header = ":"
        /// `Name;`: a header with an empty value.
        case emptyHeader = ";"
        /// `name==value`
        case query = "=="
        /// `name=value`
        case field = "="
        /// `name:=json`
        case json = ":="
        /// `name@path`: a file to upload.
        case file = "@"
        /// `name=@path`: a field whose text is in a file.
        case fieldFromFile = "=@"
        /// `name:=@path`: JSON from a file.
        case jsonFromFile = ":=@"
        /// `name==@path`: a query value from a file.
        case queryFromFile = "==@"
        /// `Name:@path`: a header's value from a file.
        case headerFromFile = ":@"
    }

    let kind: Kind
    let name: String
    let value: String

    /// The longest first: where several begin at one place, the longest is meant.
    private static let separators: [Kind] = [
        .jsonFromFile, .queryFromFile, .query, .json, .fieldFromFile, .headerFromFile, .field, .header, .file,
    ]

    var description: String { name + kind.rawValue + value }

    init(_ kind: Kind, _ name: String, _ value: String) {
        self.kind = kind
        self.name = name
        self.value = value
    }

    /// Reads an item. The separator that comes first wins; one behind a backslash is no separator.
    init(parsing word: String) throws {
        let (characters, isEscaped) = Self.unescaped(word)
        for place in characters.indices where !isEscaped[place] {
            guard let kind = Self.separator(characters, isEscaped, at: place) else { continue }
            let name = String(characters[..<place])
            guard !name.isEmpty else {
                throw UsageError("the item \(word.quotedForMessage) has no name before \(kind.rawValue)")
            }
            let length = kind == .emptyHeader ? 1 : kind.rawValue.count
            self.init(kind, name, String(characters[(place + length)...]))
            return
        }
        throw UsageError(
            "the item \(word.quotedForMessage) has no separator: name=value, name:=json, name==value or Name:value")
    }

    private static func separator(_ characters: [Character], _ isEscaped: [Bool], at place: Int) -> Kind? {
        // A semicolon counts only at the end: within names and values of fields it is nothing special.
        if characters[place] == ";", place == characters.count - 1 { return .emptyHeader }
        return separators.first { kind in
            let end = place + kind.rawValue.count
            return end <= characters.count && characters[place..<end].elementsEqual(kind.rawValue)
                && !isEscaped[place..<end].contains(true)
        }
    }

    /// The characters without the backslashes that escape a separator's; others are what they are: `C:\dir` stays.
    private static func unescaped(_ word: String) -> ([Character], [Bool]) {
        var characters: [Character] = []
        var isEscaped: [Bool] = []
        var rest = word[...]
        while let character = rest.popFirst() {
            characters.append(character)
            isEscaped.append(false)
            guard character == "\\", let next = rest.popFirst() else { continue }
            if ":;=@".contains(next) {
                characters[characters.count - 1] = next
                isEscaped[isEscaped.count - 1] = true
            } else {
                characters.append(next)
                isEscaped.append(false)
            }
        }
        return (characters, isEscaped)
    }
}
