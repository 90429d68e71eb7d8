import ConvoyCore
import Foundation
import Testing

/// The rules of redirects without a socket: one exchange a hop.
struct RedirectPolicyTests {
    /// Answers by a table of addresses to statuses and locations, else with 200.
    private func transport(_ hops: [String: (Int, String)], cookies: Bool = false) -> FakeTransport {
        FakeTransport { request, _ in
            guard let (status, location) = hops[request.uri?.description ?? ""] else { return Response(status: 200) }
            var headers: Headers = ["Location": location]
            if cookies { headers["Set-Cookie"] = "a=b" }
            return Response(status: Status(status), headers: headers, body: .text("moved"))
        }
    }

    private func client(
        _ hops: [String: (Int, String)], base: String? = nil, _ configure: (inout Configuration) -> Void = { _ in }
    ) -> (Client, FakeTransport) {
        let transport = transport(hops)
        return (Client(baseURL: base, transport: transport, configure: configure), transport)
    }

    @Test func theAnswerKnowsItsWay() async throws {
        let (client, transport) = client(["http://h/a": (302, "/b"), "http://h/b": (307, "c?x=1")])
        let response = try await client.get("http://h/a")
        #expect(transport.addresses == ["http://h/a", "http://h/b", "http://h/c?x=1"])
        #expect(response.uri?.description == "http://h/c?x=1")
        #expect(response.history.map(\.status.code) == [302, 307])
        #expect(response.history.map { $0.uri?.description } == ["http://h/a", "http://h/b"])
        #expect(response.attempts == 3)
    }

    /// B023: the body of a redirect can be read where it is not followed.
    @Test func itCanBeLeftAlone() async throws {
        let (client, transport) = client(["http://h/a": (302, "/b")])
        var request = Request(.get, "http://h/a")
        request.redirects = RedirectPolicy.none
        let response = try await client.send(request)
        #expect(response.status == .found && response.body.data == Data("moved".utf8))
        #expect(transport.requests.count == 1)
    }

    /// Complaint 54: exactly so many are followed.
    @Test(arguments: [1, 2, 5, 20]) func theLimitIsExact(limit: Int) async throws {
        let hops = Dictionary(uniqueKeysWithValues: (0..<limit).map { ("http://h/\($0)", (302, "/\($0 + 1)")) })
        let (client, transport) = client(hops) { $0.redirects = .limit(limit) }
        try await #expect(client.get("http://h/0").history.count == limit)
        #expect(transport.requests.count == limit + 1)

        let (strict, requests) = self.client(hops) { $0.redirects = .limit(limit - 1) }
        if limit == 1 {
            try await #expect(strict.get("http://h/0").status == .found)
        } else {
            let error = await failure { try await strict.get("http://h/0") }
            #expect(error?.code == .redirectFailed && error?.message.contains("more than \(limit - 1)") == true)
            #expect(error?.status == .found && error?.attempts == limit)
        }
        #expect(requests.requests.count == limit)
    }

    @Test func aCircleIsFound() async throws {
        for hops in [
            ["http://h/a": (302, "/a")], ["http://h/a": (302, "/b"), "http://h/b": (302, "http://H:80/a")],
        ] {
            let (client, transport) = client(hops)
            let error = await failure { try await client.get("http://h/a") }
            #expect(error?.code == .redirectFailed && error?.message.contains("circle") == true)
            #expect(transport.requests.count == hops.count)
        }
    }

    /// A site that sets a cookie and sends the browser back is no circle yet.
    @Test func aCookieMayChangeTheAnswer() async throws {
        let transport = FakeTransport { _, number in
            number > 1
                ? Response(status: 200)
                : Response(status: 302, headers: ["Location": "/a", "Set-Cookie": "seen=1"])
        }
        try await #expect(Client(transport: transport).get("http://h/a").status == .ok)
    }

    /// B002, B108, B111: what becomes of method and body.
    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
        (301, "PUT", "PUT"), (302, "PUT", "PUT"), (303, "PUT", "GET"), (308, "PATCH", "PATCH"), (303, "DELETE", "GET"),
    ])
    func methodAndBody(status: Int, method: String, expected: String) async throws {
        let (client, transport) = client(["http://h/a": (status, "/b")])
        var request = Request(.init(method), "http://h/a")
        request.body = .text("abc")
        request.headers["Content-Language"] = "en"
        request.headers["X-Other"] = "1"
        _ = try await client.send(request)
        let next = try #require(transport.requests.last)
        #expect(next.method.rawValue == expected && next.headers["X-Other"] == "1")
        let keeps = expected != "GET"
        #expect(next.body.data == (keeps ? Data("abc".utf8) : Data()) && next.body.isNone == !keeps)
        #expect((next.headers["Content-Type"] != nil) == keeps && (next.headers["Content-Language"] != nil) == keeps)
    }

    /// Complaint 58.
    @Test func aPostMayBeKept() async throws {
        let (client, transport) = client(["http://h/a": (301, "/b")]) { $0.redirects.keepsMethod = true }
        _ = try await client.post("http://h/a", body: .text("abc"))
        #expect(transport.requests.last?.method == .post && transport.requests.last?.body.data == Data("abc".utf8))
    }

    /// B120, B031: never an empty body in place of one that is gone.
    @Test func aBodyThatIsGoneIsAnError() async throws {
        let (client, transport) = client(["http://h/a": (307, "/b"), "http://h/c": (303, "/d")])
        let once = Body.once(AsyncStream<Data> { $0.finish() })
        let error = await failure { try await client.post("http://h/a", body: once) }
        #expect(error?.code == .redirectFailed && error?.message.contains("only once") == true)
        #expect(error?.status == .temporaryRedirect && transport.requests.count == 1)
        // Where the body is not wanted again it goes on.
        try await #expect(client.post("http://h/c", body: once).status == .ok)
    }

    /// B003, B105, complaints 52, 57: other scheme, host or port.
    @Test(arguments: ["http://h:81/b", "https://h/b", "http://other/b", "http://sub.h/b", "//h:8080/b"])
    func secretsStayBehind(location: String) async throws {
        let (client, transport) = client(["http://h/a": (307, location)])
        var request = Request(.get, "http://user:pass@h/a")
        for name in ["Cookie", "Proxy-Authorization", "X-Api-Key", "X-Auth-Token", "X-My-Secret", "X-Plain", "Host"] {
            request.headers[.init(name)] = "v"
        }
        request.redirects = .standard
        request.redirects?.secretHeaders = ["X-Internal"]
        request.headers["x-internal"] = "v"
        _ = try await client.send(request)
        let first = try #require(transport.requests.first)
        let next = try #require(transport.requests.last)
        #expect(first.headers["Authorization"] != nil && first.headers["Host"] == "v")
        #expect(next.headers.fields.map(\.name.rawName).filter { $0.hasPrefix("X-") } == ["X-Plain"])
        for name in ["Authorization", "Cookie", "Proxy-Authorization", "Host"] {
            #expect(!next.headers.contains(.init(name)), "\(name)")
        }
    }

    @Test func secretsDoNotComeBack() async throws {
        let (client, transport) = client(["http://h/a": (302, "http://o/b"), "http://o/b": (302, "http://h/c")])
        _ = try await client.get("http://h/a", headers: ["Authorization": "Basic x"])
        #expect(transport.requests.map { $0.headers.contains(.authorization) } == [true, false, false])
    }

    /// B106.
    @Test func aTrustedHostGetsThemOverTLS() async throws {
        let (client, transport) = client([
            "https://h/a": (302, "https://friend/b"), "https://h/c": (302, "https://stranger/d"),
        ]) { $0.redirects.trustedHosts = ["friend"] }
        for path in ["a", "c"] {
            _ = try await client.get("https://h/\(path)", headers: ["Authorization": "Basic x"])
        }
        #expect(transport.requests.map { $0.headers.contains(.authorization) } == [true, true, true, false])
    }

    /// What the client sets goes to its own origins only, on a redirect too; what the request sets goes along.
    @Test func theClientsHeadersStayAtHome() async throws {
        let (client, transport) = client(["http://h/a": (302, "http://o/b")], base: "http://h") {
            $0.headers["X-Client"] = "c"
            $0.headers["X-Both"] = "c"
            $0.headers["User-Agent"] = "internal/1"
        }
        _ = try await client.get("a", headers: ["X-Both": "r"])
        let next = try #require(transport.requests.last)
        #expect(!next.headers.contains("X-Client") && next.headers["X-Both"] == "r")
        #expect(next.headers["User-Agent"]?.contains("Convoy/") == true)
    }

    @Test func noWayDown() async throws {
        let (client, transport) = client(["https://h/a": (302, "http://h/b")])
        let error = await failure { try await client.get("https://h/a") }
        #expect(error?.code == .redirectFailed && error?.message.contains("HTTPS to HTTP") == true)
        #expect(transport.requests.count == 1)
        client.update { $0.redirects.allowsDowngrade = true }
        try await #expect(client.get("https://h/a").status == .ok)
    }

    /// Complaints 54, 59: the scheme is looked at before anybody is asked.
    @Test(arguments: [
        "ftp://h/b", "unix:/run/docker.sock", "file:///etc/passwd", "javascript:alert(1)", "http:/b", "http://",
        "http://h:99999/", "http://h\\@evil/", "/a\u{1}b", "data:text/plain,hi",
    ])
    func nowhereElse(location: String) async throws {
        let asked = Journal()
        let (client, transport) = client(["http://h/a": (302, location)]) {
            $0.redirects.decide = { redirect in
                asked.note("asked")
                return redirect.request
            }
        }
        let error = await failure { try await client.get("http://h/a") }
        #expect(error?.code == .redirectFailed, "\(error?.message ?? "")")
        #expect(transport.requests.count == 1 && asked.all.isEmpty)
    }

    @Test func notOutOfAUnixSocket() async throws {
        let (client, transport) = client(["http://h/a": (302, "http://o/b"), "http://h/c": (302, "/d")])
        var request = Request(.get, "http://h/a")
        request.network = Network()
        request.network?.unixSocket = "/run/s"
        let error = await failure { [request] in try await client.send(request) }
        #expect(error?.code == .redirectFailed && transport.requests.count == 1)
        request.address = "http://h/c"
        try await #expect(client.send(request).status == .ok)
    }

    /// B112: the fragment goes along until another takes its place.
    @Test(arguments: [("http://h/a#frag", "http://h/b#frag"), ("http://h/x#alice", "http://h/z#bob")])
    func fragments(from: String, to: String) async throws {
        let (client, _) = client([
            "http://h/a#frag": (302, "/b"), "http://h/x#alice": (302, "y#bob"), "http://h/y#bob": (302, "z"),
        ])
        try await #expect(client.get(from).uri?.description == to)
    }

    /// B114, B115, B117: what a server writes into Location.
    @Test(arguments: [
        ("/caf\u{E9}", "http://h/caf%C3%A9"), ("/a[1]|b", "http://h/a%5B1%5D%7Cb"),
        ("/echo?a=b c", "http://h/echo?a=b%20c"), ("/%7e%2F", "http://h/%7e%2F"), ("?q", "http://h/a?q"),
        ("../../c", "http://h/c"), ("//o/p", "http://o/p"), ("", "http://h/a"),
        ("./a:b", "http://h/a:b"), ("HTTP://H:80/%41", "http://h/%41"), ("http://u:p@h/x", "http://h/x"),
    ])
    func locations(location: String, expected: String) async throws {
        let transport = FakeTransport { _, number in
            number > 1
                ? Response(status: 200) : Response(status: 302, headers: ["Location": location, "Set-Cookie": "a"])
        }
        let response = try await Client(transport: transport).get("http://h/a")
        #expect(response.uri?.description == expected)
        #expect(!transport.requests.contains { $0.headers.contains(.authorization) })
    }

    @Test func bytesThatAreNoUTF8AreEncodedAsTheyCame() async throws {
        let transport = FakeTransport { _, number in
            var headers = Headers()
            headers.append(Headers.Field("Location", "/\u{AE}x", isLatin1: true))
            return number > 1 ? Response(status: 200) : Response(status: 302, headers: headers)
        }
        try await #expect(Client(transport: transport).get("http://h/a").uri?.description == "http://h/%AEx")
    }

    @Test func noLocationIsAnAnswerAndTwoAreAnError() async throws {
        let none = Client(transport: FakeTransport { _, _ in Response(status: 302) })
        try await #expect(none.get("http://h/a").status == .found)
        let two = Client(
            transport: FakeTransport { _, _ in
                Response(status: 302, headers: ["Location": "/b", "location": "/c"])
            })
        await #expect(failure { try await two.get("http://h/a") }?.code == .redirectFailed)
        let others = Client(transport: FakeTransport { _, _ in Response(status: 304, headers: ["Location": "/b"]) })
        try await #expect(others.get("http://h/a").status == .notModified)
    }

    @Test func theUserDecides() async throws {
        let (client, transport) = client(["http://h/a": (302, "http://o/b"), "http://h/c": (302, "/secret")]) {
            $0.redirects.decide = { redirect in
                guard redirect.request.uri?.path != "/secret" else { return nil }
                var request = redirect.request
                request.headers["X-Hop"] = "\(redirect.number) \(redirect.leavesOrigin)"
                return request
            }
        }
        _ = try await client.get("http://h/a")
        #expect(transport.requests.last?.headers["X-Hop"] == "1 true")
        try await #expect(client.get("http://h/c").status == .found)
        client.update { $0.redirects.decide = { _ in throw Foreign() } }
        await #expect(failure { try await client.get("http://h/c") }?.code == .pluginFailed)
    }

    /// Complaint 60: a redirect may say when.
    @Test func itWaitsAsBidden() async throws {
        let journal = Journal()
        let transport = FakeTransport { _, number in
            number > 1 ? Response(status: 200) : Response(status: 301, headers: ["Location": "/b", "Retry-After": "7"])
        }
        let client = Client(transport: transport) {
            $0.time = TimeSource(now: { Date(timeIntervalSince1970: 0) }, sleep: { journal.note("\($0.seconds)") })
        }
        _ = try await client.get("http://h/a")
        #expect(journal.all == ["7.0"])
    }

    /// A strict validation is asked about the answer at the end.
    @Test func aRedirectIsNoOutcome() async throws {
        let (client, _) = client(["http://h/a": (302, "/b")]) { $0.validation = .statuses([.ok]) }
        try await #expect(client.get("http://h/a").status == .ok)
        client.update { $0.redirects = .none }
        await #expect(failure { try await client.get("http://h/a") }?.code == .unacceptableStatus)
    }

    /// Every hop goes through the plugins around an exchange, and counts.
    @Test func hopsAreExchanges() async throws {
        let journal = Journal()
        let plugin = Around(
            call: { request, _, next in
                journal.note("call")
                return try await next(request)
            },
            exchange: { request, _, next in
                journal.note(request.uri?.path ?? "")
                return try await next(request)
            })
        let (client, _) = client(["http://h/a": (302, "/b")]) { $0.plugins = [plugin] }
        try await #expect(client.get("http://h/a").attempts == 2)
        #expect(journal.all == ["call", "/a", "/b"])
        client.update { $0.maximumExchanges = 1 }
        await #expect(failure { try await client.get("http://h/a") }?.code == .tooManyExchanges)
    }
}
