import ConvoyCompression
import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// Reports of what broke other clients and fits nowhere else: each call has one outcome, and nothing traps.
@Suite struct HostileServerTests {
    /// B052, complaint 61: damaged answers of every kind are errors of their own call, and the next one works.
    @Test func damagedAnswersHaveOneOutcomeEach() async throws {
        let good = Array(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n"
                .utf8)
        var random = Noise(seed: 7)
        let damaged = (0..<200).map { number in
            var bytes = good
            for _ in 0...Int(random.next() % 3) {
                let place = Int(random.next() % UInt64(bytes.count))
                switch number % 4 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [0x0A] }
            }
            return bytes
        }
        try await withServer(configure: { $0.timeouts.idle = .seconds(5) }) { server, client in
            for bytes in damaged { server.enqueue(Answer([.readBody(), .raw(Data(bytes)), .close])) }
            var failures = 0
            for _ in damaged {
                do {
                    // What still is an answer is none that is longer than what was sent.
                    let body = try await client.get("x").body.data
                    #expect(body.map { $0.count <= good.count } == true)
                } catch is ConvoyError { failures += 1 }
            }
            #expect(failures > damaged.count / 3 && failures < damaged.count)
            #expect(server.requests.count == damaged.count)
            server.enqueue(.text("still here"))
            try await #expect(client.get("y").content == "still here")
        }
    }

    /// Complaint 62: no limit and an enormous stated length reserve nothing ahead, and the cut is an error.
    @Test func anEnormousLengthReservesNothing() async throws {
        try await withServer(configure: { $0.bodyLimit = .max }) { server, client in
            server.enqueue(.head(200, ["Content-Length": "9223372036854775807"]).then(.raw("abc"), .close))
            let cut = try await failure { try await client.get("x") }
            #expect(cut.code == .incompleteBody)
            server.enqueue(.head(200, ["Content-Length": "9223372036854775808"]).then(.raw("abc"), .close))
            let beyond = try await failure { try await client.get("x") }
            #expect(beyond.code == .invalidResponse)
        }
    }

    /// B271: a server that takes the body in small slow sips gets all of it.
    @Test func aSlowReaderGetsTheWholeBody() async throws {
        try await withServer { server, client in
            let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
            let sips = Answer.Step.readBody(pieceSize: 1024, pause: .microseconds(500), keeps: true)
            server.enqueue(Answer([sips, .response(.text("ok"))]))
            try await #expect(
                client.post(
                    "x",
                    body: .stream {
                        AsyncStream<Data> {
                            $0.yield(bytes); $0.finish()
                        }
                    }
                ).content == "ok")
            try await #expect(server.request(at: 0).body == bytes)
        }
    }

    /// B038, B154, B155: a coded body is complete when the message is; progress counts what came over the wire, never
    /// beyond the whole, and a total that is unknown is nil.
    @Test func progressOfACodedBody() async throws {
        try await withServer { server, client in
            let plain = Data(String(repeating: "a long text. ", count: 20_000).utf8)
            let coded = try #require(try Compression.standard.encode(plain, as: "gzip"))
            for isKnown in [true, false] {
                let framing = isKnown ? "Content-Length: \(coded.count)" : "Transfer-Encoding: chunked"
                var answer = Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(framing)\r\n\r\n".utf8)
                if !isKnown { answer += Data("\(String(coded.count, radix: 16))\r\n".utf8) }
                answer += coded
                if !isKnown { answer += Data("\r\n0\r\n\r\n".utf8) }
                server.enqueue(Answer([.readBody(), .raw(answer)]))
                let reports = ProgressLog()
                var request = Request(.get, "x")
                request.progress = ProgressHandler(on: reports.queue) { reports.add($0) }
                try await #expect(client.send(request).body.data == plain)
                let all = reports.all
                #expect(all.last?.received == Int64(coded.count))
                #expect(all.allSatisfy { $0.receiveTotal == (isKnown ? Int64(coded.count) : nil) || $0.received == 0 })
                #expect(all.allSatisfy { ($0.fractionReceived ?? 0) <= 1 })
                #expect(all.map(\.received) == all.map(\.received).sorted())
            }
        }
    }

    /// B044: what one request sets changes nothing for the others of its client.
    @Test func optionsOfARequestAreItsOwn() async throws {
        try await withServer { server, client in
            server.on(nil, "/slow", .text("late").delayed(by: .milliseconds(300)))
            server.on(nil, "/hasty", .stall)
            var hasty = Request(.get, "hasty")
            hasty.timeouts = Timeouts(firstByte: .milliseconds(50))
            hasty.bodyLimit = 1
            hasty.network = Network()
            hasty.network?.versions = .http1
            async let slow = client.get("slow")
            let error = try await failure { [hasty] in try await client.send(hasty) }
            #expect(error.code == .firstByteTimeout)
            let late = try await slow
            #expect(late.content == "late")
        }
    }

    /// Complaint 87: hundreds at once over a few connections all come back, without a thread for each.
    @Test func hundredsAtOnce() async throws {
        try await withServer { server, client in
            server.on(nil, "/*") { .text($0.target) }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<500 {
                    group.addTask { try await client.get("x/\(number)").content == "/x/\(number)" }
                }
                var count = 0
                for try await isRight in group where isRight { count += 1 }
                #expect(count == 500)
            }
            #expect(client.transport.resources.threads == 1)
            #expect(server.connections.accepted <= 6)
        }
    }
}

/// Numbers that look random and are the same each time.
private struct Noise: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}

private final class ProgressLog: Sendable {
    let queue = DispatchQueue(label: "reports")
    private let reports = Locked<[ConvoyCore.Progress]>([])
    /// All, after those that are on their way.
    var all: [ConvoyCore.Progress] { queue.sync { reports.withLock { $0 } } }
    func add(_ progress: ConvoyCore.Progress) { reports.withLock { $0.append(progress) } }
}
