import ConvoyCore
import Foundation
import Testing

struct RedactionTests {
    @Test(arguments: [
        "Authorization", "proxy-authorization", "Cookie", "Set-Cookie", "X-Api-Key", "X-Auth-Token", "API-KEY",
        "X-Amz-Security-Token", "X-CSRF-Token", "client_secret", "X-Password", "apikey", "X-Session-Id", "X-Signature",
    ])
    func headersThatCarrySecretsAreMasked(name: String) {
        #expect(Redaction.standard.masks(Headers.Name(name)))
        #expect(!Redaction.standard.value(of: .init(Headers.Name(name), "hidden")).contains("hidden"))
    }

    @Test(arguments: ["Accept", "User-Agent", "ETag", "X-Request-Id", "Content-Type", "X-Author", "Keep-Alive"])
    func othersAreNot(name: String) {
        #expect(Redaction.standard.value(of: .init(Headers.Name(name), "shown")) == "shown")
    }

    @Test func theSchemeOfCredentialsStays() {
        #expect(Redaction.standard.value(of: .init(.authorization, "Bearer a b")) == "Bearer •••")
        #expect(Redaction.standard.value(of: .init(.authorization, "justtoken")) == "•••")
        #expect(Redaction.standard.value(of: .init(.cookie, "a b")) == "•••")
    }

    @Test func ownNamesCanBeAdded() {
        var redaction = Redaction(headerNames: ["X-Device"], parameterNames: ["pin"])
        redaction.parameterNames.insert("ssn")
        #expect(redaction.masks("x-device") && !redaction.masks(.cookie))
        #expect(redaction.masks(parameter: "PIN") && redaction.masks(parameter: "ssn"))
        #expect(!redaction.masks(parameter: "pinned"))
    }

    /// B284: of `user[key]` each part is a name.
    @Test func partsOfNestedNames() {
        let redaction = Redaction.standard
        for name in ["user[key]", "user.pass", "list[0][sig]", "auth[x]", "user[password]"] {
            #expect(redaction.masks(parameter: name), "\(name)")
        }
        #expect(!redaction.masks(parameter: "keys[a]") && !redaction.masks(parameter: "user[monkey]"))
        #expect(redaction.address("https://h/?user%5Bkey%5D=s3&a=1") == "https://h/?user%5Bkey%5D=•••&a=1")
        let parameters: Parameters = ["user": ["key": "s3", "name": "Ada"]]
        #expect(parameters.description == "user[key]=•••&user[name]=Ada")
    }

    @Test(arguments: [
        ("https://h/x", "https://h/x"),
        ("https://h/@user", "https://h/@user"),
        ("https://h:80/@user", "https://h:80/@user"),
        ("https://[::1]/@user", "https://[::1]/@user"),
        ("users/@me?x=a@b", "users/@me?x=a@b"),
        ("v1/a:b?x=c@d", "v1/a:b?x=c@d"),
        ("https://a:b@h/x", "https://•••@h/x"),
        ("https://token@h/x", "https://•••@h/x"),
        ("https://a:b@\u{301}h/x", "https://•••@\u{301}h/x"),
        ("https://a:b/c@h/x", "https://•••@h/x"),
        ("https://h/?token=a&b=c&Client-Secret=d#x", "https://h/?token=•••&b=c&Client-Secret=•••#x"),
        ("x?api%5Fkey=a", "x?api%5Fkey=•••"),
        ("x?key=AIza&monkey=1&sig=2", "x?key=•••&monkey=1&sig=•••"),
        ("x?token=&token&token==", "x?token=&token&token=•••"),
        ("x#access_token=a&state=b", "x#access_token=•••&state=b"),
        ("x?a=b?token=c", "x?a=b?token=•••"),
    ])
    func addresses(text: String, shown: String) { #expect("\(Address(text))" == shown) }

    @Test(
        arguments: [
            (#"{"access_token":"abc","token_type":"x","n":1}"#, ["abc"], [#""n":1}"#]),
            (#"{ "password" : "a\"b" , "user" : "me" }"#, ["a\\\"b"], [#""user" : "me""#]),
            (#"{"session":12345,"x":2}"#, ["12345"], [#""x":2}"#]),
            (#"{"secret":{"value":1},"x":[true]}"#, [], [#""value":1"#, "[true]"]),
            (#"{"secret":["a"],"token":null}"#, ["null"], [#"["a"]"#]),
            (#"{"token":"unfinished"#, ["unfinished"], ["token"]),
            (#"["token","plain"]"#, [], [#"["token","plain"]"#]),
            (#"say "hello": "world""#, [], [#"say "hello": "world""#]),
            ("\"", [], ["\""]), (#""\"#, [], [#""\"#]), (#"{"token":"#, [], [#"{"token":"#]),
        ] as [(String, [String], [String])])
    func bodiesInErrors(body: String, hidden: [String], shown: [String]) async throws {
        let response = Response(status: 400, headers: ["Content-Type": "application/json"], body: .text(body))
        let error = try #require(
            await failure { try await Client(transport: FakeTransport { _, _ in response }).get("http://h/") })
        for text in hidden { #expect(!error.description.contains(text)) }
        for text in shown { #expect(error.description.contains(text)) }
    }

    @Test func formBodiesInErrors() async throws {
        let response = Response(
            status: 400, headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: .form(["token": "abc", "a": 1]))
        let error = try #require(
            await failure { try await Client(transport: FakeTransport { _, _ in response }).get("http://h/") })
        #expect(error.description.hasSuffix("\ntoken=•••&a=1"))
    }

    @Test func proxiesAreShownWithoutCredentials() {
        var network = Network()
        network.proxy = .url("http://me:pw@proxy:3128", bypass: ["a", "b"])
        #expect("\(network.proxy)" == "http://•••@proxy:3128 except a, b")
        #expect(!"\(network)".contains("pw"))
        #expect("\(Network.Proxy.none) \(Network.Proxy.environment)" == "none environment")
    }
}
