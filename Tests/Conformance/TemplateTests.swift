import ConvoyCore
import Foundation
import Testing

/// The published examples of URI templates (RFC 6570).
@Suite(.enabled(if: Suites.root != nil, Comment(rawValue: Suites.skipped)))
struct TemplateTests {
    private struct Group: Decodable {
        let variables: [String: Variable]
        let testcases: [Example]
    }

    /// `[template, expansion]` or `[template, [expansions that are right]]`.
    private struct Example: Decodable {
        let template: String
        let expected: [String]

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            template = try container.decode(String.self)
            if let one = try? container.decode(String.self) {
                expected = [one]
            } else {
                expected = try container.decode([String].self)
            }
        }
    }

    private struct Variable: Decodable {
        let value: Parameters.Value

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                value = nil
            } else if let text = try? container.decode(String.self) {
                value = .init(text)
            } else if let number = try? container.decode(Int.self) {
                value = .init(number)
            } else if let number = try? container.decode(Double.self) {
                value = .init(number)
            } else if let list = try? container.decode([String].self) {
                value = .init(list: list)
            } else {
                let members = try container.decode([String: String].self)
                value = .init(Parameters(members.sorted { $0.key < $1.key }.map { .init($0.key, .init($0.value)) }))
            }
        }
    }

    @Test(arguments: [("spec-examples.json", 64), ("spec-examples-by-section.json", 117)])
    func expandsAsPublished(file: String, count: Int) throws {
        let groups = try Suites.read("uritemplate/\(file)", as: [String: Group].self)
        #expect(groups.values.map(\.testcases.count).reduce(0, +) == count)
        for (name, group) in groups {
            let variables = Parameters(group.variables.map { .init($0.key, $0.value.value) })
            for example in group.testcases {
                let expansion = try URITemplate(example.template).expanded(variables)
                // The order of named values is theirs who gave them: any order counts.
                let sorted = { (text: String) in text.split { "&,/;.?#".contains($0) }.sorted() }
                let isRight =
                    example.expected.contains(expansion)
                    || (example.template.contains("keys")
                        && example.expected.contains { sorted($0) == sorted(expansion) })
                #expect(isRight, "\(name): \(example.template) became \(expansion)")
            }
        }
    }
}
