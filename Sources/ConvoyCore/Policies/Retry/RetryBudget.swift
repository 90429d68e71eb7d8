import Synchronization

/// A bound on what retries add to the load of an origin, so that a service in trouble is not brought down for good.
///
/// Every call saves up a part of a retry, every retry spends one; there is something to begin with.
final class RetryBudget: Sendable {
    /// What an origin has to begin with, and the most it can save up.
    static let reserve = 10.0
    /// The most origins that are remembered: beyond, all begin anew.
    private static let mostOrigins = 1024

    private let savings = Locked<[String: Double]>([:])
    /// Whether anything is noted at all: an origin without retries has all it can have.
    private let hasNotes = Atomic(false)

    /// Notes that a call to an origin begins.
    func noteCall(_ uri: URI?, ratio: Double) {
        guard hasNotes.load(ordering: .relaxed), let origin = uri?.origin else { return }
        savings.withLock { savings in
            guard let saved = savings[origin] else { return }
            let more = saved + ratio
            savings[origin] = more < Self.reserve ? more : nil
            hasNotes.store(!savings.isEmpty, ordering: .relaxed)
        }
    }

    /// Takes a retry out of what is saved; false if there is not enough.
    func spend(_ origin: String) -> Bool {
        savings.withLock { savings in
            let saved = savings[origin] ?? Self.reserve
            guard saved >= 1 else { return false }
            if savings.count >= Self.mostOrigins, savings[origin] == nil { savings = [:] }
            savings[origin] = saved - 1
            hasNotes.store(true, ordering: .relaxed)
            return true
        }
    }
}
