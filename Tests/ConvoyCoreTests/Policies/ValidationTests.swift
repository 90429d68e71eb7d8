import ConvoyCore
import Foundation
import Testing

struct ValidationTests {
    private func outcome(
        _ response: Response, _ validation: Validation? = nil, delivery: Request.Delivery = .memory
    ) async throws -> ConvoyError? {
        var request = Request(.get, "http://h/x")
        request.validation = validation
        request.delivery = delivery
        request.retry = RetryPolicy.none
        return await failure { [request] in
            try await Client(transport: FakeTransport { _, _ in response }).send(request)
        }
    }

    @Test func byDefault2xxAnd3xxAreSuccess() async throws {
        for code in 100..<600 {
            let error = try await outcome(Response(status: Status(code)))
            #expect((error == nil) == (200..<400).contains(code), "\(code)")
            if let error { #expect(error.code == .unacceptableStatus && error.isValidation) }
        }
        #expect(try await outcome(Response(status: 999))?.code == .unacceptableStatus)
    }

    @Test func theErrorHasStatusHeadersBodyAndRequest() async throws {
        let body = Body.bytes(Data(#"{"reason":"gone"}"#.utf8))
        let error = try #require(
            try await outcome(
                Response(status: 410, headers: ["Content-Type": "application/json", "X-A": "1"], body: body)))
        #expect(error.status == .gone)
        #expect(error.response?.headers["x-a"] == "1")
        #expect(error.response?.body.data == body.data)
        #expect(error.request?.uri?.description == "http://h/x")
        #expect(error.phase == .decoding)
        #expect(error.attempts == 1)
        #expect(error.metrics != nil)
        #expect(error.description.contains("410 Gone"))
        #expect(error.description.contains(#"{"reason":"gone"}"#))
    }

    @Test func rangesSetsAndClosures() async throws {
        let response = Response(status: 404)
        #expect(try await outcome(response, .statuses(200..<405)) == nil)
        #expect(try await outcome(response, .statuses(200...404)) == nil)
        #expect(try await outcome(response, .statuses(200..<404)) != nil)
        #expect(try await outcome(response, .statuses([200, 404])) == nil)
        #expect(try await outcome(response, .statuses([.ok])) != nil)
        #expect(try await outcome(response, Validation { $0 == .notFound }) == nil)
        #expect(try await outcome(Response(status: 500), Validation.none) == nil)
    }

    @Test(
        arguments: [
            ("application/json", ["application/json"], true),
            ("Application/JSON; charset=utf-8", ["application/json"], true),
            ("application/json", ["APPLICATION/JSON"], true), ("text/html", ["application/json"], false),
            ("text/html", ["application/json", "text/*"], true), ("image/json", ["*/json"], true),
            ("text/html", ["*/*"], true), ("text/html", ["*"], true), ("nonsense", ["text/*"], false),
            ("nonsense", ["nonsense"], true), ("", ["text/html"], false), (";", ["text/html"], false),
            ("text/html", [], true), ("text/", ["text/*"], false), ("/", ["*/*"], false),
        ] as [(String, [String], Bool)])
    func contentTypes(type: String, accepted: [String], isAccepted: Bool) async throws {
        let validation = Validation.standard.contentTypes(accepted)
        let error = try await outcome(
            Response(status: 200, headers: ["Content-Type": type], body: .text("x")), validation)
        #expect(error?.code == (isAccepted ? nil : .unacceptableContentType))
        #expect(error == nil || error?.isValidation == true)
    }

    @Test func anAnswerWithoutContentNeedsNoType() async throws {
        let validation = Validation.standard.contentTypes("application/json")
        #expect(try await outcome(Response(status: 204), validation) == nil)
        #expect(
            try await outcome(Response(status: 200, body: .text("x")), validation)?.message.contains("no stated type")
                == true)
    }

    @Test func theClientsHoldsWhereTheRequestHasNone() async throws {
        let client = Client(transport: FakeTransport { _, _ in Response(status: 404) }) { $0.validation = .none }
        #expect(try await client.get("http://h/").status == .notFound)
        var strict = Request(.get, "http://h/")
        strict.validation = .standard
        #expect(await failure { try await client.send(strict) }?.status == .notFound)
    }

    /// The beginning of an endless or broken error page is better than none, and its status is never lost.
    @Test(.timeLimit(.minutes(1))) func aStreamedRefusalHasItsBodyUpToTheCeiling() async throws {
        let endless = Body.stream { AsyncStream<Data> { Data(repeating: 0x61, count: 700) } }
        var request = Request(.get, "http://h/")
        request.bodyLimit = 1000
        let client = Client(transport: FakeTransport { _, _ in Response(status: 503, body: endless) })
        let error = try #require(await failure { try await client.stream(request) })
        #expect(error.status == .serviceUnavailable)
        #expect(error.response?.body.data == Data(repeating: 0x61, count: 1000))

        let broken = Body.once(
            AsyncThrowingStream<Data, any Error> {
                $0.yield(Data("half".utf8))
                $0.finish(throwing: Foreign())
            })
        let second = try #require(try await outcome(Response(status: 502, body: broken), delivery: .stream))
        #expect(second.status == .badGateway)
        #expect(second.response?.body.data == Data("half".utf8))
    }

    @Test func theServersReasonIsShownWithoutControlCharacters() async throws {
        let reason = "No\u{1B}[2J\u{9B}\r\n" + String(repeating: "x", count: 5000)
        let error = try #require(try await outcome(Response(status: 400, reason: reason)))
        #expect(!error.description.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B || $0 == "\r" })
        #expect(error.description.count < 300)
    }
}
