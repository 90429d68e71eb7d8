import ConvoyCore
import ConvoyTesting
import FoundationEssentials
import Testing

@testable import ConvoyServer

@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
    private func makeServer(
        _ configure: (inout Server.Configuration) -> Void = { _ in }, handler: @escaping Server.Handler
    ) throws -> (Server, RawClient) {
        let server = try Server(Server.Configuration(configure), handler: handler)
        return (server, try RawClient(port: server.port))
    }

    /// Tells connection, index and body length.
    private static let telling: Server.Handler = { exchange in
        try exchange.readBody()
        let request = exchange.request
        try exchange.respond(.text("\(request.connection) \(request.index) \(request.body.count)"))
    }

    // MARK: Connections

    @Test func aConnectionIsKeptAndItsRequestsAreCounted() throws {
        let (server, client) = try makeServer(handler: Self.telling)
        #expect(try client.exchange(.get, "/")?.text == "0 0 0")
        #expect(try client.exchange(.post, "/", body: "hello")?.text == "0 1 5")
        let other = try RawClient(port: server.port)
        #expect(try other.exchange(.get, "/")?.text == "1 0 0")
        #expect(try client.exchange(.get, "/")?.text == "0 2 0")
        #expect(server.connections.accepted == 2)
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
        let (server, client) = try makeServer(handler: Self.telling)
        defer { server.stop() }
        let post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
        let chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n\(post)\(chunked)GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try (0..<4).map { _ in try client.receiveReply()?.text } == ["0 0 0", "0 1 5", "0 2 2", "0 3 0"])
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: te, Close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
    ])
    func aConnectionIsClosedWhenAskedTo(_ request: String) throws {
        let (server, client) = try makeServer(handler: Self.telling)
        defer { server.stop() }
        try client.send(request)
        let text = try client.receiveAll()
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.hasSuffix("\r\n\r\n0 0 0"))
    }

    @Test func anIdleConnectionIsClosedInSilence() throws {
        let (server, client) = try makeServer({ $0.idleTimeout = .milliseconds(50) }, handler: Self.telling)
        defer { server.stop() }
        #expect(try client.exchange(.get, "/")?.status == 200)
        #expect(try client.receiveAll() == "")
    }

    @Test func aRequestThatDoesNotComeToItsEndIsToldSo() throws {
        let (server, client) = try makeServer({ $0.idleTimeout = .milliseconds(50) }, handler: Self.telling)
        defer { server.stop() }
        try client.send("GET / HTTP/1.1\r\nHos")
        #expect(try client.receiveReply()?.status == 408)
    }

    @Test func connectionsAboveTheBoundWaitForTheirTurn() throws {
        let (server, first) = try makeServer({ $0.maximumConnections = 1 }, handler: Self.telling)
        defer { server.stop() }
        #expect(try first.exchange(.get, "/")?.text == "0 0 0")
        let second = try RawClient(port: server.port)
        try second.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try first.exchange(.get, "/")?.text == "0 1 0")
        #expect(server.connections.accepted == 1)
        first.close()
        #expect(try second.receiveReply()?.text == "1 0 0")
    }

    @Test func ipv6() throws {
        let server: Server
        do { server = try Server(.init { $0.host = "::1" }, handler: Self.telling) } catch let error as ConvoyError {
            try Test.cancel("this machine has no IPv6 loopback: \(error.message)")
        }
        #expect(server.url.description == "http://[::1]:\(server.port)/")
        let client = try RawClient(port: server.port, host: "::1")
        #expect(try client.exchange(.get, "/")?.text == "0 0 0")
    }

    @Test func unixDomainSocket() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(
            "convoy-\(UInt32.random(in: 0...(.max)))"
        )
        .path
        let server = try Server(.init { $0.unixPath = path }) { exchange in
            try exchange.respond(.text(exchange.request.remoteAddress))
        }
        let client = try RawClient(path: path)
        #expect(try client.exchange(.get, "/")?.text == "unix")
        #expect(throws: ConvoyError.self) { try Server(.init { $0.unixPath = path }, handler: Self.telling) }
        #expect(try client.exchange(.get, "/")?.text == "unix")
        server.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(throws: ConvoyError.self) {
            try Server(.init { $0.unixPath = String(repeating: "x", count: 200) }, handler: Self.telling)
        }
    }

    @Test func aTakenPortIsAnError() throws {
        let (server, _) = try makeServer(handler: Self.telling)
        do {
            _ = try Server(.init { $0.port = server.port }, handler: Self.telling)
            Issue.record("two servers listen on one port")
        } catch let error as ConvoyError {
            #expect(error.code == .cannotListen)
            #expect(error.message.contains("\(server.port)"))
        }
    }

    // MARK: Requests

    @Test(arguments: malformedRequests)
    func malformedRequestsAreRefused(_ example: MalformedRequest) throws {
        let (server, client) = try makeServer(handler: Self.telling)
        defer { server.stop() }
        try client.send(example.text)
        let reply = try client.receiveReply()
        #expect(reply?.status == example.status, "\(example.name)")
        #expect(reply?.headers[.connection] == "close")
        #expect(try client.receiveAll() == "")
        #expect(try RawClient(port: server.port).exchange(.get, "/")?.status == 200)
    }

    @Test(arguments: malformedChunks)
    func malformedChunksAreRefused(_ example: MalformedRequest) throws {
        let (server, client) = try makeServer(handler: Self.telling)
        defer { server.stop() }
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(example.text)")
        let status = try client.receiveReply()?.status
        #expect(status == (example.name.hasPrefix("an endless") ? 400 : example.status), "\(example.name)")
        #expect(try RawClient(port: server.port).exchange(.get, "/")?.status == 200)
    }

    @Test func requestsAreBounded() throws {
        let (server, _) = try makeServer({ $0.bodyLimit = 10 }, handler: Self.telling)
        defer { server.stop() }
        let long = String(repeating: "x", count: 70_000)
        let cases: [(String, Int)] = [
            ("GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nHost: x\r\nX-A: \(long)\r\n\r\n", 431),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nhello world", 413),
            ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhelloworld", 200),
        ]
        for (request, status) in cases {
            let client = try RawClient(port: server.port)
            try client.send(request)
            #expect(try client.receiveReply()?.status == status)
        }
    }

    @Test func chunkedBodiesHaveTrailers() throws {
        let (server, client) = try makeServer { exchange in
            try exchange.readBody()
            try exchange.respond(.text("\(exchange.request.text) \(exchange.request.trailers["X-Sum"] ?? "")"))
        }
        defer { server.stop() }
        let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        try client.send("\(head)5\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 11\r\n\r\n")
        #expect(try client.receiveReply()?.text == "hello world 11")
    }

    @Test func expectContinueIsAnsweredWhenTheBodyIsRead() throws {
        let (server, client) = try makeServer(handler: Self.telling)
        defer { server.stop() }
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        #expect(try client.receiveReply()?.status == 100)
        try client.send("hello")
        #expect(try client.receiveReply()?.text == "0 0 5")
        #expect(try client.exchange(.get, "/")?.text == "0 1 0")
    }

    @Test func expectContinueIsNotAnsweredWhenTheBodyIsNotRead() throws {
        let (server, client) = try makeServer { try $0.respond(.status(.unauthorized)) }
        defer { server.stop() }
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        let reply = try client.receiveReply()
        #expect(reply?.status == 401)
        #expect(reply?.headers[.connection] == "close")
        #expect(try client.receiveAll() == "")
    }

    @Test func aSmallBodyNobodyReadIsSkipped() throws {
        let (server, client) = try makeServer { try $0.respond(.text("\($0.request.index)")) }
        defer { server.stop() }
        #expect(try client.exchange(.post, "/", body: "hello")?.text == "0")
        #expect(try client.exchange(.get, "/")?.text == "1")
    }

    @Test func anEarlyAnswerComesWhileTheBodyIsOnItsWay() throws {
        let (server, client) = try makeServer { try $0.respond(.status(.contentTooLarge)) }
        defer { server.stop() }
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n")
        try client.send(String(repeating: "x", count: 100_000))
        let reply = try client.receiveReply()
        #expect(reply?.status == 413)
        #expect(reply?.headers[.connection] == "close")
    }

    @Test func aLargeBodyIsReadInPieces() throws {
        let (server, client) = try makeServer { exchange in
            var count = 0
            var largest = 0
            while let piece = try exchange.readPiece(upTo: 1000) {
                count += piece.count
                largest = max(largest, piece.count)
            }
            try exchange.respond(.text("\(count) \(largest) \(exchange.request.body.count)"))
        }
        defer { server.stop() }
        let block = [UInt8](repeating: 0x78, count: 1 << 20)
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(block.count * 8)\r\n\r\n")
        for _ in 0..<8 { try client.send(block) }
        #expect(try client.receiveReply()?.text == "\(8 << 20) 1000 0")
    }

    // MARK: Answers

    @Test func headHasTheFieldsWithoutTheBody() throws {
        let (server, client) = try makeServer { try $0.respond(.text("hello")) }
        defer { server.stop() }
        let reply = try client.exchange(.head, "/")
        #expect(reply?.headers[.contentLength] == "5")
        #expect(reply?.body == [])
        #expect(try client.exchange(.get, "/")?.text == "hello")
    }

    @Test(arguments: [204, 304])
    func someStatusesHaveNoBody(_ code: Int) throws {
        let (server, client) = try makeServer { try $0.respond(.text("hello", status: Status(code))) }
        defer { server.stop() }
        let reply = try client.exchange(.get, "/")
        #expect(reply?.status == code)
        #expect(reply?.headers[.contentLength] == nil)
        #expect(try client.exchange(.get, "/")?.status == code)
    }

    @Test func chunkedAnswersGoPieceByPiece() throws {
        let (server, client) = try makeServer { exchange in
            var response = ServerResponse(pieces: ["a", "", "bc"].map { .init(Data($0.utf8)) })
            response.isChunked = true
            response.trailers = ["X-Sum": "3"]
            try exchange.respond(response)
        }
        defer { server.stop() }
        try client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let text = try client.receiveAll()
        #expect(text.contains("\r\nTransfer-Encoding: chunked\r\n"))
        #expect(text.hasSuffix("\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\nX-Sum: 3\r\n\r\n"))
    }

    @Test func chunkedAnswersToHTTP10EndWithTheConnection() throws {
        let (server, client) = try makeServer { exchange in
            try exchange.begin(ServerResponse())
            try exchange.write(Data("hel".utf8))
            try exchange.write(Data("lo".utf8))
            try exchange.end()
        }
        defer { server.stop() }
        try client.send("GET / HTTP/1.0\r\n\r\n")
        let text = try client.receiveAll()
        #expect(!text.contains("Transfer-Encoding"))
        #expect(text.hasSuffix("\r\n\r\nhello"))
    }

    @Test func aLengthThatLiesIsSentAndTheConnectionClosed() throws {
        let (server, client) = try makeServer { exchange in
            var response = ServerResponse.text("hello")
            response.headers[.contentLength] = "10"
            try exchange.respond(response)
        }
        defer { server.stop() }
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let text = try client.receiveAll()
        #expect(text.contains("\r\nContent-Length: 10\r\n"))
        #expect(text.hasSuffix("\r\n\r\nhello"))
    }

    @Test func interimAnswersComeBeforeTheFinalOne() throws {
        let (server, client) = try makeServer { exchange in
            try exchange.respond(.status(103, headers: ["Link": "</a>"]))
            try exchange.respond(.text("hello"))
        }
        defer { server.stop() }
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let interim = try client.receiveReply()
        #expect(interim?.status == 103)
        #expect(interim?.headers.fields.map(\.name) == ["Link"])
        #expect(try client.receiveReply()?.text == "hello")
    }

    @Test func failingHandlersAnswer500() throws {
        struct Failure: Error {}
        let (server, client) = try makeServer { exchange in
            switch exchange.request.path {
            case "/throws": throw Failure()
            case "/nothing": return
            case "/header": try exchange.respond(.status(.ok, headers: ["X-A": "a\r\nX-B: b"]))
            case "/twice":
                try exchange.respond(.text("once"))
                try exchange.respond(.text("twice"))
            default: try exchange.respond(.text("fine"))
            }
        }
        defer { server.stop() }
        #expect(try client.exchange(.get, "/throws")?.status == 500)
        #expect(try client.exchange(.get, "/nothing")?.status == 500)
        let split = try client.exchange(.get, "/header")
        #expect(split?.status == 500)
        #expect(split?.headers["X-B"] == nil)
        #expect(try client.exchange(.get, "/")?.text == "fine")
        #expect(try client.exchange(.get, "/twice")?.text == "once")
        #expect(try client.receiveAll() == "")
    }

    @Test func anAnswerWithoutItsEndIsCut() throws {
        let (server, client) = try makeServer { exchange in
            try exchange.begin(ServerResponse())
            try exchange.write(Data("hello".utf8))
        }
        defer { server.stop() }
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.receiveAll().hasSuffix("\r\n\r\n5\r\nhello\r\n"))
    }

    @Test func aPauseEndsWhenThePeerLeaves() async throws {
        let (ended, continuation) = AsyncStream.makeStream(of: ConvoyError.Code?.self)
        let (server, client) = try makeServer { exchange in
            do { try exchange.pauseForEver() } catch {
                continuation.yield((error as? ConvoyError)?.code)
                throw error
            }
        }
        defer { server.stop() }
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        client.close()
        #expect(await ended.first { _ in true } == .connectionLost)
    }
}
