import Convoy
import ConvoyTesting
import Foundation
import Testing

/// Documentation/plugins.md
@Suite(.samples) struct PluginSamples {
    struct Timing: Plugin {
        let report: @Sendable (String) -> Void

        func call(_ request: Request, context: Context, next: Next) async throws -> Response {
            let start = ContinuousClock.now
            do {
                let response = try await next(request)
                let time = ContinuousClock.now - start
                report("\(request): \(response.status.code), \(response.attempts) exchanges, \(time)")
                return response
            } catch {
                report("\(request): failed, \(ContinuousClock.now - start)")
                throw error
            }
        }
    }

    struct Refresh: Plugin {
        let tokens: Tokens

        func call(_ request: Request, context: Context, next: Next) async throws -> Response {
            var request = request
            request.headers[.authorization] = "Bearer \(await tokens.current())"
            do { return try await next(request) } catch let error as ConvoyError where error.status == .unauthorized {
                request.headers[.authorization] = "Bearer \(await tokens.current())"
                return try await next(request)
            }
        }
    }

    struct Canned: Plugin {
        func call(_ request: Request, context: Context, next: Next) async throws -> Response {
            guard request.uri?.path == "/health" else { return try await next(request) }
            return Response(status: .ok, body: .text("well"), source: .mock)
        }
    }

    @Test func stamp() async throws {
        let server = try TestServer()
        let origin = server.url.origin
        server.enqueue(.status(.ok))

        struct Stamp: Plugin {
            func exchange(_ request: Request, context: Context, next: Next) async throws -> Response {
                var request = request
                request.headers["X-Sent-At"] = context.now.description
                return try await next(request)
            }
        }

        let client = Client(baseURL: "\(origin)/v1") { $0.plugins = [Stamp()] }
        _ = try await client.get("users/42")

        let date = try #require(server.requests.first?.headers["X-Sent-At"])
        #expect(date.hasPrefix("20"))
    }

    @Test func timing() async throws {
        let server = try TestServer()
        server.enqueue(.status(.ok), .status(.notFound))
        let client = Client(baseURL: server.url.origin)

        var request = Request(.get, "users/42")
        request.plugins = [Timing { print($0) }]
        _ = try await client.send(request)

        let again = request
        await #expect(throws: ConvoyError.self) { try await client.send(again) }
        let lines = Printed.lines
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("GET \(server.url("/users/42")): 200, 1 exchanges, ") == true, "\(lines)")
        #expect(lines.last?.hasPrefix("GET \(server.url("/users/42")): failed, ") == true, "\(lines)")
    }

    @Test func askingAgain() async throws {
        let server = try TestServer()
        server.on(.get, "/a") { .status($0.headers[.authorization] == "Bearer token-2" ? .ok : .unauthorized) }
        let client = Client(baseURL: server.url.origin) { $0.plugins = [Refresh(tokens: Tokens())] }
        try await #expect(client.get("a").attempts == 2)
    }

    @Test func exchangesAreBounded() async throws {
        struct Stubborn: Plugin {
            func call(_ request: Request, context: Context, next: Next) async throws -> Response {
                while true {
                    do { return try await next(request) } catch let error as ConvoyError where error.isValidation {}
                }
            }
        }
        let server = try TestServer()
        server.on(.get, "/a", .status(.unauthorized))
        let client = Client(baseURL: server.url.origin) { $0.plugins = [Stubborn()] }
        let error = await #expect(throws: ConvoyError.self) { try await client.get("a") }
        #expect(error?.code == .tooManyExchanges)
        #expect(server.requests.count == 64)
    }

    @Test func answering() async throws {
        let server = try TestServer()
        server.enqueue(.text("from the server"))
        let client = Client(baseURL: server.url.origin) { $0.plugins = [Canned()] }
        let canned = try await client.get("health")
        try #expect(canned.text() == "well")
        #expect(canned.source == .mock)
        try await #expect(client.get("other").text() == "from the server")
        #expect(server.requests.count == 1)
    }

    @Test func failing() async throws {
        struct Broken: Plugin {
            func call(_ request: Request, context: Context, next: Next) async throws -> Response {
                throw CocoaError(.featureUnsupported)
            }
        }
        let client = Client(baseURL: "http://127.0.0.1:1") { $0.plugins = [Broken()] }
        let error = await #expect(throws: ConvoyError.self) { try await client.get("a") }
        #expect(error?.code == .pluginFailed)
        #expect(error?.message.contains("Broken") == true)
        #expect(error?.underlying is CocoaError)
    }
}
