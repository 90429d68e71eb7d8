import ConvoyCompression
import ConvoyCore
import FoundationEssentials
import Synchronization

/// The body of a streamed response: what the loop hands out, its content coding undone while it is read.
enum StreamedBody {
    static func body(_ channel: BodyChannel, _ head: ResponseHead, _ transfer: Transfer) -> Body {
        let handle = Handle(channel, transfer)
        let codings = transfer.request.decodesContent ? head.headers.values(for: .contentEncoding) : []
        let stream = Body.Stream(length: codings.isEmpty ? head.contentLength : nil, isReplayable: false) {
            Iterator(handle: handle, codings: codings)
        }
        return Body(.stream(stream), contentType: head.headers[.contentType])
    }

    /// Keeps the exchange going as long as somebody may still read it, and ends it when nobody can.
    final class Handle: Sendable {
        let channel: BodyChannel
        private let transfer: Transfer
        private let loop: Loop

        init(_ channel: BodyChannel, _ transfer: Transfer) {
            self.channel = channel
            self.transfer = transfer
            loop = transfer.loop
        }

        func cancel() {
            transfer.isCancelled.store(true, ordering: .releasing)
            loop.post(.cancel(transfer))
        }

        deinit { cancel() }
    }

    struct Iterator: AsyncIteratorProtocol {
        let handle: Handle
        let codings: [String]
        private var decoder: (any ContentDecoder)?
        private var hasBegun = false
        private var hasEnded = false

        init(handle: Handle, codings: [String]) {
            self.handle = handle
            self.codings = codings
        }

        mutating func next() async throws -> Data? {
            if hasEnded { return nil }
            if !hasBegun {
                hasBegun = true
                decoder = try ContentDecoding.decoder(codings)
            }
            while true {
                let piece: Data?
                do { piece = try await handle.channel.next() } catch {
                    handle.cancel()
                    throw error
                }
                guard let decoder else { return piece }
                var output = Data()
                do {
                    if let piece {
                        try piece.withUnsafeBytes { try decoder.decode($0) { output.append(contentsOf: $0) } }
                    } else {
                        hasEnded = true
                        try decoder.finish { output.append(contentsOf: $0) }
                    }
                } catch {
                    hasEnded = true
                    handle.cancel()
                    throw error
                }
                if !output.isEmpty { return output }
                if piece == nil { return nil }
            }
        }
    }
}
