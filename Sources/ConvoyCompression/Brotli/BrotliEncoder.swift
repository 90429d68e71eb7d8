#if Brotli && canImport(CBrotli)
    import CBrotli

    /// br (RFC 7932) at quality 5: smaller than gzip at about its speed. The library's own default, 11, is for files
    /// that are coded once.
    final class BrotliEncoder: EncodingEngine {
        private let state: OpaquePointer?

        init() {
            state = BrotliEncoderCreateInstance(nil, nil, nil)
            if let state { BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, 5) }
        }

        deinit { BrotliEncoderDestroyInstance(state) }

        var isAtEnd: Bool { state.map { BrotliEncoderIsFinished($0) != 0 } ?? false }

        func step(
            _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
        ) throws(EngineFault) -> Step {
            guard let state else { throw .outOfMemory }
            let operation = isLast ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS
            var (nextIn, inLeft) = (input.start, input.count)
            var (nextOut, outLeft) = (output.start, output.count)
            guard BrotliEncoderCompressStream(state, operation, &inLeft, &nextIn, &outLeft, &nextOut, nil) != 0 else {
                throw .damaged("brotli failed")
            }
            return Step(consumed: input.count - inLeft, produced: output.count - outLeft)
        }
    }
#endif
