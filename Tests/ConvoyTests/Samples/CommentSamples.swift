import Convoy
import ConvoyCompression
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

/// The samples of the documentation comments of Convoy and ConvoyCore.
@Suite(.samples) struct CommentSamples {
    @Test func client() async throws {
        let server = try TestServer()
        let origin = server.url.origin
        server.enqueue(.json(#"{"id": 42, "name": "Ada"}"#))

        let client = Client(baseURL: "\(origin)/v1") { $0.headers["Accept-Language"] = "en" }
        let user = try await client.get("users/42").decode(User.self)

        #expect(user.name == "Ada")
        #expect(server.requests.first?.target == "/v1/users/42")
    }

    @Test func error() async throws {
        let server = try TestServer()
        server.enqueue(.stall)
        let client = Client(baseURL: server.url.origin) { $0.timeouts.total = .milliseconds(50) }

        do {
            _ = try await client.get("users/42")
        } catch let error as ConvoyError where error.isTimeout {
            print("too slow:", error.message)
        }

        #expect(Printed.lines == ["too slow: the call was not complete after 50 ms"])
    }

    @Test func computed() async throws {
        let server = try TestServer()
        server.enqueue(.status(.ok))
        let tokens = Tokens()
        let client = Client(baseURL: server.url.origin)
        client.update { configuration in
            configuration.computedHeaders["X-Token"] = { await tokens.current() }
        }
        _ = try await client.get("a")
        #expect(server.requests.first?.headers["X-Token"] == "token-1")
    }

    @Test func messages() async throws {
        let (id, tag) = (7, "a&b")

        let elsewhere = Request(.get, "https://example.com/a?b=c")  // absolute: the base URL plays no part
        let notes = Request(.get, "users/\(id)/notes?tag=\(tag)")  // id and tag are encoded, each as one piece

        #expect(elsewhere.description == "GET https://example.com/a?b=c")
        #expect(notes.description == "GET users/7/notes?tag=a%26b")

        var request = Request(.post, "users/\(id)/notes")
        request.query = ["tag": ["a", "b"]]
        request.body = .json(Note(text: "hi"))

        enum Screen: UserInfoKey { static let defaultValue = "none" }
        request.userInfo[Screen.self] = "settings"

        let server = try TestServer()
        server.enqueue(.status(.ok))
        let response = try await Client(baseURL: server.url.origin).send(request)
        #expect(response.userInfo[Screen.self] == "settings")
        #expect(server.requests.first?.target == "/users/7/notes?tag=a&tag=b")
        #expect(server.requests.first?.text == #"{"text":"hi"}"#)
    }

    @Test func headers() {
        var headers: Headers = ["Accept": "text/html"]
        headers["X-Device"] = "7"  // replaces every field of that name
        headers.append("X-Tag", "a")  // adds one more
        headers["Accept"] = nil  // removes

        #expect(headers.description == "X-Device: 7\nX-Tag: a")
    }

    @Test func compression() throws {
        let json = Data(#"{"text": "hi"}"#.utf8)
        let headers: Headers = ["Content-Encoding": "gzip"]
        let body = try #require(try Compression.standard.encode(json, as: "gzip"))

        let coded = try Compression.standard.encode(json, as: "gzip")
        let plain = try Compression.standard.decode(body, contentEncoding: headers.values(for: .contentEncoding))

        #expect(coded == body)
        #expect(plain == json)
    }

    // MARK: ConvoyServer

    @Test func server() async throws {
        var routes = Routes()
        routes.on(.get, "/hello/:name") { .text("Hello, \($0.parameters["name"] ?? "")\n") }
        let server = try Server(routes: routes)
        print(server.url)  // http://127.0.0.1:49152/
        server.stop()

        #expect(Printed.lines == ["http://127.0.0.1:\(server.port)/"])
        let again = try Server(routes: routes)
        try await #expect(Client(baseURL: again.url.origin).get("hello/Ada").text() == "Hello, Ada\n")
        again.stop()
    }

    @Test func exchange() async throws {
        var routes = Routes()

        routes.handle(.post, "/count") { exchange in
            var count = 0
            while let piece = try exchange.readPiece() { count += piece.count }
            try exchange.respond(.text("\(count)\n"))
        }

        let server = try Server(routes: routes)
        let body = Body.bytes(Data(count: 200_000))
        try await #expect(Client(baseURL: server.url.origin).post("count", body: body).text() == "200000\n")
        server.stop()
    }

    // MARK: ConvoyTesting

    @Test func testServer() async throws {
        let client = Client { $0.validation = .none }

        let server = try TestServer()
        server.enqueue(.status(503), .json(#"{"id": 7}"#))  // in order, whatever is asked
        server.on(.get, "/users/:id") { .text("user \($0.parameters["id"] ?? "")") }
        var answers: [String] = []
        for _ in 1...3 { answers.append(try await client.get("\(server.url)users/7").text()) }
        let request = try await server.request(at: 0)
        #expect(request.headers["Accept"] == "*/*")
        #expect(server.connections.accepted == 1)

        #expect(answers == ["", #"{"id": 7}"#, "user 7"])
    }

    @Test func recordedRequests() async throws {
        let server = try TestServer()
        server.enqueue(.stall)
        let client = Client(baseURL: server.url.origin)
        var request = Request(.post, "a")
        request.body = .bytes(Data(count: 2000))
        let call = client.start(request)
        _ = try await server.request(at: 0) { $0.isBodyComplete }
        call.cancel()

        let begun = try await server.request(at: 0) { $0.bytesReceived > 1000 }
        let abandoned = try await server.request(at: 0) { $0.isAbandoned }  // the client gave it up

        #expect(begun.bytesReceived == 2000)
        #expect(!abandoned.isAnswered)
    }

    @Test func answers() async throws {
        let server = try TestServer()
        let client = Client(baseURL: server.url.origin) {
            $0.timeouts.idle = .milliseconds(100)
            $0.retry = .none
        }

        server.enqueue(
            .json(#"{"id": 7}"#),  // a proper answer
            .text("hello").delayed(by: .milliseconds(10)),  // slow to begin
            .text("hello").dripping(1, every: .milliseconds(10)),  // slow on the way
            .text("hello").cut(after: 3),  // closed after three bytes of the body
            .status(413).early,  // before the request's body was read
            Answer([.readBody(), .raw("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"), .stall])
        )
        server.enqueue(.head(200, ["Content-Length": "10"]).then(.raw("12345"), .stall))

        var outcomes: [String] = []
        for _ in 1...7 {
            do { outcomes.append(try await client.get("a").text()) } catch let error as ConvoyError {
                outcomes.append(error.code.description)
            }
        }
        #expect(
            outcomes == [
                #"{"id": 7}"#, "hello", "hello", "incompleteBody", "unacceptableStatus", "invalidResponse",
                "idleTimeout",
            ])
    }

    @Test func leakCheck() async throws {
        let server = try TestServer()
        let client = Client(baseURL: server.url.origin)
        server.enqueue(.status(.ok))
        _ = try await client.get("a")
        try await LeakCheck.close(client, server)
        #expect(client.transport.resources.isEmpty)
    }
}
