import ConvoyCore
import Foundation

/// A transport that answers by a closure and remembers what it was asked.
final class FakeTransport: Transport {
    private struct State {
        var requests: [Request] = []
        var shutdowns = 0
    }

    let capabilities: TransportCapabilities
    private let state = Locked(State())
    private let answer: @Sendable (Request, Int) async throws -> Response

    /// The closure gets the request and its number, from 1 on.
    init(
        codings: [String] = [],
        _ answer: @escaping @Sendable (Request, Int) async throws -> Response = { _, _ in Response(status: 200) }
    ) {
        capabilities = TransportCapabilities(name: "fake", contentCodings: codings)
        self.answer = answer
    }

    var requests: [Request] { state.withLock { $0.requests } }
    var shutdowns: Int { state.withLock { $0.shutdowns } }
    /// The addresses that were asked for, as an engine sees them.
    var addresses: [String] { requests.map { $0.uri?.description ?? "(unresolved)" } }

    func exchange(_ request: Request) async throws -> Response {
        let number = state.withLock { state in
            state.requests.append(request)
            return state.requests.count
        }
        return try await answer(request, number)
    }

    func shutdown() async { state.withLock { $0.shutdowns += 1 } }
}

/// Lets one task wait until another says go on; cancelling the one that waits ends its wait.
struct Gate: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    func wait() async throws {
        for await _ in stream {}
        try Task.checkCancellation()
    }
}

/// Remembers what happened, in order.
final class Journal: Sendable {
    private let lines = Locked<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func note(_ line: String) { lines.withLock { $0.append(line) } }
}

/// A plugin of two closures.
struct Around: Plugin {
    typealias Work = @Sendable (Request, Context, Next) async throws -> Response

    var name: String
    var onCall: Work
    var onExchange: Work

    init(
        _ name: String = "around", call: @escaping Work = { request, _, next in try await next(request) },
        exchange: @escaping Work = { request, _, next in try await next(request) }
    ) {
        self.name = name
        onCall = call
        onExchange = exchange
    }

    func call(_ request: Request, context: Context, next: Next) async throws -> Response {
        try await onCall(request, context, next)
    }

    func exchange(_ request: Request, context: Context, next: Next) async throws -> Response {
        try await onExchange(request, context, next)
    }
}

/// An error of no library.
struct Foreign: Error, Equatable {
    var number = 0
}

/// The error that some work throws, as ours.
func failure(_ work: () async throws -> some Any) async -> ConvoyError? {
    do {
        _ = try await work()
        return nil
    } catch { return error as? ConvoyError }
}

/// The address that a client with this base URL sends a request to.
func sent(_ address: Address, base: String? = nil) async throws -> String {
    let transport = FakeTransport()
    _ = try await Client(baseURL: base, transport: transport).send(Request(.get, address))
    return transport.addresses.joined(separator: " ")
}
