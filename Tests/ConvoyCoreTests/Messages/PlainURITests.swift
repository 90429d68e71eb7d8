import Testing

@testable import ConvoyCore

/// The short way through an address gives what the long way gives, or leaves it to that.
@Suite struct PlainURITests {
    @Test func agreesWithTheParserOnWhatItTakes() throws {
        var generator = Steps(state: 7)
        let pieces = [
            "http://", "https://", "HTTP://", "a", "b.example", "127.0.0.1", "1.2.3.4", "1.2.3", "0x7f", "01.2.3.4",
            "256.1.1.1",
            ":80", ":443", ":8080", ":0", ":99999", ":", "/", "//", "/a", "/..", "/.a", "/a.b", "?", "?q=1", "&x=y",
            "#f", "%41",
            "é", " ", "@", "[::1]", "A", "-", "_", ".", "+", "1", "9.example", "|",
        ]
        var taken = 0
        for _ in 0..<4000 {
            var text = Bool.random(using: &generator) ? "http://" : "https://"
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                text += pieces.randomElement(using: &generator) ?? ""
            }
            guard let plain = URI(plain: text) else { continue }
            taken += 1
            var parser = try URIParser(text)
            let parsed = try parser.parse()
            #expect(plain == parsed, "\(text)")
            #expect(plain.wireText == parsed.wireText, "\(text)")
        }
        #expect(taken > 20)
    }

    @Test(arguments: [
        "http://a.example/", "https://api.example.com:8443/v1/users?page=2", "http://127.0.0.1:8080/x/y.z",
    ])
    func takesWhatIsPlain(text: String) { #expect(URI(plain: text)?.wireText == text) }

    /// The same numbers each time.
    private struct Steps: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }
}
