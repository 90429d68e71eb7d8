import ConvoyCore
import Foundation
import Testing

struct ResponseTests {
    @Test func aResponseMadeByHandHasPlainDefaults() throws {
        let response = Response(status: 200)
        #expect(response.reason.isEmpty && response.headers.isEmpty && response.trailers.isEmpty)
        #expect(response.body.isNone && response.uri == nil && response.attempts == 0 && response.call == nil)
        #expect(response.version == .http11 && response.source == .network)
    }

    @Test(
        arguments: [
            ("application/json", "application/json"), ("Text/HTML; charset=x", "text/html"), (" a/b ;c", "a/b"),
            ("a/b, c/d", "a/b"), (";", nil), ("", nil),
        ] as [(String, String?)])
    func mediaType(header: String, expected: String?) {
        #expect(Response(status: 200, headers: ["Content-Type": header]).mediaType == expected)
        #expect(Response(status: 200).mediaType == nil)
    }

    @Test func statusLineHasTheServersReason() {
        #expect(Response(status: 404, reason: "Nope").statusLine == "404 Nope")
        #expect(Response(status: 404).statusLine == "404 Not Found")
        #expect(Response(status: 299).statusLine == "299")
    }

    @Test func theDescriptionIsOneLineWithoutSecrets() throws {
        let uri = try URI("https://me:pw@h/x?token=t1")
        let response = Response(status: 200, body: .text("abc"), version: .http2, uri: uri)
        #expect("\(response)" == "HTTP/2 200 OK from https://h/x?token=•••, 3 bytes")
        let streamed = Response(status: 200, body: .stream { AsyncStream<Data> { nil } })
        #expect("\(streamed)" == "HTTP/1.1 200 OK, body not in memory")
    }

    @Test func collectingBringsAStreamIntoMemory() async throws {
        let body = Body.stream(contentType: "a/b") {
            AsyncStream<Data> {
                $0.yield(Data("ab".utf8)); $0.finish()
            }
        }
        let response = try await Response(status: 200, body: body).collected()
        #expect(response.body.data == Data("ab".utf8))
        #expect(response.body.contentType == "a/b")
        #expect(await failure { try await Response(status: 200, body: body).collected(upTo: 1) }?.code == .bodyTooLarge)
        #expect(try await Response(status: 200, body: .text("abc")).collected(upTo: 1).text() == "abc")
    }

    @Test func theClientTellsWhatTheCallTook() async throws {
        let transport = FakeTransport { request, _ in Response(status: 200, uri: request.uri) }
        let response = try await Client(transport: transport).get("http://h/x")
        #expect(response.attempts == 1)
        #expect(response.call != nil)
        #expect(response.uri?.description == "http://h/x")
    }
}
