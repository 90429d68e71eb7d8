import ConvoyCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a server answers (RFC 9112 §4): a status, header fields, and a body that is framed by itself.
///
/// `Content-Length` or `Transfer-Encoding: chunked` is added as it fits, and so are `Date` and `Connection: close`. A
/// field of those names that you set is sent as you set it, also where it lies: after a `Content-Length` that does not
/// match the body, the connection is closed. For anything that is no proper response send bytes through `Exchange`.
public struct ServerResponse: Sendable {
    /// A part of a body, sent after a delay.
    public struct Piece: Sendable, Hashable {
        /// The wait before it is sent. Default: none.
        public var delay: Duration
        /// Its bytes.
        public var bytes: Data

        /// A part of a body.
        public init(_ bytes: Data, delay: Duration = .zero) {
            self.bytes = bytes
            self.delay = delay
        }
    }

    /// The status.
    public var status: Status
    /// The reason phrase; nil for the registered one.
    public var reason: String?
    /// The header fields, in order.
    public var headers: Headers
    /// The body in the parts it is sent in; none for an empty body.
    public var pieces: [Piece]
    /// The fields behind a chunked body. Default: none.
    public var trailers = Headers()
    /// Whether the body goes in chunks, one for each piece. Default: false, with `Content-Length`.
    public var isChunked = false
    /// Whether the connection is closed afterwards. Default: false, unless the client asks for it.
    public var closes = false

    /// A response with a body, empty by default.
    public init(_ status: Status = .ok, headers: Headers = [:], body: Data = Data()) {
        self.init(status, headers: headers, pieces: body.isEmpty ? [] : [Piece(body)])
    }

    /// A response with a body in parts.
    public init(_ status: Status = .ok, headers: Headers = [:], pieces: [Piece]) {
        self.status = status
        self.headers = headers
        self.pieces = pieces
    }

    /// The number of bytes of the body.
    var bodyLength: Int { pieces.reduce(0) { $0 + $1.bytes.count } }
}

extension ServerResponse {
    /// A response of a status alone.
    public static func status(_ status: Status, headers: Headers = [:]) -> Self { Self(status, headers: headers) }

    /// Text, `text/plain; charset=utf-8` by default.
    public static func text(
        _ text: String, status: Status = .ok, contentType: String = "text/plain; charset=utf-8"
    ) -> Self {
        Self(status, headers: [.contentType: contentType], body: Data(text.utf8))
    }

    /// Text that is JSON already.
    public static func json(_ text: String, status: Status = .ok) -> Self {
        .text(text, status: status, contentType: "application/json")
    }

    /// A value as JSON, keys sorted. Throws what its encoding throws.
    public static func json(encoding value: some Encodable, status: Status = .ok) throws -> Self {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Self(status, headers: [.contentType: "application/json"], body: try encoder.encode(value))
    }

    /// Bytes, `application/octet-stream` by default.
    public static func bytes(
        _ bytes: some Sequence<UInt8>, status: Status = .ok, contentType: String = "application/octet-stream"
    ) -> Self {
        Self(status, headers: [.contentType: contentType], body: Data(bytes))
    }

    /// A redirect to another address, 302 by default.
    public static func redirect(to location: String, status: Status = .found) -> Self {
        Self(status, headers: [.location: location])
    }
}
