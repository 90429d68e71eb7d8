import ConvoyCore
import Foundation
import Testing

/// What the rules do to an answer on its way to the caller.
struct EnvelopeOpeningTests {
    struct User: Codable, Equatable {
        var id: UInt64
        var name: String?
    }

    private static let rules = EnvelopeRules(
        data: "data", code: "code", accepted: [0], message: ["message", "msg"])

    private func response(
        _ body: Body, status: Status = 200, rules: EnvelopeRules = rules, delivery: Request.Delivery = .memory,
        plugins: [any Plugin] = [], validation: Validation = .standard
    ) async throws -> Response {
        let transport = FakeTransport { _, _ in
            Response(status: status, headers: ["Content-Type": "application/json"], body: body)
        }
        var request = Request("http://h/users?token=t1")
        request.delivery = delivery
        return try await Client(transport: transport) {
            $0.envelope = rules
            $0.plugins = plugins
            $0.validation = validation
            $0.retry = .none
        }.send(request)
    }

    private func response(_ text: String, status: Status = 200) async throws -> Response {
        try await response(.bytes(Data(text.utf8)), status: status)
    }

    // MARK: Success

    @Test func thePayloadIsDecodedAndTheRestStaysReadable() async throws {
        let text = #"{"code":0,"msg":"fine","data":{"id":7,"name":"Ada"}}"#
        let answer = try await response(text)
        #expect(try answer.decode(User.self) == User(id: 7, name: "Ada"))
        #expect(answer.envelope?.code == 0 && answer.envelope?.message == "fine")
        #expect(answer.envelope?.payload == Data(#"{"id":7,"name":"Ada"}"#.utf8))
        #expect(answer.body.data == Data(text.utf8))
        #expect(try answer.text() == text)
    }

    @Test func payloadsOfEveryKind() async throws {
        #expect(try await response(#"{"code":0,"data":"a\tb"}"#).decode(String.self) == "a\tb")
        #expect(try await response(#"{"code":0,"data":"a"}"#).decode(String?.self) == "a")
        #expect(try await response(#"{"code":0,"data":5}"#).decode(Int.self) == 5)
        #expect(try await response(#"{"code":0,"data":[{"id":1}]}"#).decode([User].self) == [User(id: 1)])
        #expect(
            try await response(#"{"code":0,"data":{ "a" : 1.0 }}"#).decode(Data.self) == Data(#"{ "a" : 1.0 }"#.utf8))
        try await response(#"{"code":0,"data":5}"#).decode(Void.self)
        // Its bytes are counted from 0, wherever they were cut out.
        #expect(try await response(#"{"code":0,"data":"a"}"#).envelope?.payload?.startIndex == 0)
    }

    @Test func withoutARuleForTheDataTheWholeBodyIsDecoded() async throws {
        let text = #"{"code":0,"id":1}"#
        let answer = try await response(.text(text), rules: EnvelopeRules(code: "code", accepted: [0]))
        #expect(try answer.decode(User.self) == User(id: 1))
        #expect(try answer.decode(String.self) == text)
    }

    @Test("Null and no payload are nil for an optional type, and nothing for Void (B159)")
    func nullAndNoPayload() async throws {
        for text in [#"{"code":0,"data":null}"#, #"{"code":0}"#] {
            let answer = try await response(text)
            #expect(try answer.decode(User?.self) == nil)
            #expect(try answer.decode(String?.self) == nil)
            #expect(try answer.decode([Int]?.self) == nil)
            #expect(try answer.decode(Data?.self) == nil)
            try answer.decode(Void.self)
            #expect(throws: ConvoyError.self) { try answer.decode(User.self) }
            #expect(throws: ConvoyError.self) { try answer.decode(String.self) }
        }
        let error = await failure { try await response(#"{"code":0}"#).decode(User.self) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.message.contains("no payload in the envelope") == true)
    }

    @Test("An answer without content passes, as it does without rules (B159)", arguments: [200, 201, 202, 204, 205])
    func noContent(status: Int) async throws {
        for body in [Body.none, .bytes(Data())] {
            let answer = try await response(body, status: Status(status))
            #expect(answer.envelope == nil)
            #expect(try answer.decode(User?.self) == nil)
            try answer.decode(Void.self)
            let error = try #require(throws: ConvoyError.self) { try answer.decode(User.self) }
            #expect(error.message.contains("empty body (status \(status))"))
        }
    }

    @Test("A byte order mark before the envelope is passed over (B160)") func byteOrderMark() async throws {
        let answer = try await response("\u{FEFF}" + #"{"code":0,"data":{"id":1}}"#)
        #expect(try answer.decode(User.self) == User(id: 1))
    }

    @Test("Numbers keep every digit through the envelope (B162)") func hugeNumbers() async throws {
        let number = "12345678901234567890123.4567890"
        let answer = try await response(#"{"code":0,"data":{"id":18446744073709551615,"n":\#(number)}}"#)
        #expect(try answer.decode(User.self).id == UInt64.max)
        #expect(answer.envelope?.payload == Data(#"{"id":18446744073709551615,"n":\#(number)}"#.utf8))
        let code = try await response(.text(#"{"code":92233720368547758070}"#), rules: EnvelopeRules(code: "code"))
        #expect(code.envelope?.code == "92233720368547758070" && code.envelope?.code?.number == nil)
    }

    @Test func aDecoderOfAnotherKindGetsThePayload() async throws {
        struct Backwards: BodyDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data, response: Response) throws -> Value {
                try JSONDecoder().decode(type, from: Data(data.reversed()))
            }
        }
        var answer = try await response(#"{"code":0,"data":321}"#)
        answer.decoder = Backwards()
        #expect(try answer.decode(Int.self) == 123)
    }

    @Test func decodingErrorsSayThatTheyAreAboutThePayload() async throws {
        let error = try #require(
            await failure { try await response(#"{"code":0,"data":{"id":"x"}}"#).decode(User.self) })
        #expect(error.code == .decodingFailed && error.envelope?.code == 0)
        #expect(error.message.contains("the payload as User") && error.message.contains("id"))
        #expect(error.message.contains("http://h/users") && !error.message.contains("t1"))
    }

    // MARK: Refusals

    @Test func aCodeThatIsNotAcceptedIsAnErrorWithTheWholeAnswer() async throws {
        let text = #"{"code":40101,"message":"log in again","data":{"id":1}}"#
        let error = try #require(await failure { try await response(text) })
        #expect(error.code == .envelopeRejected && !error.isValidation)
        #expect(error.envelope?.code == 40101 && error.envelope?.message == "log in again")
        #expect(error.envelope?.payload == Data(#"{"id":1}"#.utf8))
        #expect(error.message == "the service refused with code 40101: log in again")
        #expect(error.status == .ok && error.response?.body.data == Data(text.utf8))
        #expect(error.request?.uri?.path == "/users" && error.attempts == 1 && error.metrics != nil)
        #expect(error.phase == .decoding)
    }

    @Test func aRefusalWithoutAMessageNamesTheCode() async throws {
        let error = await failure { try await response(#"{"code":"E1"}"#) }
        #expect(error?.message == "the service refused with code E1")
    }

    @Test func theServicesMessageIsShownWithoutControlCharacters() async throws {
        let long = String(repeating: "x", count: 5000)
        let error = try #require(
            await failure { try await response(#"{"code":"\u001b[2J\#(long)","message":"\u001b[1m\#(long)"}"#) })
        #expect(!error.description.unicodeScalars.contains { $0.value == 0x1B })
        #expect(error.message.count < 400)
        #expect(error.envelope?.message?.count == 5004)
    }

    @Test("An envelope in the answer of a refused status is read, too", arguments: [400, 401, 403, 500, 503])
    func refusedStatus(status: Int) async throws {
        let error = try #require(
            await failure { try await response(#"{"code":"40101","msg":"no"}"#, status: Status(status)) })
        #expect(error.code == .unacceptableStatus && error.status?.code == status)
        #expect(error.envelope?.code == 40101 && error.envelope?.message == "no")
        #expect(error.message.hasSuffix(": code 40101: no"))
        #expect(error.response?.body.data != nil)
    }

    @Test func aRefusedStatusWithoutAnEnvelopeStaysAsItIs() async throws {
        for text in ["<html>", "", "{}", "[1", #"{"other":1}"#] {
            let error = try #require(await failure { try await response(text, status: 502) })
            #expect(error.code == .unacceptableStatus && error.envelope == nil)
            #expect(error.message == "the server answered 502 Bad Gateway")
        }
    }

    @Test func aStatusThatIsAcceptedIsJudgedByItsCode() async throws {
        let body = Body.text(#"{"code":0,"data":1}"#)
        #expect(try await response(body, status: 404, validation: .none).decode(Int.self) == 1)
        let refused = Body.text(#"{"code":1}"#)
        let error = await failure { try await response(refused, status: 404, validation: .none) }
        #expect(error?.code == .envelopeRejected && error?.status == .notFound)
    }

    @Test func redirectionsHaveNone() async throws {
        #expect(try await response("<a href=/>moved</a>", status: 302).envelope == nil)
    }

    @Test func anAnswerBehindARedirectIsOpened() async throws {
        let transport = FakeTransport { _, number in
            number == 1
                ? Response(status: 302, headers: ["Location": "/b"], body: .text("<a href=/b>moved</a>"))
                : Response(status: 200, body: .text(#"{"code":0,"data":7}"#))
        }
        let answer = try await Client(transport: transport) { $0.envelope = Self.rules }.get("http://h/a")
        #expect(try answer.decode(Int.self) == 7)
        #expect(answer.history.count == 1 && answer.history.first?.envelope == nil)
    }

    // MARK: Bad input

    @Test(
        "What is no envelope is an error that says so, never a success (B165)",
        arguments: [
            "<html>proxy login</html>", "{", #"{"code":0,"data":1"#, #"{"code":0,"data":[1,2}"#, #"{"code":0}}"#,
            #"{"code":0,}"#, #"{"code":0 "data":1}"#, "{'code':0}", #"{"code":00}"#, #"{"code":0,"data":nul}"#,
            #"{"code":0,"data":"\x"}"#, "\0", "\u{FEFF}", " ", #"{"code":0} x"#, #"{"code":0,"data":NaN}"#,
            #"{"code":0,"data":"\#u{1}"}"#,
        ])
    func noJSON(text: String) async throws {
        let error = try #require(await failure { try await response(text) })
        #expect(error.code == .decodingFailed && error.message.contains("no JSON text"))
        #expect(error.response?.body.data == Data(text.utf8))
        #expect(error.message.contains("http://h/users") && !error.message.contains("t1"))
    }

    @Test("Nesting of 100 000 levels is an error (B165)") func deepNesting() async throws {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let deep = String(repeating: open, count: 100_000)
            let whole = #"{"code":0,"data":\#(deep)1\#(String(repeating: close, count: 100_000))}"#
            #expect(await failure { try await response(whole) }?.code == .decodingFailed)
            #expect(await failure { try await response(deep) }?.code == .decodingFailed)
        }
    }

    @Test func everyBytePrefixOfAnEnvelopeIsAnError() async throws {
        let whole = Array(#"{"code":0,"message":"ä\n","data":[{"a":-1.5e3},null,true]}"#.utf8)
        for count in 1..<whole.count {
            let error = await failure { try await response(.bytes(whole.prefix(count))) }
            #expect(error?.code == .decodingFailed, "\(count)")
        }
    }

    @Test(arguments: [#"{"data":1}"#, #"{"code":null}"#, #"{"code":[0]}"#, #"{"code":{"a":0}}"#, "[]", "0", "null"])
    func anAnswerWithoutACodeIsNotTheServices(text: String) async throws {
        let error = try #require(await failure { try await response(text) })
        #expect(error.code == .decodingFailed)
        #expect(error.message.contains(#"the envelope has no code at "code""#))
    }

    @Test func bytesThatAreNoUTF8DoNotTrap() async throws {
        let message = [UInt8](#"{"code":0,"message":""#.utf8) + [0xFF, 0xFE] + [UInt8](#"","data":1}"#.utf8)
        #expect(try await response(.bytes(message)).envelope?.message == "\u{FFFD}\u{FFFD}")
        let wide = Data(#"{"code":0}"#.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        #expect(await failure { try await response(.bytes(wide)) }?.code == .decodingFailed)
        let lone = try await response(#"{"code":0,"message":"\ud800","msg":"next"}"#)
        #expect(lone.envelope?.message == "next")
    }

    // MARK: Where it stands

    @Test func bodiesThatAreNotInMemoryAreLeftAlone() async throws {
        let stream = Body.stream { AsyncStream<Data> { nil } }
        #expect(try await response(stream, delivery: .stream).envelope == nil)
        #expect(try await response(.file("/nowhere")).envelope == nil)
    }

    @Test("A plugin around the call sees what the service refused, and may ask again")
    func pluginsSeeRefusals() async throws {
        let codes = Journal()
        let again = Around(call: { request, _, next in
            do { return try await next(request) } catch let error as ConvoyError where error.code == .envelopeRejected {
                codes.note("\(error.envelope?.code?.text ?? "none") \(error.attempts)")
                return try await next(request)
            }
        })
        let transport = FakeTransport { _, number in
            Response(status: 200, body: .text(#"{"code":\#(number == 1 ? 40101 : 0),"data":\#(number)}"#))
        }
        let client = Client(transport: transport) {
            $0.envelope = Self.rules
            $0.plugins = [again]
        }
        let answer = try await client.get("http://h/")
        #expect(try answer.decode(Int.self) == 2)
        #expect(codes.all == ["40101 1"] && answer.attempts == 2)
    }

    @Test("A retry's closure sees what the service refused, and may try again") func retriesSeeRefusals() async throws {
        let transport = FakeTransport { _, number in
            Response(status: 200, body: .text(#"{"code":\#(number < 3 ? 503 : 0),"data":\#(number)}"#))
        }
        let client = Client(transport: transport) {
            $0.envelope = Self.rules
            $0.time = TimeSource(now: { Date() }, sleep: { _ in })
        }
        #expect(await failure { try await client.get("http://h/") }?.attempts == 1)
        client.update { $0.retry.decide = { $0.error.envelope?.code == 503 } }
        let answer = try await client.get("http://h/")
        #expect(try answer.decode(Int.self) == 3)
    }

    @Test("A plugin around the call sees the code of a refused status, too") func pluginsSeeRefusedStatuses()
        async throws
    {
        let codes = Journal()
        let look = Around(call: { request, _, next in
            do { return try await next(request) } catch let error as ConvoyError {
                codes.note(error.envelope?.code?.text ?? "none")
                throw error
            }
        })
        _ = await failure { try await response(.text(#"{"code":7}"#), status: 401, plugins: [look]) }
        #expect(codes.all == ["7"])
    }

    @Test func whatAPluginAtTheExchangeChangesIsOpened() async throws {
        let decrypt = Around(exchange: { request, _, next in
            var response = try await next(request)
            response.body = .bytes(Data((response.body.data ?? Data()).reversed()))
            return response
        })
        let secret = String(#"{"code":0,"data":12}"#.reversed())
        #expect(try await response(.text(secret), plugins: [decrypt]).decode(Int.self) == 12)
    }

    @Test func whatAPluginAnswersOrChangesIsOpened() async throws {
        let answer = Around(call: { _, _, _ in Response(status: 200, body: .text(#"{"code":0,"data":5}"#)) })
        #expect(try await response(.none, plugins: [answer]).decode(Int.self) == 5)
        let refusal = Around(call: { _, _, _ in Response(status: 200, body: .text(#"{"code":9}"#)) })
        #expect(await failure { try await response(.none, plugins: [refusal]) }?.code == .envelopeRejected)
        let change = Around(call: { request, _, next in
            var response = try await next(request)
            response.body = .text(#"{"code":0,"data":6}"#)
            return response
        })
        #expect(try await response(.text(#"{"code":0,"data":1}"#), plugins: [change]).decode(Int.self) == 6)
    }

    @Test func anotherRequestOfAPluginHasNoRules() async throws {
        let fetch = Around(call: { request, _, next in
            let other = try await next(Request("http://h/token"))
            #expect(other.envelope == nil)
            return try await next(request)
        })
        let answer = try await response(.text(#"{"code":0,"data":1}"#), plugins: [fetch])
        #expect(answer.envelope?.code == 0 && answer.attempts == 2)
    }
}
