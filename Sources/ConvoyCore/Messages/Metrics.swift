/// What one exchange took: times since it began, and bytes on the wire. Engines give it for failed exchanges too.
///
/// Times grow from `nameLookup` to `total`, each counted from the beginning; a phase that did not happen, or took place
/// on an earlier exchange of a reused connection, has the time of the one before it.
public struct Metrics: Sendable {
    /// Until the host's name was looked up.
    public var nameLookup: Duration = .zero
    /// Until the connection was made.
    public var connect: Duration = .zero
    /// Until the TLS handshake was done.
    public var tls: Duration = .zero
    /// Until the first byte of the answer came; nil if none did.
    public var firstByte: Duration?
    /// Until the exchange ended.
    public var total: Duration = .zero
    /// The bytes of the request's header.
    public var sentHeaderBytes: Int64 = 0
    /// The bytes of the request's body.
    public var sentBodyBytes: Int64 = 0
    /// The bytes of the answer's header.
    public var receivedHeaderBytes: Int64 = 0
    /// The bytes of the answer's body, before any decoding.
    public var receivedBodyBytes: Int64 = 0
    /// Whether the connection had served an earlier exchange.
    public var isReusedConnection = false
    /// The protocol version of the answer; nil if none came.
    public var version: HTTPVersion?
    /// The connection it went over; nil if there was none.
    public var connection: ConnectionInfo?

    /// Nothing measured yet.
    public init() {}
}

/// What is known of a connection. All exchanges over it share one value.
public final class ConnectionInfo: Sendable {
    /// The peer's address and port: `127.0.0.1:8080`, `[::1]:8080`, or a socket's path.
    public let remoteAddress: String
    /// The own address and port.
    public let localAddress: String
    /// What TLS negotiated; nil on a clear connection.
    public let tls: TLSInfo?

    /// A connection between two addresses.
    public init(remoteAddress: String, localAddress: String, tls: TLSInfo? = nil) {
        self.remoteAddress = remoteAddress
        self.localAddress = localAddress
        self.tls = tls
    }
}

/// What a TLS handshake negotiated.
public struct TLSInfo: Sendable, Hashable {
    /// The protocol, such as `TLSv1.3`.
    public var version: String
    /// The cipher suite's name.
    public var cipher: String
    /// The server's certificates as it sent them, its own first.
    public var certificates: [CertificateInfo]

    /// What a handshake negotiated.
    public init(version: String, cipher: String, certificates: [CertificateInfo]) {
        self.version = version
        self.cipher = cipher
        self.certificates = certificates
    }
}

/// What a certificate says of itself.
public struct CertificateInfo: Sendable, Hashable {
    /// The subject's distinguished name (RFC 4514).
    public var subject: String
    /// The issuer's distinguished name (RFC 4514).
    public var issuer: String
    /// The first and last moment of its validity, as ISO 8601 in UTC.
    public var notBefore: String
    /// The last moment of its validity, as ISO 8601 in UTC.
    public var notAfter: String
    /// The certificate itself (DER).
    public var der: [UInt8]

    /// What a certificate says.
    public init(subject: String, issuer: String, notBefore: String, notAfter: String, der: [UInt8]) {
        self.subject = subject
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.der = der
    }
}
