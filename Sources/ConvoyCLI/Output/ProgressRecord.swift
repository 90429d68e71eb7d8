import ConvoyCore
import Dispatch
import Synchronization

/// The latest progress of a request: what is known of the bytes on the wire while a body is streamed.
final class ProgressRecord: Sendable {
    private let queue = DispatchQueue(label: "convoy.progress")
    private let value = Mutex<Progress?>(nil)

    /// For `Request.progress`.
    var handler: ProgressHandler {
        ProgressHandler(on: queue) { [self] progress in value.withLock { $0 = progress } }
    }

    /// The last report; nil if there was none. Waits for those that are on their way.
    var last: Progress? { queue.sync { value.withLock { $0 } } }
}
