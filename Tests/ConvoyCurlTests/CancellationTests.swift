import ConvoyCore
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

@testable import ConvoyCurl

/// A cancelled call ends at once in every phase, with one outcome, and gives its connection back.
@Suite struct CancellationTests {
    private func cancels(
        _ request: Request, _ client: Client, when: () async throws -> Void,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ConvoyError {
        let call = client.start(request)
        try await when()
        let start = ContinuousClock.now
        call.cancel()
        let error = try await failure(sourceLocation) { try await call.response }
        #expect(error.code == .cancelled, sourceLocation: sourceLocation)
        #expect(error.isCancelled, sourceLocation: sourceLocation)
        #expect(ContinuousClock.now - start < .seconds(8), sourceLocation: sourceLocation)
        return error
    }

    @Test func beforeItBegins() async throws {
        try await withServer { server, client in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.get("x")
            }
            let error = try await failure { try await task.value }
            #expect(error.code == .cancelled)
            #expect(server.requests.isEmpty)
        }
    }

    /// Complaint 66: a cancelled call keeps no place in the queue.
    @Test func whileItWaitsForAConnection() async throws {
        try await withServer(connectionsPerHost: 1) { server, client in
            server.on(nil, "/first", .stall)
            let first = client.start(Request(.get, "first"))
            _ = try await server.request(at: 0)
            _ = try await cancels(Request(.get, "second"), client) {
                try await client.hasExchanges(2)
            }
            first.cancel()
            _ = try await failure { try await first.response }
            #expect(server.requests.count == 1)
        }
    }

    @Test func whileItConnects() async throws {
        let listener = try DeafListener()
        try await withServer { _, client in
            let request = Request(.get, "http://127.0.0.1:\(listener.port)/x")
            let error = try await cancels(request, client) { try await client.hasExchanges(1) }
            #expect(error.phase == .connecting)
        }
    }

    @Test func whileTLSIsNegotiated() async throws {
        try await withServer { server, client in
            server.enqueue(connections: [.stall])
            let request = Request(.get, "https://127.0.0.1:\(server.port)/x")
            _ = try await cancels(request, client) { try await server.waitForConnections(open: 1) }
        }
    }

    @Test func whileItSends() async throws {
        try await withServer { server, client in
            server.enqueue(Answer([.readBody(upTo: 1000), .stall]))
            var request = Request(.put, "x")
            request.body = .bytes(Data(count: 32 << 20))
            let error = try await cancels(request, client) { _ = try await server.request(at: 0) }
            #expect(error.phase == .sending)
            _ = try await server.request(at: 0) { $0.isAbandoned }
        }
    }

    @Test func whileItsStreamHasNothingToSend() async throws {
        try await withServer { server, client in
            server.enqueue(.text("never"))
            var request = Request(.put, "x")
            let (pieces, _) = AsyncStream<Data>.makeStream()
            request.body = .once(pieces)
            _ = try await cancels(request, client) { _ = try await server.request(at: 0) }
            _ = try await server.request(at: 0) { $0.isAbandoned }
        }
    }

    @Test func whileItWaitsForAnAnswer() async throws {
        try await withServer { server, client in
            server.enqueue(.stall)
            let error = try await cancels(Request(.get, "x"), client) { _ = try await server.request(at: 0) }
            #expect(error.phase == .waiting)
            #expect(error.metrics?.connection != nil)
            _ = try await server.request(at: 0) { $0.isAbandoned }
        }
    }

    @Test func whileTheAnswerComes() async throws {
        try await withServer { server, client in
            server.enqueue(.text("1234567890").stalled(after: 5))
            let seen = Seen()
            var request = Request(.get, "x")
            request.progress = ProgressHandler(on: .global()) { if $0.received == 5 { seen.signal() } }
            let error = try await cancels(request, client) { await seen.wait() }
            #expect(error.phase == .receiving)
            _ = try await server.request(at: 0) { $0.isAbandoned }
        }
    }

    @Test func whileABodyIsRead() async throws {
        try await withServer { server, client in
            server.enqueue(.text("1234567890").stalled(after: 5))
            let seen = Seen()
            let task = Task {
                var text = ""
                for try await piece in try await client.stream(Request(.get, "x")).body {
                    text += String(decoding: piece, as: UTF8.self)
                    seen.signal()
                }
                return text
            }
            await seen.wait()
            task.cancel()
            let error = try await failure { try await task.value }
            #expect(error.isCancelled)
            _ = try await server.request(at: 0) { $0.isAbandoned }
        }
    }

    /// B233 and kin: thousands of cancels at any moment leave one outcome each and nothing behind.
    @Test func thousandsAtAnyMoment() async throws {
        try await withServer { server, client in
            server.on(nil, "/*", .text("ok"))
            var generator = SystemRandomNumberGenerator()
            var outcomes = 0
            for _ in 0..<40 {
                let calls = (0..<50).map { client.start(Request(.get, "x/\($0)")) }
                for call in calls {
                    if Int.random(in: 0..<4, using: &generator) == 0 { await Task.yield() }
                    if Bool.random(using: &generator) { call.cancel() }
                }
                for call in calls {
                    do { try await #expect(call.response.status == .ok) } catch let error as ConvoyError {
                        #expect(error.isCancelled, "\(error)")
                    }
                    outcomes += 1
                }
            }
            #expect(outcomes == 2000)
            try await #expect(client.get("after").content == "ok")
        }
    }

    /// An outcome that is there stays, also when the call is cancelled afterwards.
    @Test func afterItHasEnded() async throws {
        try await withServer { server, client in
            server.enqueue(.text("done"))
            let call = client.start(Request(.get, "x"))
            try await #expect(call.response.content == "done")
            call.cancel()
            try await #expect(call.response.content == "done")
        }
    }
}

/// Something that happens once and can be waited for.
final class Seen: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }
    func signal() { continuation.yield() }
    func wait() async { for await _ in stream { return } }
}
