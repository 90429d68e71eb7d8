import ConvoyCore
import Foundation
import Testing

struct EndpointTests {
    struct User: Codable, Equatable { var id: Int }

    private struct Get<Output: Decodable>: Endpoint { var request: Request { Request("http://h/x") } }
    private struct Delete: Endpoint {
        typealias Output = Void
        var request: Request { Request(.delete, "http://h/x") }
    }

    private func client(
        _ text: String, status: Status = 200, configure: (inout Configuration) -> Void = { _ in }
    ) -> Client {
        Client(transport: FakeTransport { _, _ in Response(status: status, body: .text(text)) }, configure: configure)
    }

    @Test func everyKindOfOutput() async throws {
        let client = client(#"{"id":42}"#)
        #expect(try await client.send(Get<User>()) == User(id: 42))
        #expect(try await client.send(Get<User?>()) == User(id: 42))
        #expect(try await client.send(Get<Data>()) == Data(#"{"id":42}"#.utf8))
        #expect(try await client.send(Get<String>()) == #"{"id":42}"#)
        #expect(try await client.send(Get<[String: Int]>()) == ["id": 42])
        try await client.send(Delete())
    }

    @Test(
        "An empty answer is success for Void, Data and optional outputs (B159)", arguments: [200, 201, 202, 204, 205])
    func emptyAnswers(status: Int) async throws {
        let client = Client(transport: FakeTransport { _, _ in Response(status: Status(status)) })
        try await client.send(Delete())
        #expect(try await client.send(Get<User?>()) == nil)
        #expect(try await client.send(Get<Data>()).isEmpty)
        let error = await failure { try await client.send(Get<User>()) }
        #expect(error?.code == .decodingFailed && error?.message.contains("empty body (status \(status))") == true)
    }

    @Test func anOutputOfItsOwn() async throws {
        struct Count: Endpoint {
            var request: Request { Request(.head, "http://h/x") }
            func output(of response: Response) throws -> Int {
                guard let text = response.headers["X-Count"], let count = Int(text) else { throw Foreign(number: 1) }
                return count
            }
        }
        let good = FakeTransport { _, _ in Response(status: 200, headers: ["X-Count": "7"]) }
        #expect(try await Client(transport: good).send(Count()) == 7)
        // Its own error is the app's, and is thrown as it is.
        await #expect(throws: Foreign(number: 1)) { try await Client(transport: FakeTransport()).send(Count()) }
    }

    @Test func anOutputThatIsNotSendableReachesItsActor() async throws {
        final class Box: Decodable { var id: Int }
        let id = try await onMainActor(client(#"{"id":3}"#))
        #expect(id == 3)

        @MainActor func onMainActor(_ client: Client) async throws -> Int {
            let box = try await client.send(Get<Box>())
            return box.id
        }
    }

    @Test func aReplyHasTheResponseBesideTheOutput() async throws {
        let client = client(#"{"code":0,"message":"hi","data":{"id":1}}"#) {
            $0.envelope = EnvelopeRules(data: "data", code: "code", message: "message")
        }
        let reply = try await client.reply(to: Get<User>())
        #expect(reply.value == User(id: 1))
        #expect(reply.response.status == .ok && reply.response.envelope?.message == "hi")
        #expect(reply.response.attempts == 1)
    }

    @Test("What the endpoints of a service have in common stands in one protocol") func families() async throws {
        let transport = FakeTransport { _, _ in Response(status: 200, body: .text(#"{"ok":true,"result":{"id":9}}"#)) }
        #expect(try await Client(transport: transport).send(GetBot()) == User(id: 9))
        #expect(transport.addresses == ["https://bots.example/v2/me"])
    }

    @Test("A login endpoint may leave the client's plugins out (complaint 8)") func exemption() async throws {
        struct Login: Endpoint {
            typealias Output = Void
            var request: Request {
                var request = Request(.post, "http://h/login")
                request.inherits.remove(.plugins)
                return request
            }
        }
        let journal = Journal()
        let authenticator = Around(exchange: { request, _, next in
            journal.note(request.uri?.path ?? "")
            return try await next(request)
        })
        let client = client("{}") { $0.plugins = [authenticator] }
        try await client.send(Login())
        try await client.send(Delete())
        #expect(journal.all == ["/x"])
    }
}

private protocol BotEndpoint: Endpoint {}

extension BotEndpoint {
    var baseURL: String? { "https://bots.example/v2" }
    var envelope: EnvelopeRules? { EnvelopeRules(data: "result", code: "ok", accepted: [true]) }
}

private struct GetBot: BotEndpoint {
    typealias Output = EndpointTests.User
    var request: Request { Request(.get, "me") }
}
