#if Zstd && canImport(CZstd)
    import CZstd

    /// zstd: one or more frames (RFC 8878 §3), skippable ones among them, with a window of at most 8 MiB (RFC 9659 §3).
    final class ZstdDecoder: DecodingEngine {
        private let context = ZSTD_createDCtx()
        private var magic: [UInt8] = []
        private var isInFrame = false

        init() {
            // 2 to the 23rd is 8 MiB. The call fails only for values out of range.
            if let context { ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23) }
        }

        deinit { ZSTD_freeDCtx(context) }

        var isAtEnd: Bool { !isInFrame && magic.isEmpty }

        func step(
            _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
        ) throws(EngineFault) -> Step {
            if isInFrame { return try advance(input, into: output) }
            return try begin(input, into: output)
        }

        /// Collects the magic number of a frame and looks at it, then begins with it.
        ///
        /// The library, as distributions build it, also takes the formats before RFC 8878, whose decoders do not keep
        /// to the bound on the window. No HTTP peer sends them.
        private func begin(
            _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
        ) throws(EngineFault) -> Step {
            let more = input.prefix(4 - magic.count)
            magic += more
            guard Self.mayBeMagic(magic) else { throw .damaged("Unknown frame descriptor") }
            guard magic.count == 4 else { return Step(consumed: more.count) }
            isInFrame = true
            var step = try magic.feed { bytes throws(EngineFault) in try advance(bytes, into: output) }
            magic = []
            step.consumed = more.count
            return step
        }

        private func advance(
            _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
        ) throws(EngineFault) -> Step {
            guard let context else { throw .outOfMemory }
            var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
            var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
            let hint = ZSTD_decompressStream(context, &target, &source)
            if ZSTD_isError(hint) != 0 {
                throw .damaged(ZSTD_getErrorName(hint).map { String(cString: $0) } ?? "error \(hint)")
            }
            isInFrame = hint != 0
            return Step(consumed: source.pos, produced: target.pos)
        }

        /// Whether the bytes begin 0xFD2FB528 or one of 0x184D2A50 to 0x184D2A5F, lowest byte first.
        static func mayBeMagic(_ bytes: [UInt8]) -> Bool {
            guard let first = bytes.first else { return true }
            let rest = bytes.dropFirst()
            if first == 0x28 { return [0xB5, 0x2F, 0xFD].starts(with: rest) }
            return first & 0xF0 == 0x50 && [0x2A, 0x4D, 0x18].starts(with: rest)
        }
    }
#endif
