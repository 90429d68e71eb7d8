import ConvoyCore
import Foundation
import Testing

struct AddressTests {
    // MARK: Joining with the base URL

    @Test(arguments: [
        ("https://h/api/", "v1/x?y=1", "https://h/api/v1/x?y=1"),
        ("https://h/api/", "/v1/x?y=1", "https://h/api/v1/x?y=1"),
        ("https://h/api", "v1/x?y=1", "https://h/api/v1/x?y=1"),
        ("https://h/api", "/v1/x?y=1", "https://h/api/v1/x?y=1"),
        ("https://h", "a", "https://h/a"),
        ("https://h", "//a", "https://h/a"),
        ("https://h/api//", "///a//b", "https://h/api/a//b"),
        ("https://h/api", "", "https://h/api"),
        ("https://h/api/", "", "https://h/api/"),
        ("https://h/api", "/", "https://h/api/"),
        ("https://h/api", "a/", "https://h/api/a/"),
        ("https://h/api?k=1", "a?l=2", "https://h/api/a?k=1&l=2"),
        ("https://h/api?k=1", "a", "https://h/api/a?k=1"),
        ("https://h/api?k=1", "?l=2", "https://h/api?k=1&l=2"),
        ("https://h/api?k=1", "a?k=2", "https://h/api/a?k=2"),
        ("https://h/api?k=1&l=1", "a?%6B=2", "https://h/api/a?l=1&%6B=2"),
        ("https://h/api?", "a?l=2", "https://h/api/a?l=2"),
        ("https://h/api#old", "a", "https://h/api/a"),
        ("https://h/api", "a#new", "https://h/api/a#new"),
        ("https://h/api", "a:b", "https://h/api/a:b"),
        ("https://h/api", "http:x", "https://h/api/http:x"),
        ("https://h/api", "//evil.example/x", "https://h/api/evil.example/x"),
        ("https://h/api", "\\\\evil.example", "https://h/api/%5C%5Cevil.example"),
        ("https://h/api", "@evil.example", "https://h/api/@evil.example"),
        ("https://h/api", ":80", "https://h/api/:80"),
        ("https://h/api", "ü b%20c", "https://h/api/%C3%BC%20b%20c"),
        ("https://h/%C3%BC", "ü", "https://h/%C3%BC/%C3%BC"),
        ("https://h/a%2Fb", "c%2Fd", "https://h/a%2Fb/c%2Fd"),
        ("https://h/api", "https://other/x", "https://other/x"),
        ("https://h/api?k=1", "HTTP://other", "http://other/"),
    ])
    func joining(base: String, path: String, expected: String) async throws {
        #expect(try await sent(Address(path), base: base) == expected)
    }

    @Test(arguments: ["", "/x", "x", "//h/x", "h:80/x", "?q", "#f", "http:/h"])
    func aPathNeedsABaseURL(text: String) async throws {
        let error = try #require(await failure { try await sent(Address(text)) })
        #expect(error.code == .invalidURL)
        #expect(error.message.contains("no base URL"))
    }

    @Test(arguments: ["a\nb", "a\0", "a\tb", "\r\n", "a?b\nc", "a#\u{7F}"])
    func controlCharactersOfAPathThrow(text: String) async {
        #expect(await failure { try await sent(Address(text), base: "https://h/") }?.code == .invalidURL)
    }

    @Test(arguments: ["", "nonsense", "ftp://h/", "http://h:0/", "/v1"])
    func aBaseURLThatIsNoneIsReportedByTheCall(base: String) async {
        let client = Client(baseURL: base, transport: FakeTransport())
        #expect(await failure { try await client.get("x") }?.code == .invalidURL)
    }

    @Test func aRequestMayLeaveTheBaseURL() async throws {
        let transport = FakeTransport()
        let client = Client(baseURL: "https://h/api", transport: transport)
        var request = Request(.get, "x")
        request.inherits.remove(.baseURL)
        #expect(await failure { try await client.send(request) }?.code == .invalidURL)
        #expect(transport.requests.isEmpty)
    }

    // MARK: Values

    private static let hostile = [
        "/", "a/b", "?", "#", "&", "=", "%", "%2F", "%2e%2e/", "@", ":", ";", "+", " ", "\\", "a\r\nX: y", "\0", "ü",
        "日本",
        "💩", "://evil.example", "//evil.example", "../x", "..%2f", "\u{301}", "{x}", "\"", "<", "|", "^", "`",
    ]

    @Test(arguments: hostile) func aValueIsOnePieceOfThePath(value: String) async throws {
        let uri = try URI(await sent("users/\(value)/notes", base: "https://h/v1"))
        #expect(uri.origin == "https://h")
        let pieces = uri.path.split(separator: "/", omittingEmptySubsequences: false)
        #expect(pieces.count == 5)
        #expect(pieces.dropFirst(3).first?.removingPercentEncoding == value)
        #expect(uri.path.hasPrefix("/v1/users/") && uri.path.hasSuffix("/notes"))
        #expect(uri.query == nil && uri.fragment == nil)
    }

    @Test(arguments: hostile) func aValueIsOnePieceOfTheQuery(value: String) async throws {
        let uri = try URI(await sent("https://h/x?a=\(value)&b=2#f"))
        let pairs = try #require(uri.query).split(separator: "&", omittingEmptySubsequences: false)
        #expect(pairs.count == 2)
        #expect(pairs.first?.dropFirst(2).removingPercentEncoding == value)
        #expect(pairs.last == "b=2")
        #expect(uri.fragment == "f" && uri.path == "/x")
    }

    @Test(arguments: hostile) func aValueAtTheBeginningIsNoAddressWhereThereIsABase(value: String) async throws {
        let uri = try URI(await sent("\(value)/x", base: "https://h/v1"))
        #expect(uri.origin == "https://h")
        #expect(uri.path.split(separator: "/", omittingEmptySubsequences: false).count == 4)
        #expect(uri.query == nil && uri.fragment == nil)
    }

    @Test func aValueAtTheBeginningIsTheStartOfAnAddressOnlyWithoutABase() async throws {
        let evil = "https://evil.example/?x="
        #expect(
            try await sent("\(evil)/a", base: "https://h/v1") == "https://h/v1/https%3A%2F%2Fevil.example%2F%3Fx%3D/a")
        let service = "https://service.example/api"
        #expect(try await sent("\(service)/a/\("b/c")") == "https://service.example/api/a/b%2Fc")
        #expect(await failure { try await sent("\("no address")/a") }?.code == .invalidURL)
        let scheme = "https"
        #expect(try await sent("\(scheme)://h/a") == "https://h/a")
        #expect(await failure { try await sent("\("http:")\("//evil.example")") }?.code == .invalidURL)
    }

    @Test(arguments: [".", ".."]) func aValueCannotMakeADotSegment(dots: String) async {
        let (dot, nothing) = (".", "")
        let whole = "https://h/users/"
        let addresses: [Address] = [
            "users/\(dots)", "users/\(dots)/notes", "users/\(dots)?q", "users/\(dots)#f", "\(dots)/x", "\(dots)",
            "users/.\(dot)/x", "users/\(dot)\(dot)", "\(dot)\(dot)", "\(dot)\(dot)/x", "users/%2e\(dot)",
            "users/\(nothing)\(dots)", "users/\(dots)\(nothing)", "https://h/a/\(dots)", "https://h/a/\(dots)/b",
            "\(whole)\(dots)", "\(whole)\(dots)/x", "\(whole).\(dot)",
        ]
        for address in addresses {
            for base in ["https://h/v1", nil] {
                if base == nil, !address.description.hasPrefix("https") { continue }
                let error = await failure { try await sent(address, base: base) }
                #expect(error?.code == .invalidURL, "\(address)")
                #expect(error?.message.contains("would change the path") == true, "\(address)")
            }
        }
    }

    @Test func dotsThatChangeNothingAreFine() async throws {
        let (dots, name) = ("..", "a..b")
        #expect(try await sent("users/\(name)/x", base: "https://h") == "https://h/users/a..b/x")
        #expect(try await sent("users/\("...")", base: "https://h") == "https://h/users/...")
        #expect(try await sent("x?y=\(dots)", base: "https://h") == "https://h/x?y=..")
        #expect(try await sent("x-\(dots)", base: "https://h") == "https://h/x-..")
        #expect(try await sent("a/../b", base: "https://h") == "https://h/b")
    }

    @Test func aValueBehindAPercentMakesNoTriplet() async throws {
        #expect(try await sent("100%\("2F")x", base: "https://h") == "https://h/100%252Fx")
        #expect(try await sent("a%2\("F")x", base: "https://h") == "https://h/a%252Fx")
        #expect(try await sent("a%20\("F")x", base: "https://h") == "https://h/a%20Fx")
        #expect(try await sent("a%\("%2F")x", base: "https://h") == "https://h/a%25%252Fx")
    }

    @Test func aValueIsNoHost() async {
        for value in ["evil.example/", "evil.example:80", "a@evil.example", "evil.example#", "h\\", "h\0", ""] {
            #expect(await failure { try await sent("https://\(value)/x") }?.code == .invalidURL, "\(value)")
        }
    }

    @Test func valuesOfManyTypes() async throws {
        let (id, ratio, flag, piece) = (42, 1.5, true, "a b"[...])
        let address: Address = "users/\(id)/\(ratio)/\(flag)/\(piece)"
        #expect(try await sent(address, base: "https://h") == "https://h/users/42/1.5/true/a%20b")
    }

    @Test func rawTextAndAddressesGoInAsTheyAre() async throws {
        let encoded = "a%20b/c?d=e"
        #expect(try await sent("x/\(raw: encoded)", base: "https://h") == "https://h/x/a%20b/c?d=e")
        let uri = try URI("https://service.example/api/")
        #expect(try await sent("\(uri)/a") == "https://service.example/api/a")
        #expect(try await sent("\(uri)a", base: "https://h") == "https://service.example/api/a")
        let url = try #require(URL(string: "https://service.example/%20?q=1"))
        #expect(try await sent("\(url)&r=2") == "https://service.example/%20?q=1&r=2")
        #expect(try await sent(Address(url)) == "https://service.example/%20?q=1")
        #expect(try await sent(Address(uri), base: "https://h") == "https://service.example/api/")
    }

    @Test func bracesHaveNoMeaning() async throws {
        #expect(try await sent("a{b}", base: "https://h") == "https://h/a%7Bb%7D")
    }

    @Test func verbsEncodeInterpolatedValuesOnce() async throws {
        let transport = FakeTransport()
        let client = Client(baseURL: "https://h", transport: transport)
        let id = "a/b%2F c"
        _ = try await client.get("u/\(id)")
        _ = try await client.post("u/\(id)")
        _ = try await client.send(Request("u/\(id)"))
        let text = "u/a%2Fb c"
        _ = try await client.get(text)
        _ = try await client.send(Request(.get, text))
        let whole = "https://h/u/a%2Fb%252F%20c"
        #expect(transport.addresses == [whole, whole, whole, "https://h/u/a%2Fb%20c", "https://h/u/a%2Fb%20c"])
    }

    @Test func descriptionsMaskSecretsAndTheParsedAddressHasThem() async throws {
        #expect("\(Address("https://me:pw@h/x?api_key=1&a=2"))" == "https://•••@h/x?api_key=•••&a=2")
        let transport = FakeTransport()
        _ = try await Client(transport: transport).get("https://h/x?access_token=t1&a=2")
        let request = try #require(transport.requests.first)
        #expect(request.uri?.description == "https://h/x?access_token=t1&a=2")
        #expect("\(request)" == "GET https://h/x?access_token=•••&a=2")
    }

    @Test func equalityIsByContent() {
        #expect(Address("a") == "a")
        #expect(Address("a") != "b")
        #expect(Set<Address>(["a", "a", "b"]).count == 2)
        #expect(Address("a").uri == nil)
    }
}
