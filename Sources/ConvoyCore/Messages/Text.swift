/// Small questions about text that the messages ask, by the grammar of RFC 9110.
extension String {
    /// In lower case, ASCII letters only.
    package var lowercasedASCII: String {
        var copy = self
        return copy.withUTF8 { source in
            String(unsafeUninitializedCapacity: source.count) { target in
                for (index, byte) in source.enumerated() {
                    target[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
                }
                return source.count
            }
        }
    }

    /// Whether it is a token (RFC 9110 §5.6.2).
    package var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }

    /// For an error message: in quotes, control characters escaped, cut to a length that fits a line.
    package var quotedForMessage: String {
        var text = "\""
        for scalar in unicodeScalars.prefix(120) {
            text += scalar.isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return text + (unicodeScalars.count > 120 ? "…\"" : "\"")
    }

    /// For an error message: what another side sent, control characters replaced, cut to a length.
    package func visible(upTo count: Int) -> String {
        var text = ""
        for scalar in unicodeScalars.prefix(count) {
            text += scalar.isControl && scalar != "\n" && scalar != "\t" ? "\u{FFFD}" : String(scalar)
        }
        return unicodeScalars.dropFirst(count).isEmpty ? text : text + "…"
    }

    /// Without the white space of RFC 9110 §5.6.3 around it.
    package var trimmingOWS: Substring {
        // By bytes: to Swift a space with a combining mark behind it is another character.
        var rest = utf8[...]
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return Substring(rest.drop { $0 == 0x20 || $0 == 0x09 })
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character (C0, DEL, C1): a terminal may obey them.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

extension UInt8 {
    /// Whether the byte may stand in a token (RFC 9110 §5.6.2).
    package var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// Whether the byte is white space in JSON (RFC 8259 §2).
    var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// Whether the byte is an ASCII digit.
    package var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// Whether the byte is unreserved (RFC 3986 §2.3).
    package var isUnreserved: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    /// The value of a hexadecimal digit; nil for any other byte.
    package var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
