import ConvoyCore
import Foundation
import Testing

/// A connection that the server closed while it was idle, found out when it is used again.
struct StaleConnectionTests {
    /// Fails so once, then answers.
    private func transport(
        phase: ConvoyError.Phase = .waiting, isReused: Bool = true, code: ConvoyError.Code = .connectionLost,
        times: Int = 1
    ) -> FakeTransport {
        FakeTransport { _, number in
            guard number <= times else { return Response(status: 200) }
            var metrics = Metrics()
            metrics.isReusedConnection = isReused
            throw ConvoyError(code, "reset", phase: phase, metrics: metrics)
        }
    }

    /// Without retries by policy.
    private func client(_ transport: FakeTransport) -> Client { Client(transport: transport) { $0.retry = .none } }

    @Test(arguments: [ConvoyCore.Method.get, .put, .delete], [ConvoyError.Phase.sending, .waiting])
    func anIdempotentRequestIsSentOnceMoreOnAFreshConnection(method: ConvoyCore.Method, phase: ConvoyError.Phase)
        async throws
    {
        let transport = transport(phase: phase)
        let response = try await client(transport).send(Request(method, "http://h/"))
        #expect(response.attempts == 2)
        #expect(transport.requests.map { $0.network?.usesFreshConnection } == [false, true])
    }

    @Test func onlyOnce() async {
        let transport = transport(times: 9)
        let error = await failure { try await client(transport).get("http://h/") }
        #expect(error?.code == .connectionLost && error?.attempts == 2)
        #expect(transport.requests.count == 2)
    }

    @Test func whatMayHaveHadAnEffectIsNeverSentAgain() async {
        let once = Body.once(AsyncStream<Data> { $0.finish() })
        let cases: [(FakeTransport, ConvoyCore.Method, Body)] = [
            (transport(), .post, .none), (transport(), .patch, .none), (transport(), "PURGE", .none),
            (transport(), .put, once), (transport(phase: .receiving), .get, .none),
            (transport(isReused: false), .get, .none), (transport(code: .idleTimeout), .get, .none),
        ]
        for (transport, method, body) in cases {
            var request = Request(method, "http://h/")
            request.body = body
            #expect(await failure { try await client(transport).send(request) } != nil)
            #expect(transport.requests.count == 1)
        }
    }

    /// At the bound it is not made, and the error is that of the connection.
    @Test func itCountsAgainstTheBound() async {
        let transport = transport()
        let client = Client(transport: transport) {
            $0.maximumExchanges = 1
            $0.retry = .none
        }
        #expect(await failure { try await client.get("http://h/") }?.code == .connectionLost)
        #expect(transport.requests.count == 1)
    }
}
