import Convoy
import ConvoyTesting
import Testing

/// Documentation/errors.md
@Suite(.samples) struct ErrorSamples {
    @Test(arguments: [
        (Answer.json(#"{"id": 42, "name": "Ada"}"#), "hello Ada"),
        (.status(.notFound), "no such user"),
        (.text("0123456789").cut(after: 5), "try later: the answer ended after 5 of 10 bytes of its body"),
        (.text("no"), "cannot decode the answer of ADDRESS: User: "),
    ])
    func errors(_ answer: Answer, _ line: String) async throws {
        let server = try TestServer()
        server.enqueue(answer)
        let client = Client(baseURL: server.url.origin) { $0.retry = .none }

        do {
            let user = try await client.get("users/42").decode(User.self)
            print("hello", user.name)
        } catch let error as ConvoyError {
            switch error.code {
            case .unacceptableStatus where error.status == .notFound: print("no such user")
            case _ where error.isTimeout || error.isConnection: print("try later:", error.message)
            case _ where error.isTrust: print("do not trust it:", error.message)
            default: print(error)
            }
        }

        let expected = line.replacing("ADDRESS", with: server.url("/users/42"))
        #expect(Printed.lines.count == 1)
        #expect(Printed.lines.first?.hasPrefix(expected) == true, "\(Printed.lines)")
    }

    @Test func timeLimits() async throws {
        let server = try TestServer()
        server.enqueue(.stall)
        let client = Client(baseURL: server.url.origin) { $0.retry = .none }

        var request = Request(.get, "report")
        request.timeouts = Timeouts(
            connect: .seconds(3), firstByte: .milliseconds(100), idle: .seconds(20), total: .seconds(60))
        do {
            _ = try await client.send(request)
        } catch let error as ConvoyError where error.code == .firstByteTimeout {
            print(error.message)
        }

        #expect(Printed.lines == ["no answer from \(server.url.authority) within 100 ms of the request"])
    }

    @Test func defaults() async throws {
        let server = try TestServer()
        server.enqueue(.status(.ok))
        let client = Client(baseURL: server.url.origin)
        _ = try await client.get("a")
        let headers = try #require(server.requests.first?.headers)
        #expect(headers[.userAgent]?.hasSuffix(" Convoy/0.1.0") == true)
        #expect(headers[.accept] == "*/*")
        #expect(headers[.acceptEncoding] == "gzip, deflate, br, zstd")
        let configuration = client.configuration
        #expect(configuration.timeouts == Timeouts(connect: .seconds(10), firstByte: nil, idle: .seconds(60)))
        #expect(configuration.bodyLimit == 64 << 20)
        #expect(configuration.maximumExchanges == 64)
    }

    @Test func aDeadConnectionIsReplaced() async throws {
        let server = try TestServer()
        server.enqueue(.text("one"), .close, .text("two"))
        let client = Client(baseURL: server.url.origin)
        _ = try await client.get("a")
        let response = try await client.get("b")
        try #expect(response.text() == "two")
        #expect(response.attempts == 2)
    }
}
