import Convoy

/// Prints JSON for people: indented, coloured, or both. It works on the tokens of the text, so that numbers, the order of
/// keys, duplicates and escapes stay as they came.
struct JSONPrinter {
    /// Whether white space is laid out afresh; otherwise it is kept.
    var indents: Bool
    var palette: Palette
    /// Whether control characters inside strings are made visible: for a terminal.
    var isForTerminal: Bool

    /// The text for people; nil if the bytes are no JSON (or nested deeper than a person reads), and go out as they are.
    func print(_ bytes: [UInt8]) -> [UInt8]? {
        // One byte order mark is passed over (RFC 8259 §8.1); the strings inside must be UTF-8 to be shown.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        guard String(validating: text, as: UTF8.self) != nil else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.count * 2)
        var scanner = JSONScanner(text)
        var last: JSONScanner.Token?
        do {
            while let token = try scanner.next() {
                if indents {
                    layOut(token, after: last, depth: scanner.depth, into: &output)
                } else {
                    output += text[(last?.range.upperBound ?? text.startIndex)..<token.range.lowerBound]
                }
                append(token, of: text, to: &output)
                last = token
            }
        } catch { return nil }
        if !indents, let last { output += text[last.range.upperBound...] }
        return output
    }

    /// Puts the white space between two tokens.
    private func layOut(
        _ token: JSONScanner.Token, after last: JSONScanner.Token?, depth: Int,
        into output: inout [UInt8]
    ) {
        let needsLine =
            switch (last?.kind, token.kind) {
            case (nil, _), (.beginObject, .endObject), (.beginArray, .endArray), (_, .comma), (_, .colon): false
            case (.beginObject, _), (.beginArray, _), (.comma, _), (_, .endObject), (_, .endArray): true
            default: false
            }
        if needsLine {
            // A container's own brackets stand one level further out than what is in it.
            let begins = token.kind == .beginObject || token.kind == .beginArray
            output.append(0x0A)
            output += repeatElement(0x20, count: 2 * (begins ? depth - 1 : depth))
        } else if last?.kind == .colon {
            output.append(0x20)
        }
    }

    private func append(
        _ token: JSONScanner.Token, of text: ArraySlice<UInt8>, to output: inout [UInt8]
    ) {
        let style: Palette.Style? =
            switch token.kind {
            case .key: .key
            case .string: .string
            case .number: .number
            case .literal: .literal
            default: nil
            }
        var content = text[token.range]
        if isForTerminal, token.kind == .key || token.kind == .string {
            content = Array(ControlCharacters.visible(String(decoding: content, as: UTF8.self)).utf8)[...]
        }
        if let style {
            output += palette.start(style).utf8
            output += content
            output += palette.end.utf8
        } else {
            output += content
        }
    }
}
