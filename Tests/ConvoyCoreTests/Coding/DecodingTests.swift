import ConvoyCore
import Foundation
import Testing

struct DecodingTests {
    struct User: Codable, Equatable {
        var name: String
        var tags: [Tag] = []
        struct Tag: Codable, Equatable { var id: Int }
    }

    private func response(_ text: String, type: String = "application/json") throws -> Response {
        Response(
            status: 200, headers: ["Content-Type": type], body: .bytes(Data(text.utf8)),
            uri: try URI("https://h/users?token=t1"))
    }

    @Test func valuesBytesTextAndNothing() throws {
        let answer = try response(#"{"name":"Ada","tags":[{"id":1}]}"#)
        #expect(try answer.decode(User.self) == User(name: "Ada", tags: [.init(id: 1)]))
        let inferred: User = try answer.decode()
        #expect(inferred.name == "Ada")
        #expect(try answer.decode(Data.self) == answer.body.data)
        #expect(try answer.decode(String.self) == #"{"name":"Ada","tags":[{"id":1}]}"#)
        #expect(try answer.decode(String?.self) == #"{"name":"Ada","tags":[{"id":1}]}"#)
        #expect(try answer.decode(Data?.self) == answer.body.data)
        #expect(try answer.decode(User?.self)?.name == "Ada")
        try answer.decode(Void.self)
        #expect(try response("[1,2]").decode([Int].self) == [1, 2])
        #expect(try response("null").decode(User?.self) == nil)
    }

    @Test func anEmptyBodyIsNothing() throws {
        for body in [Body.none, .bytes(Data())] {
            for status in [Status.ok, .created, .accepted, .noContent, 205] {
                let answer = Response(status: status, headers: ["Content-Type": "application/json"], body: body)
                #expect(try answer.decode(User?.self) == nil)
                #expect(try answer.decode([Int]?.self) == nil)
                #expect(try answer.decode(String?.self) == nil)
                #expect(try answer.decode(Data?.self) == nil)
                #expect(try answer.decode(Data.self).isEmpty)
                #expect(try answer.decode(String.self).isEmpty)
                try answer.decode(Void.self)
                let error = try #require(throws: ConvoyError.self) { try answer.decode(User.self) }
                #expect(error.code == .decodingFailed)
                #expect(error.message.contains("empty body (status \(status.code))"))
                #expect(error.message.contains("User"))
            }
        }
    }

    @Test(arguments: [
        (#"{"tags":[]}"#, ["no value for the key \"name\"", "the top"]),
        (#"{"name":1,"tags":[]}"#, ["name", "String"]),
        (#"{"name":"a","tags":[{"id":1},{"id":"x"}]}"#, ["tags[1].id", "Int"]),
        (#"{"name":"a","tags":[{"id":1},{}]}"#, ["\"id\"", "tags[1]"]),
        (#"{"name":"a","tags":null}"#, ["tags"]),
        (#"{"name":null,"tags":[]}"#, ["null", "name"]),
        (#"{"name":"a","#, ["User"]), ("<html>", ["User"]), ("\0", ["User"]),
    ])
    func errorsNameThePathTheTypeTheAddressAndAnExcerpt(body: String, parts: [String]) throws {
        let error = try #require(throws: ConvoyError.self) { try response(body).decode(User.self) }
        #expect(error.code == .decodingFailed && error.phase == .decoding)
        for part in parts + ["User", "https://h/users?token=•••"] {
            #expect(error.message.contains(part), "\(error.message)")
        }
        #expect(error.response?.body.data == Data(body.utf8))
        #expect(error.underlying != nil)
        if body.hasPrefix("{") { #expect(error.description.contains("\n" + body.prefix(9))) }
        #expect(!error.description.contains("t1"))
    }

    @Test func aByteOrderMarkIsSkipped() throws {
        #expect(try response("\u{FEFF}[1]").decode([Int].self) == [1])
    }

    @Test func largeIntegersKeepTheirDigits() throws {
        #expect(try response("[9223372036854775807]").decode([Int64].self) == [.max])
        #expect(try response("[18446744073709551615]").decode([UInt64].self) == [.max])
        #expect(throws: ConvoyError.self) { try response("[9223372036854775808]").decode([Int64].self) }
    }

    /// Hostile depth throws and never overflows the stack.
    @Test(arguments: ["[", "{\"a\":"]) func deepNestingThrows(opening: String) throws {
        struct Deep: Decodable {
            init(from decoder: any Decoder) throws {
                if var list = try? decoder.unkeyedContainer() { _ = try list.decode(Deep.self) }
                let members = try decoder.container(keyedBy: Key.self)
                _ = try members.decode(Deep.self, forKey: .a)
            }
            enum Key: CodingKey { case a }
        }
        let text = String(repeating: opening, count: 100_000)
        #expect(throws: ConvoyError.self) { try response(text).decode(Deep.self) }
    }

    @Test func aBodyElsewhereMustBeCollectedFirst() async throws {
        let answer = Response(
            status: 200,
            body: .stream {
                AsyncStream<Data> {
                    $0.yield(Data("[1]".utf8)); $0.finish()
                }
            })
        let error = try #require(throws: ConvoyError.self) { try answer.decode([Int].self) }
        #expect(error.message.contains("collected()"))
        #expect(throws: ConvoyError.self) { try Response(status: 200, body: .file("/x")).text() }
        #expect(try await answer.collected().decode([Int].self) == [1])
        try answer.decode(Void.self)
    }

    @Test func theClientsDecoderIsUsedAlsoForAPluginsAnswer() async throws {
        struct Dated: Decodable { var at: Date }
        let decoder = JSONBodyDecoder { $0.dateDecodingStrategy = .secondsSince1970 }
        let text = Body.text(#"{"at":86400}"#)
        let client = Client(transport: FakeTransport { _, _ in Response(status: 200, body: text) }) {
            $0.decoder = decoder
        }
        #expect(try await client.get("http://h/").decode(Dated.self).at == Date(timeIntervalSince1970: 86400))
        client.update { $0.plugins = [Around(exchange: { _, _, _ in Response(status: 200, body: text) })] }
        #expect(try await client.get("http://h/").decode(Dated.self).at == Date(timeIntervalSince1970: 86400))

        struct Fixed: BodyDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data, response: Response) throws -> Value {
                guard let value = "fixed" as? Value else { throw Foreign(number: 5) }
                return value
            }
        }
        struct Wrapped: Decodable {}
        client.update {
            $0.plugins = [
                Around(call: { request, _, next in
                    var response = try await next(request)
                    response.decoder = Fixed()
                    return response
                })
            ]
        }
        let error = try #require(await failure { try await client.get("http://h/").decode(Wrapped.self) })
        #expect(error.code == .decodingFailed)
        #expect(error.underlying as? Foreign == Foreign(number: 5))
    }
}
