import ConvoyCore
import ConvoyServer
import Synchronization

/// The state of a `TestServer`: its script, what came, and who waits for what.
final class Recorder: Sendable {
    struct State {
        var records: [RecordedRequest] = []
        var connections = Server.Connections()
        var scripts: [Script] = []
        var routes: [Route] = []
        var fallback = Routes()
        var greetings: [[Answer.Step]] = []
        fileprivate var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        fileprivate var nextListener = 0
    }

    /// Answers that are taken in order.
    struct Script {
        let method: Method?
        /// The pattern of the paths it is for; nil for any.
        let pattern: String?
        var answers: [Answer]
    }

    struct Route {
        let method: Method?
        let pattern: String
        let readsBody: Bool
        let answer: @Sendable (ServerRequest) throws -> Answer
    }

    private let state = Mutex(State())

    func read<Result: Sendable>(_ body: (State) -> Result) -> Result { state.withLock { body($0) } }

    /// Changes the state and wakes who waits.
    @discardableResult
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer { state.listeners.values.forEach { $0.yield() } }
            return body(&state)
        }
    }

    func change(record index: Int, _ body: (inout RecordedRequest) -> Void) {
        change { state in
            if state.records.indices.contains(index) { body(&state.records[index]) }
        }
    }

    /// The value as soon as there is one. Throws `.totalTimeout` when the time is over, and `CancellationError`.
    func wait<Value: Sendable>(
        within limit: Duration, for what: String, _ value: @escaping @Sendable (State) -> Value?
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { await self.wait(value) }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            if let found = try await group.next() ?? nil { return found }
            try Task.checkCancellation()
            // It may have come at the last moment.
            if let found = read(value) { return found }
            throw ConvoyError(.totalTimeout, "waited \(limit) for \(what); \(summary)")
        }
    }

    private func wait<Value: Sendable>(_ value: @Sendable (State) -> Value?) async -> Value? {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listener = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = continuation
            return state.nextListener
        }
        defer { state.withLock { $0.listeners[listener] = nil } }
        if let found = read(value) { return found }
        for await _ in changes {
            if let found = read(value) { return found }
        }
        return nil
    }

    private var summary: String {
        read { state in
            let lines = state.records.map { "\($0.method) \($0.target) on connection \($0.connection)" }
            let came = lines.isEmpty ? "no request came" : "came: " + lines.joined(separator: ", ")
            return "\(came); \(state.connections.open) of \(state.connections.accepted) connections are open"
        }
    }

    /// What is scripted for a request: an answer of the scripts for its path, one of those for any path, or a route.
    func next(for request: ServerRequest) -> (answer: Answer?, route: Route?) {
        change { state in
            let path = Routes.segments(request.path)
            func fits(_ method: Method?, _ pattern: String?) -> Bool {
                guard method == nil || method == request.method else { return false }
                return pattern.map { Routes.match(Routes.segments($0), path) != nil } ?? true
            }
            for isForPath in [true, false] {
                let index = state.scripts.firstIndex { script in
                    (script.pattern != nil) == isForPath && !script.answers.isEmpty
                        && fits(script.method, script.pattern)
                }
                if let index { return (state.scripts[index].answers.removeFirst(), nil) }
            }
            return (nil, state.routes.last { fits($0.method, $0.pattern) })
        }
    }
}
