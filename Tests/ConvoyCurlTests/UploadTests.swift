import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Synchronization
import Testing

@testable import ConvoyCurl

@Suite struct UploadTests {
    @Test func sendsAFile() async throws {
        try await withServer { server, client in
            let path = FileManager.default.temporaryDirectory.appending(path: "convoy-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let bytes = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 11) })
            try bytes.write(to: URL(filePath: path))
            server.on(.put, "/x") { .text($0.body == bytes ? "same" : "other") }
            try await #expect(client.put("x", body: .file(path, contentType: "text/plain")).content == "same")
            let request = try await server.request(at: 0)
            #expect(request.headers["Content-Length"] == "2000000")
            #expect(request.headers["Content-Type"] == "text/plain")
            try Data().write(to: URL(filePath: path))
            server.on(.put, "/y") { .text("\($0.body.count)") }
            try await #expect(client.put("y", body: .file(path)).content == "0")
        }
    }

    /// A file that is not there fails before anything is sent, and names the path.
    @Test(arguments: ["/no/such/file", "/tmp", "/dev/null"]) func namesAFileThatCannotBeRead(path: String) async throws
    {
        try await withServer { server, client in
            let error = try await failure { try await client.put("x", body: .file(path)) }
            #expect(error.code == .bodyUnreadable)
            #expect(error.message.contains(path))
            #expect(server.connections.accepted == 0)
        }
    }

    /// B031: a stream that is to be sent again is made afresh.
    @Test func sendsAStreamOfUnknownLength() async throws {
        try await withServer { server, client in
            server.on(.post, "/x") { .text($0.text) }
            let body = Body.stream(contentType: "text/plain") { Pieces(["ab", "", "c", "def"]) }
            try await #expect(client.post("x", body: body).content == "abcdef")
            let request = try await server.request(at: 0)
            #expect(request.headers["Transfer-Encoding"] == "chunked")
            #expect(!request.headers.contains("Content-Length"))
            // It is made afresh for each sending.
            try await #expect(client.post("x", body: body).content == "abcdef")
        }
    }

    @Test func sendsAStreamOfKnownLength() async throws {
        try await withServer { server, client in
            server.on(.post, "/x") { .text($0.text) }
            try await #expect(client.post("x", body: .stream(length: 3) { Pieces(["a", "bc"]) }).content == "abc")
            try await #expect(server.request(at: 0).headers["Content-Length"] == "3")
        }
    }

    /// A stream that gives more or less than it announced is an error, never a message that looks complete.
    @Test(arguments: [(["ab"], 3), (["abc", "d"], 3), (["abcd"], 3), ([], 1)] as [([String], Int64)])
    func noticesAWrongLength(pieces: [String], length: Int64) async throws {
        try await withServer { server, client in
            server.on(.post, "/x") { .text($0.text) }
            let body = Body.stream(length: length) { Pieces(pieces) }
            do {
                let response = try await client.post("x", body: body)
                // All that was announced had gone out before the surplus was seen: the server has what it was promised.
                #expect(pieces == ["abc", "d"] && response.content == "abc")
            } catch let error as ConvoyError {
                #expect(error.code == .bodyUnreadable, "\(error)")
            }
        }
    }

    /// A stream that fails ends the exchange with its error; the server never sees an end of the message.
    @Test func carriesTheErrorOfAStream() async throws {
        struct Broken: Error {}
        try await withServer { server, client in
            server.enqueue(.text("never"))
            let body = Body.stream { Pieces(["ab"], error: Broken()) }
            let error = try await failure { try await client.post("x", body: body) }
            #expect(error.code == .bodyUnreadable)
            #expect(error.underlying is Broken)
            let request = try await server.request(at: 0) { $0.isAbandoned }
            #expect(!request.isBodyComplete)
        }
    }

    /// A slow server slows the stream down: no more than a bound is read ahead.
    @Test func readsAheadNoMoreThanABound() async throws {
        let feed = UploadFeed(resume: {})
        let counter = Counter()
        let pump = Task { await feed.pump(.stream { Endless(counter: counter) }, length: nil) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100_000, alignment: 1)
        defer { buffer.deallocate() }
        var taken = 0
        while taken < 20 << 20 {
            if case .bytes(let count) = feed.take(into: buffer) { taken += count } else { await Task.yield() }
            #expect(counter.value - taken <= 256 << 10 + 65536)
        }
        feed.close()
        await pump.value
    }

    /// B132: an answer that comes while the body is still going out is the answer.
    @Test(arguments: [413, 401, 403]) func takesAnEarlyAnswer(code: Int) async throws {
        try await withServer { server, client in
            server.enqueue(.text("too much", status: Status(code)).early)
            var request = Request(.post, "x")
            request.body = .stream(length: 64 << 20) { Endless(counter: Counter(), limit: 64 << 20) }
            let sent = request
            let error = try await failure { try await client.send(sent) }
            #expect(error.code == .unacceptableStatus, "\(error)")
            #expect(error.status?.code == code)
            #expect(error.response?.content == "too much")
        }
    }

    /// An upload that was cut short leaves nothing behind that a later one trips over.
    @Test func sendsWellAfterAnUploadWasCutShort() async throws {
        try await withServer { server, client in
            server.on(.post, "/early", Answer.status(413).early)
            server.on(.post, "/x") { .text("\($0.body.count)") }
            for _ in 0..<20 {
                let large = Body.stream { Endless(counter: Counter(), limit: 4 << 20) }
                _ = try await failure { try await client.post("early", body: large) }
                let body = Body.stream { Endless(counter: Counter(), limit: 100_000) }
                try await #expect(client.post("x", body: body).content == "100000")
            }
        }
    }

    @Test func saysWhenTheConnectionBreaksWhileSending() async throws {
        try await withServer { server, client in
            server.enqueue(Answer([.readBody(upTo: 100_000), .reset]))
            let error = try await failure { try await client.put("x", body: .bytes(Data(count: 32 << 20))) }
            #expect(error.code == .connectionLost)
            #expect(error.phase == .sending)
        }
    }

    @Test func reportsProgressBothWays() async throws {
        try await withServer { server, client in
            server.enqueue(Answer([.readBody(keeps: false), .response(.bytes(Data(count: 4 << 20)))]))
            let reports = Reports()
            let queue = DispatchQueue(label: "progress")
            var request = Request(.put, "x")
            request.body = .bytes(Data(count: 3 << 20))
            request.progress = ProgressHandler(on: queue) { reports.add($0) }
            _ = try await client.send(request)
            queue.sync {}
            let all = reports.all
            let last = try #require(all.last)
            #expect(last.sent == 3 << 20)
            #expect(last.sendTotal == 3 << 20)
            #expect(last.received == 4 << 20)
            #expect(last.receiveTotal == 4 << 20)
            #expect(last.fractionSent == 1 && last.fractionReceived == 1)
            for (earlier, later) in zip(all, all.dropFirst()) {
                #expect(earlier.sent <= later.sent && earlier.received <= later.received)
            }
        }
    }
}

/// A few pieces, and then an error if there is one.
struct Pieces: AsyncSequence, Sendable {
    let texts: [String]
    let error: (any Error)?

    init(_ texts: [String], error: (any Error)? = nil) {
        self.texts = texts
        self.error = error
    }

    func makeAsyncIterator() -> Iterator { Iterator(texts: texts[...], error: error) }

    struct Iterator: AsyncIteratorProtocol {
        var texts: ArraySlice<String>
        let error: (any Error)?

        mutating func next() async throws -> Data? {
            if let text = texts.popFirst() { return Data(text.utf8) }
            if let error { throw error }
            return nil
        }
    }
}

/// Zeros without end, or up to a limit; counted.
struct Endless: AsyncSequence, Sendable {
    let counter: Counter
    var limit = Int.max

    func makeAsyncIterator() -> Iterator { Iterator(counter: counter, left: limit) }

    struct Iterator: AsyncIteratorProtocol {
        let counter: Counter
        var left: Int

        mutating func next() async throws -> Data? {
            guard left > 0 else { return nil }
            let piece = Data(count: Swift.min(left, 65536))
            left -= piece.count
            counter.add(piece.count)
            return piece
        }
    }
}

final class Counter: Sendable {
    private let count = Atomic(0)
    func add(_ number: Int) { count.add(number, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
}

final class Reports: Sendable {
    private let reports = Locked<[ConvoyCore.Progress]>([])
    func add(_ progress: ConvoyCore.Progress) { reports.withLock { $0.append(progress) } }
    var all: [ConvoyCore.Progress] { reports.withLock { $0 } }
}
