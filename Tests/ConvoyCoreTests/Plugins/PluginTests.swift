import ConvoyCore
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct PluginTests {
    private let journal = Journal()

    /// Notes its way in and its way out, on both levels, whatever happens.
    private func noting(_ name: String) -> Around {
        func note(_ level: String) -> Around.Work {
            { [journal] request, _, next in
                journal.note("+\(name).\(level)")
                defer { journal.note("-\(name).\(level)") }
                return try await next(request)
            }
        }
        return Around(name, call: note("call"), exchange: note("exchange"))
    }

    private func client(_ plugins: any Plugin..., transport: FakeTransport = FakeTransport()) -> Client {
        Client(transport: transport) {
            $0.plugins = plugins
            $0.retry = .none
        }
    }

    /// Each way in has its way out, nested.
    private func isBalanced() -> Bool {
        var open: [Substring] = []
        for line in journal.all {
            if line.hasPrefix("+") {
                open.append(line.dropFirst())
            } else if open.popLast() != line.dropFirst() {
                return false
            }
        }
        return open.isEmpty && !journal.all.isEmpty
    }

    @Test func theOrderIsInwardAndBack() async throws {
        let journal = journal
        let transport = FakeTransport { _, _ in
            journal.note("+wire")
            journal.note("-wire")
            return Response(status: 200)
        }
        var request = Request("http://h/")
        request.plugins = [noting("own")]
        _ = try await client(noting("a"), noting("b"), transport: transport).send(request)
        let inward = ["a.call", "b.call", "own.call", "a.exchange", "b.exchange", "own.exchange", "wire"]
        #expect(journal.all == inward.map { "+" + $0 } + inward.reversed().map { "-" + $0 })
    }

    @Test func aPluginThatWritesNothingPassesThrough() async throws {
        struct Silent: Plugin {}
        #expect(try await client(Silent()).get("http://h/").status == .ok)
        #expect(Silent().name == "Silent")
    }

    @Test func pluginsSeeTheRequestCompletedAndMayChangeIt() async throws {
        let transport = FakeTransport()
        let stamp = Around(
            "stamp",
            call: { request, context, next in
                #expect(request.uri?.description == "http://h/v1/x?q=1")
                #expect(request.headers["X-Client"] == "c" && request.headers[.userAgent] != nil)
                #expect(request.timeouts != nil && context.exchangeCount == 0)
                var request = request
                request.headers["X-At"] = "\(context.now.timeIntervalSince1970)"
                return try await next(request)
            })
        let client = Client(baseURL: "http://h/v1", transport: transport) {
            $0.headers["X-Client"] = "c"
            $0.query["q"] = 1
            $0.plugins = [stamp]
            $0.time = TimeSource(now: { Date(timeIntervalSince1970: 5) }, sleep: { _ in })
        }
        _ = try await client.get("x")
        #expect(transport.requests.first?.headers["X-At"] == "5.0")
    }

    /// What a plugin sets is completed before the next one sees it, on both levels.
    @Test func whatAPluginSetsIsCompleted() async throws {
        let transport = FakeTransport()
        let change: Around.Work = { request, _, next in
            var request = request
            request.query["sig"] = "a b"
            request.parameters["p"] = 1
            return try await next(request)
        }
        let replace = Around(
            "replace",
            call: { request, _, next in
                var request = request
                request.method = .post
                request.address = "other/\("a/b")"
                request.body = .json(["k": 1])
                return try await next(request)
            })
        let look = Around(
            "look",
            call: { request, _, next in
                #expect(request.uri?.description == "http://h/v1/other/a%2Fb?base=1&sig=a%20b&p=1")
                #expect(request.query.isEmpty && request.parameters.isEmpty)
                #expect(request.body.data == Data(#"{"k":1}"#.utf8))
                #expect(request.headers[.contentType] == "application/json")
                return try await next(request)
            })
        let client = Client(baseURL: "http://h/v1?base=1", transport: transport) {
            $0.plugins = [replace, Around("change", call: change), look, Around("sign", exchange: change)]
        }
        _ = try await client.get("x")
        #expect(transport.addresses == ["http://h/v1/other/a%2Fb?base=1&sig=a%20b&p=1&sig=a%20b&p=1"])
        #expect(transport.requests.first?.query.isEmpty == true)
    }

    @Test func aRequestMadeByAPluginHasTheClientsOptions() async throws {
        let transport = FakeTransport { _, _ in Response(status: 404) }
        let fresh = Around("fresh", exchange: { _, _, next in try await next(Request("http://me:pw@other/")) })
        let client = Client(transport: transport) {
            $0.plugins = [fresh]
            $0.bodyLimit = 5
            $0.timeouts = Timeouts(idle: .seconds(3))
        }
        #expect(await failure { try await client.get("http://h/") }?.status == .notFound, "it is validated too")
        let request = try #require(transport.requests.first)
        #expect(request.bodyLimit == 5 && request.timeouts?.idle == .seconds(3) && request.network != nil)
        #expect(request.uri?.user == nil && request.headers[.authorization] == "Basic bWU6cHc=")
    }

    @Test(arguments: ["call", "exchange"]) func whatAPluginSetsIsHeldToTheSameRules(level: String) async throws {
        let changes: [(ConvoyError.Code, @Sendable (inout Request) throws -> Void)] = [
            (.invalidHeader, { $0.headers["X"] = "a\r\nEvil: 1" }),
            (.invalidHeader, { $0.headers["A B"] = "x" }),
            (.invalidHeader, { $0.headers["Content-Length"] = "5" }),
            (.invalidHeader, { $0.body = .text("x", contentType: "a/b\nEvil: 1") }),
            (.invalidRequest, { $0.method = "GET /evil HTTP/1.1\r\nX:" }),
            (.invalidURL, { $0.address = "http://h\\@evil/" }),
            (.invalidURL, { $0.address = "no-base" }),
        ]
        for (code, change) in changes {
            let transport = FakeTransport()
            let work: Around.Work = { request, _, next in
                var request = request
                try change(&request)
                return try await next(request)
            }
            let pass: Around.Work = { request, _, next in try await next(request) }
            let plugin = Around(call: level == "call" ? work : pass, exchange: level == "exchange" ? work : pass)
            let error = await failure {
                try await client(noting("n"), plugin, transport: transport).send(Request(.post, "http://h/"))
            }
            #expect(error?.code == code)
            #expect(transport.requests.isEmpty)
        }
        #expect(isBalanced())
    }

    @Test(arguments: ["call", "exchange"]) func aPluginMayAnswerWithoutTheNetwork(level: String) async throws {
        let transport = FakeTransport()
        let answer: Around.Work = { _, _, _ in Response(status: 203, body: .text("mine"), source: .mock) }
        let mock = level == "call" ? Around(call: answer) : Around(exchange: answer)
        let response = try await client(noting("n"), mock, transport: transport).get("http://h/x")
        #expect(response.status == 203 && response.source == .mock)
        #expect(try response.text() == "mine")
        #expect(response.attempts == 0 && response.call != nil && response.uri?.description == "http://h/x")
        #expect(transport.requests.isEmpty)
        #expect(isBalanced())
    }

    @Test func aPluginMayReplaceTheResponse() async throws {
        let replace = Around(call: { request, _, next in
            var response = try await next(request)
            response.headers["X-Seen"] = "yes"
            response.status = .accepted
            return response
        })
        let response = try await client(replace).get("http://h/")
        #expect(response.status == .accepted && response.headers["x-seen"] == "yes")
    }

    @Test(arguments: ["call", "exchange"]) func failureMayBecomeSuccess(level: String) async throws {
        let rescue: Around.Work = { request, _, next in
            do { return try await next(request) } catch let error as ConvoyError {
                #expect(error.status == .serviceUnavailable)
                return Response(status: 200, body: .text("stale"))
            }
        }
        let plugin = level == "call" ? Around(call: rescue) : Around(exchange: rescue)
        let transport = FakeTransport { _, _ in Response(status: 503) }
        let response = try await client(noting("n"), plugin, transport: transport).get("http://h/")
        #expect(try response.text() == "stale")
        #expect(response.attempts == 1)
        #expect(isBalanced())
    }

    @Test func successMayBecomeFailure() async throws {
        let strict = Around(
            "strict",
            call: { request, _, next in
                let response = try await next(request)
                var error = ConvoyError(.init(rawValue: "businessError"), "code \(response.headers["Code"] ?? "")")
                error.response = response
                throw error
            })
        let transport = FakeTransport { _, _ in Response(status: 200, headers: ["Code": "17"]) }
        let error = try #require(
            await failure { try await client(noting("n"), strict, transport: transport).get("http://h/") })
        #expect(error.code.rawValue == "businessError" && error.message == "code 17")
        #expect(error.attempts == 1 && error.request != nil && error.status == .ok)
        #expect(isBalanced())
    }

    @Test(arguments: ["call", "exchange"]) func aPluginMayAskAgain(level: String) async throws {
        let transport = FakeTransport { _, number in Response(status: number < 3 ? 503 : 200) }
        let again: Around.Work = { request, context, next in
            while true {
                do { return try await next(request) } catch let error as ConvoyError where error.isValidation {
                    #expect(error.attempts == 0 || error.attempts == context.exchangeCount)
                }
            }
        }
        let plugin = level == "call" ? Around(call: again) : Around(exchange: again)
        let response = try await client(plugin, noting("n"), transport: transport).get("http://h/")
        #expect(response.status == .ok && response.attempts == 3 && transport.requests.count == 3)
        #expect(journal.all.filter { $0 == "+n.exchange" }.count == 3)
        #expect(journal.all.filter { $0 == "+n.call" }.count == (level == "call" ? 3 : 1))
        #expect(isBalanced())
    }

    @Test(arguments: [0, 1, 5, 64]) func theNumberOfExchangesIsBounded(bound: Int) async throws {
        let transport = FakeTransport { _, _ in throw ConvoyError(.connectionLost, "x") }
        let endless = Around(
            "endless",
            call: { request, _, next in
                while true {
                    do { return try await next(request) } catch let error as ConvoyError where error.isConnection {}
                }
            })
        let client = client(endless, noting("n"), transport: transport)
        client.update { $0.maximumExchanges = bound }
        let error = try #require(await failure { try await client.get("http://h/") })
        #expect(error.code == .tooManyExchanges && error.message.contains("\(bound)"))
        #expect(error.attempts == bound && transport.requests.count == bound)
        #expect(isBalanced())
    }

    @Test(arguments: ["call", "exchange"]) func anErrorOfItsOwnIsWrappedAndNamesThePlugin(level: String) async throws {
        let fail: Around.Work = { _, _, _ in throw Foreign(number: 6) }
        let plugin = level == "call" ? Around("signer", call: fail) : Around("signer", exchange: fail)
        let error = try #require(await failure { try await client(noting("n"), plugin).get("http://h/") })
        #expect(error.code == .pluginFailed && error.message.contains("signer"))
        #expect(error.underlying as? Foreign == Foreign(number: 6))
        #expect(error.request?.uri?.host == "h")
        #expect(isBalanced())
    }

    @Test func aConvoyErrorIsKeptAndCancellationIsCancellation() async {
        let kept = Around(call: { _, _, _ in throw ConvoyError(.hostNotFound, "kept", phase: .connecting) })
        let error = await failure { try await client(kept).get("http://h/") }
        #expect(error?.code == .hostNotFound && error?.phase == .connecting && error?.message == "kept")
        let cancelled = Around(exchange: { _, _, _ in throw CancellationError() })
        #expect(await failure { try await client(cancelled).get("http://h/") }?.code == .cancelled)
    }

    @Test func theErrorHasTheRequestAsItWasSent() async {
        let sign = Around(
            "sign",
            exchange: { request, _, next in
                var request = request
                request.headers["X-Signed"] = "yes"
                return try await next(request)
            })
        let transport = FakeTransport { _, _ in Response(status: 500) }
        #expect(
            await failure { try await client(sign, transport: transport).get("http://h/") }?.request?.headers[
                "X-Signed"] == "yes")
    }

    @Test func startAndFinishAreBalancedWhenCancelled() async throws {
        let inside = Gate()
        let transport = FakeTransport { _, _ in
            inside.open()
            try await Gate().wait()
            return Response(status: 200)
        }
        let call = client(noting("a"), noting("b"), transport: transport).start(Request("http://h/"))
        try await inside.wait()
        call.cancel()
        #expect(await failure { try await call.response }?.code == .cancelled)
        #expect(journal.all.count == 8 && isBalanced())
    }

    @Test func aRefusedRequestReachesNoPlugin() async {
        #expect(await failure { try await client(noting("n")).get("http://h:0/") }?.code == .invalidURL)
        #expect(journal.all.isEmpty)
    }

    @Test func aPluginThatAddsPluginsToTheRequestChangesTheExchangesOnly() async throws {
        let adding = Around(
            "adding",
            call: { [self] request, _, next in
                var request = request
                request.plugins.append(noting("late"))
                return try await next(request)
            })
        _ = try await client(adding).get("http://h/")
        #expect(journal.all == ["+late.exchange", "-late.exchange"])
    }
}
