/// deflate: the zlib format (RFC 1950) as RFC 9110 §8.4.1.2 says, or the raw stream (RFC 1951) that some servers send.
///
/// The first two bytes tell. A zlib header has the method 8 in its low bits, which as a raw stream would be a stored
/// block with padding bits that are not zero, and it is a multiple of 31.
final class DeflateDecoder: DecodingEngine {
    private var inflater: Inflater?
    private var head: [UInt8] = []

    var isAtEnd: Bool { inflater?.hasEnded ?? false }

    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(EngineFault) -> Step {
        guard let inflater else { return try begin(input, into: output) }
        if inflater.hasEnded, !input.isEmpty { throw .damaged("bytes follow its end") }
        return try inflater.step(input, into: output)
    }

    /// Collects the two bytes that tell the format, then begins with them.
    private func begin(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(EngineFault) -> Step {
        let more = input.prefix(2 - head.count)
        head += more
        guard head.count == 2 else { return Step(consumed: more.count) }
        let inflater = Inflater(Self.isZlibHeader(head[0], head[1]) ? .zlib : .raw)
        self.inflater = inflater
        var step = try head.feed { bytes throws(EngineFault) in try inflater.step(bytes, into: output) }
        step.consumed = more.count
        return step
    }

    static func isZlibHeader(_ method: UInt8, _ flags: UInt8) -> Bool {
        method & 0x0F == 8 && method >> 4 <= 7 && (UInt16(method) << 8 | UInt16(flags)).isMultiple(of: 31)
    }
}
