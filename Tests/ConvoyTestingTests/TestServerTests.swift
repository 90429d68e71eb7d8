import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TestServerTests {
    // MARK: Scripts

    @Test func answersAreTakenInOrderForAnyRequest() throws {
        let server = try TestServer()
        server.enqueue(.status(503), .json(#"{"id": 7}"#))
        let client = try RawClient(port: server.port)
        #expect(try client.exchange(.get, "/a")?.status == 503)
        let second = try client.exchange(.post, "/b", body: "hello")
        #expect(second?.status == 200)
        #expect(second?.text == #"{"id": 7}"#)
        #expect(second?.headers[.contentType] == "application/json")
        let requests = server.requests
        #expect(requests.map(\.target) == ["/a", "/b"])
        #expect(requests.map(\.connection) == [0, 0])
        #expect(requests.map(\.index) == [0, 1])
        #expect(requests.last?.text == "hello")
        #expect(requests.last?.bytesReceived == 5)
    }

    @Test func theMostSpecificScriptComesFirst() throws {
        let server = try TestServer()
        server.use(.echo())
        server.on(.get, "/a/*", .text("old"))
        server.on(.get, "/a/*", .text("route"))
        server.enqueue(.text("any 1"), .text("any 2"))
        server.enqueue(.text("path"), at: "/a/:x")
        server.enqueue(.text("post"), for: .post, at: "/a/:x")
        let client = try RawClient(port: server.port)
        let texts = try ["/a/b", "/a/b", "/c", "/a/b"].map { try client.exchange(.get, $0)?.text }
        #expect(texts == ["path", "any 1", "any 2", "route"])
        #expect(try client.exchange(.post, "/a/b")?.text == "post")
        #expect(try client.exchange(.get, "/status/418")?.status == 418)
        #expect(!server.requests.map(\.isMatched).contains(false))
    }

    @Test func routesGetTheRequest() throws {
        let server = try TestServer()
        server.on(.post, "/users/:id") { request in
            .text("\(request.parameters["id"] ?? "") \(request.text)", headers: ["X-A": "b"])
        }
        server.on(.put, "/users/:id", readsBody: false) { request in
            .text("\(request.body.count)").early
        }
        let client = try RawClient(port: server.port)
        let reply = try client.exchange(.post, "/users/7", body: "hello")
        #expect(reply?.text == "7 hello")
        #expect(reply?.headers["X-A"] == "b")
        #expect(try client.exchange(.put, "/users/7", body: "hello")?.text == "0")
    }

    @Test func whatIsNotScriptedIsToldSo() throws {
        let server = try TestServer()
        let reply = try RawClient(port: server.port).exchange(.get, "/a?b")
        #expect(reply?.status == 404)
        #expect(reply?.reason == "No Answer Scripted")
        #expect(reply?.text == "no answer is scripted for GET /a?b\n")
        #expect(server.requests.map(\.isMatched) == [false])
    }

    @Test func aRouteThatThrowsIs500() async throws {
        struct Failure: Error {}
        let server = try TestServer()
        server.on(.get, "/") { _ in throw Failure() }
        #expect(try RawClient(port: server.port).exchange(.get, "/")?.status == 500)
        #expect(try await server.request(at: 0).isAbandoned == false)
    }

    // MARK: What came

    @Test func connectionsAreCounted() async throws {
        let server = try TestServer()
        server.on(nil, "/*", .status(204))
        let first = try RawClient(port: server.port)
        let second = try RawClient(port: server.port)
        for client in [first, second, first] { #expect(try client.exchange(.get, "/")?.status == 204) }
        #expect(server.requests.map(\.connection) == [0, 1, 0])
        #expect(server.connections.accepted == 2)
        #expect(server.connections.open == 2)
        second.close()
        try await server.waitForConnections(open: 1)
        first.close()
        try await server.waitForConnections(open: 0)
    }

    @Test func whatIsWaitedForComesAsAnEvent() async throws {
        let server = try TestServer()
        server.on(nil, "/*", .text("hello"))
        async let second = server.request(at: 1)
        async let all = server.waitForRequests(2)
        let client = try RawClient(port: server.port)
        #expect(try client.exchange(.get, "/a")?.status == 200)
        #expect(try client.exchange(.get, "/b")?.status == 200)
        #expect(try await second.target == "/b")
        #expect(try await all.map(\.target) == ["/a", "/b"])
    }

    @Test func whatDoesNotComeIsTold() async throws {
        let server = try TestServer()
        #expect(try RawClient(port: server.port).exchange(.get, "/a")?.status == 404)
        do {
            _ = try await server.request(at: 1, within: .milliseconds(20))
            Issue.record("there is no second request")
        } catch let error as ConvoyError {
            #expect(error.code == .totalTimeout)
            #expect(error.message.contains("request 1; came: GET /a on connection 0"), "\(error.message)")
        }
    }

    @Test func aWaitCanBeCancelled() async throws {
        let server = try TestServer()
        let task = Task { try await server.waitForRequests(1, within: .seconds(3600)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aBodyIsSeenAsItComes() async throws {
        let server = try TestServer()
        server.enqueue(.text("done"))
        let client = try RawClient(port: server.port)
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        let half = try await server.request(at: 0) { $0.bytesReceived == 5 }
        #expect(half.text == "hello")
        #expect(!half.isBodyComplete)
        try client.send("1\r\n!\r\n0\r\nX-Sum: 6\r\n\r\n")
        #expect(try client.receiveReply()?.text == "done")
        let whole = try await server.request(at: 0) { $0.isAnswered }
        #expect(whole.isBodyComplete)
        #expect(whole.text == "hello!")
        #expect(whole.trailers["X-Sum"] == "6")
    }

    // MARK: The peer that leaves

    enum Wait: String, CaseIterable {
        case stall, pause, drip, delay, repeating, slowRepeating, body, slowBody

        var answer: Answer {
            switch self {
            case .stall: .stall
            case .pause: Answer([.pause(.seconds(3600)), .response(.text("late"))])
            case .drip: .text("hello").dripping(1, every: .seconds(3600))
            case .delay: .text("hello").delayed(by: .seconds(3600))
            case .repeating: Answer([.repeating(String(repeating: "x", count: 10_000))])
            case .slowRepeating: Answer([.repeating("x", every: .seconds(3600))])
            case .body: .text("hello")
            case .slowBody: Answer([.readBody(upTo: 1, pause: .seconds(3600)), .response(.text("hello"))])
            }
        }
    }

    @Test(arguments: Wait.allCases, [true, false])
    func aPeerThatLeavesIsNoticed(_ wait: Wait, _ isReset: Bool) async throws {
        let server = try TestServer()
        server.enqueue(wait.answer)
        let client = try RawClient(port: server.port)
        let length = wait == .body ? 1000 : wait == .slowBody ? 2 : 0
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\r\n")
        if length > 0 { try client.send("xx") }
        _ = try await server.request(at: 0)
        if isReset { client.reset() } else { client.close() }
        let request = try await server.request(at: 0) { $0.isAbandoned }
        #expect(!request.isAnswered)
        try await server.waitForConnections(open: 0)
    }

    @Test(arguments: Wait.allCases)
    func everyWaitEndsAtTheStop(_ wait: Wait) async throws {
        let server = try TestServer()
        server.enqueue(wait.answer)
        let client = try RawClient(port: server.port)
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx")
        _ = try await server.request(at: 0)
        #expect(ContinuousClock().measure { server.stop() } < .seconds(5))
        #expect(server.connections.open == 0)
        #expect(server.requests.map(\.isAbandoned) == [false])
    }
}
