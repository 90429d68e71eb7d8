import ConvoyCore
import Foundation
import Testing

@Suite struct CookieTests {
    @Test func defaults() {
        let cookie = Cookie("a", "b", domain: "h")
        #expect(cookie.isHostOnly && cookie.path == "/" && cookie.expires == nil && cookie.sameSite == .unspecified)
        #expect(!cookie.isSecure && !cookie.isHTTPOnly)
    }

    @Test("No description shows a value (B284)") func masked() throws {
        let cookie = Cookie(
            "sid", "hidden", domain: "h", isHostOnly: false, path: "/p", expires: noon, isSecure: true,
            isHTTPOnly: true,
            sameSite: .lax)
        #expect(
            "\(cookie)"
                == "sid=•••; Domain=h; Path=/p; Expires=Fri, 15 Jan 2027 08:00:00 GMT; Secure; HttpOnly; SameSite=lax")
        #expect("\(Cookie("", "hidden", domain: "h"))" == "•••; Domain=h; Path=/; host only")
        #expect(
            "\(Cookie("\u{9B}2J", "", domain: "h", path: "/\u{9B}"))".contains(
                "\u{FFFD}2J=•••; Domain=h; Path=/\u{FFFD};"))
        var jar = CookieJar()
        try jar.set(Cookie("a", "hidden", domain: "h"))
        let store = CookieStore()
        try store.update { [jar] in $0 = jar }
        for text in ["\([cookie])", "\(jar)", "\(store)", "\(try store.jar)", String(reflecting: jar)] {
            #expect(!text.contains("hidden"), "\(text)")
        }
    }

    @Test(
        "What a user sets is held to the same rules (B169)",
        arguments: [
            Cookie("", "", domain: "h.example"), Cookie("a\r\nX-Evil: 1", "", domain: "h.example"),
            Cookie("a", "b\r\nX-Evil: hidden", domain: "h.example"), Cookie("a", "hidden\0", domain: "h.example"),
            Cookie("a", "hidden; c=d", domain: "h.example"), Cookie("a=b", "hidden", domain: "h.example"),
            Cookie("a", "hidden", domain: "h.example", path: ""), Cookie("a", "hidden", domain: "h.example", path: "x"),
            Cookie("a", "hidden", domain: "h.example", path: "/\n"),
            Cookie("a", "hidden", domain: "h.example", path: "/;"),
            Cookie("a", "hidden", domain: ""), Cookie("a", "hidden", domain: "a b"),
            Cookie("a", "hidden", domain: "h/x"),
            Cookie("a", "hidden", domain: "com", isHostOnly: false), Cookie("a", "hidden", domain: "::x"),
            Cookie("__Host-a", "hidden", domain: "h.example"), Cookie("__secure-a", "hidden", domain: "h.example"),
            Cookie("a", "hidden", domain: "h.example", path: "/" + String(repeating: "x", count: 4096)),
        ])
    func refused(_ cookie: Cookie) throws {
        var jar = CookieJar()
        let error = #expect(throws: ConvoyError.self) { try jar.set(cookie) }
        #expect(error?.code == .invalidCookie && error?.description.contains("hidden") == false)
        #expect(jar.count == 0)
    }

    @Test func ofOnesOwn() throws {
        var jar = CookieJar()
        try jar.set(Cookie("a", "b", domain: ".EXAMPLE.com", isHostOnly: false), now: noon)
        try jar.set(Cookie("c", "d", domain: "bücher.example"), now: noon)
        try jar.set(Cookie("e", "f", domain: "0:0:0:0:0:0:0:1"), now: noon)
        try #expect(jar.sent(to: "http://www.example.com/") == "a=b")
        try #expect(jar.sent(to: "http://bücher.example/") == "c=d")
        try #expect(jar.sent(to: "http://[::1]:80/") == "e=f")
        try jar.set(Cookie("a", "", domain: "example.com", isHostOnly: false, expires: .distantPast), now: noon)
        #expect(jar.count == 2)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300]) func oddDates(seconds: Double) async throws {
        try await withFolder { folder in
            let store = CookieStore(file: folder + "/cookies")
            let date = Date(timeIntervalSince1970: seconds)
            try store.update { try $0.set(Cookie("a", "b", domain: "h", expires: date)) }
            #expect("\(Cookie("a", "b", domain: "h", expires: date))".contains("Expires="))
        }
    }
}
