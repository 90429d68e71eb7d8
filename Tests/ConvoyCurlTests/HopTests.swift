import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// Redirects and retries over real sockets: the rules themselves are tested without any, in ConvoyCoreTests.
@Suite struct HopTests {
    private func withServers(
        _ configure: (inout Configuration) -> Void = { _ in },
        _ body: (TestServer, TestServer, Client) async throws -> Void
    ) async throws {
        let other = try TestServer()
        defer { other.stop() }
        try await withServer(configure: {
            $0.redirects = .standard
            $0.retry = .standard
            $0.random = { 0 }
            configure(&$0)
        }) { server, client in try await body(server, other, client) }
    }

    /// B002, B109, B111: method and body arrive again.
    @Test(arguments: [307, 308]) func aBodyIsSentAgain(status: Int) async throws {
        try await withServers { server, other, client in
            server.enqueue(.redirect(to: other.url("/there"), status: .init(status)))
            other.on(.post, "/there") { .text($0.text) }
            let response = try await client.post("from", body: .text("abc"))
            #expect(response.content == "abc")
            try await #expect(other.request(at: 0).headers["Content-Length"] == "3")
        }
    }

    /// B003, B108, B118: another port is another origin.
    @Test func secretsStayWithTheirOrigin() async throws {
        try await withServers { server, other, client in
            server.enqueue(.redirect(to: other.url("/there"), status: .seeOther))
            other.on(nil, "/there", .text("here"))
            let headers: Headers = ["Authorization": "Bearer x", "Cookie": "a=b", "X-Api-Key": "k", "X-Plain": "p"]
            _ = try await client.post("from", body: .json(["a": 1]), headers: headers)
            let request = try await other.request(at: 0)
            #expect(request.method == .get && request.body.isEmpty && request.headers["X-Plain"] == "p")
            for name in ["Authorization", "Cookie", "X-Api-Key", "Content-Type", "Content-Length"] {
                #expect(!request.headers.contains(.init(name)), "\(name)")
            }
            #expect(request.headers["Host"] == other.url.authority)
        }
    }

    /// B023: a file holds the last body only, and a stream begins with it.
    @Test func onlyTheLastBodyCounts() async throws {
        try await withServers { server, _, client in
            let path = FileManager.default.temporaryDirectory.appending(path: "convoy-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            for delivery in [Request.Delivery.file(path: path), .stream, .memory] {
                server.enqueue(
                    .text("moved away", status: .found, headers: ["Location": "/to"]), .text("the file"))
                var request = Request(.get, "from")
                request.delivery = delivery
                try await #expect(client.send(request).body.collect() == Data("the file".utf8))
            }
            #expect(server.connections.accepted == 1)
        }
    }

    /// B013.
    @Test(.enabled(if: Servers.areUp, Servers.missing)) func aHundredAtOnceOverHTTP2() async throws {
        let client = Client(transport: CurlTransport()) {
            $0.network.trust = .only(pemFile: Servers.root)
            $0.retry = .none
        }
        let address = (Servers.variable("NGINX_TLS") ?? "") + "/redirect"
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await client.get(address).history.count } }
            for try await count in group { #expect(count == 1) }
        }
        try await LeakCheck.close(client)
    }

    @Test func failuresAreTriedAgain() async throws {
        try await withServers { server, _, client in
            server.enqueue(
                .status(.serviceUnavailable, headers: ["Retry-After": "0"]), .text("0123456789").cut(after: 4),
                .text("whole"))
            let response = try await client.get("x")
            #expect(response.content == "whole" && response.attempts == 3)
        }
    }

    /// Complaint 12: the server counts.
    @Test func aPostIsSentOnce() async throws {
        try await withServers { server, _, client in
            server.on(.post, "/x", Answer([.readBody(), .close]))
            let error = try await failure { try await client.post("x", body: .text("order")) }
            #expect(error.code == .connectionLost && error.attempts == 1)
            #expect(server.requests.count == 1)
        }
    }

    /// Complaint 22: bodies of attempts that failed are let go, and keep no connection.
    @Test func whatWasRefusedIsLetGo() async throws {
        try await withServers({ $0.bodyLimit = 1000 }) { server, _, client in
            let endless = Answer.head(503).then(.repeating("x"))
            server.enqueue(endless, endless, .text("fine"))
            try await #expect(client.stream(Request(.get, "x")).body.collect() == Data("fine".utf8))
            try await server.waitForConnections(open: 1)
        }
    }

    @Test func aFallbackTakesOver() async throws {
        try await withServers { server, other, client in
            client.update { $0.fallbackURLs = [other.url.origin] }
            server.on(nil, "/*", .close)
            other.on(nil, "/x", .text("second"))
            try await #expect(client.get("x").content == "second")
        }
    }
}
