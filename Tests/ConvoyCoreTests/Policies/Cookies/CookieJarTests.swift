import ConvoyCore
import Foundation
import Testing

@Suite struct CookieJarTests {
    @Test func orderOfSending() throws {
        let lines = ["a=1; Path=/", "b=2; Path=/x/y", "c=3; Path=/x", "d=4; Path=/x/y", "e=5; Path=/"]
        try #expect(cookies(lines, to: "http://www.example.com/x/y/z") == "b=2; d=4; c=3; a=1; e=5")
    }

    @Test("A clock that is set back changes no order") func clockJumps() throws {
        var jar = CookieJar()
        try jar.receive(["a=1; Max-Age=60"], now: noon)
        try jar.receive(["b=2; Max-Age=60"], now: noon - 86400)
        try #expect(jar.sent(now: noon - 86400) == "a=1; b=2")
        try #expect(jar.sent(now: noon) == "a=1")
        try #expect(jar.sent(now: .distantFuture) == "")
        try #expect(jar.sent(now: .distantPast) == "a=1; b=2")
        // What has expired goes when the jar next changes.
        try jar.receive(["c=3"], now: .distantFuture)
        #expect(jar.all.map(\.name) == ["c"])
    }

    @Test func aNewValueKeepsItsPlace() throws {
        var jar = CookieJar()
        try jar.receive(["a=1", "b=2", "a=3"])
        try #expect(jar.sent() == "a=3; b=2")
        #expect(jar.count == 2)
    }

    @Test("Name, domain, path and host-only tell cookies apart; names by their bytes") func identity() throws {
        var jar = CookieJar()
        try jar.receive(["a=1", "A=2", "a=3; Path=/x", "a=4; Domain=www.example.com", "\u{E9}=5", "e\u{301}=6"])
        try #expect(jar.sent(to: "http://www.example.com/x") == "a=3; a=1; A=2; a=4; \u{E9}=5; e\u{301}=6")
    }

    @Test(
        "Prefixes keep their promise, in any case (complaint 83)",
        arguments: [
            ("__Secure-a=b; Secure", true), ("__Secure-a=b", false), ("__secure-a=b", false),
            ("__Host-a=b; Secure; Path=/", true), ("__HOST-a=b; Secure; Path=/", true), ("__Host-a=b; Path=/", false),
            ("__Host-a=b; Secure", false), ("__Host-a=b; Secure; Path=/x", false),
            ("__Host-a=b; Secure; Path=x", false),
            ("__Host-a=b; Secure; Path=/; Domain=www.example.com", false), ("=__Host-a=b; Secure; Path=/", false),
            ("__Secure-a", false), ("__Secure-\u{301}=b", false), ("__Hosta=b", true),
        ])
    func prefixes(_ line: String, _ isKept: Bool) throws {
        var jar = CookieJar()
        try jar.receive([line], from: "https://www.example.com/")
        #expect(jar.count == (isKept ? 1 : 0))
    }

    @Test("Without TLS no Secure cookie is set, nor hidden by another of its name") func secureStays() throws {
        var jar = CookieJar()
        try jar.receive(["a=1; Secure; Path=/login; Domain=example.com"], from: "https://www.example.com/")
        for line in [
            "a=2; Path=/login; Domain=example.com", "a=2; Path=/login/en", "a=2; Path=/login", "a=2; Secure",
            "a=; Path=/login; Domain=example.com; Max-Age=0",
        ] {
            try jar.receive([line], from: "http://www.example.com/")
            try #expect(jar.sent(to: "https://www.example.com/login/en") == "a=1", "\(line)")
        }
        try jar.receive(["a=2; Path=/", "b=3; Path=/login", "a=4; Path=/loginx"], from: "http://www.example.com/")
        #expect(jar.count == 4)
        try jar.receive(["a=5; Path=/login; Domain=example.com"], from: "https://www.example.com/")
        try #expect(jar.sent(to: "http://www.example.com/login") == "a=5; b=3; a=2")
    }

    @Test func sizes() throws {
        let fits = "n=" + String(repeating: "v", count: 4095)
        try #expect(cookies(fits) == fits)
        try #expect(cookies(fits + "v") == "")
        try #expect(cookies("n=" + String(repeating: "é", count: 2048)) == "")
        try #expect(cookies(String(repeating: "v", count: 4097)) == "")
        // Without attributes, which may be as long as they like.
        try #expect(cookies("a=b; x=" + String(repeating: "v", count: 100_000)) == "a=b")
        try #expect(cookies("a=b" + String(repeating: ";", count: 100_000)) == "a=b")
    }

    @Test("Of the 51st of a domain the one goes that was not used the longest, plain ones first") func domainIsFull()
        throws
    {
        var jar = CookieJar()
        let uri = try URI("https://www.example.com/")
        try jar.receive((0..<50).map { "c\($0)=\($0)\($0 < 25 ? "; Secure" : "")" }, from: uri.description)
        try jar.receive(["new=1; Secure"], from: uri.description)
        #expect(jar.count == 50 && !jar.all.contains { $0.name == "c25" })
        try jar.receive((0..<100).map { "d\($0)=1; Secure" }, from: uri.description)
        #expect(jar.count == 50 && jar.all.allSatisfy { $0.isSecure })
        // A plain one cannot drive them out.
        try jar.receive(["plain=1"], from: uri.description)
        #expect(jar.count == 50 && !jar.all.contains { $0.name == "plain" })
    }

    @Test func tenThousand() throws {
        var jar = CookieJar()
        for host in 0..<100 { try jar.receive((0..<40).map { "c\($0)=\(host)" }, from: "http://h\(host).example/") }
        #expect(jar.count == 3000 && jar.all.count == 3000)
        try #expect(jar.sent(to: "http://h0.example/") == "")
        try #expect(jar.cookies(for: URI("http://h99.example/"), now: noon).count == 40)
        try jar.receive((0..<10_000).map { "n\($0)=1" }, from: "http://one.example/")
        try #expect(
            jar.cookies(for: URI("http://one.example/"), now: noon).map(\.name) == (9950..<10_000).map { "n\($0)" })
        #expect(jar.count <= 3000)
    }

    @Test func removing() throws {
        var jar = CookieJar()
        try jar.receive(["a=1; Max-Age=60", "b=2", "c=3; Domain=example.com"])
        try jar.receive(["d=4"], from: "http://badexample.com/")
        try jar.receive(["e=5"], from: "http://127.0.0.1/")
        var other = jar
        other.remove(domain: ".Example.com")
        #expect(other.all.map(\.name) == ["d", "e"])
        other.remove(domain: "not a domain")
        other.remove(domain: "0.0.1")
        other.remove(domain: "127.0.0.1")
        #expect(other.all.map(\.name) == ["d"] && "\(other)" == "1 cookie")
        other = jar
        other.endSession()
        #expect(other.all.map(\.name) == ["a"])
        other = jar
        other.removeAll { $0.value > "2" }
        #expect(other.all.map(\.name) == ["a", "b"])
        other.removeAll()
        #expect(other.all.isEmpty && other.count == 0 && jar.count == 5 && "\(jar)" == "5 cookies")
    }

    @Test("Bytes at random are cookies or none, and nothing worse") func garbage() throws {
        var jar = CookieJar()
        var generator = Seeded(state: 7)
        let words = [
            "=", ";", "a", "\"", ",", " ", "\t", "Domain=", "Path=/", "Expires=", "Max-Age=", "-", "9", ":", "é",
        ]
        for _ in 0..<2000 {
            let length = Int.random(in: 0..<40, using: &generator)
            let line = (0..<length).map { _ in
                Bool.random(using: &generator)
                    ? words.randomElement(using: &generator) ?? ""
                    : String(Unicode.Scalar(UInt8.random(in: 0...255, using: &generator)))
            }
            try jar.receive([line.joined()], from: "https://www.example.com/a/b")
        }
        for cookie in jar.all {
            let bytes = Array((cookie.name + cookie.value + cookie.path).utf8)
            #expect(bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x3B || $0 == 9 }, "\(cookie)")
        }
        #expect((1...50).contains(jar.count))
    }
}

/// Random numbers that are the same each time.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
