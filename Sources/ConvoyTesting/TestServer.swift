import ConvoyCore
import ConvoyServer

/// A real HTTP server for your own tests: scripted answers, recorded requests, and faults on purpose.
///
/// ```swift
/// let server = try TestServer()
/// server.enqueue(.status(503), .json(#"{"id": 7}"#))          // in order, whatever is asked
/// server.on(.get, "/users/:id") { .text("user \($0.parameters["id"] ?? "")") }
/// … client.get("\(server.url)users/7") …
/// let request = try await server.request(at: 0)
/// #expect(request.headers["Accept"] == "*/*")
/// #expect(server.connections.accepted == 1)
/// ```
///
/// For each request the first of these that is left answers: what was queued for its path, what was queued for any
/// path, what was set by `on` (the latest first), the routes of `use`. Otherwise it is told with 404 that nothing is
/// scripted for it, and recorded as not matched. It stops by `stop()`, or when it is released.
public final class TestServer: Sendable {
    private let recorder: Recorder
    private let server: Server

    /// Starts a server, on loopback and a free port unless the configuration says otherwise.
    ///
    /// Throws `.cannotListen` if the address is taken, or the certificate is not usable.
    public init(_ configuration: Server.Configuration = Server.Configuration()) throws {
        let recorder = Recorder()
        self.recorder = recorder
        server = try Server(
            configuration,
            handler: { try Self.answer($0, recorder) },
            accepted: { try Self.greet($0, recorder) },
            observer: { connections in recorder.change { $0.connections = connections } })
    }

    /// Starts a server that speaks TLS.
    public convenience init(tls: Server.TLS) throws {
        try self.init(Server.Configuration { $0.tls = tls })
    }

    /// The address of the server, which ends in `/`.
    public var url: URI { server.url }

    /// The TCP port it listens on; 0 for a Unix domain socket.
    public var port: Int { server.port }

    /// The address of a path: `url("/get?a=1")`.
    public func url(_ target: String) -> String { server.url(target) }

    /// Stops: closes every connection at once and waits for all threads. To call it again does nothing.
    public func stop() { server.stop() }

    // MARK: Scripting

    /// Queues answers that are given once each, in order: to any request, or to those of a method and path pattern.
    public func enqueue(_ answers: Answer..., for method: Method? = nil, at pattern: String? = nil) {
        recorder.change { $0.scripts.append(.init(method: method, pattern: pattern, answers: answers)) }
    }

    /// Sets the answer for a method (nil for every) and path pattern, such as `/users/:id` or `/files/*`. The closure
    /// gets the request with its body; without `readsBody` it is asked as soon as the head is there.
    public func on(
        _ method: Method?, _ pattern: String, readsBody: Bool = true,
        _ answer: @escaping @Sendable (ServerRequest) throws -> Answer
    ) {
        recorder.change {
            $0.routes.append(.init(method: method, pattern: pattern, readsBody: readsBody, answer: answer))
        }
    }

    /// Sets the answer for a method (nil for every) and path pattern.
    public func on(_ method: Method?, _ pattern: String, _ answer: Answer) {
        on(method, pattern, readsBody: false) { _ in answer }
    }

    /// Lets routes answer what is not scripted, such as `.echo()`.
    public func use(_ routes: Routes) { recorder.change { $0.fallback.append(routes) } }

    /// Queues what is done with the next connections before anything is read from them, or TLS begins: one list of steps
    /// for each, in the order the connections are taken up. An empty list, or one that does not close, goes on with what
    /// is scripted for requests.
    public func enqueue(connections steps: [Answer.Step]...) { recorder.change { $0.greetings += steps } }

    // MARK: What came

    /// The requests whose head has come, in order.
    public var requests: [RecordedRequest] { recorder.read { $0.records } }

    /// How many connections there are, now and altogether.
    public var connections: Server.Connections { recorder.read { $0.connections } }

    /// The request of a number, counted from 0, as soon as its head is there.
    ///
    /// Throws `.totalTimeout` if it does not come in time, with what came instead.
    public func request(at index: Int, within limit: Duration = .seconds(10)) async throws -> RecordedRequest {
        try await request(at: index, within: limit, for: "request \(index)") { _ in true }
    }

    /// The request of a number, counted from 0, as soon as it is as the closure wants it:
    ///
    /// ```swift
    /// let begun = try await server.request(at: 0) { $0.bytesReceived > 1000 }
    /// let abandoned = try await server.request(at: 0) { $0.isAbandoned }      // the client gave it up
    /// ```
    ///
    /// Throws `.totalTimeout` if that does not come about in time.
    public func request(
        at index: Int, within limit: Duration = .seconds(10), for what: String? = nil,
        until isFit: @escaping @Sendable (RecordedRequest) -> Bool
    ) async throws -> RecordedRequest {
        try await recorder.wait(within: limit, for: what ?? "a state of request \(index)") { state in
            guard state.records.indices.contains(index), isFit(state.records[index]) else { return nil }
            return state.records[index]
        }
    }

    /// All requests, as soon as there are so many whose answer is done or was abandoned.
    ///
    /// Throws `.totalTimeout` if they do not come in time, with what came instead.
    @discardableResult
    public func waitForRequests(
        _ count: Int, within limit: Duration = .seconds(10)
    ) async throws -> [RecordedRequest] {
        try await recorder.wait(within: limit, for: "\(count) requests") { state in
            let done = state.records.count { $0.isAnswered || $0.isAbandoned }
            return done >= count ? state.records : nil
        }
    }

    /// Waits until so many connections are open: 0 shows that a client has let go of all of its own.
    ///
    /// Throws `.totalTimeout` if that does not come about in time.
    public func waitForConnections(open count: Int, within limit: Duration = .seconds(10)) async throws {
        try await recorder.wait(within: limit, for: "\(count) open connections") { state in
            state.connections.open == count ? () : nil
        }
    }

    // MARK: Answering

    private static func greet(_ connection: Connection, _ recorder: Recorder) throws {
        let steps = recorder.change { $0.greetings.isEmpty ? [] : $0.greetings.removeFirst() }
        guard !steps.isEmpty else { return }
        var player = AnswerPlayer(Answer(steps), connection: connection, exchange: nil)
        try player.play()
    }

    private static func answer(_ exchange: Exchange, _ recorder: Recorder) throws {
        let index = recorder.change { state in
            var record = RecordedRequest(exchange.request)
            record.isBodyComplete = exchange.isBodyComplete
            state.records.append(record)
            return state.records.count - 1
        }
        do {
            try play(exchange, index, recorder)
            recorder.change(record: index) {
                $0.isBodyComplete = exchange.isBodyComplete
                $0.isAnswered = true
            }
        } catch {
            let isLost = (error as? ConvoyError)?.code == .connectionLost
            recorder.change(record: index) { record in
                record.isBodyComplete = exchange.isBodyComplete
                record.isAbandoned = isLost
            }
            throw error
        }
    }

    private static func play(_ exchange: Exchange, _ index: Int, _ recorder: Recorder) throws {
        func play(_ answer: Answer) throws {
            let connection = exchange.connection
            var player = AnswerPlayer(answer, connection: connection, exchange: exchange) { count, kept, isLast in
                recorder.change(record: index) { record in
                    record.bytesReceived += Int64(count)
                    if let kept { record.request.body.append(kept) }
                    record.isBodyComplete = isLast
                    record.request.trailers = exchange.request.trailers
                }
            }
            try player.play()
        }
        let (answer, route) = recorder.next(for: exchange.request)
        if let answer { return try play(answer) }
        if let route {
            if route.readsBody { try play(Answer([.readBody()])) }
            var request = recorder.read { $0.records[index].request }
            let path = Routes.segments(request.path)
            request.parameters = Routes.match(Routes.segments(route.pattern), path) ?? [:]
            return try play(try route.answer(request))
        }
        if try recorder.read({ $0.fallback }).handle(exchange) {
            recorder.change(record: index) { record in
                record.request = exchange.request
                record.bytesReceived = Int64(exchange.request.body.count)
            }
            return
        }
        recorder.change(record: index) { $0.isMatched = false }
        var response = ServerResponse.text(
            "no answer is scripted for \(exchange.request.method) \(exchange.request.target)\n", status: .notFound)
        response.reason = "No Answer Scripted"
        try play(.response(response))
    }
}
