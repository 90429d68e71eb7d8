/// An absolute `http` or `https` address, parsed and normalised the same way on every platform (RFC 3986).
///
/// Valid percent-encoded triplets are kept as they are and only illegal characters are encoded, so nothing is encoded
/// twice. Scheme and host are in lower case, international names in their ASCII form (IDNA 2008), the default port and
/// dot segments are gone. What an engine connects to is exactly what `description` shows.
public struct URI: Hashable, Sendable {
    /// `http` or `https`.
    public let scheme: String
    /// The user in the address, decoded; nil without one. Becomes Basic authentication when sent.
    public var user: String?
    /// The password in the address, decoded; nil without one.
    public var password: String?
    /// The host in its ASCII form; an IPv6 address without brackets and zone.
    public let host: String
    /// The zone of a link-local IPv6 address (RFC 6874), such as `eth0`; nil without one.
    public let zone: String?
    /// The port, if it is not the scheme's default.
    public let explicitPort: Int?
    /// The path, encoded; at least `/`. What is set is brought into that form: illegal characters are encoded, dot
    /// segments go.
    public var path: String { didSet { path = URIParser.completedPath(path) } }
    /// The query without its `?`, encoded; nil without one. Illegal characters in what is set are encoded.
    public var query: String? { didSet { query = query.map { PercentEncoding.query.completing($0) } } }
    /// The fragment without its `#`, encoded; never sent. Illegal characters in what is set are encoded.
    public var fragment: String? { didSet { fragment = fragment.map { PercentEncoding.query.completing($0) } } }

    /// The port that is connected to.
    public var port: Int { explicitPort ?? (isSecure ? 443 : 80) }

    /// Whether the scheme is `https`.
    public var isSecure: Bool { scheme == "https" }

    /// Whether the host is an IPv6 address.
    public var isIPv6: Bool { host.utf8.contains(0x3A) }

    /// Host and, if it is not the default one, port, as the `Host` header says them: `[::1]:8080`.
    public var authority: String {
        let name = isIPv6 ? "[\(host)]" : host
        return explicitPort.map { "\(name):\($0)" } ?? name
    }

    /// Scheme, host and port (RFC 6454): what credentials belong to.
    public var origin: String { "\(scheme)://\(authority)" }

    /// Path and query, as the request line says them.
    public var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// The whole address for an engine: without user info and fragment, with the zone.
    package var wireText: String {
        guard let zone else { return "\(origin)\(target)" }
        let port = explicitPort.map { ":\($0)" } ?? ""
        return "\(scheme)://[\(host)%25\(zone)]\(port)\(target)"
    }

    /// Parses an address that begins with `http://` or `https://`.
    ///
    /// Throws `.invalidURL` with the text and the reason.
    public init(_ text: String) throws {
        var parser = try URIParser(text)
        self = try parser.parse()
    }

    init(
        scheme: String, user: String?, password: String?, host: String, zone: String?, port: Int?, path: String,
        query: String?, fragment: String?
    ) {
        self.scheme = scheme
        self.user = user
        self.password = password
        self.host = host
        self.zone = zone
        explicitPort = port == (scheme == "https" ? 443 : 80) ? nil : port
        self.path = path
        self.query = query
        self.fragment = fragment
    }

    /// Whether the text begins like an address of its own and not like a path: a scheme and `://`.
    static func isAbsolute(_ text: String) -> Bool {
        guard let end = text.utf8.firstIndex(where: { !$0.isTokenByte }), end != text.startIndex else { return false }
        return text.utf8[end...].starts(with: "://".utf8)
    }

    /// The address with a path and query appended to its own: exactly one `/` between, queries merged.
    func appending(_ reference: String) throws -> URI {
        var copy = self
        let (path, query, fragment) = URIParser.split(reference)
        if let hostile = reference.unicodeScalars.first(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw URIParser.failure(reference, "it contains the control character \(hostile.escaped(asASCII: true))")
        }
        if !path.isEmpty {
            var base = copy.path[...]
            while base.utf8.last == 0x2F { base.removeLast() }
            let rest = path.utf8.drop { $0 == 0x2F }
            copy.path = base + "/" + Substring(rest)
        }
        copy.appendQuery(query)
        copy.fragment = fragment
        return copy
    }

    /// Takes parameters of these names out of the query.
    mutating func removeFromQuery(_ names: Set<String>) {
        guard let query, !names.isEmpty else { return }
        let kept = query.utf8.split(separator: 0x26).map { Substring($0) }.filter {
            Parameters.names(inEncoded: $0).isDisjoint(with: names)
        }
        self.query = kept.isEmpty ? nil : kept.joined(separator: "&")
    }

    /// Adds an encoded query behind the one that is there.
    mutating func appendQuery(_ encoded: String?) {
        guard let encoded, !encoded.isEmpty else { return }
        query = query.map { $0.isEmpty ? encoded : "\($0)&\(encoded)" } ?? encoded
    }
}

extension URI: CustomStringConvertible {
    /// The address; a user and password in it are left out.
    public var description: String { fragment.map { "\(wireText)#\($0)" } ?? wireText }
}
