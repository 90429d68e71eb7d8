import Convoy
import ConvoyTesting
import Testing

struct GetUser: Endpoint {
    typealias Output = User
    var id: Int
    var request: Request { Request(.get, "users/\(id)") }
}

extension Endpoint where Self == Route<[Note]> {
    static func notes(of id: Int) -> Self { Route(.get, "users/\(id)/notes") }
}

/// Documentation/endpoints.md, and the comments of the types it is about.
@Suite(.samples) struct EndpointSamples {
    @Test func endpoint() async throws {
        let server = try TestServer()
        let origin = server.url.origin
        server.on(.get, "/v1/users/42", .json(#"{"id": 42, "name": "Ada"}"#))

        struct GetUser: Endpoint {
            typealias Output = User
            var id: Int
            var request: Request { Request(.get, "users/\(id)") }
        }

        let client = Client(baseURL: "\(origin)/v1")
        let me = try await client.send(GetUser(id: 42))
        print(me.name)

        let reply = try await client.reply(to: GetUser(id: 42))
        print(reply.value.name, reply.response.status)

        #expect(Printed.lines == ["Ada", "Ada 200 OK"])
    }

    @Test func endpointInBrief() async throws {
        let server = try TestServer()
        server.on(.get, "/users/42", .json(#"{"id": 42, "name": "Ada"}"#))
        let client = Client(baseURL: server.url.origin)

        struct GetUser: Endpoint {
            typealias Output = User
            var id: Int
            var request: Request { Request(.get, "users/\(id)") }
        }
        let me = try await client.send(GetUser(id: 42))

        #expect(me.id == 42)
    }

    @Test func routes() async throws {
        let server = try TestServer()
        server.on(.get, "/users/42", .json(#"{"id": 42, "name": "Ada"}"#))
        server.on(.get, "/users/42/notes", .json(#"[{"text": "hi"}]"#))
        server.on(.delete, "/users/42", .status(.noContent))
        server.on(.head, "/notes", .status(.ok, headers: ["X-Total": "7"]))
        let client = Client(baseURL: server.url.origin)

        func user(_ id: Int) -> Route<User> { Route(.get, "users/\(id)") }
        let ada = try await client.send(user(42))

        let notes = try await client.send(.notes(of: 42))
        try await client.send(Route<Void>(.delete, "users/42"))
        let total = try await client.send(Route(Request(.head, "notes")) { Int($0.headers["X-Total"] ?? "") ?? 0 })

        #expect(ada.name == "Ada" && notes == [Note(text: "hi")] && total == 7)
        var route = Route<Void>(.get, "users/42")
        route.validation = .statuses([.created])
        await #expect(throws: ConvoyError.self) { try await client.send(route) }
    }

    @Test func family() async throws {
        struct Echo: Transport {
            let capabilities = TransportCapabilities(name: "echo")
            func exchange(_ request: Request) async throws -> Response {
                #expect(request.uri?.description == "https://api.example.com/billing/invoices/a%2F7")
                let headers: Headers = ["Content-Type": "application/json"]
                return Response(status: 200, headers: headers, body: .text(#"{"total": 3}"#))
            }
            func shutdown() async {}
        }
        let client = Client(transport: Echo())
        try await #expect(client.send(GetInvoice(number: "a/7")) == Invoice(total: 3))
    }

    @Test func envelopes() async throws {
        let server = try TestServer()
        let wrapped = #"{"code": 0, "msg": "ok", "data": {"id": 42, "name": "Ada"}}"#
        server.on(.get, "/users/42", .json(wrapped))
        server.on(.get, "/users/43", .json(#"{"code": 40101, "message": "token expired"}"#))
        server.on(.get, "/search", .json(#"{"code": 0, "result": {"items": [{"id": 1, "name": "Bo"}]}}"#))
        let client = Client(baseURL: server.url.origin)

        client.update {
            $0.envelope = EnvelopeRules(data: "data", code: "code", accepted: [0], message: ["message", "msg"])
        }
        let response = try await client.get("users/42")
        let user = try response.decode(User.self)
        print(user.name, response.envelope?.message ?? "no message")

        do {
            _ = try await client.send(GetUser(id: 43))
        } catch let error as ConvoyError where error.envelope?.code == 40101 {
            print("log in again:", error.envelope?.message ?? "")
        }

        var search = Route<[User]>(.get, "search")
        search.envelope = EnvelopeRules(data: "result.items")
        let found = try await client.send(search)

        #expect(Printed.lines == ["Ada ok", "log in again: token expired"])
        #expect(found == [User(id: 1, name: "Bo")])
    }

    @Test func envelopesInBrief() async throws {
        let server = try TestServer()
        server.on(.get, "/users/42", .json(#"{"code": 0, "data": {"id": 42, "name": "Ada"}}"#))
        let client = Client(baseURL: server.url.origin)
        client.update {
            $0.envelope = EnvelopeRules(data: "data", code: "code", accepted: [0], message: ["message", "msg"])
        }
        let user = try await client.get("users/42").decode(User.self)
        let me = try await client.send(GetUser(id: 42))
        #expect(user == me)
        // What the guide writes in passing.
        let rules = EnvelopeRules(
            code: .from { $0.headers["X-Code"].map { .init($0) } },
            accepted: .when { $0.code?.number.map { $0 < 400 } })
        client.update { $0.envelope = rules }
        try await #expect(client.get("users/42").envelope?.code == nil)
    }

    @Test func errorsOfYourOwn() async throws {
        let server = try TestServer()
        server.on(.get, "/users/43", .json(#"{"code": 40101}"#))
        let client = Client(baseURL: server.url.origin) {
            $0.envelope = EnvelopeRules(data: "data", code: "code", accepted: [0])
        }

        enum AppError: Error { case loginNeeded, offline }

        client.update {
            $0.mapError = { error in
                switch error.code {
                case .envelopeRejected where error.envelope?.code == 40101: AppError.loginNeeded
                case _ where error.isConnection: AppError.offline
                default: nil
                }
            }
        }
        do { _ = try await client.send(GetUser(id: 43)) } catch AppError.loginNeeded { print("log in again") }

        #expect(Printed.lines == ["log in again"])
    }
}

struct Invoice: Codable, Equatable, Sendable {
    var total: Int
}

protocol BillingEndpoint: Endpoint {}

extension BillingEndpoint {
    var baseURL: String? { "https://api.example.com/billing" }
    var validation: Validation? { .statuses(200..<300).contentTypes("application/json") }
}

struct GetInvoice: BillingEndpoint {
    typealias Output = Invoice
    var number: String
    var request: Request { Request(.get, "invoices/\(number)") }
}
