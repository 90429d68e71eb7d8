/// gzip: one or more members (RFC 1952 §2.2), then perhaps padding of zeros, which some servers and tapes add.
final class GzipDecoder: DecodingEngine {
    private let inflater = Inflater(.gzip)
    private var isPadding = false

    var isAtEnd: Bool { inflater.hasEnded }

    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(EngineFault) -> Step {
        guard inflater.hasEnded else { return try inflater.step(input, into: output) }
        guard let first = input.first else { return Step() }
        if first == 0 || isPadding {
            isPadding = true
            guard input.allSatisfy({ $0 == 0 }) else { throw .damaged("other bytes than zeros follow its end") }
            return Step(consumed: input.count)
        }
        guard first == 0x1F else { throw .damaged("bytes that are no gzip member follow its end") }
        try inflater.restart()
        return try inflater.step(input, into: output)
    }
}
