import Convoy
import Foundation
import Testing

/// The vectors of abarth/http-state, by RFC 6265bis where it differs from RFC 6265. All of them: none is left out.
@Suite(.enabled(if: Suites.root != nil, Comment(rawValue: Suites.skipped)))
struct CookieTests {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private struct Vector: Decodable {
        let id: String
        let set_url: String
        let set_cookie: [String]
        let get_url: String
        let cookie_6265bis: String
        /// The time it needs, where its dates have passed.
        let clock: String?
    }

    private struct DateVector: Decodable {
        let test: String
        let expected: String?
    }

    @Test func cookies() throws {
        let vectors = try Suites.read("http-state/cookies.json", as: [Vector].self)
        #expect(vectors.count == 219)
        for vector in vectors {
            // When the vectors were written, unless they say otherwise: some have dates that were to come then.
            let now = try Date(vector.clock ?? "2026-08-01T00:00:00Z", strategy: .iso8601)
            var jar = CookieJar()
            let lines = Headers(vector.set_cookie.map { Headers.Field(.setCookie, $0) })
            jar.receive(lines, from: try URI(vector.set_url), now: now)
            let cookies = try jar.cookies(for: URI(vector.get_url), now: now)
            let text = cookies.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
            #expect(text == vector.cookie_6265bis, "\(vector.id)")
        }
    }

    /// A date is seen by the moment its cookie ends: just before it the cookie is there, and its end is that date.
    @Test func dates() throws {
        let vectors = try Suites.read("http-state/dates.json", as: [DateVector].self)
        #expect(vectors.count == 70)
        for vector in vectors {
            let expected = vector.expected.map { HTTPDate($0)?.date }
            if let expected { try #require(expected != nil, "\(vector.test)") }
            var jar = CookieJar()
            let lines: Headers = ["Set-Cookie": "a=b; Expires=\(vector.test)"]
            jar.receive(lines, from: try URI("http://h/"), now: (expected ?? nil)?.addingTimeInterval(-1) ?? .now)
            #expect(jar.all.map(\.expires) == [expected ?? nil], "\(vector.test)")
        }
    }
}
