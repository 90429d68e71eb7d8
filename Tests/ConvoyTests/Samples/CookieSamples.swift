import Convoy
import ConvoyTesting
import Foundation
import Testing

/// Documentation/cookies.md
@Suite(.samples) struct CookieSamples {
    @Test func login() async throws {
        let server = try TestServer()
        let origin = server.url.origin
        let password = "secret"
        server.enqueue(.text("", headers: ["Set-Cookie": "sid=7; HttpOnly"]), .json(#"{"id": 42, "name": "Ada"}"#))

        let client = Client(baseURL: "\(origin)") { $0.cookies = .memory }

        try await client.post("login", body: .json(["name": "ada", "password": password])).decode(Void.self)
        let user = try await client.get("me").decode(User.self)

        #expect(user.name == "Ada")
        try await #expect(server.request(at: 1).headers["Cookie"] == "sid=7")
    }

    @Test func shared() async throws {
        let server = try TestServer()
        let origin = server.url.origin
        let path = FileManager.default.temporaryDirectory.appending(path: "convoy-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        server.enqueue(.text("", headers: ["Set-Cookie": "sid=7; Path=/"]), .text(""))

        let store = CookieStore(file: path, keepsSessionCookies: true)
        let client = Client(baseURL: "\(origin)") { $0.cookies = store }
        let admin = Client(baseURL: "\(origin)/admin") { $0.cookies = store }

        _ = try await client.get("x")
        _ = try await admin.get("x")
        try await #expect(server.request(at: 1).headers["Cookie"] == "sid=7")
        try #expect(String(contentsOfFile: path, encoding: .utf8).hasSuffix("\tsid\t7\n"))
    }

    @Test func changed() async throws {
        let origin = "https://api.example.com"
        let store = CookieStore()
        try store.update { try $0.set(Cookie("sid", "7", domain: "api.example.com")) }

        for cookie in try store.jar.cookies(for: URI("\(origin)/me")) { print(cookie) }

        try store.update { jar in
            try jar.set(Cookie("theme", "dark", domain: "api.example.com"))
            jar.remove(domain: "tracker.example")
            jar.removeAll { $0.name == "old" }
            jar.endSession()
        }

        #expect(Printed.lines == ["sid=•••; Domain=api.example.com; Path=/; host only"])
        try #expect(store.jar.count == 0)
    }

    @Test func oneRequest() async throws {
        let server = try TestServer()
        server.enqueue(.text("", headers: ["Set-Cookie": "sid=7"]), .text("fine"))
        let client = Client(baseURL: server.url.origin) { $0.cookies = .memory }
        _ = try await client.get("x")

        var request = Request(.get, "health")
        request.inherits.remove(.cookies)
        request.headers["Cookie"] = "probe=1"
        let health = try await client.send(request)

        try #expect(health.text() == "fine")
        try await #expect(server.request(at: 1).headers["Cookie"] == "probe=1")
    }

    @Test func comments() throws {
        let origin = "https://api.example.com"
        let cookie = Cookie("theme", "dark", domain: "example.com", isHostOnly: false)
        let client = Client(baseURL: "\(origin)") { $0.cookies = .memory }

        #expect(cookie.path == "/" && client.configuration.cookies != nil)
    }
}
