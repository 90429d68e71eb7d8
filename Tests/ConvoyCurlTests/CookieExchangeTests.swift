import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// Cookies over real sockets: the rules themselves are tested without any, in ConvoyCoreTests.
@Suite struct CookieExchangeTests {
    private func withCookies(_ body: (TestServer, Client) async throws -> Void) async throws {
        try await withServer(
            configure: {
                $0.cookies = .memory
                $0.redirects = .standard
            }, body)
    }

    private func sent(_ server: TestServer, _ index: Int) async throws -> [String] {
        try await server.request(at: index).headers.values(for: .cookie)
    }

    @Test("Login sets a cookie, and the next request to the host has it (B036)") func login() async throws {
        try await withCookies { server, client in
            server.enqueue(.text("in", headers: ["Set-Cookie": "sid=7; HttpOnly"]), for: .post, at: "/login")
            server.on(.get, "/*", .text("fine"))
            _ = try await client.post("login", body: .text("me"))
            _ = try await client.get("me")
            // A name for the same machine is another host.
            _ = try await client.get("http://localhost:\(server.port)/me")
            try await #expect(sent(server, 0) == [])
            try await #expect(sent(server, 1) == ["sid=7"])
            try await #expect(sent(server, 2) == [])
        }
    }

    @Test("Lines of Set-Cookie are never joined (B171, B172, B188)") func lines() async throws {
        try await withCookies { server, client in
            let headers: Headers = [
                "Set-Cookie": "a=1; Expires=Wed, 01 Dec 2100 00:00:00 GMT", "set-cookie": "b=x, y", "Set-Cookie": "c=3",
            ]
            server.enqueue(.text("", headers: headers), .text(""))
            let response = try await client.get("x")
            #expect(response.headers.values(for: .setCookie) == headers.values(for: .setCookie))
            _ = try await client.get("x")
            try await #expect(sent(server, 1) == ["a=1; b=x, y; c=3"])
        }
    }

    @Test("Another port of the host gets it, and a path only what is below it (B193)") func portsAndPaths()
        async throws
    {
        let other = try TestServer()
        defer { other.stop() }
        try await withCookies { server, client in
            let headers: Headers = ["Set-Cookie": "deep=1; Path=/foo", "Set-Cookie": "all=2; Path=/"]
            server.enqueue(.text("", headers: headers))
            for one in [server, other] { one.on(.get, "/*", .text("")) }
            _ = try await client.get("x")
            for path in ["foo", "foobar", "foo/bar"] { _ = try await client.get(server.url("/" + path)) }
            _ = try await client.get(other.url("/foo"))
            try await #expect(sent(server, 1) == ["deep=1; all=2"])
            try await #expect(sent(server, 2) == ["all=2"])
            try await #expect(sent(server, 3) == ["deep=1; all=2"])
            try await #expect(sent(other, 0) == ["deep=1; all=2"])
        }
    }

    @Test(.enabled(if: Servers.areUp, Servers.missing)) func secureOnes() async throws {
        let plain = try TestServer()
        let secure = try TestServer(tls: Servers.tls())
        defer { plain.stop() }
        try await withServer(
            secure,
            configure: {
                $0.cookies = .memory
                $0.network.trust = .only(pemFile: Servers.root)
            }
        ) { server, client in
            let headers: Headers = [
                "Set-Cookie": "a=1; Secure", "Set-Cookie": "__Host-b=2; Secure; Path=/", "Set-Cookie": "c=3",
            ]
            server.enqueue(.text("", headers: headers), .text(""), .text(""))
            plain.enqueue(.text("", headers: ["Set-Cookie": "a=9", "Set-Cookie": "d=4; Secure"]))
            let host = server.url.host
            _ = try await client.get("x")
            _ = try await client.get("x")
            _ = try await client.get("http://\(host):\(plain.port)/x")
            _ = try await client.get("x")
            try await #expect(sent(server, 1) == ["a=1; __Host-b=2; c=3"])
            try await #expect(sent(plain, 0) == ["c=3"])
            try await #expect(sent(server, 2) == ["a=1; __Host-b=2; c=3"])
        }
    }

    @Test func redirectsAndErrors() async throws {
        try await withCookies { server, client in
            server.enqueue(
                .head(302, ["Location": "/in", "Set-Cookie": "hop=1", "Content-Length": "0"]),
                .status(.unauthorized, headers: ["Set-Cookie": "error=2"]), .text(""))
            let error = try await failure { try await client.get("login") }
            #expect(error.status == .unauthorized)
            _ = try await client.get("x")
            try await #expect(sent(server, 1) == ["hop=1"])
            try await #expect(sent(server, 2) == ["hop=1; error=2"])
        }
    }

    @Test("Bytes of a cookie go back as they came") func bytes() async throws {
        try await withCookies { server, client in
            let line = "Set-Cookie: a=\"\u{E9}\"; Path=/\r\n".unicodeScalars.map { UInt8($0.value) }
            let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n".utf8) + line + [0x0D, 0x0A]
            server.enqueue(Answer([.readBody(), .raw(Data(head))]), .text(""))
            _ = try await client.get("x")
            _ = try await client.get("x")
            let field = try #require(await server.request(at: 1).headers.fields.first { $0.name == .cookie })
            #expect(field.rawValue == Array("a=\"".utf8) + [0xE9, 0x22])
        }
    }
}
