import ConvoyCore
import Testing

struct URITests {
    /// What is written, and what is connected to and shown.
    private static let accepted: [(String, String)] = [
        ("http://h", "http://h/"),
        ("HTTP://EXAMPLE.com:80/%7Efoo/../a", "http://example.com/a"),
        ("https://h:443/", "https://h/"),
        ("https://h:80/", "https://h:80/"),
        ("http://h:443", "http://h:443/"),
        ("http://h:/x", "http://h/x"),
        ("http://h:00080/", "http://h/"),
        ("http://h:65535/", "http://h:65535/"),
        ("http://h?q", "http://h/?q"),
        ("http://h?", "http://h/?"),
        ("http://h#f", "http://h/#f"),
        ("http://h/a b", "http://h/a%20b"),
        ("http://h/a%20b", "http://h/a%20b"),
        ("http://h/a%2Fb;v=1", "http://h/a%2Fb;v=1"),
        ("http://h/a:b/c@d", "http://h/a:b/c@d"),
        ("http://h/\\evil", "http://h/%5Cevil"),
        ("http://h/%zz", "http://h/%25zz"),
        ("http://h/%", "http://h/%25"),
        ("http://h/%4", "http://h/%254"),
        ("http://h/%00", "http://h/%00"),
        ("http://h/ü", "http://h/%C3%BC"),
        ("http://h/日本?q=語#片", "http://h/%E6%97%A5%E6%9C%AC?q=%E8%AA%9E#%E7%89%87"),
        ("http://h/?q=[%D1%82", "http://h/?q=%5B%D1%82"),
        ("http://h/?a=b+c&d=%2B", "http://h/?a=b+c&d=%2B"),
        ("http://h/?a=/?:@", "http://h/?a=/?:@"),
        ("http://h/a/./b/../c", "http://h/a/c"),
        ("http://h/../../a", "http://h/a"),
        ("http://h/a/%2e%2E/b", "http://h/b"),
        ("http://h/a/.%2e", "http://h/"),
        ("http://h/a/..", "http://h/"),
        ("http://h/a/.", "http://h/a/"),
        ("http://h/a/...", "http://h/a/..."),
        ("http://h/.hidden", "http://h/.hidden"),
        ("http://h//a//b", "http://h//a//b"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
        ("http://[2001:DB8::A]/", "http://[2001:db8::a]/"),
        ("http://[fe80::1%25eth0]:8080/x", "http://[fe80::1%25eth0]:8080/x"),
        ("http://[fe80::1%eth0]/", "http://[fe80::1%25eth0]/"),
        ("http://127.0.0.1/", "http://127.0.0.1/"),
        ("http://example.com./", "http://example.com./"),
        ("http://a_b.c-d/", "http://a_b.c-d/"),
        ("http://ex%61mple.com/", "http://example.com/"),
        ("http://lüfter.example/", "http://xn--lfter-kva.example/"),
        ("http://L%C3%BCFTER.example/", "http://xn--lfter-kva.example/"),
        ("http://日本.jp/", "http://xn--wgv71a.jp/"),
        ("http://faß.de/", "http://xn--fa-hia.de/"),
    ]

    @Test(arguments: accepted) func isNormalisedTheSameWayEverywhere(text: String, shown: String) throws {
        #expect(try URI(text).description == shown)
        #expect(try URI(shown).description == shown, "nothing is encoded twice")
    }

    private static let refused = [
        "", " ", "/", "x", "h", "h/x", "//h/x", "http", "http:", "http:/", "http:/h", "http:h", "http://", "http:///x",
        "http://?q", "http://#f", "://h", "ftp://h/", "file:///etc/passwd", "javascript://h/%0aalert(1)", "ht tp://h/",
        " http://h/", "http://h/ ", "http://h\\@evil/", "http://h\\/x", "http://\\h/", "http://a@b@c/",
        "http://a:b@c@d/",
        "http://h h/", "http://h\t/", "http://h/\t", "http://h/\n", "http://h/\r\nX: y", "http://h/\0", "http://h\0/",
        "http://h/\u{7F}", "http://\u{1}h/", "http://h:0/", "http://h:65536/", "http://h:99999999999/", "http://h:-1/",
        "http://h:+80/", "http://h:8 0/", "http://h:８０/", "http://h:http/", "http://h:80:80/", "http://::1/",
        "http://[::1", "http://::1]/", "http://[]/", "http://[::1]x/", "http://[::1]:x/", "http://[::g]/",
        "http://[1]/",
        "http://[::1%25]/", "http://[::1%25a/b]/", "http://[::1%25a b]/", "http://[\u{301}::1]/",
        "http://[::1\u{301}]/",
        "http://1.2.3/", "http://1/", "http://0x7f.1/", "http://0x7f000001/", "http://127.0.0.01/", "http://256.1.1.1/",
        "http://1.2.3.4.5/", "http://2130706433/", "http://.h/", "http://h..x/", "http://./", "http://%/",
        "http://%zz/",
        "http://%00/", "http://h%00/", "http://ü%00.evil.example/", "http://a%2Fb/", "http://a%40b/", "http://a%3A80/",
        "http://h%20/", "http://%ff/", "http://<h>/", "http://a|b/", "http://a^b/", "http://a%25b/",
        "http://💩.example/",
        "http://\u{AD}/", "http://\u{2025}/", "http://a\u{2044}b/", "http://evil.example\u{2100}good.example/",
        "http://%ff@h/", "http://a:%ff@h/", "http://a b@h/", "http://a[b@h/", "http://a\"b@h/",
        "http://\(String(repeating: "a", count: 64)).example/",
        "http://\(String(repeating: "a.", count: 130))example/",
    ]

    @Test(arguments: refused) func whatIsNoURLThrows(text: String) throws {
        let error = #expect(throws: ConvoyError.self) { try URI(text) }
        #expect(error?.code == .invalidURL)
        #expect(error?.message.contains("is not a usable URL: ") == true)
    }

    /// A delimiter with a combining mark behind it is another `Character`, yet the same byte to everyone else.
    @Test(arguments: [
        ("http://evil.example#\u{301}@good.example/", "evil.example", "/"),
        ("http://evil.example/\u{301}@good.example/", "evil.example", "/%CC%81@good.example/"),
        ("http://evil.example?\u{301}@good.example/", "evil.example", "/?%CC%81@good.example/"),
    ])
    func delimitersAreBytes(text: String, host: String, target: String) throws {
        let uri = try URI(text)
        #expect(uri.host == host)
        #expect(uri.target == target)
    }

    @Test func partsOfAnAddress() throws {
        let uri = try URI("https://us%40er:p%3Aw:d@[::1]:8443/a/b?c=d#e")
        #expect(uri.scheme == "https" && uri.isSecure)
        #expect(uri.user == "us@er")
        #expect(uri.password == "p:w:d")
        #expect(uri.host == "::1" && uri.isIPv6)
        #expect(uri.port == 8443 && uri.explicitPort == 8443)
        #expect(uri.authority == "[::1]:8443")
        #expect(uri.origin == "https://[::1]:8443")
        #expect(uri.target == "/a/b?c=d")
        #expect(uri.query == "c=d" && uri.fragment == "e")
        #expect(uri.description == "https://[::1]:8443/a/b?c=d#e")
    }

    @Test func thePortIsTheSchemesWhereNoneIsSaid() throws {
        #expect(try URI("http://h/").port == 80)
        #expect(try URI("https://h/").port == 443)
        #expect(try URI("https://h:443/").explicitPort == nil)
        #expect(try URI("http://h/").isIPv6 == false)
    }

    @Test(
        arguments: [
            ("http://u@h/", "u", nil), ("http://u:@h/", "u", ""), ("http://:p@h/", "", "p"), ("http://@h/", nil, nil),
            ("http://:@h/", nil, nil),
        ] as [(String, String?, String?)])
    func userInfo(text: String, user: String?, password: String?) throws {
        let uri = try URI(text)
        #expect(uri.user == user)
        #expect(uri.password == password)
    }

    @Test func theZoneIsForTheEngineAndNotForTheHostHeader() throws {
        let uri = try URI("http://[fe80::1%25eth0]:8080/")
        #expect(uri.zone == "eth0")
        #expect(uri.authority == "[fe80::1]:8080")
    }

    /// A plugin may set parts: they cannot carry what would not have been parsed.
    @Test(arguments: [
        ("/a b", "/a%20b"), ("a", "/a"), ("", "/"), ("/a\r\nX: y", "/a%0D%0AX:%20y"), ("/a?b#c", "/a%3Fb%23c"),
        ("/x/../y", "/y"), ("/%2F%zz", "/%2F%25zz"), ("/\0", "/%00"), ("/ü", "/%C3%BC"),
    ])
    func settingThePathEncodes(path: String, expected: String) throws {
        var uri = try URI("http://h/old?q#f")
        uri.path = path
        #expect(uri.path == expected)
        #expect(uri.description == "http://h\(expected)?q#f")
    }

    @Test func settingQueryAndFragmentEncodes() throws {
        var uri = try URI("http://h/")
        uri.query = "a=b c\r\n#x%41"
        uri.fragment = "x\0#"
        #expect(uri.description == "http://h/?a=b%20c%0D%0A%23x%41#x%00%23")
        uri.query = nil
        uri.fragment = nil
        #expect(uri.description == "http://h/")
    }

    @Test func errorsHaveTheTextAndTheReasonAndNoPassword() throws {
        let error = try #require(throws: ConvoyError.self) { try URI("http://me:pw123@h h/x") }
        #expect(error.message.contains("h h/x"))
        #expect(error.message.contains("its host contains \" \""))
        #expect(!error.message.contains("pw123"))
    }

    @Test(arguments: [
        "http://me:pw/12x@h/", "http://me:pw#12x@h/", "http://me:pw?12x@h/", "http:/me:12x@h/", "https:me:12x@h",
        "me:12x@h/", "//me:12x@h/x", "http://me:12x@h:port/", "http://a:12x@b@h/", "http://me:12x@/",
        "http://h h/?access_token=12x", "ftp://me:12x@h/",
    ])
    func secretsOfMalformedAddressesAreMasked(text: String) async throws {
        let error = try #require(throws: ConvoyError.self) { try URI(text) }
        #expect(!"\(error)".contains("12x"))
        let thrown = try #require(
            await failure { try await Client(transport: FakeTransport()).send(Request(.get, text)) })
        #expect(!"\(thrown)".contains("12x"))
        #expect(!"\(Address(text))".contains("12x"))
    }

    /// In time that grows with the length, not with its square.
    @Test func longAddressesAreRead() throws {
        let path = String(repeating: "a/b.c/%20/", count: 20_000)
        #expect(try URI("http://h/\(path)").path == "/" + path)
        let climbing = String(repeating: "x/../", count: 20_000)
        #expect(try URI("http://h/\(climbing)").path == "/")
    }
}
