import ConvoyCore

/// Drives one engine over a body: pieces in, pieces out, one fixed buffer between.
final class StreamEncoder: ContentEncoder {
    private let coding: String
    private let engine: any EncodingEngine
    private let buffer = WorkBuffer()
    private var failure: (any Error)?

    init(_ coding: String, engine: any EncodingEngine) {
        self.coding = coding
        self.engine = engine
    }

    func encode(_ input: UnsafeRawBufferPointer, output: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard !input.isEmpty else { return }
        try guarded {
            guard !engine.isAtEnd else { throw failed("bytes came after its end") }
            var rest = input
            var isFull = false
            while !rest.isEmpty || isFull {
                let step = try turn(rest, isLast: false, mayStandStill: rest.isEmpty, output: output)
                rest = rest.after(step.consumed)
                isFull = step.produced == buffer.bytes.count
            }
        }
    }

    func finish(output: (UnsafeRawBufferPointer) throws -> Void) throws {
        try guarded {
            while !engine.isAtEnd {
                _ = try turn(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, output: output)
            }
        }
    }

    private func turn(
        _ input: UnsafeRawBufferPointer, isLast: Bool, mayStandStill: Bool = false,
        output: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Step {
        let step: Step
        do {
            step = try engine.step(input, isLast: isLast, into: buffer.bytes)
        } catch {
            switch error {
            case .damaged(let reason): throw failed(reason)
            case .outOfMemory: throw failed("out of memory")
            }
        }
        guard step.consumed > 0 || step.produced > 0 || mayStandStill || engine.isAtEnd else {
            throw failed("no progress")
        }
        if step.produced > 0 { try output(buffer.prefix(step.produced)) }
        return step
    }

    private func guarded(_ body: () throws -> Void) throws {
        if let failure { throw failure }
        do {
            try body()
        } catch {
            failure = error
            throw error
        }
    }

    private func failed(_ reason: String) -> ConvoyError {
        ConvoyError(.encodingFailed, "The body could not be coded as \(coding): \(reason).")
    }
}
