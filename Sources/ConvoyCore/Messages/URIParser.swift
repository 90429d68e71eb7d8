/// Takes an absolute address apart (RFC 3986 §3), refusing what different readers would understand differently.
struct URIParser {
    let text: String

    init(_ text: String) throws {
        self.text = text
        if text.isEmpty { throw Self.failure(text, "it is empty") }
        if let hostile = text.unicodeScalars.first(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw Self.failure(text, "it contains the control character \(hostile.escaped(asASCII: true))")
        }
        if text.hasPrefix(" ") || text.hasSuffix(" ") { throw Self.failure(text, "it begins or ends with a space") }
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
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let authority = try parseAuthority(rest[..<end])
        let (path, query, fragment) = Self.split(String(rest[end...]))
        return URI(
            scheme: scheme, user: authority.user, password: authority.password, host: authority.host,
            zone: authority.zone, port: authority.port,
            path: Self.normalisedPath(path.isEmpty ? "/" : PercentEncoding.path.completing(path)),
            query: query.map { PercentEncoding.query.completing($0) },
            fragment: fragment.map { PercentEncoding.query.completing($0) })
    }

    private typealias Authority = (user: String?, password: String?, host: String, zone: String?, port: Int?)

    private func parseAuthority(_ authority: Substring) throws -> Authority {
        var user: String?
        var password: String?
        var rest = authority
        if let at = authority.firstIndex(of: "@") {
            rest = authority[authority.index(after: at)...]
            guard !rest.contains("@") else { throw Self.failure(text, "its authority has more than one @") }
            let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            user = PercentEncoding.decode(parts[0])
            password = parts.count > 1 ? PercentEncoding.decode(parts[1]) : nil
        }
        let (name, portText) = try splitPort(rest)
        let port = try parsePort(portText)
        if name.hasPrefix("[") {
            let (host, zone) = try HostName.ipv6(name.dropFirst().dropLast(), in: text)
            return (user, password, host, zone, port)
        }
        return (user, password, try HostName.name(name, in: text), nil, port)
    }

    private func splitPort(_ rest: Substring) throws -> (Substring, Substring?) {
        if rest.hasPrefix("[") {
            guard let close = rest.firstIndex(of: "]") else { throw Self.failure(text, "[ without ] in the host") }
            let after = rest[rest.index(after: close)...]
            guard after.isEmpty || after.hasPrefix(":") else {
                throw Self.failure(text, "something stands between ] and the port")
            }
            return (rest[...close], after.isEmpty ? nil : after.dropFirst())
        }
        guard let colon = rest.firstIndex(of: ":") else { return (rest, nil) }
        let port = rest[rest.index(after: colon)...]
        guard !port.contains(":") else {
            throw Self.failure(text, "its host has several colons; an IPv6 address stands in brackets: [::1]")
        }
        return (rest[..<colon], port)
    }

    private func parsePort(_ digits: Substring?) throws -> Int? {
        guard let digits, !digits.isEmpty else { return nil }
        guard digits.utf8.count <= 5, digits.utf8.allSatisfy(\.isDigit), let port = Int(digits), (1...65535) ~= port
        else { throw Self.failure(text, "the port \(String(digits).quotedForMessage) is not a number from 1 to 65535") }
        return port
    }

    /// Path, query and fragment of what follows the authority.
    static func split(_ text: String) -> (path: String, query: String?, fragment: String?) {
        var path = text[...]
        var query: String?
        var fragment: String?
        if let hash = path.firstIndex(of: "#") {
            fragment = String(path[path.index(after: hash)...])
            path = path[..<hash]
        }
        if let mark = path.firstIndex(of: "?") {
            query = String(path[path.index(after: mark)...])
            path = path[..<mark]
        }
        return (String(path), query, fragment)
    }

    /// A path without `.` and `..` segments (RFC 3986 §5.2.4); their encoded forms count as such, as servers take them so.
    static func normalisedPath(_ path: some StringProtocol) -> String {
        guard path.contains("/.") || path.contains("%2") else { return String(path) }
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
