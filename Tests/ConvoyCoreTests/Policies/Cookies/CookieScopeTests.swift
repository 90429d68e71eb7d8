import ConvoyCore
import Testing

/// Which hosts and paths get a cookie.
@Suite struct CookieScopeTests {
    @Test(
        "A host's cookie is its own, a domain's goes to all below (B193)",
        arguments: [
            ("a=b", "http://www.example.com/", "a=b"), ("a=b", "http://example.com/", ""),
            ("a=b", "http://a.www.example.com/", ""), ("a=b; Domain=", "http://a.www.example.com/", ""),
            ("a=b; Domain=www.example.com", "http://a.www.example.com/", "a=b"),
            ("a=b; Domain=example.com", "http://example.com/", "a=b"),
            ("a=b; Domain=.EXAMPLE.com", "http://other.example.com/", "a=b"),
            ("a=b; Domain=example.com", "http://badexample.com/", ""),
            ("a=b; Domain=example.com; Domain=www.example.com", "http://example.com/", ""),
        ])
    func domains(_ line: String, _ to: String, _ sent: String) throws { try #expect(cookies(line, to: to) == sent) }

    @Test(
        "What a host may not set (B193)",
        arguments: [
            "com", ".com", "COM", "com.", "ample.com", "a.www.example.com", "other.example.com", "example.org",
            "..example.com", "example.com.", "ex\u{E4}mple.com", "example.com/", "*", "http://example.com",
        ])
    func foreignDomains(_ domain: String) throws {
        try #expect(cookies("a=b; Domain=\(domain)", to: "http://www.example.com/") == "")
    }

    @Test(
        "No cookie for everyone below a public suffix (B193, complaint 83)",
        arguments: [
            ("www.example.co.uk", "co.uk"), ("example.co.uk", "uk"), ("user.github.io", "github.io"),
            ("www.xn--fiqs8s", "xn--fiqs8s"), ("b.c.kobe.jp", "c.kobe.jp"), ("city.kobe.jp", "kobe.jp"),
            ("a.localhost", "localhost"), ("a.unheard-of", "unheard-of"), ("www.example.co.uk.", "co.uk."),
        ])
    func publicSuffixes(_ host: String, _ domain: String) throws {
        try #expect(cookies("a=b; Domain=\(domain)", from: "http://\(host)/") == "")
        // The suffix itself may be a host, and has its own.
        try #expect(cookies("a=b; Domain=\(domain)", from: "http://\(domain)/") == "a=b")
        try #expect(cookies("a=b; Domain=\(domain)", from: "http://\(domain)/", to: "http://\(host)/") == "")
    }

    @Test(
        "An address is one host and has no domain (B193)",
        arguments: [
            ("127.0.0.1", "", "a=b"), ("127.0.0.1", "127.0.0.1", "a=b"), ("127.0.0.1", "0.0.1", ""),
            ("127.0.0.1", ".1", ""), ("[::1]", "", "a=b"), ("[::1]", "::1", "a=b"), ("[::1]", "1", ""),
        ])
    func addresses(_ host: String, _ domain: String, _ sent: String) throws {
        try #expect(cookies("a=b; Domain=\(domain)", from: "http://\(host)/") == sent)
        try #expect(cookies("a=b; Domain=\(domain)", from: "http://\(host)/", to: "http://1.127.0.0.1.example/") == "")
    }

    @Test func oneAddressOnTwoLinks() throws {
        try #expect(cookies("a=b", from: "http://[fe80::1%25eth0]/") == "a=b")
        try #expect(cookies("a=b", from: "http://[fe80::1%25eth0]/", to: "http://[fe80::1%25eth1]/") == "")
    }

    @Test func internationalNames() throws {
        try #expect(cookies("a=b; Domain=xn--bcher-kva.example", from: "http://www.bücher.example/") == "a=b")
        try #expect(cookies("a=b; Domain=bücher.example", from: "http://www.bücher.example/") == "")
    }

    @Test("A port is nothing to a cookie, and a scheme only where it is Secure") func portsAndSchemes() throws {
        try #expect(cookies("a=b", to: "https://www.example.com:8443/") == "a=b")
        let secure = "a=b; Secure"
        try #expect(cookies(secure, from: "https://www.example.com/") == "a=b")
        try #expect(cookies(secure, from: "https://www.example.com/", to: "http://www.example.com/") == "")
        try #expect(cookies(secure, from: "http://www.example.com/", to: "https://www.example.com/") == "")
    }

    @Test(
        "A path covers what is below it (B193); case counts (complaint 83)",
        arguments: [
            ("/foo", "/foo", true), ("/foo", "/foo/", true), ("/foo", "/foo/bar", true), ("/foo", "/foobar", false),
            ("/foo", "/", false), ("/foo/", "/foo", false), ("/foo/", "/foo/x", true), ("/foo", "/Foo", false),
            ("/", "/anything", true), ("foo", "/x", true), ("", "/x", true), ("/a%20b", "/a b", true),
        ])
    func paths(_ path: String, _ target: String, _ isSent: Bool) throws {
        let sent = try cookies("a=b; Path=\(path)", from: "http://h.example/", to: "http://h.example\(target)")
        #expect(sent == (isSent ? "a=b" : ""))
    }

    @Test(arguments: [
        ("/", "/x", true), ("/x", "/y", true), ("/a/b", "/a/c", true), ("/a/b", "/b", false), ("/a/b?/c/d", "/a", true),
        ("/a/", "/a", true), ("/a/b/../c", "/a", true),
    ])
    func defaultPaths(_ from: String, _ to: String, _ isSent: Bool) throws {
        let sent = try cookies("a=b", from: "http://h.example\(from)", to: "http://h.example\(to)")
        #expect(sent == (isSent ? "a=b" : ""))
    }
}
