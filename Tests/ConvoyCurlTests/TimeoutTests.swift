import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// B009, B019, B057, B137, B141: each time limit by itself, against the fault it is for.
@Suite struct TimeoutTests {
    private func request(_ timeouts: Timeouts, _ address: String = "x") -> Request {
        var request = Request(.get, address)
        request.timeouts = timeouts
        return request
    }

    /// A listener that accepts no connection: its queue is full.
    @Test func endsConnectingInTime() async throws {
        let listener = try DeafListener()
        let request = request(Timeouts(connect: .milliseconds(200)), "http://127.0.0.1:\(listener.port)/x")
        let client = Client(transport: CurlTransport()) {
            $0.network.proxy = .none
            $0.retry = .none
        }
        let start = ContinuousClock.now
        let error = try await failure { try await client.send(request) }
        #expect(error.code == .connectTimeout)
        #expect(error.message.contains("200 ms"))
        #expect(error.phase == .connecting)
        #expect(error.metrics != nil)
        #expect(ContinuousClock.now - start < .seconds(30))
        await client.shutdown()
    }

    /// The server's TLS never answers: that is connecting, too.
    @Test func endsATLSHandshakeInTime() async throws {
        try await withServer { server, client in
            server.enqueue(connections: [.stall])
            let request = request(Timeouts(connect: .milliseconds(200)), "https://127.0.0.1:\(server.port)/x")
            let error = try await failure { try await client.send(request) }
            #expect(error.code == .connectTimeout)
        }
    }

    @Test func endsWaitingForTheFirstByte() async throws {
        try await withServer { server, client in
            server.enqueue(.stall)
            let request = request(Timeouts(firstByte: .milliseconds(150)))
            let error = try await failure { try await client.send(request) }
            #expect(error.code == .firstByteTimeout)
            #expect(error.message.contains("150 ms"))
            #expect(error.phase == .waiting)
            _ = try await server.request(at: 0) { $0.isAbandoned }
        }
    }

    /// The limit on the first byte begins when the body has gone out, however long that takes.
    @Test func doesNotCountSendingAsWaiting() async throws {
        try await withServer { server, client in
            server.enqueue(.text("ok"))
            var request = Request(.post, "x")
            request.timeouts = Timeouts(firstByte: .milliseconds(200))
            request.body = .stream(length: 4) { SlowPieces(count: 4, interval: .milliseconds(120)) }
            try await #expect(client.send(request).status == .ok)
        }
    }

    @Test(arguments: [0, 5]) func endsSilence(bytes: Int) async throws {
        try await withServer { server, client in
            server.enqueue(.text("1234567890").stalled(after: bytes))
            let error = try await failure { try await client.send(request(Timeouts(idle: .milliseconds(150)))) }
            #expect(error.code == .idleTimeout)
            #expect(error.message.contains("150 ms"))
            #expect(error.phase == .receiving)
            if bytes > 0 { #expect(error.message.contains("5 of 10 bytes")) }
            _ = try await server.request(at: 0) { $0.isAbandoned }
        }
    }

    /// A server that stops reading is silent, too.
    @Test func endsSilenceWhileSending() async throws {
        try await withServer { server, client in
            server.enqueue(Answer([.readBody(upTo: 1000), .stall]))
            var request = Request(.put, "x")
            request.body = .bytes(Data(count: 32 << 20))
            request.timeouts = Timeouts(idle: .milliseconds(200))
            let sent = request
            let error = try await failure { try await client.send(sent) }
            #expect(error.code == .idleTimeout)
            #expect(error.phase == .sending)
        }
    }

    /// A server that drips is not silent, also within a header line.
    @Test func doesNotTakeADripForSilence() async throws {
        try await withServer { server, client in
            server.enqueue(.text("12345").dripping(1, every: .milliseconds(10)))
            let response = try await client.send(request(Timeouts(idle: .milliseconds(300))))
            #expect(response.content == "12345")
        }
    }

    /// Time in which our own side has nothing to send, or does not read, is not the server's silence.
    @Test func doesNotCountOwnPauses() async throws {
        try await withServer { server, client in
            server.enqueue(.text("ok"), .bytes(Data(count: 8 << 20)))
            var request = Request(.post, "x")
            request.timeouts = Timeouts(idle: .milliseconds(150))
            request.body = .stream { SlowPieces(count: 3, interval: .milliseconds(300)) }
            try await #expect(client.send(request).content == "ok")

            request = Request(.get, "y")
            request.timeouts = Timeouts(idle: .milliseconds(150))
            let response = try await client.stream(request)
            var count = 0
            for try await piece in response.body {
                if count == 0 { try await Task.sleep(for: .milliseconds(400)) }
                count += piece.count
            }
            #expect(count == 8 << 20)
        }
    }

    /// B009: the whole call is bounded, also where something comes all the time.
    @Test func endsTheWholeCall() async throws {
        try await withServer { server, client in
            server.enqueue(Answer.head(200).then(.repeating("a", every: .milliseconds(20))))
            let error = try await failure { try await client.send(request(Timeouts(total: .milliseconds(250)))) }
            #expect(error.code == .totalTimeout)
            #expect(error.isTimeout)
            #expect(error.message.contains("250 ms"))
            #expect(error.phase == .receiving)
            #expect(error.metrics?.receivedBodyBytes ?? 0 > 0)
            _ = try await server.request(at: 0) { $0.isAbandoned }
        }
    }

    /// It bounds a body that is streamed, after the call has given its response.
    @Test func endsAStreamedBody() async throws {
        try await withServer { server, client in
            server.enqueue(Answer.head(200).then(.repeating("a", every: .milliseconds(20))))
            let response = try await client.stream(request(Timeouts(total: .milliseconds(250))))
            let error = try await failure { try await response.body.collect() }
            #expect(error.code == .totalTimeout)
            _ = try await server.request(at: 0) { $0.isAbandoned }
        }
    }
}

/// Pieces of one byte that come slowly.
struct SlowPieces: AsyncSequence, Sendable {
    let count: Int
    let interval: Duration

    func makeAsyncIterator() -> Iterator { Iterator(left: count, interval: interval) }

    struct Iterator: AsyncIteratorProtocol {
        var left: Int
        let interval: Duration

        mutating func next() async throws -> Data? {
            guard left > 0 else { return nil }
            left -= 1
            try await Task.sleep(for: interval)
            return Data("x".utf8)
        }
    }
}

/// A port on which a connection is never completed: nobody accepts, and the queue is full.
final class DeafListener {
    let port: UInt16
    private var descriptors: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptors.append(listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, size) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, pointer, &size) == 0
            }
        }
        try #require(bound)
        port = UInt16(bigEndian: address.sin_port)
        for _ in 0..<4 {
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            withUnsafePointer(to: &address) { pointer in
                _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(filler, $0, size) }
            }
            descriptors.append(filler)
        }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}
