import Convoy
import ConvoyTesting
import Testing

/// README.md
@Suite(.samples) struct ReadmeSamples {
    @Test func firstCall() async throws {
        let server = try TestServer()
        let origin = server.url.origin
        server.on(.get, "/users/:id") { .json("{\"id\": \($0.parameters["id"] ?? ""), \"name\": \"Ada\"}") }

        struct User: Decodable { var id: Int; var name: String }

        let user = try await Client.shared.get("\(origin)/users/42").decode(User.self)

        #expect(user.id == 42)
        #expect(user.name == "Ada")
    }

    @Test func clientOfYourOwn() async throws {
        let server = try TestServer()
        let origin = server.url.origin
        let tokens = Tokens()
        server.on(.get, "/v1/notes/:name") { .json("{\"text\": \"\($0.parameters["name"] ?? "")\"}") }
        server.on(.post, "/v1/notes", .status(.created))

        let client = Client(baseURL: "\(origin)/v1") {
            $0.headers["Accept-Language"] = "en"
            $0.computedHeaders["X-Token"] = { await tokens.current() }
            $0.timeouts.total = .seconds(30)
        }

        let name = "a/b & c"
        let note = try await client.get("notes/\(name)", query: ["tag": ["x", "y"]]).decode(Note.self)
        try await client.post("notes", body: .json(Note(text: "hi"))).decode(Void.self)

        #expect(note.text == name)
        let requests = server.requests
        #expect(requests.map(\.target) == ["/v1/notes/a%2Fb%20%26%20c?tag=x&tag=y", "/v1/notes"])
        #expect(requests.map { $0.headers["X-Token"] } == ["token-1", "token-2"])
        #expect(requests.allSatisfy { $0.headers["Accept-Language"] == "en" })
        #expect(requests.last?.text == #"{"text":"hi"}"#)
    }

    @Test func stream() async throws {
        let server = try TestServer()
        server.enqueue(.chunks(["one", "two", "three"]))
        let client = Client(baseURL: server.url.origin)

        let response = try await client.stream(Request(.get, "export"))
        var count = 0
        for try await piece in response.body { count += piece.count }

        #expect(count == 11)
    }

    @Test(arguments: [
        (Answer.status(.notFound), ["unacceptableStatus 404 decoding"]),
        (Answer.stall, ["too slow: the call was not complete after 50 ms"]),
        (Answer.status(.ok), []),
    ])
    func errors(_ answer: Answer, _ lines: [String]) async throws {
        let server = try TestServer()
        server.enqueue(answer)
        let client = Client(baseURL: server.url.origin) {
            if answer.steps.count == 2, case .stall = answer.steps[1] { $0.timeouts.total = .milliseconds(50) }
        }

        do {
            _ = try await client.get("users/0")
        } catch let error as ConvoyError where error.isTimeout {
            print("too slow:", error.message)
        } catch let error as ConvoyError {
            print(error.code, error.status?.code ?? 0, error.phase)
        }

        #expect(Printed.lines == lines)
    }

    @Test func plugin() async throws {
        struct Stamp: Plugin {
            func exchange(_ request: Request, context: Context, next: Next) async throws -> Response {
                var request = request
                request.headers["X-Call"] = context.call.description
                return try await next(request)
            }
        }

        let server = try TestServer()
        server.enqueue(.status(.ok))
        let client = Client(baseURL: server.url.origin) { $0.plugins = [Stamp()] }
        let response = try await client.get("a")
        #expect(server.requests.first?.headers["X-Call"] == response.call?.description)
        #expect(response.call != nil)
    }
}
