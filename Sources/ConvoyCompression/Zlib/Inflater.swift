import CZlib

/// zlib's inflate over one stream of a given format.
final class Inflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    /// Whether the end of the stream was reached, check value included.
    private(set) var hasEnded = false

    init(_ format: ZlibFormat) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isReady = convoy_inflate_init(stream, format.rawValue) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Begins another stream of the same format.
    func restart() throws(EngineFault) {
        guard isReady, inflateReset(stream) == Z_OK else { throw .outOfMemory }
        hasEnded = false
    }

    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(EngineFault) -> Step {
        guard isReady else { throw .outOfMemory }
        guard !hasEnded else { return Step() }
        let offered = UInt32(clamping: input.count)
        let room = UInt32(clamping: output.count)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.start)
        stream.pointee.avail_in = offered
        stream.pointee.next_out = output.start
        stream.pointee.avail_out = room
        let result = inflate(stream, Z_NO_FLUSH)
        switch result {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: hasEnded = true
        case Z_MEM_ERROR: throw .outOfMemory
        case Z_NEED_DICT: throw .damaged("it needs a preset dictionary")
        default: throw .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(result)")
        }
        let step = Step(
            consumed: Int(offered - stream.pointee.avail_in), produced: Int(room - stream.pointee.avail_out))
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        return step
    }
}
