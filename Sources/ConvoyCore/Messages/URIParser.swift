/// Takes an absolute address apart (RFC 3986 §3), refusing what different readers would understand differently.
///
/// Delimiters are looked for among bytes, as servers and other clients do: to Swift a `#` with a combining mark behind it
/// is another character, and the host would be read from elsewhere.
struct URIParser {
    let text: String

    init(_ text: String) throws {
        self.text = text
        if text.isEmpty { throw Self.failure(text, "it is empty") }
        if let hostile = text.unicodeScalars.first(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw Self.failure(text, "it contains the control character \(hostile.escaped(asASCII: true))")
        }
        if text.utf8.first == 0x20 || text.utf8.last == 0x20 {
            throw Self.failure(text, "it begins or ends with a space")
        }
    }

    static func failure(_ text: String, _ reason: String) -> ConvoyError {
        ConvoyError(.invalidURL, "\(Redaction.standard.address(text).quotedForMessage) is not a usable URL: \(reason)")
    }

    mutating func parse() throws -> URI {
        guard let colon = text.range(of: "://", in: text.startIndex) else {
            throw Self.failure(text, "it has no scheme; begin with http:// or https://")
        }
        let scheme = String(text[..<colon.lowerBound]).lowercasedASCII
        guard scheme == "http" || scheme == "https" else {
            throw Self.failure(text, "the scheme is \(scheme.quotedForMessage), not http or https")
        }
        let rest = text[colon.upperBound...]
        let end = rest.utf8.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
        let authority = try parseAuthority(rest[..<end])
        let (path, query, fragment) = Self.split(String(rest[end...]))
        return URI(
            scheme: scheme, user: authority.user, password: authority.password, host: authority.host,
            zone: authority.zone, port: authority.port,
            path: Self.completedPath(path),
            query: query.map { PercentEncoding.query.completing($0) },
            fragment: fragment.map { PercentEncoding.query.completing($0) })
    }

    private typealias Authority = (user: String?, password: String?, host: String, zone: String?, port: Int?)

    private func parseAuthority(_ authority: Substring) throws -> Authority {
        var user: String?
        var password: String?
        var rest = authority
        if let at = authority.utf8.firstIndex(of: 0x40) {
            rest = authority[authority.utf8.index(after: at)...]
            guard !rest.utf8.contains(0x40) else { throw Self.failure(text, "its authority has more than one @") }
            (user, password) = try parseUserInfo(authority[..<at])
        }
        let (name, portText) = try splitPort(rest)
        let port = try parsePort(portText)
        if name.utf8.first == 0x5B {
            let (host, zone) = try HostName.ipv6(Substring(name.utf8.dropFirst().dropLast()), in: text)
            return (user, password, host, zone, port)
        }
        return (user, password, try HostName.name(name, in: text), nil, port)
    }

    private func parseUserInfo(_ given: Substring) throws -> (user: String?, password: String?) {
        // For some readers a backslash ends the authority: then another host would be meant.
        guard given.utf8.allSatisfy(PercentEncoding.isUserInfoByte) else {
            throw Self.failure(text, "its user or password has a character that must be percent-encoded")
        }
        let colon = given.utf8.firstIndex(of: 0x3A)
        guard let user = PercentEncoding.decode(given[..<(colon ?? given.endIndex)]),
            let password = PercentEncoding.decode(colon.map { given[given.utf8.index(after: $0)...] } ?? "")
        else { throw Self.failure(text, "the percent-encoding of its user or password is not UTF-8") }
        if user.isEmpty, password.isEmpty { return (nil, nil) }
        return (user, colon == nil ? nil : password)
    }

    private func splitPort(_ rest: Substring) throws -> (Substring, Substring?) {
        if rest.utf8.first == 0x5B {
            guard let close = rest.utf8.firstIndex(of: 0x5D) else {
                throw Self.failure(text, "[ without ] in the host")
            }
            let after = rest.utf8[rest.utf8.index(after: close)...]
            guard after.isEmpty || after.first == 0x3A else {
                throw Self.failure(text, "something stands between ] and the port")
            }
            return (rest[...close], after.isEmpty ? nil : Substring(after.dropFirst()))
        }
        guard let colon = rest.utf8.firstIndex(of: 0x3A) else { return (rest, nil) }
        let port = rest[rest.utf8.index(after: colon)...]
        guard !port.utf8.contains(0x3A) else {
            throw Self.failure(text, "its host has several colons; an IPv6 address stands in brackets: [::1]")
        }
        return (rest[..<colon], port)
    }

    private func parsePort(_ digits: Substring?) throws -> Int? {
        guard let digits, !digits.isEmpty else { return nil }
        guard digits.utf8.count <= 5, digits.utf8.allSatisfy(\.isDigit), let port = Int(digits), (1...65535) ~= port
        // What stands there may be a part of a password: it is not said again.
        else { throw Self.failure(text, "the port is not a number from 1 to 65535") }
        return port
    }

    /// Path, query and fragment of what follows the authority.
    static func split(_ text: String) -> (path: String, query: String?, fragment: String?) {
        var path = text[...]
        var query: String?
        var fragment: String?
        if let hash = path.utf8.firstIndex(of: 0x23) {
            fragment = String(path[path.utf8.index(after: hash)...])
            path = path[..<hash]
        }
        if let mark = path.utf8.firstIndex(of: 0x3F) {
            query = String(path[path.utf8.index(after: mark)...])
            path = path[..<mark]
        }
        return (String(path), query, fragment)
    }

    /// A path as it goes on the wire: from a `/` on, illegal characters encoded, without dot segments.
    static func completedPath(_ path: String) -> String {
        let encoded = PercentEncoding.path.completing(path)
        return normalisedPath(encoded.utf8.first == 0x2F ? encoded : "/" + encoded)
    }

    /// A path without `.` and `..` segments (RFC 3986 §5.2.4); their encoded forms count as such, as servers take them so.
    static func normalisedPath(_ path: String) -> String {
        guard hasDotSegment(path) else { return path }
        var kept: [Substring] = []
        let segments = Substring(path).dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch dots(segment) {
            case 1: if isLast { kept.append("") }
            case 2:
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    /// Whether a segment begins with a dot, encoded or not: a look without copies, for most paths have none.
    private static func hasDotSegment(_ path: String) -> Bool {
        var previous: UInt8 = 0
        for byte in path.utf8 {
            if previous == 0x2F, byte == 0x2E || byte == 0x25 { return true }
            previous = byte
        }
        return false
    }

    /// How many dots a segment consists of, encoded or not; 0 if of anything else, or of more than two.
    static func dots(_ segment: some StringProtocol) -> Int {
        guard segment.utf8.count <= 6 else { return 0 }
        let plain = PercentEncoding.decode(segment)
        return plain == "." ? 1 : plain == ".." ? 2 : 0
    }
}

extension String {
    /// The first place of some ASCII text, without Foundation.
    func range(of needle: String, in start: Index) -> Range<Index>? {
        let pattern = Array(needle.utf8)
        var index = start
        while index != endIndex {
            if utf8[index...].starts(with: pattern) { return index..<utf8.index(index, offsetBy: pattern.count) }
            utf8.formIndex(after: &index)
        }
        return nil
    }
}
