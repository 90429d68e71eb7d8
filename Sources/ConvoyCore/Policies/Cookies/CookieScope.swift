/// Which hosts a cookie is for.
enum CookieScope {
    /// The host of an address as cookies know it: no port, and one address on two links is two hosts.
    static func host(of uri: URI) -> String { uri.zone.map { "\(uri.host)%\($0)" } ?? uri.host }

    /// The domains whose cookies a host may get: itself, and the names above it.
    static func domains(above host: String) -> [String] {
        guard !isAddress(host) else { return [host] }
        var domains = [host]
        var rest = host[...]
        while let dot = rest.utf8.firstIndex(of: 0x2E) {
            rest = rest[rest.utf8.index(after: dot)...]
            domains.append(String(rest))
        }
        return domains
    }

    /// Whether a host is the domain or lies below it (RFC 6265 §5.1.3).
    static func host(_ host: String, isIn domain: String) -> Bool {
        host == domain || !isAddress(host) && host.hasSuffix("." + domain)
    }

    /// The domain of a cookie that a host sets for a domain, empty for itself, and whether it is for that host only. Nil
    /// where it may not: another's domain, or a public suffix (RFC 6265 §5.3 steps 5 and 6).
    static func settled(_ domain: String, setBy host: String) -> (domain: String, isHostOnly: Bool)? {
        guard !domain.isEmpty else { return (host, true) }
        guard domain.utf8.allSatisfy({ $0 < 0x80 }), self.host(host, isIn: domain) else { return nil }
        if isAddress(host) { return (host, false) }
        // Where nobody can tell a public suffix the host keeps its cookie to itself.
        guard PublicSuffix.isKnown else { return (host, true) }
        guard let registered = registrable(host), domain.utf8.count >= registered.utf8.count else {
            return domain == host ? (host, true) : nil
        }
        return (domain, false)
    }

    /// Whether a cookie may be for all hosts of a domain, whoever set it.
    static func mayBeShared(_ domain: String) -> Bool {
        !PublicSuffix.isKnown || isAddress(domain) || registrable(domain) != nil
    }

    /// A name that ends in a dot would pass the list by, so it has no domain but itself.
    private static func registrable(_ host: String) -> String? {
        host.utf8.last == 0x2E ? nil : PublicSuffix.registrableDomain(of: host)
    }

    /// Whether a host is an IP address: what ends in a number is, or it is no host (`HostName`).
    private static func isAddress(_ host: String) -> Bool {
        host.utf8.contains(0x3A) || host.utf8.last?.isDigit == true && host.utf8.allSatisfy { $0.isDigit || $0 == 0x2E }
    }

    /// A domain as a user or a file writes it, in the form that is compared. Throws `.invalidURL` if it is none.
    static func canonical(_ text: String) throws -> String {
        guard !text.utf8.contains(0x3A) else {
            let (host, zone) = try HostName.ipv6(text[...], in: text)
            return zone.map { "\(host)%\($0)" } ?? host
        }
        return try HostName.name(withoutDot(text)[...], in: text)
    }

    /// A domain without the dot that older software puts in front of it.
    static func withoutDot(_ domain: some StringProtocol) -> String {
        String(Substring(domain).utf8.dropFirst(domain.utf8.first == 0x2E ? 1 : 0)) ?? ""
    }
}
