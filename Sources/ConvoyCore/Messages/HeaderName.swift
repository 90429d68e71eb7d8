extension Headers {
    /// The name of a field: compared without case, written as it was given (RFC 9110 §5.1).
    public struct Name: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name as it was given.
        public let rawName: String
        /// The name in lower case: what comparison goes by.
        public let canonicalName: String

        /// A name, in any case. One that is no token (RFC 9110 §5.6.2) is refused when the message is sent.
        public init(_ name: String) {
            rawName = name
            canonicalName = name.utf8.contains { $0 >= 0x41 && $0 <= 0x5A } ? name.lowercasedASCII : name
        }

        /// A name, in any case.
        public init(stringLiteral value: String) { self.init(value) }

        /// Whether both name the same field: case does not count.
        public static func == (left: Name, right: Name) -> Bool { left.canonicalName == right.canonicalName }
        /// Hashes what is compared.
        public func hash(into hasher: inout Hasher) { hasher.combine(canonicalName) }
        /// The name as it was given.
        public var description: String { rawName }
    }
}

extension Headers.Name {
    /// `Accept`
    public static let accept: Self = "Accept"
    /// `Accept-Encoding`
    public static let acceptEncoding: Self = "Accept-Encoding"
    /// `Accept-Language`
    public static let acceptLanguage: Self = "Accept-Language"
    /// `Authorization`
    public static let authorization: Self = "Authorization"
    /// `Cache-Control`
    public static let cacheControl: Self = "Cache-Control"
    /// `Connection`
    public static let connection: Self = "Connection"
    /// `Content-Encoding`
    public static let contentEncoding: Self = "Content-Encoding"
    /// `Content-Length`
    public static let contentLength: Self = "Content-Length"
    /// `Content-Type`
    public static let contentType: Self = "Content-Type"
    /// `Cookie`
    public static let cookie: Self = "Cookie"
    /// `Date`
    public static let date: Self = "Date"
    /// `ETag`
    public static let etag: Self = "ETag"
    /// `Expect`
    public static let expect: Self = "Expect"
    /// `Host`
    public static let host: Self = "Host"
    /// `Location`
    public static let location: Self = "Location"
    /// `Proxy-Authorization`
    public static let proxyAuthorization: Self = "Proxy-Authorization"
    /// `Set-Cookie`
    public static let setCookie: Self = "Set-Cookie"
    /// `Trailer`
    public static let trailer: Self = "Trailer"
    /// `Transfer-Encoding`
    public static let transferEncoding: Self = "Transfer-Encoding"
    /// `User-Agent`
    public static let userAgent: Self = "User-Agent"
    /// `WWW-Authenticate`
    public static let wwwAuthenticate: Self = "WWW-Authenticate"
}
