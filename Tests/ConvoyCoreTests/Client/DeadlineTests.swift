import ConvoyCore
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct DeadlineTests {
    /// Time that is over as soon as the gate opens.
    private func time(until gate: Gate) -> TimeSource {
        TimeSource(now: { Date(timeIntervalSince1970: 0) }, sleep: { _ in try await gate.wait() })
    }

    private func client(_ transport: FakeTransport, time: TimeSource, plugins: [any Plugin] = []) -> Client {
        Client(transport: transport) {
            $0.timeouts.total = .seconds(90)
            $0.time = time
            $0.plugins = plugins
            $0.retry = .none
        }
    }

    private func hanging(_ inside: Gate) -> FakeTransport {
        FakeTransport { _, _ in
            inside.open()
            try await Gate().wait()
            return Response(status: 200)
        }
    }

    @Test func aCallThatTakesTooLongEndsWithTotalTimeout() async throws {
        let inside = Gate()
        let error = try #require(
            await failure { try await client(hanging(inside), time: time(until: inside)).get("http://h/x") })
        #expect(error.code == .totalTimeout && error.isTimeout && !error.isCancelled)
        #expect(error.message.contains("90 s"))
        #expect(error.attempts == 1)
        #expect(error.request?.uri?.description == "http://h/x")
    }

    @Test func aCallInTimeEndsWell() async throws {
        let transport = FakeTransport()
        #expect(try await client(transport, time: time(until: Gate())).get("http://h/").status == .ok)
        let deadline = try #require(transport.requests.first?.deadline)
        #expect(deadline > .now + .seconds(60) && deadline <= .now + .seconds(90))
    }

    @Test func anErrorInTimeStaysWhatItIs() async {
        let transport = FakeTransport { _, _ in throw ConvoyError(.connectionLost, "x") }
        #expect(
            await failure { try await client(transport, time: time(until: Gate())).get("http://h/") }?.code
                == .connectionLost)
    }

    @Test(arguments: [(nil, 90), (7, 7)] as [(Int?, Int64)])
    func theLimitIsHandedToTheClock(own: Int?, seconds: Int64) async throws {
        let (asked, isAsked) = (Journal(), Gate())
        let time = TimeSource(
            now: { Date() },
            sleep: {
                asked.note("\($0.components.seconds)")
                isAsked.open()
                try await Gate().wait()
            })
        let transport = FakeTransport { _, _ in
            try await isAsked.wait()
            return Response(status: 200)
        }
        var request = Request("http://h/")
        if let own { request.timeouts = Timeouts(total: .seconds(own)) }
        _ = try await client(transport, time: time).send(request)
        #expect(asked.all == ["\(seconds)"])
    }

    @Test func thePluginsAndComputedValuesCountToo() async throws {
        let (inPlugin, inValue) = (Gate(), Gate())
        let slow = Around(
            "slow",
            call: { _, _, _ in
                inPlugin.open()
                try await Gate().wait()
                return Response(status: 200)
            })
        let error = await failure {
            try await client(FakeTransport(), time: time(until: inPlugin), plugins: [slow]).get("http://h/")
        }
        #expect(error?.code == .totalTimeout && error?.attempts == 0)
        let valued = client(FakeTransport(), time: time(until: inValue))
        valued.update {
            $0.computedHeaders["X"] = {
                inValue.open()
                try await Gate().wait()
                return "x"
            }
        }
        #expect(await failure { try await valued.get("http://h/") }?.code == .totalTimeout)
    }

    @Test func whateverAPluginMakesOfItIsATimeout() async throws {
        let inside = Gate()
        let wrapping = Around(
            "wrapping",
            call: { request, _, next in
                do { return try await next(request) } catch { throw Foreign(number: 8) }
            })
        let error = try #require(
            await failure {
                try await client(hanging(inside), time: time(until: inside), plugins: [wrapping]).get("http://h/")
            })
        #expect(error.code == .totalTimeout)
        #expect((error.underlying as? ConvoyError)?.underlying as? Foreign == Foreign(number: 8))
    }

    @Test func anAnswerThatWasThereInSpiteOfTheTimeIsGiven() async throws {
        let inside = Gate()
        let transport = FakeTransport { _, _ in
            inside.open()
            try? await Gate().wait()
            return Response(status: 200)
        }
        #expect(try await client(transport, time: time(until: inside)).get("http://h/").status == .ok)
    }

    @Test func cancellingWithALimitIsStillCancelling() async throws {
        let inside = Gate()
        let call = client(hanging(inside), time: time(until: Gate())).start(Request("http://h/"))
        try await inside.wait()
        call.cancel()
        let error = try #require(await failure { try await call.response })
        #expect(error.isCancelled && error.attempts == 1)
    }

    @Test func aRequestThatAPluginMadeHasTheDeadlineToo() async throws {
        let transport = FakeTransport()
        let fresh = Around("fresh", exchange: { _, _, next in try await next(Request("http://other/")) })
        _ = try await client(transport, time: time(until: Gate()), plugins: [fresh]).get("http://h/")
        #expect(transport.requests.first?.deadline != nil)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(1 << 40), .nanoseconds(Int64.max)])
    func hugeLimitsDoNotTrap(limit: Duration) async throws {
        var request = Request("http://h/")
        request.timeouts = Timeouts(connect: limit, firstByte: limit, idle: limit, total: limit)
        #expect(try await Client(transport: FakeTransport()).send(request).status == .ok)
    }

    @Test(arguments: [Duration.zero, .seconds(-5)]) func aLimitOfNothingIsOverAtOnce(limit: Duration) async {
        var request = Request("http://h/")
        request.timeouts = Timeouts(total: limit)
        #expect(await failure { try await Client(transport: hanging(Gate())).send(request) }?.code == .totalTimeout)
    }
}
