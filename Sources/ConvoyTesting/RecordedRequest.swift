import ConvoyCore
import ConvoyServer

/// A request that came to a `TestServer`, and how it went: as far as it has come at the moment of asking.
///
/// The parts of the request itself are read directly: `recorded.method`, `recorded.headers["Accept"]`.
@dynamicMemberLookup
public struct RecordedRequest: Sendable {
    /// The request; its body as far as it was read and kept.
    public internal(set) var request: ServerRequest
    /// The bytes of the body that were read, without the framing of chunks.
    public internal(set) var bytesReceived: Int64 = 0
    /// Whether the body was read to its end.
    public internal(set) var isBodyComplete = false
    /// Whether an answer was scripted; if not it was told so with 404.
    public internal(set) var isMatched = true
    /// Whether all steps of the answer were done.
    public internal(set) var isAnswered = false
    /// Whether the peer closed or broke the connection before the answer was done.
    public internal(set) var isAbandoned = false

    init(_ request: ServerRequest) { self.request = request }

    /// A part of the request.
    public subscript<Value>(dynamicMember part: KeyPath<ServerRequest, Value>) -> Value { request[keyPath: part] }
}
