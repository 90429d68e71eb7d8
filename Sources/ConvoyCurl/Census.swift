import Synchronization

/// Counts what a transport holds: what leak checks look at. All zero after `shutdown()`.
package final class Census: Sendable {
    private let counts = Mutex<[Kind: Int]>([:])

    /// What is counted.
    package enum Kind: Hashable, Sendable {
        /// Threads of the loop.
        case thread
        /// Descriptors that the loop opened for itself.
        case descriptor
        /// Sockets of connections.
        case socket
        /// libcurl's easy handles.
        case handle
        /// Exchanges that have not been given back.
        case transfer
    }

    /// How many there are of each kind that there is any of.
    package var alive: [Kind: Int] { counts.withLock { $0.filter { $0.value != 0 } } }

    func add(_ count: Int, _ kind: Kind) { counts.withLock { $0[kind, default: 0] += count } }
}
