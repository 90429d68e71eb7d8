#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Bytes to text: byte order mark, stated charset, UTF-8 if it is that, ISO-8859-1.
enum TextDecoding {
    static func text(_ data: Data, contentType: String?) -> String? {
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { return String(validating: data.dropFirst(3), as: UTF8.self) }
        if data.starts(with: [0xFF, 0xFE]) { return utf16(data.dropFirst(2), bigEndian: false) }
        if data.starts(with: [0xFE, 0xFF]) { return utf16(data.dropFirst(2), bigEndian: true) }
        switch contentType.flatMap(charset) {
        case nil: return String(validating: data, as: UTF8.self) ?? latin1(data)
        case "utf-8", "utf8": return String(validating: data, as: UTF8.self)
        case "us-ascii", "ascii": return data.allSatisfy { $0 < 0x80 } ? String(validating: data, as: UTF8.self) : nil
        case "iso-8859-1", "latin1", "iso_8859-1", "l1": return latin1(data)
        case "utf-16le": return utf16(data, bigEndian: false)
        case "utf-16", "utf-16be": return utf16(data, bigEndian: true)
        default: return nil
        }
    }

    /// The charset parameter of a `Content-Type` in lower case; nil without one.
    static func charset(of contentType: String) -> String? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, String(parts[0]).trimmingOWS.lowercased() == "charset" else { continue }
            // Of a field that came twice, the first one: its values are joined by commas.
            let value = parts[1].prefix { $0 != "," }.filter { $0 != "\"" && $0 != "'" }
            return String(value.trimmingOWS).lowercasedASCII
        }
        return nil
    }

    static func latin1(_ data: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(data.map { Unicode.Scalar($0) }))
    }

    private static func utf16(_ data: Data, bigEndian: Bool) -> String? {
        guard data.count.isMultiple(of: 2) else { return nil }
        let bytes = Array(data)
        let units = stride(from: 0, to: bytes.count, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return bigEndian ? first << 8 | second : second << 8 | first
        }
        return String(validating: units, as: UTF16.self)
    }
}
