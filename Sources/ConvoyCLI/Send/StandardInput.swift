import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard input as the pieces of a body, read when the engine asks for the next one.
struct StandardInput: AsyncSequence, Sendable {
    typealias Element = Data

    func makeAsyncIterator() -> Iterator { Iterator() }

    struct Iterator: AsyncIteratorProtocol {
        private let queue = DispatchQueue(label: "convoy.stdin")

        /// The next piece; nil at the end. Cancelling the task ends the wait: a time limit must not hang on a terminal.
        mutating func next() async throws -> Data? {
            let isCancelled = Flag()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    queue.async { continuation.resume(with: Result { try Self.read(unless: isCancelled) }) }
                }
            } onCancel: {
                isCancelled.set()
            }
        }

        private static func read(unless isCancelled: Flag) throws -> Data? {
            var piece = [UInt8](repeating: 0, count: 65536)
            while !isCancelled.isSet {
                var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                // Short, so that a cancelled call is noticed; input that is there is handed out at once.
                guard poll(&descriptor, 1, 100) != 0 else { continue }
                let count = piece.withUnsafeMutableBytes { systemRead(STDIN_FILENO, $0.baseAddress, $0.count) }
                if count > 0 { return Data(piece[..<count]) }
                if count == 0 { return nil }
                if errno != EINTR && errno != EAGAIN {
                    throw UsageError("cannot read standard input: \(String(cString: strerror(errno)))")
                }
            }
            throw CancellationError()
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
