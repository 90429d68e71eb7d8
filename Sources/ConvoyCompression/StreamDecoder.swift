import ConvoyCore

/// Drives one engine over a body: pieces in, pieces out, one fixed buffer between.
final class StreamDecoder: ContentDecoder {
    private let coding: String
    private let engine: any DecodingEngine
    private let buffer = WorkBuffer()
    private var taken: Int64 = 0
    private var failure: (any Error)?

    init(_ coding: String, engine: any DecodingEngine) {
        self.coding = coding
        self.engine = engine
    }

    func decode(_ input: UnsafeRawBufferPointer, output: (UnsafeRawBufferPointer) throws -> Void) throws {
        if let failure { throw failure }
        do {
            try run(input, output: output)
        } catch {
            failure = error
            throw error
        }
    }

    func finish(output: (UnsafeRawBufferPointer) throws -> Void) throws {
        if let failure { throw failure }
        guard taken > 0, !engine.isAtEnd else { return }
        throw ConvoyError(
            .truncatedContent, "The \(coding) content breaks off after \(taken) bytes, before its end.",
            phase: .receiving)
    }

    private func run(_ input: UnsafeRawBufferPointer, output: (UnsafeRawBufferPointer) throws -> Void) throws {
        var rest = input
        var isFull = false
        while !rest.isEmpty || isFull {
            let step = try step(rest)
            guard step.consumed > 0 || step.produced > 0 || rest.isEmpty else { throw damaged("no progress") }
            rest = rest.after(step.consumed)
            taken += Int64(step.consumed)
            isFull = step.produced == buffer.bytes.count
            if step.produced > 0 { try output(buffer.prefix(step.produced)) }
        }
    }

    private func step(_ input: UnsafeRawBufferPointer) throws -> Step {
        do {
            return try engine.step(input, into: buffer.bytes)
        } catch {
            switch error {
            case .damaged(let reason): throw damaged(reason)
            case .outOfMemory:
                throw ConvoyError(
                    .engineFailed, "There is no memory to decode the \(coding) content.", phase: .receiving)
            }
        }
    }

    private func damaged(_ reason: String) -> ConvoyError {
        ConvoyError(.corruptContent, "The \(coding) content is damaged: \(reason).", phase: .receiving)
    }
}
