import ConvoyCore
import Foundation
import Testing

/// Cookies on their way through a client.
@Suite struct CookieStoreTests {
    /// Sets a cookie named by the path of each address that begins with `/set`.
    private func setting(status: Status = .ok) -> FakeTransport {
        FakeTransport { request, number in
            let path = request.uri?.path ?? ""
            guard path.hasPrefix("/set") else { return Response(status: 200) }
            return Response(status: status, headers: ["Set-Cookie": "\(path.dropFirst(5))=\(number); Path=/"])
        }
    }

    private func sent(_ transport: FakeTransport) -> [String?] { transport.requests.map { $0.headers[.cookie] } }

    @Test func noneByDefault() async throws {
        let transport = setting()
        let client = Client(transport: transport)
        for path in ["set/a", "x"] { _ = try await client.get("http://h/" + path) }
        #expect(client.configuration.cookies == nil && sent(transport) == [nil, nil])
    }

    @Test("A cookie that was set comes back with the next request to its host (B036)") func inMemory() async throws {
        let transport = setting()
        let client = Client(transport: transport) { $0.cookies = .memory }
        for address in ["http://h/set/a", "http://h/x", "http://other/x", "http://h:8080/set/b", "http://h/"] {
            _ = try await client.get(address)
        }
        #expect(sent(transport) == [nil, "a=1", nil, "a=1", "a=1; b=4"])
    }

    @Test func clientsShareAStoreThatTheyAreGiven() async throws {
        let transport = setting()
        let store = CookieStore()
        let one = Client(transport: transport) { $0.cookies = store }
        let other = Client(transport: transport) { $0.cookies = store }
        let apart = Client(transport: transport) { $0.cookies = .memory }
        _ = try await one.get("http://h/set/a")
        for client in [one, other, apart] { _ = try await client.get("http://h/") }
        #expect(sent(transport) == [nil, "a=1", "a=1", nil])
        other.update { $0.cookies = .none }
        _ = try await other.get("http://h/set/b")
        #expect(sent(transport).last == .some(nil))
        try #expect(store.jar.all.map(\.name) == ["a"])
    }

    @Test func aRequestMayStayOut() async throws {
        let transport = setting()
        let client = Client(transport: transport) { $0.cookies = .memory }
        _ = try await client.get("http://h/set/a")
        var request = Request(.get, "http://h/set/b")
        request.inherits.remove(.cookies)
        _ = try await client.send(request)
        _ = try await client.get("http://h/")
        #expect(sent(transport) == [nil, nil, "a=1"])
    }

    @Test("Each hop has the cookies of its own address, and sets some (complaint 55)") func redirects() async throws {
        let transport = FakeTransport { request, number in
            switch request.uri?.description {
            case "http://h/login": Response(status: 302, headers: ["Location": "/in", "Set-Cookie": "sid=1"])
            case "http://h/in": Response(status: 302, headers: ["Location": "http://other/", "Set-Cookie": "in=2"])
            case "http://other/": Response(status: 302, headers: ["Location": "http://h/end", "Set-Cookie": "o=3"])
            default: Response(status: 200)
            }
        }
        let client = Client(transport: transport) { $0.cookies = .memory }
        let response = try await client.get("http://h/login", headers: ["Cookie": "mine=0"])
        #expect(response.history.count == 3)
        // What was set by hand stays behind for good where the host changes; the store's come back to theirs.
        #expect(sent(transport) == ["mine=0", "mine=0; sid=1", nil, "sid=1; in=2"])
    }

    @Test("An answer that is an error sets cookies all the same") func errors() async throws {
        let transport = setting(status: .unauthorized)
        let client = Client(transport: transport) { $0.cookies = .memory }
        let error = await failure { try await client.get("http://h/set/a") }
        #expect(error?.status == .unauthorized)
        _ = try await client.get("http://h/")
        #expect(sent(transport) == [nil, "a=1"])
    }

    @Test func attemptsAndStreams() async throws {
        let transport = FakeTransport { _, number in
            Response(status: number == 1 ? 503 : 200, headers: ["Set-Cookie": "n=\(number)"])
        }
        let client = Client(transport: transport) {
            $0.cookies = .memory
            $0.time.sleep = { _ in }
        }
        _ = try await client.get("http://h/")
        _ = try await client.stream(Request(.get, "http://h/"))
        #expect(sent(transport) == [nil, "n=1", "n=2"])
    }

    @Test("The client's clock says what has expired") func clock() async throws {
        let transport = FakeTransport { _, _ in Response(status: 200, headers: ["Set-Cookie": "a=b; Max-Age=60"]) }
        let now = Locked(noon)
        let client = Client(transport: transport) {
            $0.cookies = .memory
            $0.time.now = { now.withLock { $0 } }
        }
        for step in [0.0, 59, 60, -1000, 1060] {
            now.withLock { $0 += step }
            _ = try await client.get("http://h/")
        }
        #expect(sent(transport) == [nil, "a=b", nil, "a=b", nil])
    }

    @Test("Neither an error nor its request shows a cookie (B284)") func masked() async throws {
        let transport = FakeTransport { _, number in
            guard number == 1 else { throw ConvoyError(.connectionLost, "the connection was lost") }
            return Response(status: 403, headers: ["Set-Cookie": "sid=hidden"])
        }
        let client = Client(transport: transport) {
            $0.cookies = .memory
            $0.retry = .none
        }
        for _ in 0..<2 {
            let error = try #require(await failure { try await client.get("http://h/") })
            let texts = [
                "\(error)", error.localizedDescription, error.request.map { "\($0)\n\($0.headers)" } ?? "",
                error.response.map { "\($0)\n\($0.headers)" } ?? "",
            ]
            for text in texts { #expect(!text.contains("hidden"), "\(text)") }
        }
        #expect(transport.requests[1].headers[.cookie] == "sid=hidden")
        #expect(!"\(transport.requests[1].headers)".contains("hidden"))
        #expect(!"\(client.configuration)".contains("hidden"))
    }

    // MARK: Files

    @Test func aFileOutlivesItsClient() async throws {
        try await withFolder { folder in
            let path = folder + "/cookies.txt"
            let transport = FakeTransport { _, number in
                number > 1
                    ? Response(status: 200)
                    : Response(
                        status: 200,
                        headers: ["Set-Cookie": "a=b; Max-Age=60; HttpOnly", "Set-Cookie": "session=1"])
            }
            for keeps in [false, true, true, false] {
                let client = Client(transport: transport) { $0.cookies = .file(path, keepsSessionCookies: keeps) }
                _ = try await client.get("http://h/")
            }
            #expect(sent(transport) == [nil, "a=b", "a=b", "a=b"])
            let kept = CookieStore(file: path, keepsSessionCookies: true)
            try kept.update { try $0.set(Cookie("session", "2", domain: "h")) }
            let client = Client(transport: transport) { $0.cookies = .file(path, keepsSessionCookies: true) }
            _ = try await client.get("http://h/")
            #expect(sent(transport).last == "a=b; session=2")
        }
    }

    @Test("A file that cannot be read fails the call before anything is sent, and is left alone") func unreadable()
        async throws
    {
        try await withFolder { folder in
            let transport = setting()
            let client = Client(transport: transport) { $0.cookies = .file(folder) }
            let error = await failure { try await client.get("http://h/set/a") }
            #expect(error?.code == .cookieFileFailed && error?.phase == .preparing)
            #expect(error?.message.contains("not a regular file") == true && transport.requests.isEmpty)
        }
    }

    @Test func aClosureThatThrowsChangesNothing() throws {
        let store = CookieStore()
        #expect(throws: Foreign(number: 1)) {
            try store.update { jar in
                try jar.set(Cookie("a", "b", domain: "h"))
                throw Foreign(number: 1)
            }
        }
        try #expect(store.jar.count == 0)
        try #expect(store.update { $0.count } == 0)
    }

    @Test func manyAtOnce() async throws {
        try await withFolder { folder in
            let path = folder + "/c"
            let transport = FakeTransport { request, _ in
                let name = request.uri?.path.dropFirst() ?? ""
                return Response(status: 200, headers: ["Set-Cookie": "\(name)=1; Path=/; Max-Age=60"])
            }
            let client = Client(transport: transport) { $0.cookies = .file(path) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 { group.addTask { _ = try await client.get("http://h/c\(number)") } }
                try await group.waitForAll()
            }
            try #expect(Set(CookieStore(file: path).jar.all.map(\.name)) == Set((0..<40).map { "c\($0)" }))
            try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["c"])
        }
    }
}
