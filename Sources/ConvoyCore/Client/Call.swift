import Synchronization

/// A call that was started and runs by itself: a handle to wait for it or to cancel it.
public struct Call: Sendable, Identifiable {
    /// Identifies a call within its process; the same over its retries and redirects.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        private let number: UInt64
        private static let last = Atomic<UInt64>(0)

        init() { number = Self.last.add(1, ordering: .relaxed).newValue }

        /// `call-` and a number, for messages.
        public var description: String { "call-\(number)" }
    }

    /// The call's identifier.
    public let id: ID
    /// What was asked for.
    public let request: Request
    private let task: Task<Response, any Error>

    init(id: ID, request: Request, task: Task<Response, any Error>) {
        self.id = id
        self.request = request
        self.task = task
    }

    /// The response, when it is there. Cancelling the task that waits does not cancel the call.
    public var response: Response {
        get async throws { try await task.value }
    }

    /// Cancels the call at once, whatever it is doing. A call that has ended stays as it is.
    public func cancel() { task.cancel() }
}
