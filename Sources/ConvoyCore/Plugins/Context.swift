import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a plugin may know of the call it stands in.
public final class Context: Sendable {
    /// The call's identifier: the same over retries and redirects.
    public let call: Call.ID
    /// When the call must be over, if it has a limit on its time.
    let deadline: ContinuousClock.Instant?
    private let snapshot: Snapshot
    /// The header fields that the user's request had: the others are the client's.
    let ownHeaders: Headers
    private let exchanges = Atomic(0)
    private let failures = Locked<[RetryAttempt]>([])

    init(call: Call.ID, snapshot: Snapshot, deadline: ContinuousClock.Instant?, ownHeaders: Headers) {
        self.call = call
        self.snapshot = snapshot
        self.deadline = deadline
        self.ownHeaders = ownHeaders
    }

    /// The attempts that failed so far, and what was decided about each: whether it was tried again, why, and when.
    public var retries: [RetryAttempt] { failures.withLock { $0 } }

    func note(_ attempt: RetryAttempt) { failures.withLock { $0.append(attempt) } }

    /// The client's configuration as it was when the call started.
    public var configuration: Configuration { snapshot.configuration }

    /// The time, by the client's clock.
    public var now: Date { configuration.time.now() }

    /// How many exchanges the call has begun.
    public var exchangeCount: Int { exchanges.load(ordering: .relaxed) }

    /// Counts one more exchange. Throws `.tooManyExchanges` beyond the bound.
    func countExchange() throws {
        let count = exchanges.add(1, ordering: .relaxed).newValue
        guard count <= configuration.maximumExchanges else {
            exchanges.subtract(1, ordering: .relaxed)
            throw ConvoyError(
                .tooManyExchanges, "the call asked for more than \(configuration.maximumExchanges) exchanges")
        }
    }
}

/// Where a client takes the time from, and how it waits: replaced in tests.
public struct TimeSource: Sendable {
    /// The time of day.
    public var now: @Sendable () -> Date
    /// Waits; throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// A source of time.
    public init(now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The system's clock. It waits at most 68 years.
    public static let system = TimeSource(
        now: { Date() },
        // The runtime traps on a wait that it cannot count in 64 bits of nanoseconds.
        sleep: { try await Task.sleep(for: min($0, .seconds(Int32.max))) })
}
