#if Brotli && canImport(CBrotli)
    import CBrotli

    /// br (RFC 7932). The library's large windows stay off, so that its window has at most 16 MiB.
    final class BrotliDecoder: DecodingEngine {
        private let state = BrotliDecoderCreateInstance(nil, nil, nil)
        private(set) var isAtEnd = false

        deinit { BrotliDecoderDestroyInstance(state) }

        func step(
            _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
        ) throws(EngineFault) -> Step {
            guard let state else { throw .outOfMemory }
            if isAtEnd {
                guard input.isEmpty else { throw .damaged("bytes follow its end") }
                return Step()
            }
            var (nextIn, inLeft) = (input.start, input.count)
            var (nextOut, outLeft) = (output.start, output.count)
            let result = BrotliDecoderDecompressStream(state, &inLeft, &nextIn, &outLeft, &nextOut, nil)
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS: isAtEnd = true
            case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: break
            default: throw fault(of: state)
            }
            return Step(consumed: input.count - inLeft, produced: output.count - outLeft)
        }

        private func fault(of state: OpaquePointer) -> EngineFault {
            let code = BrotliDecoderGetErrorCode(state)
            // The library numbers its failures to allocate from -30 to -21.
            if (-30 ... -21).contains(code.rawValue) { return .outOfMemory }
            return .damaged(BrotliDecoderErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)")
        }
    }
#endif
