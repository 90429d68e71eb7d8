import Convoy
import ConvoyTesting
import Foundation
import Testing

/// Documentation/redirects.md
@Suite(.samples) struct RedirectSamples {
    @Test func followed() async throws {
        let server = try TestServer()
        server.enqueue(.redirect(to: "/new"), .text("here"))
        let client = Client(baseURL: server.url.origin)

        let response = try await client.get("old")
        print(response.uri?.path ?? "", response.history.map(\.status.code))

        #expect(Printed.lines == ["/new [302]"])
    }

    @Test func secrets() async throws {
        let server = try TestServer()
        server.enqueue(.redirect(to: "/new"), .text("here"))
        let client = Client(baseURL: server.url.origin)

        client.update {
            $0.redirects.trustedHosts = ["login.example.com"]
            $0.redirects.secretHeaders = ["X-Tenant"]
        }

        try await #expect(client.get("old").text() == "here")
    }

    @Test func decided() async throws {
        let server = try TestServer()
        server.enqueue(.redirect(to: "http://other.example/new"))
        let client = Client(baseURL: server.url.origin)

        var request = Request(.get, "old")
        request.redirects = .limit(3)
        request.redirects?.decide = { redirect in redirect.leavesOrigin ? nil : redirect.request }
        let answer = try await client.send(request)

        #expect(answer.status == .found)
    }
}

/// Documentation/retry.md
@Suite(.samples) struct RetrySamples {
    @Test func byItself() async throws {
        let server = try TestServer()
        server.enqueue(.status(.serviceUnavailable), .text("[]"))
        let client = Client(baseURL: server.url.origin) { $0.random = { 0 } }

        let users = try await client.get("users")
        print(users.attempts)

        #expect(Printed.lines == ["2"])
    }

    @Test func set() async throws {
        let server = try TestServer()
        server.enqueue(.status(.serviceUnavailable), .status(.created))
        let client = Client(baseURL: server.url.origin) { $0.random = { 0 } }

        client.update {
            $0.retry = .limit(4)
            $0.retry.statuses.insert(.notFound)
            $0.retry.attemptTimeout = .seconds(5)
        }
        var request = Request(.post, "payments")
        request.headers["Idempotency-Key"] = "7f3a"
        request.retry = .limit(1)
        let payment = try await client.send(request)

        #expect(payment.status == .created && payment.attempts == 2)
    }

    @Test func decided() async throws {
        let server = try TestServer()
        server.enqueue(.status(.conflict), .text("done"))
        let client = Client(baseURL: server.url.origin) { $0.random = { 0 } }

        client.update {
            $0.retry.decide = { attempt in
                print(attempt.number, attempt.error.code, attempt.reason)
                return attempt.error.status == .conflict ? true : nil
            }
        }

        try await #expect(client.get("x").text() == "done")
        #expect(Printed.lines == ["1 unacceptableStatus unacceptableStatus is not tried again"])
    }
}
