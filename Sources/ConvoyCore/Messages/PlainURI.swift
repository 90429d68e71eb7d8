extension URI {
    /// Parses an address that is plain: lower-case ASCII name or IPv4 address, no user info, nothing to encode, no dot
    /// segment, no fragment. Nearly all are, and for these one look at each byte is enough; nil leaves the address to
    /// `URIParser`, which gives the same for a plain one.
    init?(plain given: String) {
        var text = given
        let parts: Parts? = text.withUTF8 { bytes in
            guard bytes.count > 8, bytes[0] == 0x68, bytes[1] == 0x74, bytes[2] == 0x74, bytes[3] == 0x70 else {
                return nil
            }
            let isSecure = bytes[4] == 0x73
            let start = isSecure ? 8 : 7
            guard bytes[start - 3] == 0x3A, bytes[start - 2] == 0x2F, bytes[start - 1] == 0x2F,
                let hostEnd = Self.plainHostEnd(bytes, from: start),
                let (port, pathStart) = Self.plainPort(bytes, hostEnd),
                pathStart < bytes.count, bytes[pathStart] == 0x2F
            else { return nil }
            // The default port is not shown: that the full parser sees to.
            guard port != (isSecure ? 443 : 80), let queryMark = Self.plainPathEnd(bytes, from: pathStart) else {
                return nil
            }
            func string(_ range: Range<Int>) -> String {
                String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
            }
            return Parts(
                Values(
                    scheme: isSecure ? "https" : "http", user: nil, password: nil, host: string(start..<hostEnd),
                    zone: nil, port: port, path: string(pathStart..<queryMark),
                    query: queryMark < bytes.count ? string(queryMark + 1..<bytes.count) : nil, fragment: nil),
                wireText: given)
        }
        guard let parts else { return nil }
        self.init(parts)
    }

    /// The end of a host whose labels are plain; nil where one is empty or overlong, or the last begins with a digit
    /// without all four being the numbers of an IPv4 address.
    private static func plainHostEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start
        var labelStart = start
        var labels = 1
        var isNumeric = true
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x61...0x7A, 0x2D: isNumeric = false
            case 0x30...0x39: break
            case 0x2E:
                guard index > labelStart, index - labelStart < 64 else { return nil }
                labels += 1
                labelStart = index + 1
            case 0x3A, 0x2F:
                guard index > labelStart, index - labelStart < 64, index - start < 254 else { return nil }
                if isNumeric { return labels == 4 && isIPv4(bytes, start..<index) ? index : nil }
                return bytes[labelStart].isDigit ? nil : index
            default: return nil
            }
            index += 1
        }
        return nil
    }

    private static func isIPv4(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        var number = 0
        var digits = 0
        for index in range {
            if bytes[index] == 0x2E {
                digits = 0
                number = 0
                continue
            }
            // A leading zero makes some readers take it for an octal number.
            if digits > 0, number == 0 { return false }
            digits += 1
            number = number * 10 + Int(bytes[index] - 0x30)
            if number > 255 { return false }
        }
        return true
    }

    private static func plainPort(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (port: Int?, end: Int)? {
        guard bytes[start] == 0x3A else { return (nil, start) }
        var port = 0
        var index = start + 1
        while index < bytes.count, bytes[index].isDigit {
            port = port * 10 + Int(bytes[index] - 0x30)
            guard port <= 65535 else { return nil }
            index += 1
        }
        return port > 0 ? (port, index) : nil
    }

    /// The place of the `?`, or the end; nil where a byte is to be encoded or a segment begins with a dot.
    private static func plainPathEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var mark = bytes.count
        var previous: UInt8 = 0
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte == 0x3F, mark == bytes.count {
                mark = index
            } else if byte == 0x2E, previous == 0x2F, mark == bytes.count {
                return nil
            } else if byte != 0x3F, !PercentEncoding.isPathByte(byte) {
                return nil
            }
            previous = byte
        }
        return mark
    }
}
