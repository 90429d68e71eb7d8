import ConvoyCore
import Synchronization

/// A signal that stays on once it was given. Every wait of a server has it among its descriptors, so that each ends at
/// once when the server stops.
package final class StopSignal: Sendable {
    /// Reports that something is there, or that its other end is gone, once the signal was given.
    let descriptor: Int32
    private let writer: Mutex<Int32>
    private let given = Atomic(false)

    /// Whether the signal was given: for work that never has to wait.
    var isGiven: Bool { given.load(ordering: .acquiring) }

    init() throws {
        guard let pipe = System.makePipe() else { throw ConvoyError.cannotListen("no pipe", errno: true) }
        descriptor = pipe.reader
        writer = Mutex(pipe.writer)
    }

    deinit {
        signal()
        System.shut(descriptor)
    }

    func signal() {
        given.store(true, ordering: .releasing)
        writer.withLock {
            System.shut($0)
            $0 = -1
        }
    }
}
