import ConvoyCore
import Testing

struct MethodTests {
    @Test func theNineStandardMethodsAreNamed() {
        let all: [ConvoyCore.Method] = [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch]
        #expect(
            all.map(\.rawValue)
                == ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"])
        #expect(all.map(\.description) == all.map(\.rawValue))
    }

    @Test func namesAreCaseSensitive() {
        #expect(ConvoyCore.Method("get") != .get)
        #expect(ConvoyCore.Method(rawValue: "GET") == .get)
        #expect("PURGE" as ConvoyCore.Method == .init("PURGE"))
    }

    @Test func propertiesOfMethods() {
        let all: [ConvoyCore.Method] = [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch, "PURGE"]
        #expect(all.filter(\.isSafe) == [.get, .head, .options, .trace])
        #expect(all.filter(\.isIdempotent) == [.get, .head, .put, .delete, .options, .trace])
        #expect(all.filter(\.expectsContent) == [.post, .put, .patch])
        #expect(all.filter(\.placesParametersInQuery) == [.get, .head, .delete, .trace])
    }

    @Test(arguments: ["", "GET /", "G\r\nET", "GÉT", "GET\0", "A B", "a:b"])
    func whatIsNoTokenIsNeverSent(name: String) async {
        let transport = FakeTransport()
        let error = await failure {
            try await Client(transport: transport).send(Request(ConvoyCore.Method(name), "http://h/"))
        }
        #expect(error?.code == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: ["PURGE", "get", "M-SEARCH", "!#$%&'*+-.^_`|~"])
    func ownMethodsAreSent(name: String) async throws {
        let transport = FakeTransport()
        _ = try await Client(transport: transport).send(Request(ConvoyCore.Method(name), "http://h/"))
        #expect(transport.requests.map(\.method.rawValue) == [name])
    }

    @Test func connectIsRefused() async {
        let error = await failure { try await Client(transport: FakeTransport()).send(Request(.connect, "http://h/")) }
        #expect(error?.code == .invalidRequest)
    }

    @Test(arguments: [ConvoyCore.Method.head, .trace])
    func methodsWithoutContentRefuseABody(method: ConvoyCore.Method) async {
        var request = Request(method, "http://h/")
        request.body = .text("x")
        let error = await failure { try await Client(transport: FakeTransport()).send(request) }
        #expect(error?.code == .invalidRequest)
    }
}
