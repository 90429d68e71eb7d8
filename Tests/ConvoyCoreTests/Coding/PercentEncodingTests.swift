import ConvoyCore
import Foundation
import Testing

struct PercentEncodingTests {
    /// Every ASCII character, an emoji and a combining mark, through a query and back.
    @Test func everyCharacterSurvivesAQuery() async throws {
        let text = String(String.UnicodeScalarView((0..<128).compactMap { Unicode.Scalar($0) })) + "💩e\u{301}日"
        let transport = FakeTransport()
        var request = Request(.get, "http://h/")
        request.query[text] = .init(text)
        _ = try await Client(transport: transport).send(request)
        let pair = try #require(transport.requests.first?.uri?.query).split(
            separator: "=", omittingEmptySubsequences: false)
        #expect(pair.count == 2)
        #expect(pair.allSatisfy { $0.removingPercentEncoding == text })
        #expect(pair.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } })
    }

    @Test func everyCharacterSurvivesAForm() throws {
        let text = String(String.UnicodeScalarView((0..<128).compactMap { Unicode.Scalar($0) })) + "💩"
        let form = String(decoding: try #require(Body.form([text: .init(text)]).data), as: UTF8.self)
        let pair = form.split(separator: "=", omittingEmptySubsequences: false)
        #expect(pair.count == 2)
        #expect(pair.allSatisfy { $0.replacing("+", with: "%20").removingPercentEncoding == text })
    }

    /// Query: space as %20; form: as "+" (WHATWG URL §5).
    @Test(arguments: [
        (" ", "%20", "+"), ("+", "%2B", "%2B"), ("me+test@x.com", "me%2Btest%40x.com", "me%2Btest%40x.com"),
        (";", "%3B", "%3B"), ("&", "%26", "%26"), ("=", "%3D", "%3D"), ("%", "%25", "%25"), ("%20", "%2520", "%2520"),
        ("~", "~", "%7E"), ("*", "%2A", "*"), ("-._", "-._", "-._"), ("[]", "%5B%5D", "%5B%5D"), ("/", "%2F", "%2F"),
        ("\r\n", "%0D%0A", "%0D%0A"), ("ü", "%C3%BC", "%C3%BC"), ("#", "%23", "%23"),
    ])
    func queryAndForm(text: String, query: String, form: String) async throws {
        let transport = FakeTransport()
        _ = try await Client(transport: transport).get("http://h/", query: ["a": .init(text)])
        #expect(transport.requests.first?.uri?.query == "a=\(query)")
        #expect(Body.form(["a": .init(text)]).data == Data("a=\(form)".utf8))
    }
}
