import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@Suite struct ExchangeTests {
    @Test func getsAResponseWithEverythingInIt() async throws {
        try await withServer { server, client in
            server.enqueue(.text("hello", headers: ["X-Twice": "a", "x-twice": "b"]))
            let response = try await client.get("a/b?c=d", headers: ["X-Mine": "1"])
            #expect(response.status == .ok)
            #expect(response.reason == "OK")
            #expect(response.version == .http11)
            #expect(response.content == "hello")
            #expect(response.headers.values(for: "X-Twice") == ["a", "b"])
            #expect(response.uri?.target == "/a/b?c=d")
            #expect(response.attempts == 1)
            let request = try await server.request(at: 0)
            #expect(request.method == .get)
            #expect(request.target == "/a/b?c=d")
            #expect(request.headers["X-Mine"] == "1")
            #expect(request.headers["Host"] == "127.0.0.1:\(server.port)")
            #expect(request.headers["User-Agent"]?.hasSuffix(" Convoy/0.1.0") == true)
        }
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get"])
    func sendsEveryMethodAsItIs(name: String) async throws {
        try await withServer { server, client in
            server.enqueue(.status(.noContent))
            let response = try await client.send(Request(Method(name), "x"))
            #expect(response.status == .noContent)
            #expect(response.body.data?.isEmpty == true)
            try await #expect(server.request(at: 0).method.rawValue == name)
        }
    }

    /// B027, B184: an empty POST says so, a GET says nothing.
    @Test(arguments: [("POST", "0"), ("PUT", "0"), ("PATCH", "0"), ("GET", nil), ("HEAD", nil), ("DELETE", nil)])
    func framesARequestWithoutBody(name: String, length: String?) async throws {
        try await withServer { server, client in
            server.enqueue(.status(.ok))
            _ = try await client.send(Request(Method(name), "x"))
            let request = try await server.request(at: 0)
            #expect(request.headers["Content-Length"] == length)
            #expect(!request.headers.contains("Transfer-Encoding"))
            #expect(!request.headers.contains("Content-Type"))
        }
    }

    /// B029: no media type is invented for raw bytes; no `Expect` slows a large body down.
    @Test(arguments: [1, 65536, 65537, 3_000_000]) func sendsBytesOfAnySize(count: Int) async throws {
        try await withServer { server, client in
            server.on(.post, "/up") { .text("\($0.body.count) \($0.body.reduce(0) { ($0 &* 31) &+ Int($1) })") }
            let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            let answer = try await client.post("up", body: .bytes(bytes)).content
            #expect(answer == "\(count) \(bytes.reduce(0) { ($0 &* 31) &+ Int($1) })")
            let request = try await server.request(at: 0)
            #expect(request.headers["Content-Length"] == "\(count)")
            #expect(!request.headers.contains("Content-Type"))
            #expect(!request.headers.contains("Expect"))
        }
    }

    /// B026: a GET with a body is sent, since the user set one.
    @Test func sendsABodyWithGet() async throws {
        try await withServer { server, client in
            server.on(.get, "/search") { .text($0.text) }
            var request = Request(.get, "search")
            request.body = .text("query")
            try await #expect(client.send(request).content == "query")
        }
    }

    @Test func sendsHeadersAsTheyAre() async throws {
        try await withServer { server, client in
            server.enqueue(.status(.ok))
            var request = Request(.get, "x")
            request.headers.append("X-Empty", "")
            request.headers.append("X-Twice", "1")
            request.headers.append("X-Twice", "2")
            request.headers.append("X-Text", "é; \"quoted\", a:b")
            request.headers["Accept"] = "text/html"
            request.headers["Host"] = "other.example"
            _ = try await client.send(request)
            let came = try await server.request(at: 0).headers
            #expect(came["X-Empty"] == "")
            #expect(came.values(for: "X-Twice") == ["1", "2"])
            #expect(came["X-Text"] == "é; \"quoted\", a:b")
            #expect(came.values(for: "Accept") == ["text/html"])
            #expect(came.values(for: "Host") == ["other.example"])
        }
    }

    /// B134, B050: interim answers are passed over, however many.
    @Test func passesOverInterimAnswers() async throws {
        try await withServer { server, client in
            server.enqueue(
                .raw(
                    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                        + "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Last: 1\r\n\r\nok")
            )
            let response = try await client.get("x")
            #expect(response.status == 200)
            #expect(response.headers.fields.map(\.name.canonicalName) == ["content-length", "x-last"])
            #expect(response.content == "ok")
        }
    }

    @Test func readsTrailers() async throws {
        try await withServer { server, client in
            server.enqueue(.chunks(["a", "bc"], trailers: ["X-Sum": "3"]))
            let response = try await client.get("x")
            #expect(response.content == "abc")
            #expect(response.trailers["X-Sum"] == "3")
            #expect(!response.headers.contains("X-Sum"))
        }
    }

    /// B144, B145, B143: an answer that cannot have content has none, whatever its header says.
    @Test(arguments: [
        ("GET", "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n"),
        ("HEAD", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n"),
        ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\n"),
        ("HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
    ])
    func expectsNoContentWhereThereIsNone(method: String, answer: String) async throws {
        try await withServer { server, client in
            server.enqueue(.raw(answer), .text("next"))
            let response = try await client.send(Request(Method(method), "x"))
            #expect(response.body.data?.isEmpty == true)
            if method == "HEAD", let length = response.headers["Content-Length"] { #expect(length == "1000") }
            try await #expect(client.get("y").content == "next")
            #expect(server.connections.accepted == 1)
        }
    }

    /// B001, B020: 401 with a challenge and no credential is an ordinary answer, at once.
    @Test(arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"n\"", "Negotiate", nil])
    func returnsAChallengeAsAnAnswer(challenge: String?) async throws {
        try await withServer { server, client in
            let headers: Headers = challenge.map { ["WWW-Authenticate": $0] } ?? [:]
            server.enqueue(.text("who are you", status: .unauthorized, headers: headers))
            let error = try await failure { try await client.get("x") }
            #expect(error.code == .unacceptableStatus)
            #expect(error.status == .unauthorized)
            #expect(error.response?.content == "who are you")
            #expect(server.requests.count == 1)
        }
    }

    /// Redirects are not the engine's business.
    @Test(arguments: [301, 302, 303, 307, 308]) func returnsARedirectAsItIs(code: Int) async throws {
        try await withServer { server, client in
            server.enqueue(.redirect(to: "/elsewhere", status: Status(code)))
            let response = try await client.post("x", body: .text("abc"))
            #expect(response.status.code == code)
            #expect(response.headers["Location"] == "/elsewhere")
            #expect(server.requests.count == 1)
        }
    }

    @Test func keepsBytesThatAreNotText() async throws {
        try await withServer { server, client in
            let bytes = Data((0...255).map { UInt8($0) })
            server.enqueue(.bytes(bytes))
            try await #expect(client.get("x").decode(Data.self) == bytes)
        }
    }

    private static let hasIPv6 = (try? TestServer(Server.Configuration { $0.host = "::1" })) != nil

    /// B042, B180: an IPv6 address with and without a zone; `Host` has the brackets and no zone.
    @Test(
        .enabled(if: hasIPv6, "this machine has no IPv6 loopback"),
        arguments: ["http://[::1%25lo]:%/x", "http://[::1]:%/x"])
    func connectsToIPv6(pattern: String) async throws {
        let server = try TestServer(Server.Configuration { $0.host = "::1" })
        try await withServer(server) { server, client in
            server.enqueue(.text("six"))
            let address = pattern.replacingOccurrences(of: "%/", with: "\(server.port)/")
            try await #expect(client.get(address).content == "six")
            try await #expect(server.request(at: 0).headers["Host"] == "[::1]:\(server.port)")
        }
    }
}
