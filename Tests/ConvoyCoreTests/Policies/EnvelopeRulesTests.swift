import ConvoyCore
import Foundation
import Testing

/// Where the parts of an envelope are found, and which rule is asked first.
struct EnvelopeRulesTests {
    /// The envelope of a text by a client's rules, and those of a request.
    private func envelope(
        _ text: String, _ rules: EnvelopeRules?, request own: EnvelopeRules? = nil, headers: Headers = [:],
        inherits: Request.Inheritance = .all
    ) async throws -> Envelope? {
        let transport = FakeTransport { _, _ in Response(status: 200, headers: headers, body: .text(text)) }
        var request = Request("http://h/")
        request.envelope = own
        request.inherits = inherits
        return try await Client(transport: transport) { $0.envelope = rules }.send(request).envelope
    }

    private func json(_ text: String) -> Data { Data(text.utf8) }

    @Test func withoutRulesThereIsNone() async throws {
        #expect(Configuration().envelope == nil && Request("a").envelope == nil)
        #expect(try await envelope(#"{"code":1,"data":2}"#, nil) == nil)
    }

    @Test(
        arguments: [
            (#"{"code":0,"message":"ok","data":{"a":1}}"#, "0", "ok", #"{"a":1}"#),
            (#"{"code":"0","message":"ok","data":[1, 2]}"#, "0", "ok", "[1, 2]"),
            (#"{"code":true,"data":"text"}"#, "true", nil, #""text""#),
            (#"{"code":-1.50e3,"data":null}"#, "-1.50e3", nil, "null"),
            (#"{"code":null,"message":null}"#, nil, nil, nil), (#"{"code":{},"message":[]}"#, nil, nil, nil),
            (#"{"message":"","code":""}"#, "", nil, nil), ("[1,2]", nil, nil, nil), ("7", nil, nil, nil),
            ("null", nil, nil, nil), (#""code""#, nil, nil, nil), ("{}", nil, nil, nil),
            (#"{"code":1,"code":2}"#, "1", nil, nil),
            (#" { "c\u006fde" : 5 , "message" : "\u00e4\ud83d\ude00\n" , "data" : false } "#, "5", "ä😀\n", "false"),
            (#"{"a":{"code":9,"data":8},"code":1}"#, "1", nil, nil),
            (#"{"a":[[],{"code":9}],"b":{"code":[]},"data":{"data":1}}"#, nil, nil, #"{"data":1}"#),
        ] as [(String, String?, String?, String?)])
    func parts(text: String, code: String?, message: String?, payload: String?) async throws {
        let found = try #require(
            try await envelope(text, EnvelopeRules(data: "data", code: "code", message: "message")))
        #expect(found.code?.text == code)
        #expect(found.message == message)
        #expect(found.payload == payload.map(json))
    }

    @Test(
        arguments: [
            ("a.b.c", #"{"a":{"b":{"c":1}}}"#, "1"), ("a.b.c", #"{"a":{"b":[{"c":1}]}}"#, nil),
            ("errors.1.text", #"{"errors":[{"text":0},{"text":"x"}]}"#, "x"), ("errors.2", #"{"errors":[1,2]}"#, nil),
            ("0.code", #"[{"code":3},{"code":4}]"#, "3"), ("1.code", #"[{"code":3},{"code":4}]"#, "4"),
            ("0", #"{"0":"key"}"#, "key"), ("1", #"{"a":1,"b":2}"#, nil), ("-1", "[1]", nil), ("01", "[1,2]", nil),
            ("a.b", #"{"a.b":1}"#, nil), ("", #"{"":4}"#, "4"), (".a", #"{"":{"a":5}}"#, "5"), ("a.", #"{"a":1}"#, nil),
            ("a.b", #"{"a":1}"#, nil), ("a.b", #"{"a":null}"#, nil), ("a.b", #"{"a":"b"}"#, nil),
            ("99999999999999999999", "[1]", nil), ("ключ.值", #"{"ключ":{"值":6}}"#, "6"),
        ] as [(String, String, String?)])
    func paths(path: String, text: String, code: String?) async throws {
        let rules = EnvelopeRules(code: .init(paths: [path]))
        #expect(try await envelope(text, rules)?.code?.text == code)
    }

    @Test func ofSeveralPathsTheFirstThatIsFoundWins() async throws {
        let rules = EnvelopeRules(
            data: ["data", "result"], code: ["code", "status.code"], message: ["error.text", "message", "msg"])
        let first = try await envelope(#"{"msg":"c","message":"b","error":{"text":"a"},"code":1,"data":2}"#, rules)
        #expect(first == Envelope(code: 1, message: "a", payload: json("2")))
        let last = try await envelope(#"{"msg":"c","message":"","status":{"code":4},"result":5}"#, rules)
        #expect(last == Envelope(code: 4, message: "c", payload: json("5")))
    }

    @Test func withoutARuleForTheDataTheWholeBodyIsThePayload() async throws {
        #expect(try await envelope(#"{"code":1}"#, EnvelopeRules(code: "code"))?.payload == json(#"{"code":1}"#))
    }

    @Test func closures() async throws {
        struct Wire: Decodable { var ok: Bool }
        let rules = EnvelopeRules(
            data: .from { $0.body.data?.dropFirst(3) }, code: .from { $0.headers["X-Code"].map { .init($0) } },
            message: .from { (try? $0.decode(Wire.self)).map { $0.ok ? "well" : "not well" } })
        let text = #"{"ok": true}"#
        #expect(
            try await envelope(text, rules, headers: ["X-Code": "E7"])
                == Envelope(code: "E7", message: "well", payload: json(#"k": true}"#)))
        // They need no JSON.
        let xml = try await envelope("<code/>", rules, headers: ["X-Code": "E8"])
        #expect(xml?.code == "E8" && xml?.message == nil)
    }

    @Test func eachPartIsAskedOfTheRequestFirstAndLeftToTheClient() async throws {
        let broad = EnvelopeRules(data: "data", code: "code", message: "message")
        let text = #"{"code":1,"status":2,"data":3,"items":4,"message":"m"}"#
        let own = EnvelopeRules(data: "items", code: "status")
        #expect(
            try await envelope(text, broad, request: own) == Envelope(code: 2, message: "m", payload: json("4")))
        let absent = EnvelopeRules(data: "nowhere", code: .from { _ in nil }, message: .from { _ in nil })
        #expect(
            try await envelope(text, broad, request: absent) == Envelope(code: 1, message: "m", payload: json("3")))
        // A null is a payload, and found.
        let null = try await envelope(#"{"items":null,"data":1,"code":0}"#, broad, request: own)
        #expect(null?.payload == json("null"))
    }

    @Test func aRequestMayLeaveTheClientsOut() async throws {
        let rules = EnvelopeRules(code: "code", accepted: [0])
        #expect(try await envelope(#"{"code":1}"#, rules, inherits: .all.subtracting(.envelope)) == nil)
        let own = EnvelopeRules(code: "status")
        let alone = try await envelope(#"{"code":1}"#, rules, request: own, inherits: .none)
        #expect(alone?.code == nil)
    }

    // MARK: Which codes count as success

    private func isAccepted(
        _ text: String, _ accepted: EnvelopeRules.Acceptance, request own: EnvelopeRules.Acceptance = []
    ) async throws -> Bool {
        let error = await failure {
            try await envelope(
                text, EnvelopeRules(code: "code", accepted: accepted), request: EnvelopeRules(accepted: own))
        }
        #expect(error == nil || error?.code == .envelopeRejected)
        return error == nil
    }

    @Test func listsOfCodes() async throws {
        #expect(try await isAccepted(#"{"code":5}"#, []))
        #expect(try await isAccepted(#"{"code":0}"#, [0, "OK"]))
        #expect(try await isAccepted(#"{"code":"0"}"#, [0, "OK"]))
        #expect(try await isAccepted(#"{"code":"OK"}"#, [0, "OK"]))
        #expect(try await isAccepted(#"{"code":true}"#, [true]))
        #expect(try await isAccepted(#"{"code":"true"}"#, [true]))
        #expect(try await !isAccepted(#"{"code":1}"#, [0, "OK"]))
        #expect(try await !isAccepted(#"{"code":false}"#, [true]))
        #expect(try await !isAccepted(#"{"code":"ok"}"#, ["OK"]))
    }

    @Test func closuresSayYesNoOrNothing() async throws {
        let even = EnvelopeRules.Acceptance.when { $0.code?.number.map { $0.isMultiple(of: 2) } }
        #expect(try await isAccepted(#"{"code":4}"#, even))
        #expect(try await !isAccepted(#"{"code":5}"#, even))
        #expect(try await isAccepted(#"{"code":"x"}"#, even))
        // The request's closure is silent about words, and the client's list decides.
        #expect(try await isAccepted(#"{"code":"OK"}"#, ["OK"], request: even))
        #expect(try await !isAccepted(#"{"code":"NO"}"#, ["OK"], request: even))
        #expect(try await isAccepted(#"{"code":6}"#, ["OK"], request: even))
        #expect(try await !isAccepted(#"{"code":7}"#, [7], request: even))
    }

    @Test func theRequestsListStandsInPlaceOfTheClients() async throws {
        #expect(try await isAccepted(#"{"code":404}"#, [0], request: [0, 404]))
        #expect(try await !isAccepted(#"{"code":0}"#, [0], request: [404]))
    }
}
