import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Something that can be taken once.
final class Claim: Sendable {
    private let taken = Atomic(false)

    /// Whether this is the first time.
    func take() -> Bool { !taken.exchange(true, ordering: .acquiringAndReleasing) }
}

extension Body: AsyncSequence {
    /// A piece of the content.
    public typealias Element = Data

    /// Reads the body piece by piece. A file is read in pieces of 64 KiB.
    ///
    /// The first `next()` throws `.bodyNotReplayable` where the body was read already and cannot be again, and
    /// `.bodyUnreadable` where the file cannot be.
    public func makeAsyncIterator() -> Iterator { Iterator(source: .unopened(self)) }

    /// Hands out the pieces of a body.
    public struct Iterator: AsyncIteratorProtocol {
        enum Source {
            case unopened(Body)
            case piece(Data)
            case file(FileReader)
            case stream(any AsyncIteratorProtocol)
            case ended
        }

        var source: Source

        /// The next piece, never empty; nil after the last.
        public mutating func next() async throws -> Data? {
            while true {
                switch source {
                case .unopened(let body): source = try body.opened()
                case .piece(let data):
                    source = .ended
                    return data
                case .file(let reader):
                    if let piece = try reader.read() { return piece }
                    source = .ended
                case .stream(var iterator):
                    guard let piece = try await Self.advance(&iterator) else {
                        source = .ended
                        return nil
                    }
                    source = .stream(iterator)
                    if !piece.isEmpty { return piece }
                case .ended: return nil
                }
            }
        }

        private static func advance<Pieces: AsyncIteratorProtocol>(_ iterator: inout Pieces) async throws -> Data? {
            try await iterator.next() as? Data
        }
    }

    private func opened() throws -> Iterator.Source {
        switch storage {
        case .none: .ended
        case .bytes(let data): data.isEmpty ? .ended : .piece(data)
        case .file(let path): .file(try FileReader(path: path))
        case .stream(let stream): .stream(try stream.open())
        case .value:
            throw ConvoyError(.encodingFailed, "the body is a value that has not been encoded: a client does that")
        }
    }

    /// The whole body in memory. Throws `.bodyTooLarge` as soon as it is larger than the limit.
    ///
    /// - Parameter limit: the most bytes to take; 64 MiB by default.
    public func collect(upTo limit: Int = 64 << 20) async throws -> Data {
        if let data {
            if data.count > limit { throw Self.tooLarge(limit) }
            return data
        }
        var whole = Data()
        for try await piece in self {
            if whole.count + piece.count > limit { throw Self.tooLarge(limit) }
            whole.append(piece)
        }
        return whole
    }

    /// The beginning of the body, as far as it can be read: for an error that has something else to say.
    func beginning(upTo limit: Int) async -> Data {
        if let data { return data.prefix(limit) }
        var whole = Data()
        var pieces = makeAsyncIterator()
        while whole.count < limit, let piece = try? await pieces.next() { whole += piece.prefix(limit - whole.count) }
        return whole
    }

    package static func tooLarge(_ limit: Int) -> ConvoyError {
        ConvoyError(
            .bodyTooLarge, "the body is larger than the \(limit) bytes that are kept in memory; stream it instead",
            phase: .receiving)
    }
}
