import ConvoyCore
import Foundation
import Testing

struct ParameterEncodingTests {
    private struct Filter: Encodable {
        var name = "tea"
        var isNew = true
        var count = 3
        var price = 2.5
        var whole = 4.0
        var big = UInt64.max
        var tags = ["a", "b"]
        var range = ["from": 1]
        var missing: Int?
        var when = Date(timeIntervalSince1970: 86400.5)
        var raw = Data([1, 2, 3])
        var link = URL(string: "http://h/x")
        var kind = Kind.large
        enum Kind: String, Encodable { case large }
    }

    @Test func membersInOrder() throws {
        let parameters = try Parameters(encoding: Filter(), dates: .seconds)
        #expect(
            parameters.description == """
                name=tea&isNew=true&count=3&price=2.5&whole=4&big=18446744073709551615&tags=a&tags=b&range[from]=1&\
                when=86400.5&raw=AQID&link=http://h/x&kind=large
                """)
        #expect(parameters["isNew"] == true)
    }

    @Test func dates() throws {
        let date = ["d": Date(timeIntervalSince1970: 86400)]
        #expect(try Parameters(encoding: date).description == "d=1970-01-02T00:00:00Z")
        #expect(try Parameters(encoding: date, dates: .seconds).description == "d=86400")
        #expect(try Parameters(encoding: date, dates: .milliseconds).description == "d=86400000")
        #expect(try Parameters(encoding: date, dates: .custom { _ in "then" }).description == "d=then")
    }

    /// B071: booleans stay booleans after type erasure.
    @Test func throughErasure() throws {
        struct Erased: Encodable {
            let value: any Encodable
            func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
        }
        #expect(
            try Parameters(encoding: ["a": Erased(value: true), "b": Erased(value: 1)].sorted()).description
                == "a=true&b=1")
    }

    @Test func merged() async throws {
        let transport = FakeTransport()
        let client = Client(transport: transport) { $0.parameters = ["a": 1] }
        var request = Request(.post, "http://h/")
        request.parameters = try Parameters(encoding: ["b": 2])
        _ = try await client.send(request)
        #expect(transport.requests.last?.body.data == Data("a=1&b=2".utf8))
    }

    @Test func whatHasNoMembersIsAnError() throws {
        for value in [3, "x", [1, 2], Double?.none] as [any Encodable] {
            let error = #expect(throws: ConvoyError.self) { try Parameters(encoding: value) }
            #expect(error?.code == .encodingFailed && error?.message.contains("no named members") == true)
        }
    }

    @Test func numbersThatAreNoneAreNamed() throws {
        struct Inner: Encodable { var value = Double.nan }
        let error = #expect(throws: ConvoyError.self) { try Parameters(encoding: ["outer": [Inner()]]) }
        #expect(error?.message.contains("outer.0.value: nan") == true, "\(error?.message ?? "")")
    }

    /// In a time that grows with their number: the square of it would take minutes.
    @Test(.timeLimit(.minutes(1))) func aHundredThousandMembers() throws {
        let many = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ("name\($0)", $0) })
        #expect(try Parameters(encoding: many).items.count == 100_000)
    }

    @Test func depthIsBounded() throws {
        final class Node: Encodable {
            var next: Node?
        }
        let first = Node()
        first.next = first
        let error = #expect(throws: ConvoyError.self) { try Parameters(encoding: first) }
        #expect(error?.message.contains("nested too deeply") == true)
    }

    @Test func superclasses() throws {
        class Base: Encodable {
            var base = 1
            private enum CodingKeys: String, CodingKey { case base }
        }
        final class Derived: Base {
            var own = 2
            private enum Keys: String, CodingKey { case own }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(own, forKey: .own)
                try super.encode(to: encoder)
            }
        }
        #expect(try Parameters(encoding: Derived()).description == "own=2&base=1")
    }
}

extension Dictionary where Key == String, Value: Encodable {
    /// In the order of the keys.
    fileprivate func sorted() -> some Encodable {
        Ordered(members: sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
}

private struct Ordered<Value: Encodable>: Encodable {
    let members: [(String, Value)]

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in members { try container.encode(value, forKey: Key(stringValue: name)) }
    }
}
