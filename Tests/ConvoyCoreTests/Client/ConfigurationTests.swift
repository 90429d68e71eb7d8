import ConvoyCore
import Foundation
import Testing

struct ConfigurationTests {
    @Test func theDocumentedDefaults() {
        let configuration = Configuration()
        #expect(configuration.baseURL == nil && configuration.fallbackURLs.isEmpty)
        #expect(configuration.headers.isEmpty && configuration.query.isEmpty && configuration.parameters.isEmpty)
        #expect(configuration.bodyLimit == 64 * 1024 * 1024)
        #expect(configuration.maximumExchanges == 64)
        #expect(configuration.plugins.isEmpty && configuration.product == nil)
        #expect(configuration.network == Network() && configuration.network.proxy == .environment)
        #expect(configuration.network.trust == .system && configuration.network.versions == .automatic)
        #expect(configuration.network.unixSocket == nil && configuration.network.interface == nil)
        let request = Request("http://h/")
        #expect(request.method == .get && request.delivery == .memory && request.decodesContent)
        #expect(request.inherits == .all && request.body.isNone && request.progress == nil)
        #expect(
            request.timeouts == nil && request.bodyLimit == nil && request.network == nil && request.deadline == nil)
    }

    private func sending(
        _ request: Request = Request("http://h/"), codings: [String] = [], base: String? = nil,
        configure: (inout Configuration) -> Void = { _ in }
    ) async throws -> Request {
        let transport = FakeTransport(codings: codings)
        _ = try await Client(baseURL: base, transport: transport, configure: configure).send(request)
        return try #require(transport.requests.first)
    }

    // MARK: Headers

    @Test func everyRequestHasTheDefaultHeadersOnce() async throws {
        let plain = try await sending()
        #expect(plain.headers.map(\.name) == [.userAgent, .accept])
        #expect(plain.headers[.accept] == "*/*")
        let agent = try #require(plain.headers[.userAgent])
        #expect(agent.wholeMatch(of: /[^ ]+ Convoy\/\d+\.\d+\.\d+/) != nil, "\(agent)")
        #expect(try await sending { $0.product = "Demo/2" }.headers[.userAgent]?.hasPrefix("Demo/2 Convoy/") == true)
        #expect(try await sending(codings: ["br", "gzip"]).headers[.acceptEncoding] == "br, gzip")
    }

    @Test func theUsersOwnDefaultHeadersWin() async throws {
        var request = Request("http://h/")
        request.headers = ["user-agent": "mine", "ACCEPT": "a/b", "accept-encoding": "identity"]
        let sent = try await sending(request, codings: ["gzip"])
        #expect(sent.headers == request.headers)
        #expect(
            try await sending { $0.headers[.userAgent] = "client's" }.headers.values(for: .userAgent) == ["client's"])
    }

    @Test func codingsAreNotAskedForWhereTheyAreNotUndone() async throws {
        var request = Request("http://h/")
        request.decodesContent = false
        #expect(try await sending(request, codings: ["gzip"]).headers[.acceptEncoding] == nil)
        #expect(try await sending(codings: []).headers[.acceptEncoding] == nil)
    }

    @Test func aProductThatBreaksTheLineIsRefused() async {
        #expect(await failure { try await sending { $0.product = "a\r\nEvil: 1" } }?.code == .invalidHeader)
    }

    @Test func theRequestsHeadersWin() async throws {
        var request = Request("http://h/")
        request.headers = ["x-a": "own"]
        let sent = try await sending(request) {
            $0.headers = ["X-A": "client", "X-B": "client"]
            $0.computedHeaders["X-a"] = { "computed" }
        }
        #expect(sent.headers.values(for: "X-A") == ["own"])
        #expect(sent.headers.values(for: "X-B") == ["client"])
    }

    // MARK: Computed values

    @Test func computedValuesAreAskedForAtEachCall() async throws {
        let count = Locked(0)
        let transport = FakeTransport()
        let client = Client(transport: transport) {
            $0.computedHeaders["X-Token"] = {
                await Task.yield()
                return "t\(count.withLock { $0 += 1; return $0 })"
            }
            $0.computedHeaders["X-None"] = { nil }
            $0.computedParameters["device"] = { "7" }
            $0.computedParameters["none"] = { nil }
        }
        _ = try await client.get("http://h/")
        _ = try await client.get("http://h/")
        _ = try await client.get("http://h/", headers: ["X-Token": "own"])
        #expect(transport.requests.map { $0.headers["X-Token"] } == ["t1", "t2", "own"])
        #expect(count.withLock { $0 } == 2)
        #expect(transport.requests.allSatisfy { $0.headers["X-None"] == nil && $0.uri?.query == "device=7" })
        client.update {
            $0.computedHeaders["X-Token"] = nil
            #expect($0.computedParameters["device"] != nil)
        }
        _ = try await client.get("http://h/")
        #expect(transport.requests.last?.headers["X-Token"] == nil)
    }

    @Test func aValueThatCannotBeComputedStopsTheCall() async throws {
        func error(_ thrown: any Error) async -> ConvoyError? {
            let transport = FakeTransport()
            let client = Client(transport: transport) { $0.computedHeaders["X-Token"] = { throw thrown } }
            let error = await failure { try await client.get("http://h/") }
            #expect(transport.requests.isEmpty)
            return error
        }
        let foreign = try #require(await error(Foreign(number: 1)))
        #expect(foreign.code == .pluginFailed && foreign.message.contains("X-Token"))
        #expect(foreign.underlying as? Foreign == Foreign(number: 1))
        #expect(await error(ConvoyError(.hostNotFound, "x"))?.code == .hostNotFound)
        #expect(await error(CancellationError())?.code == .cancelled)
    }

    @Test(arguments: ["a\r\nEvil: 1", "\0"]) func aComputedValueCannotForgeAHeader(value: String) async {
        #expect(await failure { try await sending { $0.computedHeaders["X"] = { value } } }?.code == .invalidHeader)
        #expect(await failure { try await sending { $0.computedHeaders[value] = { "x" } } }?.code == .invalidHeader)
    }

    // MARK: Origins

    @Test(arguments: [
        ("users", true), ("https://api.example/x", true), ("HTTPS://API.example:443/x", true),
        ("https://spare.example:8443/x", true), ("https://evil.example/x", false), ("http://api.example/x", false),
        ("https://api.example:8443/x", false), ("https://api.example.evil.example/", false),
        ("https://spare.example/", false),
        ("https://api.example@evil.example/", false), ("https://api.example./", false),
    ])
    func whatTheClientAddsGoesToItsOwnOriginsOnly(address: String, isOwn: Bool) async throws {
        let configure: (inout Configuration) -> Void = {
            $0.fallbackURLs = ["https://spare.example:8443/v1"]
            $0.headers["X-A"] = "1"
            $0.headers["Authorization"] = "Bearer t"
            $0.computedHeaders["X-B"] = { "2" }
            $0.query["q"] = 1
            $0.parameters["p"] = 2
            $0.computedParameters["c"] = { "3" }
        }
        var request = Request(.get, address)
        request.headers["X-Own"] = "own"
        let sent = try await sending(request, base: "https://api.example/v1", configure: configure)
        #expect((sent.headers["X-A"] == "1") == isOwn)
        #expect((sent.headers["X-B"] == "2") == isOwn)
        #expect(sent.headers["Authorization"]?.hasPrefix("Bearer") ?? false == isOwn)
        #expect(sent.uri?.query == (isOwn ? "q=1&p=2&c=3" : nil))
        #expect(sent.headers["X-Own"] == "own")
        let anywhere = try await sending(request, base: "https://api.example/v1") {
            configure(&$0)
            $0.defaultsScope = .anyOrigin
        }
        #expect(anywhere.headers["X-A"] == "1" && anywhere.uri?.query == "q=1&p=2&c=3")
    }

    @Test func withoutABaseURLEveryOriginHasThem() async throws {
        #expect(try await sending(Request("https://any.example/")) { $0.headers["X-A"] = "1" }.headers["X-A"] == "1")
    }

    // MARK: Credentials in the address

    @Test(arguments: [
        ("https://me:pw@h/", "me:pw"), ("https://me@h/", "me:"), ("https://:pw@h/", ":pw"),
        ("https://m%40e:p%3Aw%20@h/", "m@e:p:w "),
        ("https://ü:日@h/", "ü:日"),
    ])
    func becomeBasicAuthentication(address: String, pair: String) async throws {
        let sent = try await sending(Request(.get, address))
        #expect(sent.headers[.authorization] == "Basic " + Data(pair.utf8).base64EncodedString())
        #expect(sent.uri?.user == nil && sent.uri?.password == nil)
        #expect(!"\(sent) \(sent.headers)".contains("pw"))
    }

    @Test func anEmptyUserInfoIsNone() async throws {
        #expect(try await sending(Request("https://@h/")).headers[.authorization] == nil)
    }

    @Test func aUserWithAColonIsRefused() async {
        #expect(await failure { try await sending(Request("https://a%3Ab:pw@h/")) }?.code == .invalidURL)
    }

    @Test func whichCredentialsWin() async throws {
        var request = Request("x")
        #expect(try await sending(request, base: "https://me:pw@h/").headers[.authorization] == "Basic bWU6cHc=")
        request.headers[.authorization] = "Own"
        #expect(try await sending(request, base: "https://me:pw@h/").headers.values(for: .authorization) == ["Own"])
        let ownAddress = try await sending(Request("https://me:pw@h/"), base: "https://h/") {
            $0.headers[.authorization] = "Client"
        }
        #expect(ownAddress.headers.values(for: .authorization) == ["Basic bWU6cHc="])
        #expect(try await sending(Request("https://other/"), base: "https://me:pw@h/").headers[.authorization] == nil)
    }

    // MARK: Switches

    @Test func aRequestMayLeaveEachPart() async throws {
        let journal = Journal()
        let configure: (inout Configuration) -> Void = {
            $0.headers["X-A"] = "1"
            $0.computedHeaders["X-B"] = { "2" }
            $0.query["q"] = 1
            $0.userInfo[Screen.self] = "client"
            $0.plugins = [
                Around(call: { request, _, next in
                    journal.note("plugin"); return try await next(request)
                })
            ]
        }
        let parts: [Request.Inheritance] = [.baseURL, .headers, .parameters, .userInfo, .plugins]
        for left in [Request.Inheritance.none] + parts {
            var request = Request("https://h/")
            request.inherits.remove(left)
            let before = journal.all.count
            let sent = try await sending(request, base: "https://h/", configure: configure)
            #expect((sent.headers["X-A"] == nil) == (left == .headers))
            #expect((sent.headers["X-B"] == nil) == (left == .headers))
            #expect((sent.uri?.query == nil) == (left == .parameters))
            #expect((sent.userInfo[Screen.self] == "none") == (left == .userInfo))
            #expect((journal.all.count == before) == (left == .plugins))
        }
        var alone = Request("https://h/")
        alone.inherits = .none
        let sent = try await sending(alone, base: "https://h/", configure: configure)
        #expect(sent.headers.map(\.name) == [.userAgent, .accept])
        #expect(sent.uri?.description == "https://h/" && sent.userInfo[Screen.self] == "none")
    }

    // MARK: User info

    private enum Screen: UserInfoKey { static let defaultValue = "none" }
    private enum Count: UserInfoKey { static let defaultValue = 0 }
    private enum Maybe: UserInfoKey { static let defaultValue: String? = "default" }

    @Test func userInfoIsTypedAndHasDefaults() {
        var info = UserInfo()
        #expect(info[Screen.self] == "none" && info[Count.self] == 0)
        info[Screen.self] = "settings"
        info[Count.self] = 3
        #expect(info[Screen.self] == "settings" && info[Count.self] == 3)
    }

    @Test func anOptionalValueMayBeNilOrMissing() {
        var info = UserInfo()
        #expect(info[Maybe.self] == "default")
        info[Maybe.self] = nil
        #expect(info[Maybe.self] == nil)
        info[Maybe.self] = "x"
        #expect(info[Maybe.self] == "x")
    }

    @Test func userInfoTravelsAndNeverReachesTheWire() async throws {
        let secret = "never-on-the-wire"
        let transport = FakeTransport { _, _ in Response(status: 200) }
        let client = Client(transport: transport) {
            $0.userInfo[Screen.self] = "client"
            $0.userInfo[Count.self] = 7
            $0.plugins = [
                Around(call: { request, _, next in
                    var request = request
                    request.userInfo[Maybe.self] = "from \(request.userInfo[Screen.self])"
                    return try await next(request)
                })
            ]
        }
        var request = Request(.post, "http://h/")
        request.userInfo[Screen.self] = secret
        request.parameters = ["a": 1]
        let response = try await client.send(request)
        #expect(response.userInfo[Screen.self] == secret && response.userInfo[Count.self] == 7)
        #expect(response.userInfo[Maybe.self] == "from \(secret)")
        let sent = try #require(transport.requests.first)
        #expect(sent.userInfo[Screen.self] == secret)
        let wire =
            "\(sent.method) \(sent.uri?.description ?? "") \(sent.headers.map(\.value)) "
            + String(decoding: sent.body.data ?? Data(), as: UTF8.self)
        #expect(!wire.contains(secret))
    }
}
