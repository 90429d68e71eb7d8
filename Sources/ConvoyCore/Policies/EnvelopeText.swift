#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Finds values in a JSON text by their path, and cuts them out as they stand there: no number loses a digit.
///
/// One pass finds the first step of all paths and checks the grammar to the end; a further step looks only into what the
/// one before has found.
struct EnvelopeText {
    private let bytes: [UInt8]
    /// By the first step; a text that is no JSON fails those who ask for a path, not those who do without.
    private let top: Result<[String: Range<Int>], any Error>

    /// - Parameter names: the first steps of the paths that will be asked for.
    init(_ data: Data, names: Set<String>) {
        guard !names.isEmpty else {
            bytes = []
            top = .success([:])
            return
        }
        let bytes = [UInt8](data)
        self.bytes = bytes
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        top = Result { try Self.find(names, in: bytes[(isMarked ? 3 : 0)...]) }
    }

    /// The value at a path as it stands in the text.
    func piece(at path: [String]) throws -> Data? { try range(of: path).map { Data(bytes[$0]) } }

    /// The value at a path as text, if it is a string, a number, or a truth value.
    func scalar(at path: [String]) throws -> String? {
        guard let range = try range(of: path) else { return nil }
        switch bytes[range].first {
        case UInt8(ascii: "\""): return Self.string(bytes[range])
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"), nil: return nil
        default: return String(decoding: bytes[range], as: UTF8.self)
        }
    }

    private func range(of path: [String]) throws -> Range<Int>? {
        guard let first = path.first else { return nil }
        var range = try top.get()[first]
        for name in path.dropFirst() {
            guard let outer = range else { return nil }
            range = try Self.find([name], in: bytes[outer])[name]
        }
        return range
    }

    /// The places of the members of an object by their keys, or of the elements of an array by their numbers: of those
    /// that are asked for. A scalar has none.
    private static func find(_ names: Set<String>, in text: ArraySlice<UInt8>) throws -> [String: Range<Int>] {
        var found: [String: Range<Int>] = [:]
        var scanner = JSONScanner(text)
        let numbers = Set(names.compactMap { Int($0) })
        var name: String?
        var start = text.startIndex
        var index = 0
        var isArray = false
        while let token = try scanner.next() {
            switch (token.kind, scanner.depth) {
            case (.beginArray, 1):
                isArray = true
                name = "0"
            case (.key, 1): name = string(text[token.range])
            case (.comma, 1) where isArray:
                index += 1
                name = numbers.contains(index) ? "\(index)" : nil
            case (.beginObject, 2), (.beginArray, 2): start = token.range.lowerBound
            case (.endObject, 1), (.endArray, 1): note(start..<token.range.upperBound)
            case (.string, 1), (.number, 1), (.literal, 1): note(token.range)
            default: break
            }
        }
        return found

        func note(_ range: Range<Int>) {
            guard let name, names.contains(name), found[name] == nil else { return }
            found[name] = range
        }
    }

    /// The content of a string that stands in the text with its quotation marks; nil if an escape in it is none of
    /// Unicode.
    private static func string(_ quoted: ArraySlice<UInt8>) -> String? {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(quoted))
    }
}
