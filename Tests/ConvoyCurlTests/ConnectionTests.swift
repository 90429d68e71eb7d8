import ConvoyCore
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

@Suite struct ConnectionTests {
    @Test func keepsConnectionsForLaterExchanges() async throws {
        try await withServer { server, client in
            server.on(nil, "/*", .text("ok"))
            for _ in 0..<20 { _ = try await client.get("x") }
            #expect(server.connections.accepted == 1)
            #expect(server.requests.map(\.connection) == Array(repeating: 0, count: 20))
        }
    }

    @Test func boundsConnectionsToAHost() async throws {
        try await withServer(connectionsPerHost: 3) { server, client in
            server.on(nil, "/*", .text("ok").delayed(by: .milliseconds(5)))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<50 {
                    group.addTask { try await #expect(client.get("x/\(index)").content == "ok") }
                }
                try await group.waitForAll()
            }
            #expect(server.connections.accepted == 3)
            #expect(server.requests.count == 50)
        }
    }

    /// Waiting for a free connection is no connecting: its time limit does not run.
    @Test func doesNotCountTheWaitForAConnectionAsConnecting() async throws {
        try await withServer(connectionsPerHost: 1, configure: { $0.timeouts.connect = .milliseconds(150) }) {
            server, client in
            server.on(nil, "/*", .text("ok").delayed(by: .milliseconds(300)))
            async let first = client.get("a")
            async let second = client.get("b")
            async let third = client.get("c")
            let responses = try await [first, second, third]
            #expect(responses.map(\.status) == [.ok, .ok, .ok])
            #expect(server.connections.accepted == 1)
        }
    }

    /// B060, B126, B129: the server closes an idle connection at the very moment it is used again. What is idempotent is
    /// sent again, once, on a fresh connection; the server counts.
    @Test(arguments: [Method.get, .head, .put, .delete, .options]) func repeatsOnADeadConnection(
        method: Method
    ) async throws {
        for fault: Answer in [.close, .reset] {
            try await withServer { server, client in
                server.enqueue(.text("first"), fault, .text("again"))
                _ = try await client.get("x")
                var request = Request(method, "y")
                if method == .put { request.body = .text("abc") }
                let response = try await client.send(request)
                #expect(response.attempts == 2)
                #expect(server.requests.map(\.method) == [.get, method, method])
                #expect(server.connections.accepted == 2)
            }
        }
    }

    /// B012, B125: a POST is never sent twice, nor is a body that can be read only once.
    @Test func neverRepeatsWhatIsNotIdempotent() async throws {
        for fault: Answer in [.close, .reset] {
            try await withServer { server, client in
                server.enqueue(.text("first"), fault, .text("again"))
                _ = try await client.get("x")
                let error = try await failure { try await client.post("y", body: .text("order")) }
                #expect(error.code == .connectionLost)
                #expect(error.attempts == 1)
                #expect(server.requests.map(\.method) == [.get, .post])
            }
            try await withServer { server, client in
                server.enqueue(.text("first"), fault, .text("again"))
                _ = try await client.get("x")
                let pieces = AsyncStream<Data> {
                    $0.yield(Data("a".utf8)); $0.finish()
                }
                let error = try await failure { try await client.put("y", body: .once(pieces)) }
                #expect(error.code == .connectionLost)
                #expect(server.requests.count == 2)
            }
        }
    }

    /// On a fresh connection nothing is repeated, whatever the method.
    @Test(arguments: [Method.get, .post]) func repeatsNothingOnAFreshConnection(method: Method) async throws {
        for fault: Answer in [.close, .reset] {
            try await withServer { server, client in
                server.enqueue(fault, .text("again"))
                let error = try await failure { try await client.send(Request(method, "x")) }
                #expect(error.code == .connectionLost)
                #expect(error.phase == .waiting)
                #expect(server.requests.count == 1)
            }
        }
    }

    /// A fresh connection that is closed twice in a row ends the call: the rule is "once".
    @Test func repeatsOnce() async throws {
        try await withServer { server, client in
            server.enqueue(.text("first"), .close, .close, .text("never"))
            _ = try await client.get("x")
            let error = try await failure { try await client.get("y") }
            #expect(error.code == .connectionLost)
            #expect(error.attempts == 2)
            #expect(server.requests.count == 3)
        }
    }

    /// A connection that the server closed while it was idle is noticed, and costs nothing.
    @Test func noticesConnectionsClosedWhileIdle() async throws {
        try await withServer { server, client in
            server.on(nil, "/*", .text("ok").closing)
            for _ in 0..<5 {
                try await #expect(client.post("x", body: .text("a")).content == "ok")
                try await server.waitForConnections(open: 0)
            }
            #expect(server.connections.accepted == 5)
        }
    }

    @Test func connectsToAUnixSocket() async throws {
        let path = "/tmp/convoy-\(UUID().uuidString.prefix(8)).sock"
        let server = try TestServer(.init { $0.unixPath = path })
        try await withServer(server) { server, client in
            server.enqueue(.text("through a socket"))
            var request = Request(.get, "http://name.example/x")
            request.network = Network()
            request.network?.unixSocket = path
            let response = try await client.send(request)
            #expect(response.content == "through a socket")
            #expect(response.metrics.connection?.remoteAddress == path)
            try await #expect(server.request(at: 0).headers["Host"] == "name.example")
        }
        var request = Request(.get, "http://name.example/x")
        request.network = Network()
        request.network?.unixSocket = "/tmp/" + String(repeating: "x", count: 200)
        let long = request
        let error = try await failure { try await Client.once(long, transport: CurlTransport()) }
        #expect(error.code == .invalidRequest)
    }

    @Test func namesWhatCannotBeReached() async throws {
        let client = Client(transport: CurlTransport())
        let refused = try await failure { try await client.get("http://127.0.0.1:1/x") }
        #expect(refused.code == .cannotConnect)
        #expect(refused.message.contains("Connection refused"))
        #expect(refused.phase == .connecting)
        let unknown = try await failure { try await client.get("http://no-such-host.invalid/") }
        #expect(unknown.code == .hostNotFound)
        #expect(unknown.message.contains("no-such-host.invalid"))
        await client.shutdown()
    }

    @Test func goesThroughAProxy() async throws {
        let proxy = try TestServer()
        try await withServer { server, client in
            proxy.enqueue(.text("from the proxy"))
            var request = Request(.get, "http://far.example/x?y=1")
            request.network = Network()
            request.network?.proxy = .url("http://us%65r:p%40ss@127.0.0.1:\(proxy.port)")
            try await #expect(client.send(request).content == "from the proxy")
            let came = try await proxy.request(at: 0)
            #expect(came.target == "http://far.example/x?y=1")
            #expect(came.headers["Proxy-Authorization"] == "Basic \(Data("user:p@ss".utf8).base64EncodedString())")
            // A host that is excepted is asked directly.
            server.enqueue(.text("direct"))
            var direct = Request(.get, "x")
            direct.network = Network()
            direct.network?.proxy = .url("http://127.0.0.1:\(proxy.port)", bypass: ["127.0.0.0/8"])
            try await #expect(client.send(direct).content == "direct")
            #expect(proxy.requests.count == 1)
        }
        proxy.stop()
    }

    /// B008: a proxy that is configured is used or the call fails; it never goes directly.
    @Test func failsWhenTheProxyDoes() async throws {
        try await withServer { server, client in
            for dead in ["http://127.0.0.1:1", "socks5h://127.0.0.1:1", "http://no-such-proxy.invalid:8080"] {
                var request = Request(.get, "x")
                request.network = Network()
                request.network?.proxy = .url(dead)
                let sent = request
                let error = try await failure { try await client.send(sent) }
                #expect(error.isConnection, "\(error)")
            }
            #expect(server.requests.isEmpty)
        }
    }

    /// The tunnel's own answer is not taken for the server's.
    @Test func tunnelsThroughAProxy() async throws {
        let proxy = try TestServer()
        proxy.enqueue(.raw("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 2\r\n\r\nno").closing)
        try await withServer { _, client in
            var request = Request(.get, "https://far.example/")
            request.network = Network()
            request.network?.proxy = .url("http://127.0.0.1:\(proxy.port)")
            let sent = request
            let error = try await failure { try await client.send(sent) }
            #expect(error.code == .proxyFailed || error.code == .connectionLost || error.code == .cannotConnect)
            try await #expect(proxy.request(at: 0).method == .connect)
            #expect(proxy.requests.count == 1)
        }
        proxy.stop()
    }
}
