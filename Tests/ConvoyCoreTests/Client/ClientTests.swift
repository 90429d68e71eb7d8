import ConvoyCore
import Foundation
import Synchronization
import Testing

struct ClientTests {
    @Test func updatesAreSeenByLaterCalls() async throws {
        let transport = FakeTransport()
        let client = Client(baseURL: "https://one.example", transport: transport) { $0.headers["X"] = "1" }
        _ = try await client.get("a")
        client.update {
            $0.baseURL = "https://two.example"
            $0.headers["X"] = nil
            $0.headers["Y"] = "2"
        }
        _ = try await client.get("a")
        #expect(transport.addresses == ["https://one.example/a", "https://two.example/a"])
        #expect(transport.requests.map { [$0.headers["X"], $0.headers["Y"]] } == [["1", nil], [nil, "2"]])
        #expect(client.configuration.baseURL == "https://two.example")
    }

    /// The second exchange of a call that began before the update still goes by the old configuration.
    @Test(.timeLimit(.minutes(1))) func aStartedCallKeepsItsConfiguration() async throws {
        let (inside, goOn) = (Gate(), Gate())
        let transport = FakeTransport { request, number in
            if number == 1 {
                inside.open()
                try await goOn.wait()
            }
            return Response(status: 200, headers: ["Seen": request.headers["X"] ?? "nothing"])
        }
        let client = Client(baseURL: "https://one.example", transport: transport) {
            $0.headers["X"] = "old"
            $0.computedHeaders["Y"] = { "old" }
            $0.plugins = [
                Around(
                    "again",
                    call: { request, context, next in
                        _ = try await next(request)
                        #expect(context.configuration.headers["X"] == "old")
                        return try await next(Request(.get, "second"))
                    })
            ]
        }
        let call = client.start(Request("a"))
        try await inside.wait()
        client.update {
            $0.baseURL = "https://two.example"
            $0.headers["X"] = "new"
            $0.plugins = []
        }
        goOn.open()
        let response = try await call.response
        #expect(response.attempts == 2)
        #expect(transport.addresses == ["https://one.example/a", "https://one.example/second"])
        #expect(try await client.get("a").headers["Seen"] == "new")
    }

    @Test func concurrentUpdatesLoseNothing() async {
        let client = Client(transport: FakeTransport())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { client.update { $0.headers.append("X", "\(number)") } }
            }
        }
        #expect(Set(client.configuration.headers.values(for: "X")).count == 200)
    }

    @Test(.timeLimit(.minutes(1))) func anUpdateMayReadTheConfiguration() {
        let client = Client(transport: FakeTransport()) { $0.product = "a" }
        client.update { $0.product = "\(client.configuration.product ?? "")b" }
        #expect(client.configuration.product == "ab")
    }

    @Test func clientsLiveSideBySide() async throws {
        let transport = FakeTransport()
        let one = Client(baseURL: "https://one.example", transport: transport) { $0.headers["X"] = "1" }
        let two = Client(baseURL: "https://two.example", transport: transport)
        one.update { $0.query["q"] = 1 }
        _ = try await two.get("a")
        _ = try await one.get("a")
        #expect(transport.addresses == ["https://two.example/a", "https://one.example/a?q=1"])
        #expect(transport.requests.map { $0.headers["X"] } == [nil, "1"])
    }

    @Test func theInitialiserSetsTheBaseURLBeforeTheBlock() {
        #expect(
            Client(baseURL: "https://a", transport: FakeTransport()) { $0.baseURL = "https://b" }.configuration.baseURL
                == "https://b")
    }

    @Test func theVerbs() async throws {
        let transport = FakeTransport()
        let client = Client(baseURL: "https://h", transport: transport)
        let path = "p"
        _ = try await client.get("p", query: ["a": 1], headers: ["X": "1"])
        _ = try await client.head("p")
        _ = try await client.delete("p")
        _ = try await client.post("p", body: .text("b"))
        _ = try await client.put("p", body: .text("b"))
        _ = try await client.patch("p", body: .text("b"), query: ["a": 1])
        _ = try await client.get(path, query: ["a": 1], headers: ["X": "1"])
        _ = try await client.head(path)
        _ = try await client.delete(path)
        _ = try await client.post(path, body: .text("b"))
        _ = try await client.put(path, body: .text("b"))
        _ = try await client.patch(path, body: .text("b"), query: ["a": 1])
        let methods: [ConvoyCore.Method] = [.get, .head, .delete, .post, .put, .patch]
        #expect(transport.requests.map(\.method) == methods + methods)
        let paths = ["/p?a=1", "/p", "/p", "/p", "/p", "/p?a=1"].map { "https://h" + $0 }
        #expect(transport.addresses == paths + paths)
        #expect(
            transport.requests.map { $0.headers["X"] } == ["1", nil, nil, nil, nil, nil, "1", nil, nil, nil, nil, nil])
        #expect(transport.requests.map { $0.body.length } == [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1])
    }

    @Test func whatATransportGetsIsComplete() async throws {
        let transport = FakeTransport()
        _ = try await Client(transport: transport) { $0.bodyLimit = 5 }.get("http://h/")
        let request = try #require(transport.requests.first)
        #expect(request.uri != nil && request.timeouts == .standard && request.network == Network())
        #expect(request.bodyLimit == 5 && request.validation != nil && request.deadline == nil)
    }

    @Test func streamAsksForAStream() async throws {
        let transport = FakeTransport()
        _ = try await Client(transport: transport).stream(Request("http://h/"))
        #expect(transport.requests.map(\.delivery) == [.stream])
    }

    @Test func shutdownIsTheTransports() async {
        let transport = FakeTransport()
        await Client(transport: transport).shutdown()
        #expect(transport.shutdowns == 1)
    }
}
