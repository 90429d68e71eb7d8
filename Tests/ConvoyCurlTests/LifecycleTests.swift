import CCurl
import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// B015, B017, B059: a client's beginning and end.
@Suite struct LifecycleTests {
    @Test func holdsNothingBeforeItIsUsed() async throws {
        let transport = CurlTransport()
        #expect(transport.resources.isEmpty)
        await transport.shutdown()
        await transport.shutdown()
    }

    @Test func endsWhatIsUnderWay() async throws {
        let server = try TestServer()
        server.on(nil, "/*", .stall)
        let transport = CurlTransport(connectionsPerHost: 4)
        let client = Client(baseURL: server.url.description, transport: transport) { $0.network.proxy = .none }
        let calls = (0..<20).map { client.start(Request(.get, "x/\($0)")) }
        _ = try await server.request(at: 3)
        async let once: Void = client.shutdown()
        async let twice: Void = client.shutdown()
        _ = await (once, twice)
        for call in calls {
            let error = try await failure { try await call.response }
            #expect(error.code == .clientClosed)
        }
        let late = try await failure { try await client.get("x") }
        #expect(late.code == .clientClosed)
        try await LeakCheck.close(client, server)
    }

    @Test func endsAStreamThatIsBeingRead() async throws {
        let server = try TestServer()
        server.enqueue(.text("1234567890").stalled(after: 5))
        let client = Client(baseURL: server.url.description, transport: CurlTransport()) { $0.network.proxy = .none }
        var iterator = try await client.stream(Request(.get, "x")).body.makeAsyncIterator()
        _ = try await iterator.next()
        await client.shutdown()
        let error = await #expect(throws: ConvoyError.self) { try await iterator.next() }
        #expect(error?.code == .clientClosed)
        server.stop()
    }

    /// A client that is dropped ends by itself, and a body that is still read keeps what it needs.
    @Test func endsWhenDropped() async throws {
        let server = try TestServer()
        server.on(nil, "/*", .bytes(Data(count: 4 << 20)))
        let resources: @Sendable () -> Resources
        var response: Response?
        do {
            let transport = CurlTransport()
            // The engine's own count outlives it.
            let loop = transport.loop
            resources = { loop.census.resources }
            let client = Client(baseURL: server.url.description, transport: transport) { $0.network.proxy = .none }
            _ = try await client.get("x")
            response = try await client.stream(Request(.get, "y"))
            try await #expect(response?.body.collect().count == 4 << 20)
            response = nil
        }
        for _ in 0..<5000 where !resources().isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(resources().isEmpty)
        try await server.waitForConnections(open: 0)
        server.stop()
    }

    /// A body goes on after its client was dropped, and takes the engine with it when it has ended.
    @Test func outlivesItsClient() async throws {
        let server = try TestServer()
        server.on(nil, "/*", .bytes(Data(count: 4 << 20)))
        var body: Body? = try await Client(baseURL: server.url.description, transport: CurlTransport()) {
            $0.network.proxy = .none
        }.stream(Request(.get, "x")).body
        try await #expect(body?.collect().count == 4 << 20)
        body = nil
        try await server.waitForConnections(open: 0)
        body = try await Client(baseURL: server.url.description, transport: CurlTransport()) {
            $0.network.proxy = .none
        }.stream(Request(.get, "y")).body
        body = nil
        try await server.waitForConnections(open: 0)
        server.stop()
    }

    /// Many short lives, refused and cut off, leave nothing.
    @Test func startsAndEndsOftenWithoutLoss() async throws {
        for round in 0..<200 {
            let client = Client(transport: CurlTransport()) {
                $0.network.proxy = .none
                $0.timeouts.total = .milliseconds(200)
            }
            let call = client.start(Request(.get, "http://127.0.0.1:1/"))
            if round.isMultiple(of: 2) { _ = try await failure { try await call.response } }
            await client.shutdown()
            _ = try? await call.response
            try await LeakCheck.close(client)
        }
    }

    /// Every code of libcurl has a meaning and none traps.
    @Test func namesEveryCode() throws {
        let transfer = try Transfer(
            Request(.get, "http://a.example/"), uri: URI("http://a.example/"), loop: Loop(connectionsPerHost: 1))
        for code in 1...UInt32(CURL_LAST.rawValue) + 5 {
            for phase: ConvoyError.Phase in [.connecting, .sending, .waiting, .receiving] {
                transfer.phase = phase
                let error = CurlFailure.error(CURLcode(code), transfer)
                #expect(!error.message.isEmpty)
                #expect(error.code != .engineFailed || error.message.contains("\(code)"))
            }
        }
    }

    /// Options of one request change nothing for another.
    @Test func keepsRequestsApart() async throws {
        try await withServer { server, client in
            server.on(nil, "/*") { .text($0.headers.fields.map(\.name.canonicalName).sorted().joined(separator: " ")) }
            let plain = try await client.get("x").content
            var odd = Request(.patch, "x")
            odd.headers = ["X-Odd": "1", "Content-Type": "a/b"]
            odd.body = .bytes([1, 2, 3])
            odd.timeouts = Timeouts(connect: .seconds(1), firstByte: .seconds(1), idle: .seconds(1), total: .seconds(2))
            odd.decodesContent = false
            _ = try await client.send(odd)
            var head = Request(.head, "x")
            head.network = Network()
            head.network?.usesFreshConnection = true
            _ = try await client.send(head)
            try await #expect(client.get("x").content == plain)
        }
    }
}
