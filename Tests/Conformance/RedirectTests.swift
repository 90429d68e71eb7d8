import Convoy
import Foundation
import Testing

/// The redirect rows of the Web Platform Tests.
@Suite(.enabled(if: Suites.root != nil, Comment(rawValue: Suites.skipped)))
struct RedirectTests {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private struct Vectors: Decodable {
        let redirect_method: [MethodRow]
        let redirect_location_bytes: [LocationRow]
        let redirect_count: [CountRow]
        let redirect_no_location: [StatusRow]
        let redirect_bad_location: [BadLocationRow]

        struct MethodRow: Decodable {
            let description: String
            let status: Int
            let method: String
            let request_body: String?
            let expected_method: String
            let expected_body: String
            let body_headers_stripped: Bool
        }
        struct LocationRow: Decodable {
            let location_latin1: String
            let expected_url_suffix: String
        }
        struct CountRow: Decodable {
            let status: Int
            let redirects: Int
            let ok: Bool
        }
        struct StatusRow: Decodable { let status: Int }
        struct BadLocationRow: Decodable {
            let status: Int
            let location: String
        }
    }

    /// Redirects by a closure, and keeps what it is asked.
    private final class Hops: Transport {
        let capabilities = TransportCapabilities(name: "hops")
        private let stream = AsyncStream.makeStream(of: Request.self)
        private let answer: @Sendable (Request) -> Response

        init(_ answer: @escaping @Sendable (Request) -> Response) { self.answer = answer }

        func exchange(_ request: Request) async throws -> Response {
            stream.continuation.yield(request)
            return answer(request)
        }

        func shutdown() async { stream.continuation.finish() }

        var requests: [Request] {
            get async {
                await shutdown()
                return await stream.stream.reduce(into: []) { $0.append($1) }
            }
        }
    }

    private let vectors: Vectors

    init() throws { vectors = try Suites.read("wpt-http/http.json") }

    @Test func methodBodyAndContentFields() async throws {
        #expect(vectors.redirect_method.count == 14)
        for row in vectors.redirect_method {
            let transport = Hops { request in
                guard request.uri?.path == "/from" else { return Response(status: 200) }
                return Response(status: Status(row.status), headers: ["Location": "/to"])
            }
            var request = Request(.init(row.method), "http://h/from")
            if let body = row.request_body {
                request.body = .text(body)
                request.headers["Content-Language"] = "en"
            }
            _ = try await Client(transport: transport).send(request)
            let requests = await transport.requests
            let next = try #require(requests.last)
            #expect(requests.count == 2 && next.uri?.path == "/to", "\(row.description)")
            #expect(next.method.rawValue == row.expected_method, "\(row.description)")
            #expect(next.body.data == Data(row.expected_body.utf8), "\(row.description)")
            guard row.request_body != nil else { continue }
            #expect(next.headers.contains("Content-Language") == !row.body_headers_stripped, "\(row.description)")
            #expect(next.headers.contains(.contentType) == !row.body_headers_stripped, "\(row.description)")
        }
    }

    @Test func bytesOfLocation() async throws {
        #expect(vectors.redirect_location_bytes.count == 5)
        for row in vectors.redirect_location_bytes {
            // Not as browsers do: a lone % is encoded, since RFC 3986 §2.1 knows none.
            let expected = row.expected_url_suffix.replacingOccurrences(of: "%%", with: "%25%")
            // As an engine hands it over: UTF-8 where it is, else ISO-8859-1.
            let bytes = row.location_latin1.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            let text = String(validating: bytes, as: UTF8.self)
            let field = Headers.Field("Location", text ?? row.location_latin1, isLatin1: text == nil)
            let transport = Hops { request in
                guard request.uri?.path == "/from" else { return Response(status: 200) }
                return Response(status: 302, headers: Headers([field]))
            }
            let response = try await Client(transport: transport).get("http://h/from")
            let address = response.uri?.description ?? ""
            #expect(address.hasSuffix(expected), "\(row.location_latin1): \(address)")
        }
    }

    @Test func twentyAreFollowed() async throws {
        #expect(vectors.redirect_count.count == 10)
        for row in vectors.redirect_count {
            let transport = Hops { request in
                let number = Int(request.uri?.path.dropFirst() ?? "") ?? 0
                guard number < row.redirects else { return Response(status: 200) }
                return Response(status: Status(row.status), headers: ["Location": "/\(number + 1)"])
            }
            let response = try? await Client(transport: transport).get("http://h/0")
            #expect((response?.status == .ok) == row.ok, "\(row.redirects) redirects with \(row.status)")
        }
    }

    @Test func withoutLocationItIsTheAnswer() async throws {
        #expect(vectors.redirect_no_location.count == 5)
        for row in vectors.redirect_no_location {
            let transport = Hops { _ in Response(status: Status(row.status)) }
            try await #expect(Client(transport: transport).get("http://h/").status.code == row.status)
        }
    }

    @Test func aBadLocationIsAnError() async throws {
        #expect(vectors.redirect_bad_location.count == 10)
        for row in vectors.redirect_bad_location {
            let transport = Hops { _ in Response(status: Status(row.status), headers: ["Location": row.location]) }
            let error = await #expect(throws: ConvoyError.self) {
                try await Client(transport: transport).get("http://h/")
            }
            #expect(error?.code == .redirectFailed, "\(row.location)")
        }
    }
}
