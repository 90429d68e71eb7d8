import ConvoyCompression
import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// Content codings over the wire.
@Suite struct CodingTests {
    private static let text = String(repeating: "All work and no play makes Jack a dull boy. ", count: 200)

    private static func coded(_ coding: String) throws -> Data {
        var data = Data(text.utf8)
        for name in coding.split(separator: ",") {
            let name = name.trimmingCharacters(in: .whitespaces)
            if name != "identity" { data = try #require(try Compression.standard.encode(data, as: name)) }
        }
        return data
    }

    @Test(arguments: ["gzip", "x-gzip", "deflate", "br", "zstd", "GZIP", "gzip, gzip", "deflate, br, zstd", "identity"])
    func undoes(coding: String) async throws {
        try await withServer { server, client in
            let data = try Self.coded(coding.lowercased())
            server.on(.get, "/x", .bytes(data, headers: ["Content-Encoding": coding]))
            let response = try await client.get("x")
            #expect(response.content == Self.text)
            // The header stays as the server sent it.
            #expect(response.headers["Content-Encoding"] == coding)
            #expect(response.metrics.receivedBodyBytes == Int64(data.count))
            let streamed = try await client.stream(Request(.get, "x"))
            try await #expect(streamed.body.collect() == Data(Self.text.utf8))
            #expect(server.requests.first?.headers["Accept-Encoding"] == "gzip, deflate, br, zstd")
        }
    }

    /// B150: an unknown coding gives the bytes as they are; its name is in the header.
    @Test func leavesAnUnknownCodingAlone() async throws {
        try await withServer { server, client in
            server.enqueue(.bytes(Data("raw".utf8), headers: ["Content-Encoding": "rot13"]))
            try await #expect(client.get("x").body.data == Data("raw".utf8))
        }
    }

    /// B152: the bytes as they came, where that is asked for.
    @Test func keepsTheCodingWhenAskedTo() async throws {
        try await withServer { server, client in
            let data = try Self.coded("gzip")
            server.enqueue(.bytes(data, headers: ["Content-Encoding": "gzip"]))
            var request = Request(.get, "x")
            request.decodesContent = false
            try await #expect(client.send(request).body.data == data)
            #expect(server.requests.first?.headers.contains("Accept-Encoding") == false)
        }
    }

    /// B010, B147: a coded body that is cut is an error, also where the connection's end is the body's.
    @Test(arguments: ["gzip", "deflate", "br", "zstd"], [true, false])
    func noticesTruncation(coding: String, isDelimited: Bool) async throws {
        try await withServer { server, client in
            let half = try Self.coded(coding).dropLast(3)
            let answer =
                isDelimited
                ? Answer.bytes(half, headers: ["Content-Encoding": coding])
                : Answer([
                    .readBody(), .raw("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\r\n"), .raw(Data(half)),
                    .close,
                ])
            server.enqueue(answer, answer)
            let error = try await failure { try await client.get("x") }
            #expect(error.code == .truncatedContent)
            let body = try await client.stream(Request(.get, "x")).body
            let streamed = try await failure { try await body.collect() }
            #expect(streamed.code == .truncatedContent)
        }
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"]) func noticesDamage(coding: String) async throws {
        try await withServer { server, client in
            server.enqueue(.bytes(Data("certainly not compressed".utf8), headers: ["Content-Encoding": coding]))
            let error = try await failure { try await client.get("x") }
            #expect(error.code == .corruptContent || error.code == .truncatedContent)
            #expect(error.metrics != nil)
        }
    }

    /// B053: a bomb is stopped by what comes out of it; what merely compresses well is not.
    @Test func stopsABomb() async throws {
        try await withServer(configure: { $0.bodyLimit = 1 << 20 }) { server, client in
            let bomb = try #require(try Compression.standard.encode(Data(count: 50 << 20), as: "gzip"))
            server.enqueue(.bytes(bomb, headers: ["Content-Encoding": "gzip"]))
            let error = try await failure { try await client.get("x") }
            #expect(error.code == .contentLimitExceeded)
            let honest = try #require(try Compression.standard.encode(Data(count: 1 << 20), as: "gzip"))
            server.enqueue(.bytes(honest, headers: ["Content-Encoding": "gzip"]))
            try await #expect(client.get("x").body.data?.count == 1 << 20)
        }
    }

    /// B054: the same on HTTP/2, and from a server that is not ours.
    @Test(.enabled(if: Servers.areUp, Servers.missing), arguments: ["NGINX", "NGINX_TLS"])
    func undoesOnEveryVersion(server: String) async throws {
        let client = Client(transport: CurlTransport()) { $0.network.trust = .only(pemFile: Servers.root) }
        let response = try await client.get("\(raw: Servers.variable(server) ?? "")/gzip")
        #expect(response.headers["Content-Encoding"] == "gzip")
        #expect(response.version == (server == "NGINX" ? .http11 : .http2))
        #expect(response.body.data?.count ?? 0 > Int(response.metrics.receivedBodyBytes))
        await client.shutdown()
    }

    @Test func decodesIntoAFile() async throws {
        try await withServer { server, client in
            let path = FileManager.default.temporaryDirectory.appending(path: "convoy-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let data = try Self.coded("br")
            server.enqueue(
                .bytes(data, headers: ["Content-Encoding": "br"]),
                .bytes(data.dropLast(2), headers: ["Content-Encoding": "br"]))
            var request = Request(.get, "x")
            request.delivery = .file(path: path)
            _ = try await client.send(request)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.text)
            let sent = request
            let error = try await failure { try await client.send(sent) }
            #expect(error.code == .truncatedContent)
        }
    }
}
