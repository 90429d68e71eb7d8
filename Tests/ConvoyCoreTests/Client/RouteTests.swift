import ConvoyCore
import Foundation
import Testing

struct RouteTests {
    private let transport = FakeTransport { _, _ in Response(status: 200, body: .text("[1,2]")) }
    private var client: Client { Client(baseURL: "http://h/v1", transport: transport) }

    @Test func aFunctionMakesOne() async throws {
        func numbers(_ name: String) -> Route<[Int]> { Route(.get, "lists/\(name)") }
        #expect(try await client.send(numbers("a/b")) == [1, 2])
        #expect(transport.addresses == ["http://h/v1/lists/a%2Fb"])
    }

    @Test func aClosureMakesOne() async throws {
        let numbers = { (name: String) in Route<[Int]>(.get, "lists/\(name)") }
        #expect(try await client.send(numbers("a")) == [1, 2])
    }

    @Test func aMemberOfEndpoint() async throws {
        #expect(try await client.send(.numbers(of: 7)) == [1, 2])
        #expect(transport.addresses == ["http://h/v1/lists/7"])
    }

    @Test func requestsVariablesAndNothing() async throws {
        let address = "lists/a%20b"
        #expect(try await client.send(Route<[Int]>(.get, address)) == [1, 2])
        #expect(try await client.send(Route<String>(Request(.get, "x"))) == "[1,2]")
        try await client.send(Route<Void>(.delete, "x"))
        try await client.send(Route<Void>(.delete, address))
        try await client.send(Route<Void>(Request(.post, "x")))
        #expect(transport.addresses.first == "http://h/v1/lists/a%20b")
        #expect(transport.requests.map(\.method) == [.get, .get, .delete, .delete, .post])
    }

    @Test func anOutputOfAClosure() async throws {
        let status = Route(Request("x")) { $0.status }
        #expect(try await client.send(status) == .ok)
    }
}

extension Endpoint where Self == Route<[Int]> {
    fileprivate static func numbers(of id: Int) -> Self { Route(.get, "lists/\(id)") }
}
