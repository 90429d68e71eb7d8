/// How the connection of a request is made. The engine refuses what it cannot do, before anything is sent.
public struct Network: Sendable, Hashable {
    /// Which proxy to go through. Default: the one that the environment names.
    public var proxy: Proxy = .environment
    /// The path of a Unix domain socket to connect to instead of the host; Host and TLS keep the URL's name.
    public var unixSocket: String?
    /// The name of the network interface, or the local address, to connect from.
    public var interface: String?
    /// Which protocol versions may be used. Default: HTTP/2 where TLS negotiates it, else HTTP/1.1.
    public var versions: Versions = .automatic
    /// Whether a connection is made for this exchange even where an open one could be used. Default: false.
    public var usesFreshConnection = false
    /// Whom to trust. Default: the system's authorities.
    public var trust: Trust = .system

    /// The defaults.
    public init() {}

    /// Which protocol versions may be used.
    public struct Versions: Sendable, Hashable, CustomStringConvertible {
        private let name: String
        /// The version's name.
        public var description: String { name }
        private init(_ name: String) { self.name = name }
        /// HTTP/2 where TLS negotiates it, else HTTP/1.1.
        public static let automatic = Versions("automatic")
        /// HTTP/1.1 only.
        public static let http1 = Versions("HTTP/1.1")
        /// HTTP/2 only, on a clear connection too ("prior knowledge", RFC 9113 §3.3).
        public static let http2 = Versions("HTTP/2")
    }

    /// Which proxy a request goes through.
    public enum Proxy: Sendable, Hashable {
        /// As curl does: `http_proxy`, `https_proxy` (or `HTTPS_PROXY`), `all_proxy`, and the exceptions of `no_proxy`.
        case environment
        /// None, whatever the environment says.
        case none
        /// This one: `http://`, `https://`, `socks4a://` or `socks5h://`, with credentials if needed; but not for the
        /// hosts of `bypass`, written as in `no_proxy`: names with all their subdomains, addresses, CIDR blocks, or `*`.
        case url(String, bypass: [String] = [])
    }

    /// Whom a TLS connection trusts.
    public enum Trust: Sendable, Hashable {
        /// The system's authorities; `SSL_CERT_FILE` and `SSL_CERT_DIR` replace them.
        case system
        /// The system's authorities and those in a PEM file.
        case systemAnd(pemFile: String)
        /// Only the authorities in a PEM file.
        case only(pemFile: String)
    }
}

extension Network.Proxy: CustomStringConvertible {
    /// The proxy for people; user and password are masked.
    public var description: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .url(let url, let bypass):
            Redaction.maskUserInfo(url) + (bypass.isEmpty ? "" : " except \(bypass.joined(separator: ", "))")
        }
    }
}
