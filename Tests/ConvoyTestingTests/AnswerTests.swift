import ConvoyCore
import ConvoyServer
import ConvoyTesting
import FoundationEssentials
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite(.timeLimit(.minutes(1)))
struct AnswerTests {
    private func ask(_ answer: Answer) throws -> (TestServer, RawClient) {
        let server = try TestServer()
        server.enqueue(answer)
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        return (server, client)
    }

    /// What follows the head in everything the peer sends up to its end.
    private func bodyUpToTheEnd(_ answer: Answer) throws -> String {
        let (server, client) = try ask(answer)
        defer { server.stop() }
        let text = try client.receiveAll()
        let end = try #require(text.firstRange(of: "\r\n\r\n"))
        return String(text[end.upperBound...])
    }

    @Test func properAnswers() throws {
        let server = try TestServer()
        server.enqueue(
            .bytes([1, 2], headers: [.contentType: "image/png"]), .redirect(to: "/b", status: 307),
            .chunks(["a", "bc"], trailers: ["X-Sum": "3"]), .text("no", status: .notFound, headers: ["X-A": "b"]))
        let client = try RawClient(port: server.port)
        let bytes = try client.exchange(.get, "/")
        #expect(bytes?.body == [1, 2])
        #expect(bytes?.headers.values(for: .contentType) == ["image/png"])
        let redirect = try client.exchange(.get, "/")
        #expect(redirect?.status == 307)
        #expect(redirect?.headers[.location] == "/b")
        let chunks = try client.exchange(.get, "/")
        #expect(chunks?.text == "abc")
        #expect(chunks?.headers[.transferEncoding] == "chunked")
        #expect(chunks?.headers["X-Sum"] == "3")
        let text = try client.exchange(.get, "/")
        #expect(text?.status == 404)
        #expect(text?.text == "no")
        #expect(text?.headers["X-A"] == "b")
    }

    @Test func headRequestsGetNoBody() throws {
        let server = try TestServer()
        server.on(nil, "/", .text("hello"))
        let client = try RawClient(port: server.port)
        #expect(try client.exchange(.head, "/")?.headers[.contentLength] == "5")
        #expect(try client.exchange(.get, "/")?.text == "hello")
    }

    @Test func rawBytesGoAsTheyAre() throws {
        let (server, client) = try ask(.raw("HTTP/9.9 nonsense\r\nX\0: \u{FF}\r\n").closing)
        #expect(try client.receiveAll() == "HTTP/9.9 nonsense\r\nX\0: \u{FF}\r\n")
        #expect(server.requests.count == 1)
    }

    @Test func aConnectionIsKeptAfterRawBytes() throws {
        let (server, client) = try ask(.head(200, ["Content-Length": "2"]).then(.raw("hi")))
        #expect(try client.receiveReply()?.text == "hi")
        server.enqueue(.text("again"))
        #expect(try client.exchange(.get, "/")?.text == "again")
        #expect(server.connections.accepted == 1)
    }

    @Test(arguments: [0, 1, 3, 5])
    func cutsAreToTheByte(_ count: Int) throws {
        #expect(try bodyUpToTheEnd(.text("hello").cut(after: count)) == "hello".prefix(count))
        #expect(try bodyUpToTheEnd(.text("hello").dripping(2, every: .zero).cut(after: count)) == "hello".prefix(count))
        let chunked = "2\r\nab\r\n0\r\n\r\n"
        #expect(try Array(bodyUpToTheEnd(.chunks(["ab"]).cut(after: count)).utf8) == Array(chunked.utf8.prefix(count)))
        let (server, client) = try ask(.text("hello").cut(after: count, of: .everything))
        defer { server.stop() }
        #expect(try client.receiveAll() == "HTTP/1.1 200 OK".prefix(count))
        let (other, raw) = try ask(.raw("hello").cut(after: count))
        defer { other.stop() }
        #expect(try raw.receiveAll() == "hello".prefix(count))
    }

    @Test func aCutBehindABodyThatNeverComes() throws {
        var response = ServerResponse(headers: [.contentLength: "10"])
        response.status = .ok
        #expect(try bodyUpToTheEnd(Answer.response(response).cut(after: 0)) == "")
    }

    @Test func resetsAreSeenAsSuch() throws {
        let (server, client) = try ask(.reset)
        #expect(throws: RawClient.Failure(call: "recv", code: ECONNRESET)) { try client.receiveAll() }
        #expect(server.requests.count == 1)
        let (other, second) = try ask(.text("hello").reset(after: 2))
        #expect(throws: RawClient.Failure(call: "recv", code: ECONNRESET)) { try second.receiveAll() }
        #expect(other.requests.count == 1)
    }

    @Test func aCloseWithoutAnAnswerIsAnOrderlyEnd() throws {
        let (server, client) = try ask(.close)
        #expect(try client.receiveAll() == "")
        #expect(server.requests.count == 1)
    }

    @Test func dripsTakeTheirTime() throws {
        var text = ""
        let time = try ContinuousClock().measure {
            let (server, client) = try ask(Answer.raw("hello").dripping(1, every: .milliseconds(20)).then(.close))
            defer { server.stop() }
            text = try client.receiveAll()
        }
        #expect(text == "hello")
        #expect(time >= .milliseconds(80))
    }

    @Test func delaysComeBeforeTheFirstByte() throws {
        let server = try TestServer()
        server.enqueue(.text("hello").delayed(by: .milliseconds(100)))
        let client = try RawClient(port: server.port)
        var reply: RawClient.Reply?
        let time = try ContinuousClock().measure { reply = try client.exchange(.get, "/") }
        #expect(reply?.text == "hello")
        #expect(time >= .milliseconds(100))
    }

    @Test func aStallAfterSomeBytesLastsUntilTheStop() async throws {
        let (server, client) = try ask(.text("hello").stalled(after: 2))
        while try client.receiveLine() != "" {}
        #expect(try client.receive(2) == Array("he".utf8))
        #expect(server.requests.map(\.isAnswered) == [false])
        server.stop()
        #expect(try client.receiveAll() == "")
    }

    @Test func interimAnswers() throws {
        let (server, client) = try ask(Answer([.response(.status(103)), .response(.text("hello"))]))
        #expect(try client.receiveReply()?.status == 103)
        #expect(try client.receiveReply()?.text == "hello")
        #expect(server.requests.count == 1)
    }

    // MARK: Bodies of requests

    @Test func anEarlyAnswerReadsNothing() async throws {
        let server = try TestServer()
        server.enqueue(.status(413).early)
        let client = try RawClient(port: server.port)
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nxxx")
        let reply = try client.receiveReply()
        #expect(reply?.status == 413)
        #expect(reply?.headers[.connection] == "close")
        let request = try await server.request(at: 0) { $0.isAnswered }
        #expect(request.bytesReceived == 0)
        #expect(!request.isBodyComplete)
    }

    @Test func anAnswerInTheMiddleOfTheBody() throws {
        let server = try TestServer()
        server.enqueue(Answer([.readBody(upTo: 3), .response(.text("enough")), .readBody()]))
        let client = try RawClient(port: server.port)
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc")
        #expect(try client.receiveReply()?.text == "enough")
        #expect(server.requests.first?.text == "abc")
        try client.send("def")
        server.enqueue(.text("next"))
        #expect(try client.exchange(.get, "/")?.text == "next")
        #expect(server.requests.first?.text == "abcdef")
    }

    @Test func aBodyThatIsNotKeptIsCounted() throws {
        let server = try TestServer(.init { $0.bodyLimit = 1000 })
        server.enqueue(.text("done").discardingBody)
        let client = try RawClient(port: server.port)
        let block = [UInt8](repeating: 0x78, count: 1 << 20)
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(8 << 20)\r\n\r\n")
        for _ in 0..<8 { try client.send(block) }
        #expect(try client.receiveReply()?.text == "done")
        #expect(server.requests.map(\.bytesReceived) == [8 << 20])
        #expect(server.requests.first?.body.isEmpty == true)
    }

    @Test func aSlowReaderTakesItsTime() throws {
        let server = try TestServer()
        server.enqueue(Answer([.readBody(pieceSize: 1, pause: .milliseconds(20)), .response(.text("done"))]))
        let client = try RawClient(port: server.port)
        var reply: RawClient.Reply?
        let time = try ContinuousClock().measure { reply = try client.exchange(.post, "/", body: "hello") }
        #expect(reply?.text == "done")
        #expect(time >= .milliseconds(80))
        #expect(server.requests.first?.text == "hello")
    }

    // MARK: Connections

    @Test func connectionsMayFailBeforeAnyRequest() async throws {
        let server = try TestServer()
        server.on(nil, "/*", .text("hello"))
        server.enqueue(connections: [.reset], [.raw("220 ready\r\n"), .close], [.pause(.milliseconds(1))], [.stall])
        let first = try RawClient(port: server.port)
        #expect(throws: RawClient.Failure(call: "recv", code: ECONNRESET)) { try first.receiveAll() }
        let second = try RawClient(port: server.port)
        #expect(try second.receiveAll() == "220 ready\r\n")
        let third = try RawClient(port: server.port)
        #expect(try third.exchange(.get, "/")?.text == "hello")
        let fourth = try RawClient(port: server.port)
        try fourth.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        second.close()
        try await server.waitForConnections(open: 2)
        fourth.close()
        try await server.waitForConnections(open: 1)
        #expect(server.requests.count == 1)
        #expect(server.connections.accepted == 4)
    }
}
