import ConvoyCore
import Foundation
import Testing

struct ConvoyErrorTests {
    @Test func predicates() {
        func has(_ predicate: (ConvoyError) -> Bool, _ codes: [ConvoyError.Code]) -> Bool {
            codes.allSatisfy { predicate(ConvoyError($0, "x")) } && !predicate(ConvoyError(.engineFailed, "x"))
        }
        #expect(has(\.isTimeout, [.connectTimeout, .firstByteTimeout, .idleTimeout, .totalTimeout]))
        #expect(has(\.isConnection, [.hostNotFound, .cannotConnect, .connectionLost, .proxyFailed, .incompleteBody]))
        #expect(
            has(
                \.isTrust,
                [
                    .tlsFailed, .certificateExpired, .certificateInvalid, .certificateUntrusted, .certificateSelfSigned,
                    .certificateHostMismatch,
                ]))
        #expect(has(\.isCancelled, [.cancelled]))
        #expect(has(\.isValidation, [.unacceptableStatus, .unacceptableContentType]))
    }

    @Test func codesAreAnOpenSet() {
        #expect(ConvoyError.Code(rawValue: "own") != .cancelled)
        #expect(ConvoyError.Code(rawValue: "cancelled") == .cancelled)
        #expect("\(ConvoyError.Code.invalidURL)" == "invalidURL")
    }

    @Test func aFreshErrorKnowsItsDefaults() {
        let error = ConvoyError(.cannotConnect, "no route")
        #expect(error.phase == .preparing && error.attempts == 0 && error.request == nil && error.status == nil)
        #expect(error.description == "no route")
        #expect(error.errorDescription == "no route")
    }

    /// Everywhere a secret may hide in a call that fails.
    @Test func printingNeverShowsASecret() async throws {
        let response = Response(
            status: 401, headers: ["Set-Cookie": "sid=s3cr3t", "Content-Type": "application/json"],
            body: .text(#"{"refresh_token":"s3cr3t","why":"expired"}"#))
        let client = Client(transport: FakeTransport { _, _ in response }) {
            $0.headers["Authorization"] = "Bearer s3cr3t"
            $0.headers["X-Api-Key"] = "s3cr3t"
            $0.query["api_key"] = "s3cr3t"
        }
        let error = try #require(
            await failure { try await client.get("https://me:s3cr3t@h/x?access_token=s3cr3t&page=2") })
        for text in ["\(error)", error.localizedDescription, String(reflecting: error), error.message] {
            #expect(!text.contains("s3cr3t"), "\(text)")
        }
        #expect(error.description.contains("GET https://h/x?access_token=•••&page=2"))
        #expect(error.description.contains("expired"))
        for text in ["\(error.request as Any)", "\(error.response as Any)", "\(error.request?.headers as Any)"] {
            #expect(!text.contains("s3cr3t"), "\(text)")
        }
    }

    @Test func theExcerptIsShortAndPrintable() async throws {
        func description(_ body: Data, _ type: String) async -> String? {
            let response = Response(status: 500, headers: ["Content-Type": type], body: .bytes(body))
            let client = Client(transport: FakeTransport { _, _ in response }) { $0.retry = .none }
            return await failure { try await client.get("http://h/") }?.description
        }
        let long = try #require(await description(Data(String(repeating: "ä", count: 10_000).utf8), "text/html"))
        #expect(long.count < 500 && long.hasSuffix("…"))
        #expect(await description(Data([1, 2, 3]), "image/png")?.hasSuffix("(3 bytes of image/png)") == true)
        let hostile = try #require(await description(Data("a\u{1B}[31m\0\u{9B}b\nc".utf8), "text/plain"))
        #expect(hostile.hasSuffix("a\u{FFFD}[31m\u{FFFD}\u{FFFD}b\nc"))
        #expect(await description(Data(), "text/plain")?.contains("\n") == false)
    }

    @Test func errorsOfTheTransportBecomeOurs() async throws {
        let foreign = Client(transport: FakeTransport { _, _ in throw Foreign(number: 4) })
        let error = try #require(await failure { try await foreign.get("http://h/") })
        #expect(error.code == .engineFailed)
        #expect(error.underlying as? Foreign == Foreign(number: 4))
        #expect(error.attempts == 1 && error.request?.uri?.host == "h")

        let own = Client(
            transport: FakeTransport { _, _ in
                var error = ConvoyError(.connectionLost, "reset", phase: .sending, metrics: Metrics())
                error.underlying = Foreign()
                throw error
            }
        ) { $0.retry = .none }
        let kept = try #require(await failure { try await own.get("http://h/") })
        #expect(kept.code == .connectionLost && kept.phase == .sending && kept.message == "reset")
        #expect(kept.metrics != nil && kept.underlying is Foreign && kept.attempts == 1)
    }
}
