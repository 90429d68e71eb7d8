import ConvoyCore
import Foundation
import Testing

/// How a `Set-Cookie` line is taken apart.
@Suite struct SetCookieTests {
    @Test(arguments: [
        ("a=b", "a=b"), ("a=b; Path=/; unknown=1; =; ;;", "a=b"), (" a \t=\t b c ", "a=b c"), ("a", "a"), ("=a", "a"),
        ("a=", "a="), ("a==b=", "a==b="), ("a=b, c=d", "a=b, c=d"), ("a;b=c", "a"), ("ä=ö", "ä=ö"),
        ("", ""), ("=", ""), (";", ""), ("; a=b", ""), (" \t", ""), ("a=b;Secure=", ""),
    ])
    func nameAndValue(_ line: String, _ sent: String) throws { try #expect(cookies(line) == sent) }

    @Test("Quotes are part of the value, and a semicolon ends it all the same (B191, complaint 83)")
    func quotes() throws {
        try #expect(cookies(#"b="q;x""#) == #"b="q"#)
        try #expect(cookies(#"b="q""#) == #"b="q""#)
        try #expect(cookies(#"b=""#) == #"b=""#)
        try #expect(cookies(#"""#) == #"""#)
    }

    @Test("A comma in a date splits nothing: lines stay lines (B172, B188)") func lines() throws {
        let lines = ["a=1; Expires=Wed, 01 Dec 2100 00:00:00 GMT; Path=/", "b=2"]
        try #expect(cookies(lines) == "a=1; b=2")
    }

    @Test(arguments: 0..<0x20) func controlCharacters(code: Int) throws {
        let character = Character(Unicode.Scalar(UInt8(code)))
        let sent = try cookies(["c\(character)d=e", "f=g\(character)h", "i=j; x=\(character)"])
        // The tab alone may stand in a cookie.
        #expect(sent == (code == 9 ? "c\td=e; f=g\th; i=j" : ""))
        try #expect(cookies("a=b\u{7F}") == "")
    }

    @Test(arguments: [
        ("Max-Age=10", 10), ("Max-Age=10; Max-Age=20", 20), ("max-AGE=10;Expires=x", 10), ("Max-Age=010", 10),
        ("Max-Age=99999999999999999999999999", 400 * 86400), ("Max-Age=34560001", 400 * 86400),
        ("Expires=Fri, 15 Jan 2027 08:00:10 GMT", 10), ("Expires=Thu, 01 Jan 2099 00:00:00 GMT", 400 * 86400),
    ])
    func age(_ attributes: String, seconds: Int) throws {
        let end = noon + TimeInterval(seconds)
        try #expect(cookies("a=b; \(attributes)", later: end - 1) == "a=b")
        try #expect(cookies("a=b; \(attributes)", later: end) == "")
    }

    @Test(
        "A date that is none is ignored, and so is a garbled Max-Age (B190)",
        arguments: [
            "Expires=", "Expires=tomorrow", "Expires=Wed, 99 Foo 2100 99:99:99 GMT", "Expires=\u{301}", "Expires",
            "Max-Age", "Max-Age=", "Max-Age=-", "Max-Age=+5", "Max-Age=1.5", "Max-Age=1 2", "Max-Age=٣", "Max-Age=0x0",
        ])
    func badAge(_ attribute: String) throws {
        var jar = CookieJar()
        try jar.receive(["a=b; \(attribute)"])
        #expect(jar.all.map(\.expires) == [nil])
    }

    @Test(
        "Max-Age goes before Expires, in either order (B185)",
        arguments: [
            "Max-Age=3600; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=3600",
        ])
    func maxAgeWins(_ attributes: String) throws {
        try #expect(cookies("a=b; \(attributes)") == "a=b")
        try #expect(cookies("a=b; \(attributes)", later: noon + 3600) == "")
    }

    @Test("Max-Age of zero and less removes at once (B186)", arguments: ["0", "-1", "-0", "-99999999999999999999999"])
    func removal(_ age: String) throws {
        try #expect(cookies(["a=b", "c=d", "a=; Max-Age=\(age)"]) == "c=d")
        try #expect(cookies(["a=b; Path=/x", "a=; Max-Age=\(age)"], to: "http://www.example.com/x") == "a=b")
    }

    @Test("What a line says can be read (B291)") func attributes() throws {
        var jar = CookieJar()
        try jar.receive(
            ["sid=1; Domain=.Example.COM; Path=/a; Secure; HttpOnly; SameSite=lAx; Max-Age=5"],
            from: "https://www.example.com/")
        let cookie = try #require(jar.all.first)
        #expect(cookie.name == "sid" && cookie.value == "1" && cookie.domain == "example.com" && !cookie.isHostOnly)
        #expect(cookie.path == "/a" && cookie.isSecure && cookie.isHTTPOnly && cookie.sameSite == .lax)
        #expect(cookie.expires == noon + 5)
    }

    @Test(arguments: [
        ("SameSite=Strict", Cookie.SameSite.strict), ("SameSite=None", .none), ("SameSite=Other", .unspecified),
        ("SameSite", .unspecified), ("SameSite=Strict; SameSite=Lax", .lax), ("x", .unspecified),
    ])
    func sameSite(_ attribute: String, _ sameSite: Cookie.SameSite) throws {
        var jar = CookieJar()
        try jar.receive(["a=b; \(attribute)"])
        #expect(jar.all.map(\.sameSite) == [sameSite])
        try #expect(jar.sent() == "a=b")
    }

    @Test func longAttributesAreIgnored() throws {
        let long = "/" + String(repeating: "x", count: 1024)
        try #expect(cookies("a=b; Path=\(long)") == "a=b")
        try #expect(cookies("a=b; Path=\(long.dropLast())") == "")
    }

    @Test func bytesThatAreNoUTF8() throws {
        var jar = CookieJar()
        let field = Headers.Field(.setCookie, "na\u{EF}ve=\u{E9}t\u{E9}", isLatin1: true)
        jar.receive(Headers([field]), from: try URI("http://h/"), now: noon)
        #expect(jar.all.map(\.value) == ["\u{E9}t\u{E9}"])
    }
}
