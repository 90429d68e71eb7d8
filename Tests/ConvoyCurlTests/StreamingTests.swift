import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

@Suite struct StreamingTests {
    /// B033: the response is there at its header, and pieces as they come.
    @Test func handsPiecesOutAsTheyCome() async throws {
        try await withServer { server, client in
            server.on(
                .get, "/x",
                Answer.head(200, ["Content-Length": "6"]).then(.raw("abc"), .pause(.milliseconds(30)), .raw("def")))
            let response = try await client.stream(Request(.get, "x"))
            #expect(response.status == .ok)
            #expect(response.body.length == 6)
            #expect(response.body.data == nil)
            var pieces: [String] = []
            for try await piece in response.body { pieces.append(String(decoding: piece, as: UTF8.self)) }
            #expect(pieces.joined() == "abcdef")
            #expect(pieces.count >= 2)
        }
    }

    /// The server has to wait for a reader that is behind: what lies between the two is bounded.
    @Test func holdsNoMoreThanABound() async throws {
        let resumed = Counter()
        let channel = BodyChannel(resume: { resumed.add(1) })
        let piece = Data(repeating: 1, count: 10_000)
        func fill() -> Int {
            var taken = 0
            while piece.withUnsafeBytes({ channel.offer($0) }) { taken += piece.count }
            return taken
        }
        var held = fill()
        #expect(held >= 256 << 10 && held < 256 << 10 + 10_000)
        // It goes on when the reader has caught up, once for each time it waited.
        while resumed.value == 0, let next = try await channel.next() { held -= next.count }
        #expect(held < 64 << 10)
        #expect(fill() + held < 256 << 10 + 10_000)
        channel.finish(.success(()))
        while try await channel.next() != nil {}
        #expect(resumed.value == 2)
    }

    @Test func readsALargeBodyWhole() async throws {
        try await withServer { server, client in
            let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 8) })
            server.enqueue(.bytes(bytes))
            let body = try await client.stream(Request(.get, "x")).body
            var whole = Data()
            var count = 0
            for try await piece in body {
                whole.append(piece)
                count += 1
                if count % 7 == 0 { await Task.yield() }
            }
            #expect(whole == bytes)
        }
    }

    /// A body that nobody reads any more ends its exchange.
    @Test func endsWhenDropped() async throws {
        try await withServer { server, client in
            server.enqueue(Answer([.readBody(), .raw("HTTP/1.1 200 OK\r\n\r\n"), .repeating(Data(count: 65536))]))
            do { _ = try await client.stream(Request(.get, "x")) }
            _ = try await server.request(at: 0) { $0.isAbandoned }
            server.enqueue(Answer([.readBody(), .raw("HTTP/1.1 200 OK\r\n\r\n"), .repeating(Data(count: 65536))]))
            for try await piece in try await client.stream(Request(.get, "x")).body where !piece.isEmpty { break }
            _ = try await server.request(at: 1) { $0.isAbandoned }
        }
    }

    @Test func isReadOnce() async throws {
        try await withServer { server, client in
            server.enqueue(.text("once"))
            let response = try await client.stream(Request(.get, "x"))
            try await #expect(response.body.collect() == Data("once".utf8))
            let error = try await failure { try await response.body.collect() }
            #expect(error.code == .bodyNotReplayable)
        }
    }

    /// A refused answer of a streamed request is thrown with its body.
    @Test func collectsARefusedAnswer() async throws {
        try await withServer { server, client in
            server.enqueue(.json(#"{"error": "no"}"#, status: .badRequest))
            let error = try await failure { try await client.stream(Request(.get, "x")) }
            #expect(error.status == .badRequest)
            #expect(error.response?.content == #"{"error": "no"}"#)
        }
    }

    @Test func boundsWhatIsKeptInMemory() async throws {
        try await withServer(configure: { $0.bodyLimit = 1000 }) { server, client in
            server.enqueue(.text(String(repeating: "a", count: 1000)))
            try await #expect(client.get("x").content.count == 1000)
            // With a stated length nothing of the body is read, without one no more than the limit.
            server.enqueue(.text(String(repeating: "a", count: 1001)))
            let stated = try await failure { try await client.get("x") }
            #expect(stated.code == .bodyTooLarge)
            server.enqueue(Answer([.readBody(), .raw("HTTP/1.1 200 OK\r\n\r\n"), .repeating(Data(count: 65536))]))
            let endless = try await failure { try await client.get("x") }
            #expect(endless.code == .bodyTooLarge)
            #expect(endless.message.contains("1000"))
        }
    }

    @Test func writesToAFile() async throws {
        try await withServer { server, client in
            let path = FileManager.default.temporaryDirectory.appending(path: "convoy-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            server.enqueue(.bytes(Data(repeating: 7, count: 1_000_000)))
            var request = Request(.get, "x")
            request.delivery = .file(path: path)
            let response = try await client.send(request)
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(repeating: 7, count: 1_000_000))
            #expect(response.body.data == nil)
            try await #expect(response.collected().body.data?.count == 1_000_000)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)

            // The body of a refused answer never touches the file.
            server.enqueue(.text("gone", status: .notFound))
            let sent = request
            let error = try await failure { try await client.send(sent) }
            #expect(error.response?.content == "gone")
            #expect(try Data(contentsOf: URL(filePath: path)).count == 1_000_000)

            request.delivery = .file(path: "/no/such/folder/file")
            server.enqueue(.text("abc"))
            let unwritable = request
            let denied = try await failure { try await client.send(unwritable) }
            #expect(denied.code == .fileNotWritable)
            #expect(denied.message.contains("/no/such/folder/file"))
            #expect(denied.message.contains("No such file or directory"))
        }
    }
}
