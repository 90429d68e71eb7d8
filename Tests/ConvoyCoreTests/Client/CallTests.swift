import ConvoyCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct CallTests {
    @Test func aStartedCallRunsByItself() async throws {
        let done = Gate()
        let transport = FakeTransport { _, _ in
            done.open()
            return Response(status: 201)
        }
        let call = Client(transport: transport).start(Request("http://h/x"))
        try await done.wait()
        #expect(try await call.response.status == .created)
        #expect(try await call.response.status == .created, "the outcome stays")
        #expect("\(call.request)" == "GET http://h/x")
        #expect(transport.requests.count == 1)
    }

    @Test func theIdentifierIsOnePerCallAndStable() async throws {
        let journal = Journal()
        let again = Around(
            "again",
            call: { request, context, next in
                journal.note("\(context.call)")
                _ = try await next(request)
                return try await next(request)
            },
            exchange: { request, context, next in
                journal.note("\(context.call)")
                return try await next(request)
            })
        let client = Client(transport: FakeTransport()) { $0.plugins = [again] }
        let (one, two) = (client.start(Request("http://h/")), client.start(Request("http://h/")))
        #expect(one.id != two.id)
        #expect(try await one.response.call == one.id)
        #expect(try await two.response.call == two.id)
        for call in [one, two] { #expect(journal.all.filter { $0 == "\(call.id)" }.count == 3) }
        #expect(try await client.send(Request("http://h/")).call != one.id)
    }

    @Test func cancellingEndsACallThatWaits() async throws {
        let inside = Gate()
        let transport = FakeTransport { _, _ in
            inside.open()
            try await Gate().wait()
            return Response(status: 200)
        }
        let call = Client(transport: transport).start(Request("http://h/"))
        try await inside.wait()
        call.cancel()
        let error = try #require(await failure { try await call.response })
        #expect(error.isCancelled && error.attempts == 1)
        #expect(error.request?.uri?.host == "h")
    }

    @Test func cancellingTheTaskOfSendEndsIt() async throws {
        let inside = Gate()
        let transport = FakeTransport { _, _ in
            inside.open()
            try await Gate().wait()
            return Response(status: 200)
        }
        let task = Task { try await Client(transport: transport).send(Request("http://h/")) }
        try await inside.wait()
        task.cancel()
        #expect(await failure { try await task.value }?.code == .cancelled)
    }

    @Test func aCallThatHasEndedStaysAsItIs() async throws {
        let call = Client(transport: FakeTransport()).start(Request("http://h/"))
        _ = try await call.response
        call.cancel()
        #expect(try await call.response.status == .ok)
    }

    @Test func cancellingAWaiterDoesNotCancelTheCall() async throws {
        let (inside, goOn) = (Gate(), Gate())
        let transport = FakeTransport { _, _ in
            inside.open()
            try await goOn.wait()
            return Response(status: 200)
        }
        let call = Client(transport: transport).start(Request("http://h/"))
        let waiter = Task { try await call.response }
        try await inside.wait()
        waiter.cancel()
        goOn.open()
        #expect(try await call.response.status == .ok)
    }

    /// Neither this plugin nor this transport looks whether the task is cancelled.
    @Test func aCancelledCallIsNeverAskedAgain() async throws {
        let inside = Gate()
        let transport = FakeTransport { _, _ in
            inside.open()
            try? await Gate().wait()
            return Response(status: 503)
        }
        let stubborn = Around(
            "stubborn",
            exchange: { request, _, next in
                do { return try await next(request) } catch { return try await next(request) }
            })
        let call = Client(transport: transport) { $0.plugins = [stubborn] }.start(Request("http://h/"))
        try await inside.wait()
        call.cancel()
        #expect(await failure { try await call.response }?.code == .cancelled)
        #expect(transport.requests.count == 1)
    }

    @Test func aTaskThatIsCancelledAlreadySendsNothing() async {
        let transport = FakeTransport()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Client(transport: transport).send(Request("http://h/"))
        }
        #expect(await failure { try await task.value }?.code == .cancelled)
        #expect(transport.requests.isEmpty)
    }
}
