/// Percent-encoding (RFC 3986 §2): which bytes stay as they are, and how the others are written.
package struct PercentEncoding: Sendable {
    private let allowed: @Sendable (UInt8) -> Bool
    private let spaceIsPlus: Bool

    /// One value as one piece of an address: everything but unreserved characters is encoded.
    package static let value = PercentEncoding(spaceIsPlus: false) { $0.isUnreserved }

    /// A value of a form body: `application/x-www-form-urlencoded` as WHATWG URL §5 says it.
    package static let form = PercentEncoding(spaceIsPlus: true) {
        ($0.isUnreserved && $0 != 0x7E) || $0 == 0x2A
    }

    /// A whole path: what RFC 3986 §3.3 allows in one, and `/`.
    package static let path = PercentEncoding(spaceIsPlus: false) { isPathByte($0) }

    /// A whole query or fragment: what RFC 3986 §3.4 allows in one.
    package static let query = PercentEncoding(spaceIsPlus: false) { isPathByte($0) || $0 == 0x3F }

    /// A query value with `+` for a space, as some servers want it.
    static let plusValue = PercentEncoding(spaceIsPlus: true) { $0.isUnreserved }

    /// Unreserved and reserved characters stay (RFC 6570 §3.2.3).
    static let reserved = PercentEncoding(spaceIsPlus: false) {
        isPathByte($0) || [0x3F, 0x23, 0x5B, 0x5D].contains($0)
    }

    private init(spaceIsPlus: Bool, _ allowed: @escaping @Sendable (UInt8) -> Bool) {
        self.spaceIsPlus = spaceIsPlus
        self.allowed = allowed
    }

    /// Whether the byte may stand in the user info of an address (RFC 3986 §3.2.1), or is of a character beyond ASCII.
    static func isUserInfoByte(_ byte: UInt8) -> Bool {
        byte == 0x25 || byte >= 0x80 || (isPathByte(byte) && byte != 0x2F && byte != 0x40)
    }

    static func isPathByte(_ byte: UInt8) -> Bool {
        if byte.isUnreserved { return true }
        switch byte {
        // sub-delims, ":" , "@" and "/"
        case 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D, 0x3A, 0x40, 0x2F: return true
        default: return false
        }
    }

    /// The text with every byte encoded that is not allowed, `%` too.
    package func encode(_ text: some StringProtocol) -> String { encode(text.utf8) { _ in false } }

    /// The text with illegal bytes encoded, and triplets that are already there kept: nothing is encoded twice.
    package func completing(_ text: some StringProtocol) -> String {
        if text.utf8.allSatisfy(allowed) { return String(text) }
        return encode(text.utf8) { rest in
            var following = rest.dropFirst().makeIterator()
            return following.next()?.hexValue != nil && following.next()?.hexValue != nil
        }
    }

    private func encode<Bytes: Collection<UInt8>>(
        _ bytes: Bytes, keepsPercent: (Bytes.SubSequence) -> Bool
    ) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 16)
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            if allowed(byte) || (byte == 0x25 && keepsPercent(bytes[index...])) {
                output.append(byte)
            } else if byte == 0x20, spaceIsPlus {
                output.append(0x2B)
            } else {
                output += [0x25, Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            }
            index = bytes.index(after: index)
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text with its triplets decoded; nil if that is no UTF-8. A `%` without two digits stays.
    package static func decode(_ text: some StringProtocol) -> String? {
        guard text.utf8.contains(0x25) else { return String(text) }
        var output: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count, let high = bytes[index + 1].hexValue,
                let low = bytes[index + 2].hexValue
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(validating: output, as: UTF8.self)
    }
}
