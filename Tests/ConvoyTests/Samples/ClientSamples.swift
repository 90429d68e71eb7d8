import Convoy
import ConvoyTesting
import Testing

/// Documentation/client.md
@Suite(.samples) struct ClientSamples {
    @Test func whatItHolds() async throws {
        let server = try TestServer()
        let origin = server.url.origin
        let tokens = Tokens()
        server.enqueue(.json(#"{"id": 42, "name": "Ada"}"#))

        let client = Client(baseURL: "\(origin)/v1") {
            $0.headers["Accept-Language"] = "en"
            $0.query["app"] = "demo"
            $0.computedHeaders["X-Token"] = { await tokens.current() }
            $0.timeouts = Timeouts(connect: .seconds(5), total: .seconds(30))
        }

        let user = try await client.get("users/42").decode(User.self)

        #expect(user == User(id: 42, name: "Ada"))
        let request = try #require(server.requests.first)
        #expect(request.target == "/v1/users/42?app=demo")
        #expect(request.headers["X-Token"] == "token-1")
        #expect(client.configuration.timeouts.idle == .seconds(60))
    }

    @Test func whereItsValuesGo() async throws {
        let server = try TestServer()
        let other = try TestServer()
        server.use(.echo())
        other.on(.get, "/logo.png", .bytes([1]))
        server.on(.get, "/users/42", .status(.ok))
        let origin = server.url.origin
        let cdn = other.url.origin
        let token = "abc"

        let client = Client(baseURL: "\(origin)") { $0.headers["Authorization"] = "Bearer \(token)" }
        _ = try await client.get("users/42")
        _ = try await client.get("\(raw: cdn)/logo.png")

        #expect(server.requests.first?.headers[.authorization] == "Bearer abc")
        #expect(other.requests.count == 1)
        #expect(other.requests.first?.headers[.authorization] == nil)
    }

    @Test func changingIt() async throws {
        let server = try TestServer()
        server.enqueue(.status(.ok))
        let client = Client(baseURL: server.url.origin) { $0.headers["Accept-Language"] = "en" }

        client.update {
            $0.headers["X-Device"] = "7"
            $0.headers["Accept-Language"] = nil
        }

        _ = try await client.get("a")
        let headers = try #require(server.requests.first?.headers)
        #expect(headers["X-Device"] == "7")
        #expect(!headers.contains(.acceptLanguage))
    }

    @Test func startingWithoutWaiting() async throws {
        let server = try TestServer()
        server.enqueue(.text("ready"))
        let client = Client(baseURL: server.url.origin)

        let call = client.start(Request(.get, "report"))
        print(call.id, call.request)
        let report = try await call.response

        try #expect(report.text() == "ready")
        #expect(Printed.lines == ["\(call.id) GET report"])
        #expect(report.call == call.id)
    }

    @Test func cancellingACall() async throws {
        let server = try TestServer()
        server.enqueue(.stall)
        let client = Client(baseURL: server.url.origin)
        let call = client.start(Request(.get, "report"))
        _ = try await server.request(at: 0)
        call.cancel()
        let error = await #expect(throws: ConvoyError.self) { try await call.response }
        #expect(error?.code == .cancelled)
    }

    @Test func once() async throws {
        let server = try TestServer()
        let origin = server.url.origin
        server.enqueue(.status(.noContent))

        let response = try await Client.once(Request(.get, "\(origin)/health"))

        #expect(response.status == .noContent)
        try await server.waitForConnections(open: 0)
    }

    @Test func aStreamOutlivesItsClient() async throws {
        let server = try TestServer()
        server.enqueue(
            Answer.head(200, ["Content-Length": "10"]).then(.raw("12345"), .pause(.milliseconds(20)), .raw("67890")))
        func open() async throws -> Response {
            try await Client(baseURL: server.url.origin).stream(Request(.get, "a"))
        }
        let response = try await open()
        try await #expect(response.collected().text() == "1234567890")
    }

    @Test func theEnd() async throws {
        let server = try TestServer()
        server.enqueue(.stall)
        let client = Client(baseURL: server.url.origin)
        let call = client.start(Request(.get, "a"))
        _ = try await server.request(at: 0)
        await client.shutdown()
        for work in [{ try await call.response }, { try await client.get("b") }] {
            let error = await #expect(throws: ConvoyError.self) { try await work() }
            #expect(error?.code == .clientClosed)
        }
    }
}
