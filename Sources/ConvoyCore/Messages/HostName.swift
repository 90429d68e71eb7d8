#if canImport(CIDN2)
    import CIDN2
#elseif canImport(Foundation)
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The host of an address, checked and brought into the form that goes on the wire (RFC 3986 §3.2.2, IDNA 2008).
enum HostName {
    /// An IPv6 address without its brackets, and its zone.
    static func ipv6(_ literal: Substring, in text: String) throws -> (host: String, zone: String?) {
        var address = literal
        var zone: String?
        if let percent = literal.utf8.firstIndex(of: 0x25) {
            let rest = literal[literal.utf8.index(after: percent)...]
            zone = String(rest.hasPrefix("25") ? rest.dropFirst(2) : rest)
            address = literal[..<percent]
            guard let zone, !zone.isEmpty, zone.utf8.allSatisfy(\.isUnreserved) else {
                throw URIParser.failure(text, "the zone of its IPv6 address is empty or has illegal characters")
            }
        }
        var parsed = in6_addr()
        guard inet_pton(AF_INET6, String(address), &parsed) == 1 else {
            throw URIParser.failure(text, "\(String(address).quotedForMessage) is not an IPv6 address")
        }
        // One address has many spellings; an origin has one.
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &parsed, &buffer, socklen_t(buffer.count)) != nil else {
            return (String(address).lowercasedASCII, zone)
        }
        let canonical = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return (String(decoding: canonical, as: UTF8.self), zone)
    }

    /// A name or an IPv4 address.
    static func name(_ given: Substring, in text: String) throws -> String {
        guard !given.isEmpty else { throw URIParser.failure(text, "it has no host") }
        var name = String(given)
        if name.utf8.contains(0x25) {
            guard let decoded = PercentEncoding.decode(name) else {
                throw URIParser.failure(text, "the percent-encoding in its host is not UTF-8")
            }
            name = decoded
        }
        // A C library would take a NUL for the end of the name.
        guard !name.utf8.contains(0) else { throw URIParser.failure(text, "its host contains NUL") }
        if !name.utf8.allSatisfy({ $0 < 0x80 }) { name = try ascii(name, in: text) }
        name = name.lowercasedASCII
        guard let wrong = name.unicodeScalars.first(where: { !isAllowed($0) }) else {
            try checkLabels(name, in: text)
            return name
        }
        throw URIParser.failure(text, "its host contains \(String(wrong).quotedForMessage)")
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "0"..."9", "-", ".", "_": true
        default: false
        }
    }

    private static func checkLabels(_ name: String, in text: String) throws {
        var labels = name.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard name.utf8.count <= 254, labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else {
            throw URIParser.failure(text, "its host has an empty or overlong label")
        }
        // A last label that is a number makes some resolvers read the whole as an IPv4 address in octal,
        // hexadecimal or short form: only the plain form means the same to everyone.
        guard let last = labels.last, last.utf8.first?.isDigit == true,
            last.utf8.allSatisfy(\.isDigit) || last.hasPrefix("0x")
        else { return }
        let isPlain =
            labels.count == 4
            && labels.allSatisfy { label in
                UInt8(label).map { String($0) == label } ?? false
            }
        guard isPlain else { throw URIParser.failure(text, "its host looks like a number but is no IPv4 address") }
    }

    private static func ascii(_ name: String, in text: String) throws -> String {
        #if canImport(CIDN2)
            var result: UnsafeMutablePointer<CChar>?
            let flags = CInt(IDN2_NONTRANSITIONAL.rawValue | IDN2_NFC_INPUT.rawValue)
            let code = idn2_to_ascii_8z(name, &result, flags)
            defer { idn2_free(result) }
            guard code == IDN2_OK.rawValue, let result else {
                let reason = idn2_strerror(code).map { String(cString: $0) } ?? "code \(code)"
                throw URIParser.failure(text, "its host is no international domain name (\(reason))")
            }
            return String(cString: result)
        #else
            guard let host = URL(string: "http://\(name)/")?.host(percentEncoded: true),
                host.utf8.allSatisfy({ $0 < 0x80 })
            else { throw URIParser.failure(text, "its host is no international domain name") }
            return host
        #endif
    }
}
