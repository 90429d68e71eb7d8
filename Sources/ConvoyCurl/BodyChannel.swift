import ConvoyCore
import FoundationEssentials
import Synchronization

/// Carries a streamed body from the loop to its reader: bounded, so that a slow reader slows the server down.
final class BodyChannel: Sendable {
    /// At this many waiting bytes the transfer is paused, …
    private static let high = 256 << 10
    /// … and below this many it goes on.
    private static let low = 64 << 10

    private struct State {
        var pieces: [Data] = []
        var size = 0
        var isPaused = false
        var end: Result<Void, ConvoyError>?
        var reader: CheckedContinuation<Data?, any Error>?
    }

    private let state = Mutex(State())
    /// Asks the loop to let a paused transfer go on.
    private let resume: @Sendable () -> Void

    init(resume: @escaping @Sendable () -> Void) { self.resume = resume }

    /// From the loop: takes a piece, or says that the reader is behind: then the piece has not been taken.
    func offer(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let (reader, isTaken) = state.withLock { state in
            if let reader = state.reader {
                state.reader = nil
                return (Optional(reader), true)
            }
            state.isPaused = state.size >= Self.high
            if !state.isPaused {
                state.pieces.append(Data(bytes))
                state.size += bytes.count
            }
            return (nil, !state.isPaused)
        }
        reader?.resume(returning: Data(bytes))
        return isTaken
    }

    /// From the loop: no more pieces come.
    func finish(_ result: Result<Void, ConvoyError>) {
        let reader = state.withLock { state in
            state.end = state.end ?? result
            defer { state.reader = nil }
            return state.reader
        }
        switch result {
        case .success: reader?.resume(returning: nil)
        case .failure(let error): reader?.resume(throwing: error)
        }
    }

    /// From the reader: the next piece; nil at the end.
    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                var goesOn = false
                let answer: Result<Data?, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(ConvoyError(.cancelled, "the call was cancelled")) }
                    if !state.pieces.isEmpty {
                        let piece = state.pieces.removeFirst()
                        state.size -= piece.count
                        goesOn = state.isPaused && state.size < Self.low
                        if goesOn { state.isPaused = false }
                        return .success(piece)
                    }
                    if let end = state.end { return end.map { nil }.mapError { $0 } }
                    guard state.reader == nil else {
                        return .failure(ConvoyError(.bodyNotReplayable, "the body is read by two readers at once"))
                    }
                    state.reader = continuation
                    return nil
                }
                if goesOn { resume() }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            finish(.failure(ConvoyError(.cancelled, "the call was cancelled", phase: .receiving)))
        }
    }
}
