import ConvoyCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One request and the answer to it, in the hands of a handler: full control, on a thread of its own.
///
/// A handler may block and sleep. It may answer before it has read the body, read it in pieces, answer in pieces, or
/// send any bytes at all. Every wait throws as soon as the peer is gone or the server stops; let those errors through.
///
/// ```swift
/// routes.handle(.post, "/count") { exchange in
///     var count = 0
///     while let piece = try exchange.readPiece() { count += piece.count }
///     try exchange.respond(.text("\(count)\n"))
/// }
/// ```
public final class Exchange {
    /// The request; its body is empty until `readBody()` was called.
    public internal(set) var request: ServerRequest
    /// The connection it came on.
    package let connection: Connection

    private enum State {
        /// Nothing but interim answers was sent.
        case waiting
        /// The head was sent, the body is being sent: so many bytes so far.
        case open(ResponseHead, sent: Int64)
        /// The answer is complete, or is bytes that only the handler understands.
        case done
    }

    private var state = State.waiting
    private var reader: BodyReader
    private var awaitsContinue: Bool
    private let bodyLimit: Int
    private var pending: [UInt8] = []
    /// Whether the connection can have another request after this one.
    private(set) var keepsAlive: Bool

    /// A body of at most this many bytes is skipped when nobody read it, so that the connection can be kept.
    private static let skippable: Int64 = 65536

    init(
        _ head: RequestHead, on connection: Connection, index: Int, configuration: Server.Configuration
    ) throws(Rejection) {
        request = ServerRequest(head, on: connection, index: index)
        self.connection = connection
        reader = BodyReader(try head.framing(), trailerLimit: configuration.headLimit)
        awaitsContinue = try head.expectsContinue()
        bodyLimit = configuration.bodyLimit
        keepsAlive = head.keepsAlive
    }

    // MARK: Reading the body

    /// Whether the body was read to its end; true when there is none.
    public var isBodyComplete: Bool { reader.isComplete }

    /// Reads the rest of the body into `request.body`, and the trailers.
    ///
    /// A body above the server's `bodyLimit` throws an error that becomes 413 if it is let through.
    public func readBody() throws {
        let limit = Int64(bodyLimit)
        if Int64(request.body.count) + (reader.remaining ?? 0) > limit { throw Self.tooLarge }
        while let piece = try readPiece() {
            request.body.append(piece)
            if Int64(request.body.count) > limit { throw Self.tooLarge }
        }
    }

    private static let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    private static let tooLarge = Rejection(.contentTooLarge, "the body is too large")

    /// Reads the next piece of the body, of at most so many bytes; nil at its end.
    ///
    /// The first call answers `Expect: 100-continue` with the interim answer, unless the body comes already.
    public func readPiece(upTo maximum: Int = 65536) throws -> Data? {
        var data: Data?
        try readPiece(upTo: maximum) { data = Data($0) }
        return data
    }

    /// Reads the next piece of the body without copying it, and gives its size; 0 at the end of the body.
    @discardableResult
    package func readPiece(upTo maximum: Int, _ body: (UnsafeRawBufferPointer) -> Void) throws -> Int {
        var count = 0
        while count == 0, !reader.isComplete {
            if awaitsContinue {
                awaitsContinue = false
                if case .waiting = state, !connection.hasBufferedBytes { try send(Self.interim) }
            }
            guard try connection.fill() else {
                throw ConvoyError(.connectionLost, "the peer closed in the middle of the body")
            }
            try connection.take { bytes in
                let taken = try reader.take(bytes, upTo: max(1, maximum)) {
                    count = $0.count
                    body($0)
                }
                return (taken, ())
            }
        }
        if reader.isComplete { request.trailers = reader.trailers }
        return count
    }

    // MARK: Answering

    /// Whether a final answer was begun, or bytes of the handler's own were sent.
    public var hasAnswered: Bool {
        if case .waiting = state { return false }
        return true
    }

    /// Sends a whole answer. A status of 1xx is an interim one: another answer has to follow.
    ///
    /// Before the request's body was read this is an early answer: the connection is closed afterwards, unless what is
    /// left of the body is small.
    public func respond(_ response: ServerResponse) throws {
        try open(response, length: response.bodyLength)
        for piece in response.pieces {
            if piece.delay > .zero {
                try flush()
                try pause(for: piece.delay)
            }
            try piece.bytes.withUnsafeBytes { try write($0) }
        }
        try end(trailers: response.trailers)
    }

    /// Sends the head of an answer whose body follows by `write(_:)` and `end(trailers:)`: in chunks, unless its fields
    /// say a `Content-Length`. The response's own body is not sent.
    public func begin(_ response: ServerResponse) throws {
        try open(response, length: nil)
        try flush()
    }

    /// Sends a piece of the body of an answer that was begun.
    public func write(_ bytes: Data) throws { try bytes.withUnsafeBytes { try write($0) } }

    /// Ends an answer that was begun. Fields are sent behind a chunked body only.
    public func end(trailers: Headers = [:]) throws {
        if case .open(let head, let sent) = state {
            switch head.framing {
            case .chunked:
                pending += Array("0\r\n".utf8)
                for field in trailers { pending += Array("\(field.name): ".utf8) + field.rawValue + [0x0D, 0x0A] }
                pending += [0x0D, 0x0A]
            case .length(let length): if length != sent { keepsAlive = false }
            case .untilClose: keepsAlive = false
            case .none: break
            }
            state = .done
        }
        try flush()
    }

    /// Sends bytes as they are, in place of an answer or within one. The connection is kept: close it if they need that.
    public func sendRaw(_ bytes: some Sequence<UInt8>) throws {
        if case .waiting = state { state = .done }
        try send(Array(bytes))
    }

    /// The head of an answer to this request as `respond(_:)` would send it.
    package func head(of response: ServerResponse) -> ResponseHead {
        // What is left of the body would be taken for the next request, or is too much to skip.
        let isSkippable = reader.isComplete || (!awaitsContinue && (reader.remaining ?? .max) <= Self.skippable)
        return ResponseHead(
            response, length: response.bodyLength, to: request, keepsAlive: keepsAlive && isSkippable)
    }

    private func open(_ response: ServerResponse, length: Int?) throws {
        guard case .waiting = state else {
            throw ConvoyError(.invalidRequest, "\(request.method) \(request.path) was answered already")
        }
        var response = response
        try response.headers.validate()
        if length == nil, !response.headers.contains(.contentLength) { response.isChunked = true }
        let head = head(of: response)
        pending += head.bytes
        if head.closes { keepsAlive = false }
        if response.status.kind != .informational { state = .open(head, sent: 0) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard case .open(let head, let sent) = state, !bytes.isEmpty else { return }
        state = .open(head, sent: sent + Int64(bytes.count))
        switch head.framing {
        case .none: return
        case .chunked:
            pending += Array("\(String(bytes.count, radix: 16))\r\n".utf8)
            try push(bytes)
            pending += [0x0D, 0x0A]
        case .length, .untilClose: try push(bytes)
        }
        if bytes.count < Self.skippable { try flush() }
    }

    /// Sends what waits and these bytes: small ones together.
    private func push(_ bytes: UnsafeRawBufferPointer) throws {
        if bytes.count < Self.skippable {
            pending += bytes
        } else {
            try flush()
            try connection.send(bytes)
        }
    }

    private func flush() throws {
        guard !pending.isEmpty else { return }
        defer { pending.removeAll(keepingCapacity: true) }
        try send(pending)
    }

    private func send(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try connection.send($0) } }

    // MARK: Waiting and ending

    /// Waits. Throws as soon as the client closes its connection, or its sending side, or the server stops.
    public func pause(for duration: Duration) throws { try connection.pause(duration) }

    /// Waits until the client closes its connection: throws then, or when the server stops.
    public func pauseForEver() throws { try connection.pause(nil) }

    /// Closes the connection when the handler is done, whatever the answer said.
    public func closeAfterwards() { keepsAlive = false }

    /// Closes the connection at once, in order: the client sees the end of the stream.
    public func close() {
        keepsAlive = false
        connection.closeGracefully()
    }

    /// Closes the connection at once with a reset: the client sees `ECONNRESET`.
    public func reset() {
        keepsAlive = false
        connection.reset()
    }

    /// What is left to do when the handler is done: an answer if there is none, and the rest of the body.
    func finish() throws {
        guard !connection.isClosed else { return }
        switch state {
        case .waiting: try respond(.text("the handler gave no answer\n", status: .internalServerError))
        case .open: keepsAlive = false
        case .done: break
        }
        guard keepsAlive, !reader.isComplete else { return }
        if let rest = reader.remaining, rest <= Self.skippable, !awaitsContinue {
            while try readPiece(upTo: 65536, { _ in }) > 0 {}
        } else {
            keepsAlive = false
        }
    }
}
