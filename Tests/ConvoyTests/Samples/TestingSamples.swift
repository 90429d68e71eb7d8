import Convoy
import ConvoyServer
import ConvoyTesting
import Testing

/// Documentation/testing.md
@Suite(.samples) struct TestingSamples {
    @Test func userIsDecoded() async throws {
        let server = try TestServer()
        server.enqueue(.json(#"{"id": 42, "name": "Ada"}"#))
        let client = Client(baseURL: server.url.origin)

        let user = try await client.get("users/42").decode(User.self)

        #expect(user.name == "Ada")
        #expect(server.requests.map(\.target) == ["/users/42"])
    }

    @Test func scripts() async throws {
        let server = try TestServer()

        server.enqueue(.status(.serviceUnavailable), .text("here"))  // to any request, once each, in order
        server.enqueue(.status(.created), for: .post, at: "/users")  // to this method and path only
        server.on(.get, "/users/:id") { .text("user \($0.parameters["id"] ?? "")") }  // every time
        server.use(.echo())  // httpbin's routes: /anything, /status/418 …

        let client = Client(baseURL: server.url.origin) { $0.validation = .none }
        var answers: [String] = []
        for request in [
            Request(.post, "users"), Request(.get, "users/7"), Request(.get, "users/7"), Request(.get, "users/7"),
            Request(.get, "status/418"), Request(.get, "nowhere"),
        ] {
            let response = try await client.send(request)
            try answers.append("\(response.status.code) \(response.text())")
        }
        #expect(answers.prefix(5) == ["201 ", "503 ", "200 here", "200 user 7", "418 "])
        #expect(answers.last == "404 no answer is scripted for GET /nowhere\n")
        #expect(server.requests.map(\.isMatched) == [true, true, true, true, true, false])
    }

    @Test func requestsThatCame() async throws {
        let server = try TestServer()
        server.enqueue(.status(.created))
        let client = Client(baseURL: server.url.origin)
        _ = try await client.post("notes", body: .json(Note(text: "hi")))

        let sent = try await server.request(at: 0)
        #expect(sent.method == .post)
        #expect(sent.headers["Content-Type"] == "application/json")
        #expect(sent.text == #"{"text":"hi"}"#)
        #expect(server.connections.accepted == 1)
    }

    @Test func faults() async throws {
        let server = try TestServer()
        let client = Client(baseURL: server.url.origin) {
            $0.timeouts.idle = .milliseconds(100)
            $0.retry = .none
        }

        server.enqueue(
            .text("0123456789").cut(after: 4),  // closed after 4 bytes of the body: incompleteBody
            .text("0123456789").reset(after: 4),  // reset after them: connectionLost
            .text("0123456789").stalled(after: 4),  // silent after them: idleTimeout
            .head(200, ["Content-Length": "x"]),  // no valid HTTP: invalidResponse
            .raw("220 mail.example ESMTP\r\n"),  // no HTTP at all: invalidResponse
            .close  // closed when the request was read: connectionLost
        )
        for path in ["cut", "reset", "stalled", "length", "mail", "close"] {
            do { _ = try await client.get("\(raw: path)") } catch let error as ConvoyError { print(path, error.code) }
        }

        #expect(
            Printed.lines == [
                "cut incompleteBody", "reset connectionLost", "stalled idleTimeout", "length invalidResponse",
                "mail invalidResponse", "close connectionLost",
            ])
    }

    @Test func steps() async throws {
        let server = try TestServer()
        let client = Client(baseURL: server.url.origin) { $0.retry = .none }

        server.enqueue(
            Answer([
                .readBody(upTo: 1000), .response(.status(103)), .pause(.milliseconds(10)),
                .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"), .close,
            ]))
        server.enqueue(connections: [.reset], [])  // the first connection is reset, the second one works

        let error = await #expect(throws: ConvoyError.self) { try await client.get("a") }
        #expect(error?.isConnection == true)  // seen while connecting, or a moment later
        try await #expect(client.get("b").text() == "hi")
    }

    @Test(.enabled(if: ConnectionSamples.certificates != nil, "needs the certificates of `make test`"))
    func tls() async throws {
        let folder = try #require(ConnectionSamples.certificates)

        let server = try TestServer(
            tls: Server.TLS(certificateFile: "\(folder)/server.pem", keyFile: "\(folder)/server.key"))
        let client = Client(baseURL: server.url.origin) { $0.network.trust = .only(pemFile: "\(folder)/root.pem") }

        server.enqueue(.text("safe"))
        try await #expect(client.get("a").text() == "safe")
    }

    @Test func nothingLeftBehind() async throws {
        let server = try TestServer()
        server.enqueue(.text("a"))
        let client = Client(baseURL: server.url.origin)
        _ = try await client.get("a")

        try await LeakCheck.close(client, server)

        #expect(client.transport.resources.isEmpty)
        #expect(server.connections.open == 0)
    }

    @Test func withoutANetwork() async throws {
        let origin = "http://service.example"

        struct Canned: Transport {
            let capabilities = TransportCapabilities(name: "canned")
            func exchange(_ request: Request) async throws -> Response { Response(status: .ok, body: .text("canned")) }
            func shutdown() async {}
        }

        let client = Client(baseURL: "\(origin)", transport: Canned())
        let text = try await client.get("anything").text()

        #expect(text == "canned")
    }
}
