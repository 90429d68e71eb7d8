import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Turns Ctrl-C and SIGTERM into the cancellation of what is under way.
enum Interruption {
    /// Runs the work; a signal cancels it, and decides the exit code unless that is a success.
    ///
    /// A second signal, or work that has not ended two seconds after the first, ends the process at once: a body that
    /// waits for a full pipe cannot be cancelled.
    static func run(_ work: @escaping @Sendable () async -> ExitCode) async -> ExitCode {
        let received = Received()
        let task = Task { await work() }
        let sources = [(SIGINT, ExitCode.interrupted), (SIGTERM, .terminated)].map { number, code in
            // The default action would end the process before the source sees the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                guard received.takeFirst(code) else { _exit(code.rawValue) }
                task.cancel()
                DispatchQueue.global().asyncAfter(deadline: .now() + 2) { _exit(code.rawValue) }
            }
            source.resume()
            return source
        }
        let code = await task.value
        for source in sources { source.cancel() }
        // What ended well all the same, as a server that is meant to be stopped, is a success.
        return code == .success ? code : received.code ?? code
    }

    /// The signal that came first.
    private final class Received: Sendable {
        private let first = Mutex<ExitCode?>(nil)

        var code: ExitCode? { first.withLock { $0 } }

        /// Whether this is the first one.
        func takeFirst(_ code: ExitCode) -> Bool {
            first.withLock { first in
                guard first == nil else { return false }
                first = code
                return true
            }
        }
    }
}
