import ConvoyCore
import Foundation
import Testing

struct ParametersTests {
    private func form(_ parameters: Parameters) -> String {
        String(decoding: Body.form(parameters).data ?? Data(), as: UTF8.self)
    }

    @Test func valuesOfEveryKind() {
        let none: String? = nil
        let parameters: Parameters = [
            "text": "a b", "number": 2, "ratio": 1.5, "yes": true, "no": false, "list": ["a", 1, true],
            "nothing": nil, "absent": .init(none), "some": .init(Int?.some(3)), "empty": "", "none": [],
            "numbers": .init(list: [1, 2]), "big": .init(UInt64.max),
        ]
        #expect(
            form(parameters)
                == "text=a+b&number=2&ratio=1.5&yes=true&no=false&list=a&list=1&list=true&some=3&empty="
                + "&numbers=1&numbers=2&big=18446744073709551615")
    }

    @Test func theOrderIsKeptAndANameMayComeTwice() {
        var parameters: Parameters = ["b": 1, "a": 2, "b": 3]
        #expect(form(parameters) == "b=1&a=2&b=3")
        #expect(parameters["b"] == 1)
        parameters["b"] = "x"
        #expect(form(parameters) == "b=x&a=2")
        parameters.append("b", 4)
        parameters["a"] = nil
        #expect(form(parameters) == "b=x&b=4")
        parameters["c"] = 5
        #expect(form(parameters) == "b=x&b=4&c=5")
        #expect(parameters["z"] == nil)
        #expect(!parameters.isEmpty && Parameters().isEmpty)
    }

    @Test func mergingKeepsTheOwnValues() {
        let own: Parameters = ["a": 1, "b": 2]
        #expect(own.merging(defaults: ["b": 3, "c": 4, "c": 5]) == ["c": 4, "c": 5, "a": 1, "b": 2])
        #expect(own.merging(defaults: [:]) == own)
        #expect(Parameters().merging(defaults: own) == own)
    }

    @Test func namesAreCaseSensitiveAndEncoded() {
        #expect(form(["A b": 1, "a b": 2]) == "A+b=1&a+b=2")
        #expect((["a": 1] as Parameters).merging(defaults: ["A": 2]).items.count == 2)
    }

    @Test func printingMasksSecrets() {
        #expect(
            "\(["user": "me", "password": "pw1", "accessToken": ["t1", "t2"]] as Parameters)"
                == "user=me&password=•••&accessToken=•••&accessToken=•••")
    }

    // MARK: Where they go

    private func placed(_ method: ConvoyCore.Method, _ body: Body = .none, address: Address = "http://h/") async throws
        -> Request
    {
        let transport = FakeTransport()
        var request = Request(method, address)
        request.body = body
        request.query = ["q": 1]
        request.parameters = ["p": "a b"]
        _ = try await Client(transport: transport).send(request)
        return try #require(transport.requests.first)
    }

    @Test(arguments: [ConvoyCore.Method.get, .head, .delete, .trace])
    func intoTheQuery(method: ConvoyCore.Method) async throws {
        let request = try await placed(method, address: "http://h/?x=y")
        #expect(request.uri?.query == "x=y&q=1&p=a%20b")
        #expect(request.body.isNone)
    }

    @Test(arguments: [ConvoyCore.Method.post, .put, .patch, .options, "PURGE"])
    func intoAForm(method: ConvoyCore.Method) async throws {
        let request = try await placed(method)
        #expect(request.uri?.query == "q=1")
        #expect(request.body.data == Data("p=a+b".utf8))
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    }

    @Test func intoTheFormThatIsThere() async throws {
        let request = try await placed(.post, .form(["f": 1]))
        #expect(request.body.data == Data("f=1&p=a+b".utf8))
        let empty = try await placed(.post, .form([:]))
        #expect(empty.body.data == Data("p=a+b".utf8))
    }

    @Test func intoTheQueryWhereTheBodyIsOfAnotherKind() async throws {
        let bodies: [Body] = [.text("x"), .bytes([1, 2]), .json(["a": 1]), .file("/nowhere")]
        for body in bodies {
            let request = try await placed(.post, body)
            #expect(request.uri?.query == "q=1&p=a%20b")
        }
        let deleting = try await placed(.delete, .form(["f": 1]))
        #expect(deleting.uri?.query == "q=1&p=a%20b")
        #expect(deleting.body.data == Data("f=1".utf8))
    }

    // MARK: The client's

    private func query(
        _ address: Address, _ change: (inout Request) -> Void = { _ in }, method: ConvoyCore.Method = .get,
        configure: (inout Configuration) -> Void
    ) async throws -> Request {
        let transport = FakeTransport()
        let client = Client(baseURL: "http://h/?base=1", transport: transport, configure: configure)
        var request = Request(method, address)
        change(&request)
        _ = try await client.send(request)
        return try #require(transport.requests.first)
    }

    /// Nothing is sent twice: the request's own value wins on an equal name, wherever in the address it stands.
    @Test func theRequestsOwnValueWins() async throws {
        let configure: (inout Configuration) -> Void = {
            $0.query = ["a": "client", "b": "client"]
            $0.parameters = ["c": "client", "d": "client"]
            $0.computedParameters["e"] = { "client" }
        }
        #expect(
            try await query("x", configure: configure).uri?.query
                == "base=1&a=client&b=client&c=client&d=client&e=client")
        #expect(
            try await query("x?a=own&d=own&e=&base=own", configure: configure).uri?.query
                == "a=own&d=own&e=&base=own&b=client&c=client")
        let inQuery = try await query("x", { $0.query = ["a": 1, "c": 2, "e": 3] }, configure: configure)
        #expect(inQuery.uri?.query == "base=1&b=client&a=1&c=2&e=3&d=client")
        let inParameters = try await query("x", { $0.parameters = ["b": 1, "c": 2] }, configure: configure)
        #expect(inParameters.uri?.query == "base=1&a=client&d=client&b=1&c=2&e=client")
        let encoded = try await query("x?%61=own&b+=1", configure: configure)
        #expect(encoded.uri?.query == "base=1&%61=own&b+=1&b=client&c=client&d=client&e=client")
    }

    @Test func fieldsOfAnExplicitFormWin() async throws {
        let request = try await query("x", { $0.body = .form(["c d": "own"]) }, method: .post) {
            $0.parameters = ["c d": "client", "e": "client"]
            $0.query = ["e": "q"]
        }
        #expect(request.body.data == Data("c+d=own&e=client".utf8))
        #expect(request.uri?.query == "base=1&e=q")
    }

    @Test func queryAndParametersOfTheClientAreNotSentTwice() async throws {
        let request = try await query("x") {
            $0.query = ["a": 1]
            $0.parameters = ["a": 2, "b": 3]
            $0.computedParameters["b"] = { "4" }
        }
        #expect(request.uri?.query == "base=1&a=1&b=3")
    }

    @Test func aRequestMayLeaveTheClients() async throws {
        let request = try await query("x", { $0.inherits.remove(.parameters) }) {
            $0.query = ["a": 1]
            $0.parameters = ["b": 2]
            $0.computedParameters["c"] = { "3" }
        }
        #expect(request.uri?.query == "base=1")
    }
}
