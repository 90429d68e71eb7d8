import ConvoyCore
import Foundation
import Testing

/// Web Platform Tests: how a form body is written (WHATWG URL §5.2).
@Suite(.enabled(if: Suites.root != nil, Comment(rawValue: Suites.skipped)))
struct FormTests {
    private struct Vectors: Decodable {
        struct Case: Decodable {
            let name: String
            let pairs: [[String]]
            let expected: String
        }
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let urlencoded_serialize: [Case]
    }

    @Test func serialisesAsWHATWGSays() throws {
        let cases = try Suites.read("wpt-forms/forms.json", as: Vectors.self).urlencoded_serialize
        #expect(cases.count == 32)
        for vector in cases {
            let fields = Parameters(vector.pairs.map { Parameters.Item($0[0], .init($0[1])) })
            let body = try #require(Body.form(fields).data)
            #expect(String(decoding: body, as: UTF8.self) == vector.expected, "\(vector.name)")
        }
    }
}
