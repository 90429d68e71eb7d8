/// An absolute `http` or `https` address, parsed and normalised the same way on every platform (RFC 3986).
///
/// Valid percent-encoded triplets are kept as they are and only illegal characters are encoded, so nothing is encoded
/// twice. Scheme and host are in lower case, international names in their ASCII form (IDNA 2008), the default port and
/// dot segments are gone. What an engine connects to is exactly what `description` shows.
public struct URI: Sendable {
    /// The parts, never changed once they are made: an address is handed on by many hands.
    final class Parts: Sendable {
        let values: Values
        /// The whole for an engine: without user info and fragment, with the zone.
        let wireText: String

        init(_ values: Values, wireText: String) {
            self.values = values
            self.wireText = wireText
        }

        init(_ values: Values) {
            self.values = values
            let port = values.port.map { ":\($0)" } ?? ""
            let host =
                if let zone = values.zone {
                    "[\(values.host)%25\(zone)]"
                } else if values.host.utf8.contains(0x3A) {
                    "[\(values.host)]"
                } else {
                    values.host
                }
            let query = values.query.map { "?" + $0 } ?? ""
            wireText = values.scheme + "://" + host + port + values.path + query
        }
    }

    /// The parts one by one.
    struct Values: Hashable, Sendable {
        let scheme: String
        var user: String?
        var password: String?
        let host: String
        let zone: String?
        let port: Int?
        var path: String
        var query: String?
        var fragment: String?
    }

    private var parts: Parts

    init(_ parts: Parts) { self.parts = parts }

    private mutating func change(_ change: (inout Values) -> Void) {
        var values = parts.values
        change(&values)
        parts = Parts(values)
    }

    /// `http` or `https`.
    public var scheme: String { parts.values.scheme }
    /// The user in the address, decoded; nil without one. Becomes Basic authentication when sent.
    public var user: String? {
        get { parts.values.user }
        set { change { $0.user = newValue } }
    }
    /// The password in the address, decoded; nil without one.
    public var password: String? {
        get { parts.values.password }
        set { change { $0.password = newValue } }
    }
    /// The host in its ASCII form; an IPv6 address without brackets and zone.
    public var host: String { parts.values.host }
    /// The zone of a link-local IPv6 address (RFC 6874), such as `eth0`; nil without one.
    public var zone: String? { parts.values.zone }
    /// The port, if it is not the scheme's default.
    public var explicitPort: Int? { parts.values.port }
    /// The path, encoded; at least `/`. What is set is brought into that form: illegal characters are encoded, dot
    /// segments go.
    public var path: String {
        get { parts.values.path }
        set { change { $0.path = URIParser.completedPath(newValue) } }
    }
    /// The query without its `?`, encoded; nil without one. Illegal characters in what is set are encoded.
    public var query: String? {
        get { parts.values.query }
        set { change { $0.query = newValue.map { PercentEncoding.query.completing($0) } } }
    }
    /// The fragment without its `#`, encoded; never sent. Illegal characters in what is set are encoded.
    public var fragment: String? {
        get { parts.values.fragment }
        set { change { $0.fragment = newValue.map { PercentEncoding.query.completing($0) } } }
    }

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
    package var wireText: String { parts.wireText }

    /// Parses an address that begins with `http://` or `https://`.
    ///
    /// Throws `.invalidURL` with the text and the reason.
    public init(_ text: String) throws {
        if let plain = URI(plain: text) {
            self = plain
            return
        }
        var parser = try URIParser(text)
        self = try parser.parse()
    }

    init(
        scheme: String, user: String?, password: String?, host: String, zone: String?, port: Int?, path: String,
        query: String?, fragment: String?
    ) {
        parts = Parts(
            Values(
                scheme: scheme, user: user, password: password, host: host, zone: zone,
                port: port == (scheme == "https" ? 443 : 80) ? nil : port, path: path, query: query, fragment: fragment)
        )
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
        if !path.isEmpty { copy.path = copy.path(with: path) }
        copy.appendQuery(query)
        copy.fragment = fragment
        return copy
    }

    /// The path with another behind it: exactly one `/` between.
    func path(with path: some StringProtocol) -> String {
        var base = self.path[...]
        while base.utf8.last == 0x2F { base.removeLast() }
        return base + "/" + Substring(Substring(path).utf8.drop { $0 == 0x2F })
    }

    /// What the path has behind that of a base, whole segments; nil if it does not lie there.
    func path(below base: URI) -> Substring? {
        let start = base.path.utf8.last == 0x2F ? base.path.dropLast() : base.path[...]
        guard path.utf8.starts(with: start.utf8) else { return nil }
        let rest = Substring(path.utf8.dropFirst(start.utf8.count))
        return rest.isEmpty || rest.utf8.first == 0x2F ? rest : nil
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

extension URI: Hashable {
    /// Whether all parts are the same.
    public static func == (left: URI, right: URI) -> Bool {
        left.parts === right.parts || left.parts.values == right.parts.values
    }

    /// All parts.
    public func hash(into hasher: inout Hasher) { hasher.combine(parts.values) }
}

extension URI: CustomStringConvertible {
    /// The address; a user and password in it are left out.
    public var description: String { fragment.map { "\(wireText)#\($0)" } ?? wireText }
}
