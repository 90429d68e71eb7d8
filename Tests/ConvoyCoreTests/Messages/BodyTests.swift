import ConvoyCore
import Foundation
import Testing

struct BodyTests {
    private func pieces(_ texts: String...) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
    }

    private func temporaryFile(_ data: Data) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("convoy-\(UUID().uuidString)").path
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func whatEachKindKnowsOfItself() {
        let stream = Body.stream(length: 7, contentType: "a/b") { self.pieces("x") }
        let once = Body.once(pieces("x"))
        #expect(Body.none.isNone && Body.none.length == 0 && Body.none.data == Data() && Body.none.contentType == nil)
        let empty = Body.bytes(Data())
        #expect(!empty.isNone && empty.length == 0 && empty.isReplayable)
        #expect(Body.bytes([1, 2, 3]).length == 3 && Body.bytes([1]).contentType == nil)
        #expect(Body.text("ü").length == 2 && Body.text("").contentType == "text/plain; charset=utf-8")
        #expect(Body.form(["a": 1]).contentType == "application/x-www-form-urlencoded")
        #expect(
            Body.json([1]).contentType == "application/json" && Body.json([1]).data == nil
                && Body.json([1]).length == nil)
        #expect(Body.file("/x").isReplayable && Body.file("/x").length == nil && Body.file("/x").data == nil)
        #expect(stream.isReplayable && stream.length == 7 && stream.contentType == "a/b" && stream.data == nil)
        #expect(!once.isReplayable && once.length == nil && !once.isNone)
    }

    @Test func readingGivesNoEmptyPieces() async throws {
        var read: [String] = []
        for try await piece in Body.once(pieces("", "a", "", "", "b", "")) {
            read.append(String(decoding: piece, as: UTF8.self))
        }
        #expect(read == ["a", "b"])
        for body in [Body.none, .bytes(Data())] {
            for try await _ in body { Issue.record("a piece of nothing") }
        }
        #expect(try await Body.text("xyz").collect() == Data("xyz".utf8))
    }

    @Test func aStreamThatIsMadeAfreshCanBeReadAgain() async throws {
        let body = Body.stream { self.pieces("a", "b") }
        #expect(try await body.collect() == Data("ab".utf8))
        #expect(try await body.collect() == Data("ab".utf8))
    }

    @Test func aStreamOnceReadIsRefused() async throws {
        let body = Body.once(pieces("a"))
        let copy = body
        #expect(try await body.collect() == Data("a".utf8))
        #expect(await failure { try await copy.collect() }?.code == .bodyNotReplayable)
    }

    @Test func collectingStopsAtTheLimit() async throws {
        #expect(try await Body.text("abc").collect(upTo: 3) == Data("abc".utf8))
        #expect(await failure { try await Body.text("abc").collect(upTo: 2) }?.code == .bodyTooLarge)
        #expect(try await Body.once(pieces("ab", "c")).collect(upTo: 3) == Data("abc".utf8))
        #expect(await failure { try await Body.once(pieces("ab", "c")).collect(upTo: 2) }?.code == .bodyTooLarge)
        let endless = Body.stream { AsyncStream<Data> { Data(count: 1000) } }
        #expect(await failure { try await endless.collect(upTo: 10_000) }?.code == .bodyTooLarge)
        #expect(try await Body.none.collect(upTo: 0) == Data())
        #expect(try await Body.text("abc").collect(upTo: .max) == Data("abc".utf8))
    }

    @Test func aStreamsOwnErrorComesThrough() async {
        let body = Body.once(AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Foreign(number: 3)) })
        await #expect(throws: Foreign(number: 3)) { try await body.collect() }
    }

    @Test func aFileIsReadInPieces() async throws {
        let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let path = try temporaryFile(data)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var sizes: [Int] = []
        var whole = Data()
        for try await piece in Body.file(path) {
            sizes.append(piece.count)
            whole += piece
        }
        #expect(whole == data)
        #expect(sizes == [65536, 65536, 65536, 3392])
        #expect(try await Body.file(path).collect() == data)
        #expect(await failure { try await Body.file(path).collect(upTo: 100) }?.code == .bodyTooLarge)
    }

    @Test(arguments: ["/nonexistent/file", "/", "/tmp", "", "/dev/null", "/etc/hostname\0.txt"])
    func whatIsNoFileIsRefusedByName(path: String) async throws {
        let error = try #require(await failure { try await Body.file(path).collect() })
        #expect(error.code == .bodyUnreadable)
        if !path.utf8.contains(0) { #expect(error.message.contains("\"\(path)\"")) }
    }

    /// Opening a pipe that nobody writes to waits forever, unless one is careful.
    @Test(.timeLimit(.minutes(1))) func aPipeIsRefusedAndNotWaitedFor() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("convoy-\(UUID().uuidString)").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        // Where it is waited for, a writer comes and ends the wait.
        let waited = Journal()
        DispatchQueue.global().asyncAfter(deadline: .now() + 10) {
            waited.note("yes")
            close(open(path, O_WRONLY | O_NONBLOCK))
        }
        #expect(await failure { try await Body.file(path).collect() }?.code == .bodyUnreadable)
        #expect(waited.all.isEmpty)
    }

    @Test func aValueIsEncodedByAClientOnly() async {
        #expect(await failure { try await Body.json([1]).collect() }?.code == .encodingFailed)
    }

    @Test func contentTypeComesFromTheBodyUnlessTheUserSetOne() async throws {
        let transport = FakeTransport()
        let client = Client(transport: transport)
        _ = try await client.post("http://h/", body: .json(["a": "b/c"]))
        _ = try await client.post("http://h/", body: .json([1]), headers: ["content-type": "application/vnd.x+json"])
        _ = try await client.post("http://h/", body: .bytes([1]))
        _ = try await client.post("http://h/")
        #expect(
            transport.requests.map { $0.headers.values(for: "Content-Type") }
                == [["application/json"], ["application/vnd.x+json"], [], []])
        #expect(transport.requests.first?.body.data == Data(#"{"a":"b/c"}"#.utf8))
        #expect(transport.requests.last?.body.isNone == true)
    }

    @Test func whatCannotBeEncodedIsNotSent() async {
        struct Shy: Encodable { func encode(to encoder: any Encoder) throws { throw Foreign(number: 9) } }
        let transport = FakeTransport()
        let error = await failure { try await Client(transport: transport).post("http://h/", body: .json(Shy())) }
        #expect(error?.code == .encodingFailed)
        #expect(error?.message.contains("Shy") == true)
        #expect(error?.underlying as? Foreign == Foreign(number: 9))
        #expect(transport.requests.isEmpty)
    }

    @Test func theEncoderIsReplaceable() async throws {
        struct Upper: BodyEncoder {
            func encode(_ value: some Encodable, request: Request) throws -> Data {
                Data("\(request.method):\(value)".utf8)
            }
        }
        let transport = FakeTransport()
        let client = Client(transport: transport) { $0.encoder = Upper() }
        _ = try await client.put("http://h/", body: .json("x"))
        #expect(transport.requests.first?.body.data == Data("PUT:x".utf8))
    }
}
