/// Goes through the tokens of a JSON text (RFC 8259) and checks its grammar, without building a tree and without
/// recursion: what it hands out are ranges of the text, so that whatever prints them changes nothing.
package struct JSONScanner {
    package enum Kind {
        case beginObject, endObject, beginArray, endArray, colon, comma
        case key, string, number, literal
    }

    package struct Token {
        package let kind: Kind
        package let range: Range<Int>
    }

    package enum Failure: Error { case notJSON }

    /// What may come next.
    private enum Expectation { case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, nothing }

    /// Deeper nesting is nothing that anyone means: Foundation's decoder refuses it, too, and a printer would indent all that
    /// is in it.
    package static let maximumDepth = 512

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var expectation = Expectation.value
    /// For each open container whether it is an object.
    private var open: [Bool] = []

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// How many containers are open after the last token.
    package var depth: Int { open.count }

    /// The next token; nil at the end of a complete text. Throws where the text is no JSON or nested too deeply.
    package mutating func next() throws -> Token? {
        while position != bytes.endIndex, bytes[position].isJSONSpace { advance() }
        guard position != bytes.endIndex else {
            guard expectation == .nothing else { throw Failure.notJSON }
            return nil
        }
        let start = position
        let kind = try readToken()
        return Token(kind: kind, range: start..<position)
    }

    private mutating func readToken() throws -> Kind {
        let byte = bytes[position]
        switch (byte, expectation) {
        case (UInt8(ascii: "}"), .keyOrEnd), (UInt8(ascii: "}"), .commaOrEnd): return try close(isObject: true)
        case (UInt8(ascii: "]"), .valueOrEnd), (UInt8(ascii: "]"), .commaOrEnd): return try close(isObject: false)
        case (UInt8(ascii: ":"), .colon):
            advance()
            expectation = .value
            return .colon
        case (UInt8(ascii: ","), .commaOrEnd):
            advance()
            expectation = open.last == true ? .key : .value
            return .comma
        case (UInt8(ascii: "\""), .key), (UInt8(ascii: "\""), .keyOrEnd):
            try readString()
            expectation = .colon
            return .key
        case (_, .value), (_, .valueOrEnd): return try readValue(byte)
        default: throw Failure.notJSON
        }
    }

    private mutating func readValue(_ byte: UInt8) throws -> Kind {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < Self.maximumDepth else { throw Failure.notJSON }
            let isObject = byte == UInt8(ascii: "{")
            advance()
            open.append(isObject)
            expectation = isObject ? .keyOrEnd : .valueOrEnd
            return isObject ? .beginObject : .beginArray
        case UInt8(ascii: "\""):
            try readString()
            valueEnded()
            return .string
        case UInt8(ascii: "-"), 0x30...0x39:
            try readNumber()
            valueEnded()
            return .number
        default:
            let rest = bytes[position...]
            guard let word = ["true", "false", "null"].first(where: { rest.starts(with: $0.utf8) }) else {
                throw Failure.notJSON
            }
            position += word.utf8.count
            valueEnded()
            return .literal
        }
    }

    private mutating func close(isObject: Bool) throws -> Kind {
        guard open.last == isObject else { throw Failure.notJSON }
        advance()
        open.removeLast()
        valueEnded()
        return isObject ? .endObject : .endArray
    }

    private mutating func valueEnded() { expectation = open.isEmpty ? .nothing : .commaOrEnd }

    private mutating func advance() { position += 1 }

    private var current: UInt8? { position == bytes.endIndex ? nil : bytes[position] }

    private mutating func readString() throws {
        advance()
        while let byte = current {
            advance()
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try readEscape()
            case 0..<0x20: throw Failure.notJSON
            default: break
            }
        }
        throw Failure.notJSON
    }

    private mutating func readEscape() throws {
        guard let byte = current, "\"\\/bfnrtu".utf8.contains(byte) else { throw Failure.notJSON }
        advance()
        guard byte == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard let digit = current, digit.hexValue != nil else { throw Failure.notJSON }
            advance()
        }
    }

    private mutating func readNumber() throws {
        if current == UInt8(ascii: "-") { advance() }
        if current == UInt8(ascii: "0") { advance() } else { try readDigits() }
        if current == UInt8(ascii: ".") {
            advance()
            try readDigits()
        }
        guard current == UInt8(ascii: "e") || current == UInt8(ascii: "E") else { return }
        advance()
        if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { advance() }
        try readDigits()
    }

    private mutating func readDigits() throws {
        guard let first = current, first.isDigit else { throw Failure.notJSON }
        while let digit = current, digit.isDigit { advance() }
    }
}

extension JSONScanner {
    /// Whether the bytes are one JSON text.
    package static func isValid(_ bytes: [UInt8]) -> Bool {
        var scanner = JSONScanner(bytes[...])
        do {
            while try scanner.next() != nil {}
            return true
        } catch { return false }
    }
}
