import ConvoyCore
import Foundation
import Testing

/// The rules of retries under a clock of the test's own: nothing waits.
struct RetryPolicyTests {
    private let waits = Journal()

    private func client(
        _ transport: FakeTransport, base: String? = nil, _ configure: (inout Configuration) -> Void = { _ in }
    ) -> Client {
        let waits = waits
        return Client(baseURL: base, transport: transport) {
            $0.time = TimeSource(
                now: { Date(timeIntervalSince1970: 1_000_000) },
                sleep: {
                    waits.note("\($0.toMilliseconds)")
                    try Task.checkCancellation()
                })
            $0.random = { 1 }
            configure(&$0)
        }
    }

    /// Answers with each status in turn, the last one again and again.
    private func transport(_ statuses: Int..., headers: Headers = [:]) -> FakeTransport {
        FakeTransport { _, number in
            Response(status: Status(statuses[min(number, statuses.count) - 1]), headers: headers)
        }
    }

    private func failing(_ code: ConvoyError.Code, _ phase: ConvoyError.Phase = .waiting) -> FakeTransport {
        FakeTransport { _, _ in throw ConvoyError(code, "x", phase: phase) }
    }

    @Test func twoMoreAttemptsByDefault() async throws {
        let transport = transport(503, 503, 200)
        try await #expect(client(transport).get("http://h/").attempts == 3)
        #expect(waits.all == ["0.3", "0.6"])
        let down = self.transport(503)
        let error = await failure { try await client(down).get("http://h/") }
        #expect(error?.status == .serviceUnavailable && error?.attempts == 3 && down.requests.count == 3)
    }

    /// Complaints 18, 26: the bound doubles, up to a ceiling; only a part of it, at random, is waited.
    @Test func waitsGrowToACeiling() async throws {
        _ = await failure { try await client(transport(500)) { $0.retry = .limit(8) }.get("http://h/") }
        #expect(waits.all == ["0.3", "0.6", "1.2", "2.4", "4.8", "9.6", "10.0", "10.0"])
        let half = client(transport(500, 200)) { $0.random = { 0.5 } }
        _ = try await half.get("http://h/")
        #expect(waits.all.last == "0.15")
        for strange in [Double.nan, -1, 2, .infinity] {
            _ = try await client(transport(500, 200)) { $0.random = { strange } }.get("http://h/")
        }
        #expect(waits.all.suffix(4).allSatisfy { Double($0).map { $0 >= 0 && $0 <= 0.3 } ?? false }, "\(waits.all)")
    }

    /// B125, complaints 12 to 16: what might be done twice is not repeated.
    @Test(arguments: ["POST", "PATCH", "PURGE"]) func whatIsNotIdempotentIsNotRepeated(method: String) async throws {
        for transport in [transport(503), failing(.connectionLost), failing(.firstByteTimeout)] {
            let client = client(transport)
            _ = await failure { try await client.send(Request(.init(method), "http://h/")) }
            #expect(transport.requests.count == 1)
        }
        // Unless no byte went out, or the server can tell a repetition.
        let unsent = failing(.cannotConnect, .connecting)
        _ = await failure { [client = client(unsent)] in try await client.send(Request(.init(method), "http://h/")) }
        #expect(unsent.requests.count == 3)
        let keyed = transport(503)
        var request = Request(.init(method), "http://h/")
        request.headers["idempotency-key"] = "7"
        _ = await failure { [client = client(keyed), request] in try await client.send(request) }
        #expect(keyed.requests.count == 3)
    }

    /// Complaint 18: methods are compared as they are.
    @Test func furtherMethodsByOptIn() async throws {
        let transport = transport(503, 200)
        try await #expect(client(transport) { $0.retry.methods.insert(.post) }.post("http://h/").attempts == 2)
    }

    /// B269, complaint 16: never an empty body in place of one that is gone.
    @Test func aBodyThatIsGoneIsNotRepeated() async throws {
        let transport = transport(503)
        let once = Body.once(AsyncStream<Data> { $0.finish() })
        let client = client(transport) { $0.retry.decide = { _ in true } }
        _ = await failure { try await client.put("http://h/", body: once) }
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [
        (ConvoyError.Code.hostNotFound, 3), (.cannotConnect, 3), (.connectionLost, 3), (.incompleteBody, 3),
        (.connectTimeout, 3), (.firstByteTimeout, 3), (.idleTimeout, 3), (.totalTimeout, 1), (.cancelled, 1),
        (.certificateExpired, 1), (.tlsFailed, 1), (.invalidResponse, 1), (.corruptContent, 1), (.bodyTooLarge, 1),
        (.decodingFailed, 1), (.pluginFailed, 1), (.engineFailed, 1), (.clientClosed, 1), (.tooManyExchanges, 1),
        (.unsupported, 1), (.fileNotWritable, 1), (.redirectFailed, 1),
    ])
    func whichFailures(code: ConvoyError.Code, attempts: Int) async throws {
        let transport = failing(code)
        let error = await failure { try await client(transport).get("http://h/") }
        #expect(error?.code == code && transport.requests.count == attempts)
    }

    @Test(arguments: [400: 1, 401: 1, 404: 1, 408: 2, 413: 1, 429: 3, 500: 3, 501: 1, 502: 3, 503: 3, 504: 3])
    func whichStatuses(status: Int, attempts: Int) async throws {
        let transport = transport(status)
        _ = await failure { try await client(transport).get("http://h/") }
        #expect(transport.requests.count == attempts, "B128 for 408")
    }

    /// Complaint 29: what to retry can be said.
    @Test func classesCanBeSwitchedOff() async throws {
        let lost = failing(.connectionLost)
        _ = await failure { try await client(lost) { $0.retry.retriesConnections = false }.get("http://h/") }
        let late = failing(.idleTimeout)
        _ = await failure { try await client(late) { $0.retry.retriesTimeouts = false }.get("http://h/") }
        let fine = transport(418, 200)
        _ = try await client(fine) { $0.retry.statuses = [418] }.get("http://h/")
        #expect(lost.requests.count == 1 && late.requests.count == 1 && fine.requests.count == 2)
    }

    /// B122, B124, complaints 17, 25: what a server may say about when.
    @Test(
        arguments: [
            (["Retry-After": "7"], 7), (["Retry-After": "0"], 0), (["Retry-After": "0.503"], 1),
            (["Retry-After": "99999999999"], 60), (["Retry-After": "-5"], 0.3), (["Retry-After": "soon"], 0.3),
            (["Retry-After": ""], 0.3), (["Retry-After": "1e9"], 0.3), (["Retry-After": "nan"], 0.3),
            // 1970-01-12 13:46:40 is now.
            (["Retry-After": "Mon, 12 Jan 1970 13:46:50 GMT"], 10),
            (["Retry-After": "Monday, 12-Jan-70 13:46:50 GMT"], 10),
            (["Retry-After": "Mon Jan 12 13:46:50 1970"], 10), (["Retry-After": "Mon, 12 Jan 1970 13:46:30 GMT"], 0.3),
            (["Retry-After": "Mon, 12 Jan 9999 13:46:30 GMT"], 60),
            // By the server's own clock, which is an hour ahead.
            (["Retry-After": "Mon, 12 Jan 1970 14:46:45 GMT", "Date": "Mon, 12 Jan 1970 14:46:40 GMT"], 5),
            (["RateLimit-Reset": "4"], 4), (["X-RateLimit-Reset": "1000009"], 60), (["X-RateLimit-Reset": "x"], 0.3),
        ] as [(Headers, Double)])
    func theServersWord(headers: Headers, wait: Double) async throws {
        try await #expect(client(transport(429, 200, headers: headers)).get("http://h/").attempts == 2)
        #expect(waits.all == ["\(wait)"])
    }

    @Test func aMomentOfTheRateLimit() async throws {
        let client = client(transport(429, 200, headers: ["X-RateLimit-Reset": "1700000009"])) {
            $0.time.now = { Date(timeIntervalSince1970: 1_700_000_000) }
        }
        _ = try await client.get("http://h/")
        #expect(waits.all == ["9.0"])
    }

    @Test func tooLargeIsTriedAgainOnlyIfItSaysWhen() async throws {
        let transport = transport(413, 200, headers: ["Retry-After": "1"])
        try await #expect(client(transport).get("http://h/").attempts == 2)
    }

    /// B233: cancelled while it waits, it sends nothing more.
    @Test(.timeLimit(.minutes(1))) func aCancelledWaitEndsTheCall() async throws {
        let (waiting, signal) = AsyncStream.makeStream(of: Void.self)
        let transport = transport(503)
        let client = Client(transport: transport) {
            $0.time = TimeSource(
                now: { Date() },
                sleep: { _ in
                    signal.yield()
                    try await Task.sleep(for: .seconds(3600))
                })
        }
        let task = Task { try await client.get("http://h/") }
        for await _ in waiting { break }
        task.cancel()
        let error = await failure { try await task.value }
        #expect(error?.code == .cancelled && error?.attempts == 1 && transport.requests.count == 1)
    }

    /// Complaint 28.
    @Test func aCancelledCallIsNotRepeated() async throws {
        let transport = FakeTransport { _, _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw ConvoyError(.connectionLost, "x", phase: .waiting)
        }
        _ = await failure { try await Task { [client = client(transport)] in try await client.get("http://h/") }.value }
        #expect(transport.requests.count == 1)
    }

    /// Complaint 19: both bounds; a wait beyond the whole is not begun.
    @Test func withinTheTimeForTheCall() async throws {
        let transport = transport(503, 200, headers: ["Retry-After": "50"])
        let client = Client(transport: transport) { $0.timeouts.total = .seconds(20) }
        let error = await failure { try await client.get("http://h/") }
        #expect(error?.status == .serviceUnavailable && transport.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func eachAttemptHasItsTime() async throws {
        let transport = FakeTransport { _, number in
            if number == 1 { try await Task.sleep(for: .seconds(3600)) }
            return Response(status: 200)
        }
        let client = Client(transport: transport) {
            $0.retry.attemptTimeout = .milliseconds(30)
            $0.random = { 0 }
        }
        try await #expect(client.get("http://h/").attempts == 2)
        let hanging = Client(
            transport: FakeTransport { _, _ in
                try await Task.sleep(for: .seconds(3600))
                return Response(status: 200)
            }
        ) {
            $0.retry = .none
            $0.retry.attemptTimeout = .milliseconds(30)
        }
        let error = await failure { try await hanging.get("http://h/") }
        #expect(error?.code == .attemptTimeout && error?.isTimeout == true)
        #expect(error?.message.contains("30 ms") == true)
    }

    /// Complaint 14: a service in trouble is not given three times its load.
    @Test func theBudgetIsAFifth() async throws {
        let transport = transport(503)
        let client = client(transport)
        for _ in 0..<500 { _ = await failure { try await client.get("http://h/") } }
        #expect(transport.requests.count <= 500 + 100 + 10 + 1, "\(transport.requests.count)")
        #expect(transport.requests.count >= 590)
        // Another origin has its own.
        let before = transport.requests.count
        _ = await failure { try await client.get("http://other/") }
        #expect(transport.requests.count == before + 3)
        client.update { $0.retry.budget = nil }
        _ = await failure { try await client.get("http://h/") }
        #expect(transport.requests.count == before + 6)
    }

    @Test func theUserDecides() async throws {
        let journal = Journal()
        let transport = transport(404, 404, 200)
        let client = client(transport) {
            $0.retry.decide = { attempt in
                journal.note("\(attempt.number) \(attempt.error.status?.code ?? 0) \(attempt.willRetry)")
                return attempt.error.status == .notFound ? true : nil
            }
        }
        try await #expect(client.get("http://h/").attempts == 3)
        #expect(journal.all == ["1 404 false", "2 404 false"])
        let down = self.transport(503)
        _ = await failure { [client = self.client(down) { $0.retry.decide = { _ in false } }] in
            try await client.get("http://h/")
        }
        #expect(down.requests.count == 1)
    }

    @Test func decisionsAreVisible() async throws {
        let seen = Journal()
        let plugin = Around(call: { request, context, next in
            do { return try await next(request) } catch {
                for attempt in context.retries {
                    seen.note(
                        "\(attempt.number) \(attempt.willRetry) \(attempt.delay.toMilliseconds) \(attempt.reason)")
                }
                throw error
            }
        })
        _ = await failure { try await client(transport(503)) { $0.plugins = [plugin] }.get("http://h/") }
        #expect(seen.all == ["1 true 0.3 status 503", "2 true 0.6 status 503", "3 false 1.2 2 retries were made"])
    }

    /// Complaint 21: an error of a plugin's own is none of the network's.
    @Test func errorsOfPluginsAreNotRepeated() async throws {
        let transport = FakeTransport()
        let plugin = Around(exchange: { _, _, _ in throw Foreign() })
        _ = await failure { try await client(transport) { $0.plugins = [plugin] }.get("http://h/") }
        #expect(waits.all.isEmpty && transport.requests.isEmpty)
    }

    /// Complaint 27: what failed is repeated, not the hop before.
    @Test func theHopIsRepeated() async throws {
        let transport = FakeTransport { request, number in
            if request.uri?.path == "/a" { return Response(status: 303, headers: ["Location": "/b"]) }
            return Response(status: number < 3 ? 429 : 200)
        }
        try await #expect(client(transport).post("http://h/a", body: .text("large")).status == .ok)
        #expect(transport.requests.map { "\($0.method) \($0.uri?.path ?? "")" } == ["POST /a", "GET /b", "GET /b"])
    }

    @Test func fallbacksInTurn() async throws {
        let transport = FakeTransport { request, _ in
            Response(status: request.uri?.host == "third" ? 200 : 503)
        }
        let client = client(transport, base: "http://first/v1") {
            $0.fallbackURLs = ["https://second/api/", "http://third"]
            $0.headers["X-Client"] = "c"
        }
        _ = try await client.get("users?x=1")
        #expect(
            transport.addresses == [
                "http://first/v1/users?x=1", "https://second/api/users?x=1", "http://third/users?x=1",
            ])
        #expect(transport.requests.allSatisfy { $0.headers["X-Client"] == "c" })
        _ = await failure { try await client.get("http://elsewhere/") }
        #expect(transport.addresses.suffix(3).allSatisfy { $0 == "http://elsewhere/" })
    }

    /// Whether a status counts as success is another question: the last answer is given as it is.
    @Test func whatValidationTakesIsRetriedToo() async throws {
        let client = client(transport(503, 503, 503)) { $0.validation = .none }
        let response = try await client.get("http://h/")
        #expect(response.status == .serviceUnavailable && response.attempts == 3)
        let up = self.client(transport(503, 200)) { $0.validation = .none }
        try await #expect(up.get("http://h/").attempts == 2)
        try await #expect(up.post("http://h/").status == .ok)
    }

    /// Complaint 22: nobody reads the body of an answer that is tried again, and it keeps nothing.
    @Test func bodiesOfAttemptsAreLetGo() async throws {
        let endless = Body.stream { AsyncStream<Data> { Data(count: 1000) } }
        let transport = FakeTransport { _, number in Response(status: number < 3 ? 503 : 200, body: endless) }
        let client = client(transport) { $0.validation = .none }
        let response = try await client.stream(Request(.get, "http://h/"))
        #expect(response.status == .ok && response.body.data == nil)
    }

    /// The base is whole segments, and a location is read from the host that answered.
    @Test func fallbacksGoByWholeSegments() async throws {
        let transport = FakeTransport { request, _ in
            guard request.uri?.host == "second" else { return Response(status: 503) }
            return request.uri?.path == "/api/old"
                ? Response(status: 302, headers: ["Location": "new"]) : Response(status: 200)
        }
        let client = client(transport, base: "http://first/v1") {
            $0.fallbackURLs = ["http://second/api"]
            $0.headers["Authorization"] = "Bearer x"
        }
        _ = await failure { try await client.get("http://first/v10/x") }
        #expect(transport.addresses.allSatisfy { $0 == "http://first/v10/x" } && transport.requests.count == 3)
        let response = try await client.get("old")
        #expect(response.uri?.description == "http://second/api/new")
        #expect(transport.requests.last?.headers["Authorization"] == "Bearer x")
    }

    @Test func offForOneRequest() async throws {
        let transport = transport(503)
        var request = Request(.get, "http://h/")
        request.retry = RetryPolicy.none
        _ = await failure { [client = client(transport), request] in try await client.send(request) }
        #expect(transport.requests.count == 1)
        #expect(RetryPolicy.limit(-3).limit == 0)
    }
}

extension Duration {
    /// In seconds, to the millisecond.
    fileprivate var toMilliseconds: Double { (seconds * 1000).rounded() / 1000 }
}
