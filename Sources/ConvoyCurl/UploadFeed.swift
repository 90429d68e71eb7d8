import ConvoyCore
import FoundationEssentials
import Synchronization

/// Carries a request body from its stream to the loop: bounded, so that a slow server slows the stream down.
final class UploadFeed: Sendable {
    /// What the loop gets when it asks for bytes.
    enum Taken {
        case bytes(Int)
        case wait
        case end
        case failure(ConvoyError)
    }

    private static let high = 256 << 10

    private struct State {
        var pieces: [Data] = []
        var offset = 0
        var size = 0
        var end: Result<Void, ConvoyError>?
        var isLoopWaiting = false
        var isClosed = false
        var writer: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())
    /// Asks the loop to ask again.
    private let resume: @Sendable () -> Void

    init(resume: @escaping @Sendable () -> Void) { self.resume = resume }

    /// Reads the whole body into the feed; ends early when the feed is closed. A piece that goes beyond the length
    /// that was announced is refused whole, so that what the server got stays recognisably incomplete.
    func pump(_ body: Body, length: Int64?) async {
        var total: Int64 = 0
        do {
            for try await piece in body {
                total += Int64(piece.count)
                if let length, total > length {
                    throw ConvoyError(.bodyUnreadable, "the body gave more than the \(length) bytes announced")
                }
                guard await push(piece) else { return }
            }
            end(.success(()))
        } catch let error as ConvoyError { end(.failure(error)) } catch {
            end(.failure(ConvoyError(.bodyUnreadable, "the body's stream failed: \(error)", underlying: error)))
        }
    }

    /// Adds a piece and waits for room; false when nobody takes any more.
    private func push(_ piece: Data) async -> Bool {
        await withCheckedContinuation { continuation in
            let (wakesLoop, answer): (Bool, Bool?) = state.withLock { state in
                if state.isClosed { return (false, false) }
                state.pieces.append(piece)
                state.size += piece.count
                let wakes = state.isLoopWaiting
                state.isLoopWaiting = false
                if state.size < Self.high { return (wakes, true) }
                state.writer = continuation
                return (wakes, nil)
            }
            if wakesLoop { resume() }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private func end(_ result: Result<Void, ConvoyError>) {
        let wakesLoop = state.withLock { state in
            state.end = result
            defer { state.isLoopWaiting = false }
            return state.isLoopWaiting
        }
        if wakesLoop { resume() }
    }

    /// From the loop: fills a buffer with what is there.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Taken {
        let (taken, writer): (Taken, CheckedContinuation<Bool, Never>?) = state.withLock { state in
            var filled = 0
            while filled < buffer.count, let piece = state.pieces.first {
                let part = min(piece.count - state.offset, buffer.count - filled)
                piece.withUnsafeBytes { source in
                    let slice = UnsafeRawBufferPointer(rebasing: source[state.offset..<state.offset + part])
                    UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + part]).copyMemory(from: slice)
                }
                filled += part
                state.offset += part
                if state.offset == piece.count {
                    state.pieces.removeFirst()
                    state.offset = 0
                }
            }
            state.size -= filled
            var writer: CheckedContinuation<Bool, Never>?
            if state.size < Self.high { swap(&writer, &state.writer) }
            if filled > 0 { return (.bytes(filled), writer) }
            switch state.end {
            case .success: return (.end, writer)
            case .failure(let error): return (.failure(error), writer)
            case nil:
                state.isLoopWaiting = true
                return (.wait, writer)
            }
        }
        writer?.resume(returning: true)
        return taken
    }

    /// From the loop: nobody takes any more.
    func close() {
        let writer = state.withLock { state in
            state.isClosed = true
            state.pieces = []
            defer { state.writer = nil }
            return state.writer
        }
        writer?.resume(returning: false)
    }
}
