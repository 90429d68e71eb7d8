#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A cookie: what a server asked to be sent again, and to whom (RFC 6265 §5.3).
///
/// ```swift
/// let cookie = Cookie("theme", "dark", domain: "example.com", isHostOnly: false)
/// ```
///
/// Printing one never shows its value.
public struct Cookie: Sendable, Hashable {
    /// The name; compared with its case. May be empty.
    public var name: String
    /// The value, as it was sent: quotes are part of it.
    public var value: String
    /// The host that it belongs to, or the domain whose hosts all get it.
    public var domain: String
    /// Whether only the host itself gets it, and none below it. Default: true.
    public var isHostOnly: Bool
    /// The path that it is for, with all below it. Default: `/`.
    public var path: String
    /// When it ends; nil for the end of the session.
    public var expires: Date?
    /// Whether it is sent over HTTPS only. Default: false.
    public var isSecure: Bool
    /// Whether scripts of a page may not see it. Kept, and of no meaning to a client. Default: false.
    public var isHTTPOnly: Bool
    /// Which sites' requests it may go with. Kept, and of no meaning to a client, whose requests come from no site.
    public var sameSite: SameSite
    /// Whether its bytes on the wire are ISO-8859-1, since they were no UTF-8.
    var isLatin1 = false

    /// Which sites' requests a cookie may go with (RFC 6265bis).
    public enum SameSite: String, Sendable {
        /// Those of its own site.
        case strict
        /// Those of its own site, and links that lead there.
        case lax
        /// Any.
        case none
        /// Not said, or a word that is not known.
        case unspecified
    }

    /// A cookie of a name, a value and the host that gets it.
    public init(
        _ name: String, _ value: String, domain: String, isHostOnly: Bool = true, path: String = "/",
        expires: Date? = nil, isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: SameSite = .unspecified
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }
}

extension Cookie: CustomStringConvertible {
    /// Name, domain, path and flags; the value is masked.
    public var description: String {
        // What a server made up may be meant for a terminal.
        let name = name.isEmpty ? "" : name.visible(upTo: 120) + "="
        var text = "\(name)\(Redaction.mask); Domain=\(domain); Path=\(path.visible(upTo: 120))"
        if let expires { text += "; Expires=\(expires.httpDate)" }
        if isHostOnly { text += "; host only" }
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        if sameSite != .unspecified { text += "; SameSite=\(sameSite)" }
        return text
    }
}

extension Cookie {
    /// As it stands in a `Cookie` field: `name=value`, or the value alone where there is no name.
    var pair: [UInt8] { nameBytes + (name.isEmpty ? [] : [0x3D]) + valueBytes }

    /// The name on the wire.
    var nameBytes: [UInt8] { bytes(name) }

    /// The value on the wire.
    var valueBytes: [UInt8] { bytes(value) }

    private func bytes(_ text: String) -> [UInt8] { Headers.Field("", text, isLatin1: isLatin1).rawValue }

    /// Whether it takes the other's place (RFC 6265bis §5.7).
    func replaces(_ other: Cookie) -> Bool {
        isHostOnly == other.isHostOnly && domain == other.domain && hasName(of: other)
            && path.utf8.elementsEqual(other.path.utf8)
    }

    /// Whether the names are the same, byte for byte: to Swift an accent may be written in two ways.
    func hasName(of other: Cookie) -> Bool {
        name.utf8.count == other.name.utf8.count && name.utf8.elementsEqual(other.name.utf8)
    }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether a path is the cookie's, or below it (RFC 6265 §5.1.4).
    func covers(path other: String) -> Bool {
        let own = path.utf8
        guard other.utf8.starts(with: own) else { return false }
        return other.utf8.count == own.count || own.last == 0x2F || other.utf8.dropFirst(own.count).first == 0x2F
    }

    /// Why it cannot be kept, whoever set it; nil if it can.
    var problem: String? {
        if name.isEmpty, value.isEmpty { return "it has neither a name nor a value" }
        if nameBytes.count + valueBytes.count > 4096 { return "its name and value are longer than 4096 bytes" }
        if [name, value, path].contains(where: { $0.utf8.contains { $0.isCookieControl || $0 == 0x3B } }) {
            return "it contains a semicolon or a control character"
        }
        if name.utf8.contains(0x3D) { return "its name contains =" }
        if path.utf8.first != 0x2F { return "its path does not begin with /" }
        if path.utf8.count > 4096 { return "its path is longer than 4096 bytes" }
        // Without a name the value stands in its place, and a server would take it for one.
        let shown = (name.isEmpty ? value : name).lowercasedASCII
        let isSecured = shown.utf8.starts(with: "__secure-".utf8)
        let isHostBound = shown.utf8.starts(with: "__host-".utf8)
        guard isSecured || isHostBound else { return nil }
        if name.isEmpty { return "it has a prefix and no name" }
        if !isSecure { return "its prefix promises that it is Secure" }
        return isHostBound && (!isHostOnly || path != "/") ? "its prefix promises that it is for one host and /" : nil
    }
}
