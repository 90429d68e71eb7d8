/// A command line that cannot be carried out as it stands: exit code 1.
struct UsageError: Error, Equatable {
    /// What is wrong, naming the word.
    let message: String
    /// The command whose help says more, if it is known.
    var command: String?

    init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }
}

/// A command line taken apart: the words, and the options with their values in the order given.
struct Arguments: Sendable, Equatable {
    /// Everything that is no option, in order.
    var words: [String] = []
    /// The options in order; an option without a value has an empty one.
    private(set) var given: [Given] = []

    struct Given: Sendable, Equatable {
        let option: Option
        let value: String
    }

    func has(_ option: Option) -> Bool { given.contains { $0.option == option } }

    /// The value of an option; of several the last, so that a later word overrides an alias's.
    func value(_ option: Option) -> String? { given.last { $0.option == option }?.value }

    fileprivate mutating func add(_ option: Option, _ value: String) throws {
        if !option.choices.isEmpty, !option.choices.contains(value) {
            let hint = Suggestion.phrase(for: value, among: option.choices)
            let list = option.choices.joined(separator: ", ")
            throw UsageError("--\(option.name) takes one of \(list), not \(value.quotedForMessage)\(hint)")
        }
        given.append(Given(option: option, value: value))
    }
}

/// Reads a command line: long options with `=` or the next word as their value, short ones alone or bundled (`-vo FILE`,
/// `-oFILE`), `--` for the end of options; options and words in any order. A lone `-` is a word.
struct ArgumentReader {
    private let options: [Option]

    init(options: [Option]) { self.options = options }

    func read(_ line: [String]) throws -> Arguments {
        var arguments = Arguments()
        var rest = line[...]
        while let word = rest.popFirst() {
            if word == "--" {
                arguments.words += rest
                break
            } else if word.hasPrefix("--") {
                try readLong(word.dropFirst(2), &rest, &arguments)
            } else if word.hasPrefix("-"), word != "-" {
                try readShort(word.dropFirst(), &rest, &arguments)
            } else {
                arguments.words.append(word)
            }
        }
        return arguments
    }

    private func readLong(
        _ word: Substring, _ rest: inout ArraySlice<String>, _ arguments: inout Arguments
    ) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { $0.name == name }) else {
            let hint = Suggestion.phrase(for: name, among: options.map(\.name), prefix: "--")
            throw UsageError("unknown option \("--\(name)".shown)\(hint)")
        }
        if option.value == nil {
            guard parts.count == 1 else { throw UsageError("--\(name) takes no value") }
            return try arguments.add(option, "")
        }
        guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
            throw UsageError("--\(name) needs a value: --\(name) \(option.value ?? "")")
        }
        try arguments.add(option, value)
    }

    private func readShort(
        _ word: Substring, _ rest: inout ArraySlice<String>, _ arguments: inout Arguments
    ) throws {
        var letters = word
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                // `-verbose` is a long option that lost a dash more often than seven short ones.
                let hint = Suggestion.phrase(for: String(word), among: options.map(\.name), prefix: "--")
                throw UsageError("unknown option \("-\(letter)".shown) in \("-\(word)".shown)\(hint)")
            }
            guard let placeholder = option.value else {
                try arguments.add(option, "")
                continue
            }
            guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
                throw UsageError("-\(letter) needs a value: -\(letter) \(placeholder)")
            }
            return try arguments.add(option, value)
        }
    }
}

extension String {
    /// As it is where every character can be seen, else in quotes.
    fileprivate var shown: String {
        unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F } ? self : quotedForMessage
    }
}
