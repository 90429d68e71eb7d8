#if Zstd && canImport(CZstd)
    import CZstd

    /// zstd (RFC 8878) at the library's default level of 3, with a check value. Its window has 2 MiB.
    final class ZstdEncoder: EncodingEngine {
        private let context = ZSTD_createCCtx()
        private(set) var isAtEnd = false

        init() {
            if let context { ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1) }
        }

        deinit { ZSTD_freeCCtx(context) }

        func step(
            _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
        ) throws(EngineFault) -> Step {
            guard let context else { throw .outOfMemory }
            var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
            var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
            let left = ZSTD_compressStream2(context, &target, &source, isLast ? ZSTD_e_end : ZSTD_e_continue)
            if ZSTD_isError(left) != 0 {
                throw .damaged(ZSTD_getErrorName(left).map { String(cString: $0) } ?? "error \(left)")
            }
            isAtEnd = isLast && left == 0
            return Step(consumed: source.pos, produced: target.pos)
        }
    }
#endif
