import ConvoyCore
import Foundation
import Testing

/// Request over endpoint over client.
struct EndpointSendingTests {
    /// Sets one thing to a value that carries a name, at each of the three places.
    struct Setting: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var client: @Sendable (inout Configuration) -> Void
        var endpoint: @Sendable (inout Route<String>) -> Void
        var request: @Sendable (inout Request) -> Void
        /// What a client with this transport then does, as the name of who decided.
        var outcome: @Sendable (Client, Route<String>) async throws -> String
    }

    private struct Naming: BodyDecoder, BodyEncoder {
        var name: String
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data, response: Response) throws -> Value {
            try JSONDecoder().decode(type, from: Data("[\"\(name)\"]".utf8))
        }
        func encode(_ value: some Encodable, request: Request) throws -> Data { Data("\"\(name)\"".utf8) }
    }

    /// Answers with the body that it was sent; `x` without one.
    private static let echo: @Sendable (Request, Int) async throws -> Response = { request, _ in
        let body = request.body.data.flatMap { $0.isEmpty ? nil : $0 } ?? Data("\"x\"".utf8)
        return Response(status: 200, headers: ["X-Host": request.uri?.host ?? ""], body: .bytes(body))
    }

    private static func accepting(_ name: String) -> Validation { Validation { $0.code == name.utf8.count } }
    private static func plugin(_ name: String) -> any Plugin {
        Around(exchange: { request, _, next in
            var request = request
            request.headers.append("X-Seen", name)
            return try await next(request)
        })
    }
    private static func mapping(_ name: String) -> ErrorMapping { { _ in Named(name: name) } }
    private struct Named: Error { var name: String }

    static let settings: [Setting] = [
        Setting(
            testDescription: "decoder", client: { $0.decoder = Naming(name: "client") },
            endpoint: { $0.decoder = Naming(name: "endpoint") }, request: { $0.decoder = Naming(name: "request") },
            outcome: { client, route in
                try await client.reply(to: route).response.decode([String].self).joined()
            }),
        Setting(
            testDescription: "encoder", client: { $0.encoder = Naming(name: "client") },
            endpoint: { $0.encoder = Naming(name: "endpoint") }, request: { $0.encoder = Naming(name: "request") },
            outcome: { client, route in
                var route = route
                route.request.method = .post
                route.request.body = .json(1)
                return try JSONDecoder().decode(String.self, from: Data(try await client.send(route).utf8))
            }),
        Setting(
            testDescription: "validation", client: { $0.validation = accepting("client") },
            endpoint: { $0.validation = accepting("endpoint") }, request: { $0.validation = accepting("request") },
            outcome: { client, route in
                for name in ["client", "endpoint", "request"] {
                    let answering = Client(
                        baseURL: "http://h",
                        transport: FakeTransport { _, _ in Response(status: Status(name.utf8.count), body: .text("x")) }
                    )
                    answering.update { $0.validation = client.configuration.validation }
                    if await failure({ try await answering.send(route) }) == nil { return name }
                }
                return "nobody"
            }),
        Setting(
            testDescription: "base URL", client: { $0.baseURL = "http://client" },
            endpoint: { $0.baseURL = "http://endpoint" }, request: { $0.baseURL = "http://request" },
            outcome: { client, route in
                try await client.reply(to: route).response.headers["X-Host"] ?? "nobody"
            }),
        Setting(
            testDescription: "error mapping", client: { $0.mapError = mapping("client") },
            endpoint: { $0.mapError = mapping("endpoint") }, request: { $0.mapError = mapping("request") },
            outcome: { client, route in
                var route = route
                route.request.validation = .statuses([500])
                do { return try await client.send(route) } catch { return (error as? Named)?.name ?? "nobody" }
            }),
        Setting(
            testDescription: "envelope", client: { $0.envelope = EnvelopeRules(data: "client") },
            endpoint: { $0.envelope = EnvelopeRules(data: "endpoint") },
            request: { $0.envelope = EnvelopeRules(data: "request") },
            outcome: { client, route in
                var route = route
                route.request.method = .post
                route.request.body = .text(#"{"client":"client","endpoint":"endpoint","request":"request"}"#)
                return try await client.send(route)
            }),
    ]

    @Test(arguments: settings) func theMostSpecificWins(_ setting: Setting) async throws {
        func outcome(client isSet: Bool, endpoint: Bool, request: Bool) async throws -> String {
            let client = Client(baseURL: "http://h", transport: FakeTransport(Self.echo)) {
                if isSet { setting.client(&$0) }
            }
            var route = Route<String>(.get, "x")
            if endpoint { setting.endpoint(&route) }
            if request { setting.request(&route.request) }
            return try await setting.outcome(client, route)
        }
        try await #expect(outcome(client: true, endpoint: true, request: true) == "request")
        try await #expect(outcome(client: false, endpoint: true, request: true) == "request")
        try await #expect(outcome(client: false, endpoint: false, request: true) == "request")
        try await #expect(outcome(client: true, endpoint: false, request: true) == "request")
        try await #expect(outcome(client: true, endpoint: true, request: false) == "endpoint")
        try await #expect(outcome(client: false, endpoint: true, request: false) == "endpoint")
        try await #expect(outcome(client: true, endpoint: false, request: false) == "client")
    }

    @Test func pluginsOfAllThreeStandInOrder() async throws {
        let transport = FakeTransport()
        let client = Client(transport: transport) { $0.plugins = [Self.plugin("client")] }
        var route = Route<Void>(.get, "http://h/")
        route.plugins = [Self.plugin("endpoint"), Self.plugin("endpoint 2")]
        route.request.plugins = [Self.plugin("request")]
        try await client.send(route)
        #expect(
            transport.requests.first?.headers.values(for: "X-Seen") == ["client", "endpoint", "endpoint 2", "request"])
    }

    // MARK: Envelope rules of all three

    @Test func aRuleThatFindsNothingLeavesItToTheNextBroader() async throws {
        let client = Client(transport: FakeTransport(Self.echo)) {
            $0.envelope = EnvelopeRules(data: "data", code: "code", accepted: [0], message: "message")
        }
        var route = Route<String>(.post, "http://h/")
        route.envelope = EnvelopeRules(data: "result", code: "status", accepted: .when { $0.code == 5 ? true : nil })
        route.request.envelope = EnvelopeRules(data: "items", message: .from { _ in nil })
        func reply(_ text: String) async throws -> Reply<String> {
            route.request.body = .text(text)
            return try await client.reply(to: route)
        }
        let own = try await reply(#"{"items":"a","result":"b","data":"c","status":5,"code":7,"message":"m"}"#)
        #expect(own.value == "a" && own.response.envelope?.code == 5 && own.response.envelope?.message == "m")
        let endpoints = try await reply(#"{"result":"b","data":"c","code":0}"#)
        #expect(endpoints.value == "b" && endpoints.response.envelope?.code == 0)
        let clients = try await reply(#"{"data":"c","code":0}"#)
        #expect(clients.value == "c")
        #expect(await failure { try await reply(#"{"data":"c","code":7}"#) }?.code == .envelopeRejected)
    }

    // MARK: Base URL

    @Test("An endpoint's base URL counts as an origin of the client's") func ownOrigin() async throws {
        let transport = FakeTransport(Self.echo)
        let client = Client(baseURL: "https://api.example/v1?k=client", transport: transport) {
            $0.headers["X-Token"] = "t"
            $0.query["q"] = "1"
        }
        var route = Route<Void>(.get, "users")
        route.baseURL = "https://auth.example/v2?k=own"
        try await client.send(route)
        #expect(transport.addresses.last == "https://auth.example/v2/users?k=own&q=1")
        #expect(transport.requests.last?.headers["X-Token"] == "t")
        // The request's own parameter stands in place of that of the base URL.
        route.request.query["k"] = "mine"
        try await client.send(route)
        #expect(transport.addresses.last == "https://auth.example/v2/users?q=1&k=mine")
        // An absolute address leaves it, and everything of the client's, behind.
        route.request = Request("https://other.example/")
        try await client.send(route)
        #expect(transport.addresses.last == "https://other.example/")
        #expect(transport.requests.last?.headers["X-Token"] == nil)
        // The client's own origin stays one.
        route.request = Request("https://api.example/z")
        try await client.send(route)
        #expect(transport.requests.last?.headers["X-Token"] == "t")
    }

    @Test func itHoldsWhereTheClientsIsLeftOut() async throws {
        let transport = FakeTransport(Self.echo)
        var route = Route<Void>(.get, "users")
        route.baseURL = "http://own"
        route.request.inherits.remove(.baseURL)
        try await Client(baseURL: "http://h", transport: transport).send(route)
        #expect(transport.addresses == ["http://own/users"])
    }

    @Test(arguments: ["", "nonsense", "http://", "http://a b"]) func badBaseURLs(text: String) async throws {
        var route = Route<Void>(.get, "users")
        route.baseURL = text
        let client = Client(baseURL: "http://h", transport: FakeTransport())
        let error = await failure { try await client.send(route) }
        #expect(error?.code == .invalidURL && error?.message.contains("the request's base URL") == true)
    }

    // MARK: Errors

    private enum AppError: Error, Equatable { case login, offline, broken }

    @Test("Every failure of send goes through the mapping, decoding too") func mapping() async throws {
        let map: ErrorMapping = { error in
            switch error.code {
            case .envelopeRejected where error.envelope?.code == 401: AppError.login
            case .decodingFailed: AppError.broken
            case _ where error.isConnection: AppError.offline
            default: nil
            }
        }
        func outcome(_ answer: @escaping @Sendable () throws -> Response) async -> (any Error)? {
            let client = Client(transport: FakeTransport { _, _ in try answer() }) {
                $0.envelope = EnvelopeRules(data: "data", code: "code", accepted: [0])
                $0.mapError = map
                $0.retry = .none
            }
            do {
                _ = try await client.send(Route<[Int]>(.get, "http://h/"))
                return nil
            } catch { return error }
        }
        #expect(await outcome { Response(status: 200, body: .text(#"{"code":401}"#)) } as? AppError == .login)
        #expect(await outcome { Response(status: 200, body: .text(#"{"code":0,"data":{}}"#)) } as? AppError == .broken)
        #expect(await outcome { throw ConvoyError(.cannotConnect, "") } as? AppError == .offline)
        #expect((await outcome { Response(status: 500) } as? ConvoyError)?.status == 500)
        #expect(await outcome { Response(status: 200, body: .text(#"{"code":0,"data":[1]}"#)) } == nil)
    }

    @Test func aMappingThatAnswersNilLeavesItToTheNextBroader() async throws {
        let asked = Journal()
        let client = Client(transport: FakeTransport { _, _ in Response(status: 500) }) {
            $0.mapError = { _ in
                asked.note("client")
                return AppError.broken
            }
            $0.retry = .none
        }
        var route = Route<Void>(.get, "http://h/")
        route.mapError = { _ in
            asked.note("endpoint")
            return nil
        }
        route.request.mapError = { _ in
            asked.note("request")
            return nil
        }
        await #expect(throws: AppError.broken) { try await client.send(route) }
        #expect(asked.all == ["request", "endpoint", "client"])
    }

    @Test func plainRequestsCallsAndStreamsAreMapped() async throws {
        let client = Client(transport: FakeTransport { _, _ in Response(status: 500) }) {
            $0.mapError = { _ in AppError.broken }
            $0.retry = .none
        }
        await #expect(throws: AppError.broken) { try await client.get("http://h/") }
        await #expect(throws: AppError.broken) { try await client.get("no address") }
        await #expect(throws: AppError.broken) { try await client.stream(Request("http://h/")) }
        await #expect(throws: AppError.broken) { try await client.start(Request("http://h/")).response }
        await #expect(throws: AppError.broken) {
            try await Client.once(Request("http://h/"), transport: FakeTransport()) {
                $0.mapError = { _ in AppError.broken }
                $0.retry = .none
                $0.validation = .statuses([1])
            }
        }
    }

    @Test("Plugins see the library's error, not the app's") func pluginsSeeTheirOwn() async throws {
        let seen = Journal()
        let plugin = Around(call: { request, _, next in
            do { return try await next(request) } catch {
                seen.note("\(type(of: error))")
                throw error
            }
        })
        let client = Client(transport: FakeTransport { _, _ in Response(status: 500) }) {
            $0.plugins = [plugin]
            $0.mapError = { _ in AppError.broken }
            $0.retry = .none
        }
        await #expect(throws: AppError.broken) { try await client.get("http://h/") }
        #expect(seen.all == ["ConvoyError"])
    }

    @Test func aDecodingErrorHasItsRequest() async throws {
        let client = Client(baseURL: "http://h", transport: FakeTransport(Self.echo))
        let error = await failure { try await client.send(Route<Int>(.get, "a")) }
        #expect(error?.code == .decodingFailed && error?.request?.method == .get && error?.attempts == 1)
    }
}
