import ConvoyCore
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// Answers that are framed badly, or only look so.
@Suite struct FramingTests {
    /// B011, B012, B177: unusual but right.
    @Test(arguments: [
        ("HTTP/1.1 200\r\ncontent-length:2\r\n\r\nok", "", ""),
        ("HTTP/1.1 200 \r\nContent-Length:   2  \r\n\r\nok", "", ""),
        ("HTTP/1.1 200 Fine thank you\r\nContent-Length: 2\r\nX-A: a\r\n  b\r\n\r\nok", "Fine thank you", "a b"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\nX-A:\r\n\r\nok", "OK", ""),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\nX-A: \"a: b\"\r\n\r\nok", "OK", "\"a: b\""),
        ("HTTP/1.1 200 OK\nContent-Length: 2\nX-A: 1\n\nok", "OK", "1"),
        ("HTTP/1.0 200 OK\r\nX-A: 1\r\n\r\nok", "OK", "1"),
    ])
    func takesUnusualHeaders(answer: String, reason: String, value: String) async throws {
        try await withServer { server, client in
            server.enqueue(.raw(answer).closing)
            let response = try await client.get("x")
            #expect(response.content == "ok")
            #expect(response.reason == reason)
            #expect((response.headers["X-A"] ?? "") == value)
        }
    }

    /// B012: a value that is no UTF-8 is ISO-8859-1, and its bytes can be had.
    @Test func readsHeadersThatAreNotUTF8() async throws {
        try await withServer { server, client in
            var bytes = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Name: caf".utf8)
            bytes += [0xE9, 0x0D, 0x0A, 0x0D, 0x0A] + Array("ok".utf8)
            server.enqueue(Answer([.readBody(), .raw(bytes)]))
            let response = try await client.get("x")
            #expect(response.headers["X-Name"] == "café")
            #expect(response.headers.fields.last?.rawValue == Array("caf".utf8) + [0xE9])
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokk",
        "HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\nokk",
        "HTTP/1.1 200 OK\r\nContent-Length: 2,\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nX-A: a\rb\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nbad name: 1\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\n: empty\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: wrapped\r\n\r\nok",
        "hello, I am no HTTP server\r\n\r\n",
        "<html>",
        "\r\n\r\n\r\n",
    ])
    func refusesWhatIsNoHTTP(answer: String) async throws {
        try await withServer { server, client in
            server.enqueue(.raw(answer).closing)
            let error = try await failure { try await client.get("x") }
            #expect(error.code == .invalidResponse, "\(answer.debugDescription): \(error)")
            #expect(error.metrics != nil)
            server.enqueue(.text("well"))
            try await #expect(client.get("y").content == "well")
        }
    }

    /// B138, B139: a body that ends too early is an error, and keeps what the header said.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\nfourteen bytes",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ne\r\nfourteen bytes\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nfourteen bytes",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    ])
    func noticesABodyThatEndsTooEarly(answer: String) async throws {
        try await withServer { server, client in
            server.enqueue(.raw(answer).closing, .raw(answer).closing)
            let error = try await failure { try await client.get("x") }
            #expect(error.code == .incompleteBody || error.code == .connectionLost, "\(error)")
            #expect(error.isConnection)
            #expect(error.phase == .receiving)
            let streamed = try await client.stream(Request(.get, "x"))
            let broken = try await failure { try await streamed.body.collect() }
            #expect(broken.isConnection)
        }
    }

    /// B046: a header that is too large has a name of its own.
    @Test(arguments: [200_000, 90_000]) func boundsOneHeaderLine(size: Int) async throws {
        try await withServer { server, client in
            let value = String(repeating: "a", count: size)
            server.enqueue(.raw("HTTP/1.1 200 OK\r\nX-Big: \(value)\r\nContent-Length: 2\r\n\r\nok").closing)
            if size > 100_000 {
                let error = try await failure { try await client.get("x") }
                #expect(error.code == .responseHeaderTooLarge)
            } else {
                try await #expect(client.get("x").headers["X-Big"]?.count == size)
            }
        }
    }

    @Test func boundsTheHeaderAsAWhole() async throws {
        try await withServer { server, client in
            let line = "X-Many: \(String(repeating: "b", count: 1000))\r\n"
            server.enqueue(
                Answer([
                    .readBody(), .raw("HTTP/1.1 200 OK\r\n"), .repeating(line, every: .zero),
                ]))
            let error = try await failure { try await client.get("x") }
            #expect(error.code == .responseHeaderTooLarge)
        }
    }

    /// B131: a connection that the server ends is not used again.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ])
    func doesNotReuseAConnectionThatEnds(answer: String) async throws {
        try await withServer { server, client in
            server.enqueue(.raw(answer), .text("second"))
            try await #expect(client.get("x").content == "ok")
            try await #expect(client.get("x").content == "second")
            #expect(server.connections.accepted == 2)
        }
    }

    /// What a server sends beyond the end of its answer is never taken for the next one.
    @Test(arguments: ["GARBAGE", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"])
    func ignoresWhatComesAfterTheAnswer(surplus: String) async throws {
        try await withServer { server, client in
            server.enqueue(.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" + surplus), .text("next"))
            try await #expect(client.get("x").content == "ok")
            try await #expect(client.get("y").content == "next")
        }
        try await withServer { server, client in
            server.enqueue(
                .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").then(.repeating("more", every: .zero)))
            try await #expect(client.get("x").content == "ok")
            server.enqueue(.text("next"))
            try await #expect(client.get("y").content == "next")
        }
    }

    /// The pure part: a header in pieces of any kind never traps.
    @Test func readsAnyBytesWithoutTrapping() {
        let header = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: y\r\n z\r\n\r\n".utf8)
        for index in header.indices {
            for byte: UInt8 in [0, 9, 10, 13, 32, 58, 128, 255] {
                var damaged = header
                damaged[index] = byte
                let whole = try? Self.head(damaged)
                #expect(whole.map { $0.headers.count <= 3 } ?? true)
                _ = try? Self.head(Array(damaged[...index]))
                _ = try? Self.trailers(Array(damaged[index...]))
            }
        }
        #expect(throws: ConvoyError.self) { try Self.head(Array("\r\n".utf8)) }
    }

    private static func head(_ bytes: [UInt8]) throws -> ResponseHead? {
        var reader = HeadReader()
        for line in lines(bytes) { if let head = try line.withUnsafeBytes({ try reader.take($0) }) { return head } }
        return nil
    }

    private static func trailers(_ bytes: [UInt8]) throws -> Headers {
        var reader = HeadReader()
        for line in lines(bytes) { try line.withUnsafeBytes { try reader.takeTrailer($0) } }
        return reader.fields
    }

    /// The lines as libcurl hands them over, each with its end.
    private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast().map { $0 + [10] }
    }
}
