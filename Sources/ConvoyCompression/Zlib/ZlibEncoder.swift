import CZlib

/// gzip and deflate by zlib, at its default level of 6.
final class ZlibEncoder: EncodingEngine {
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    private(set) var isAtEnd = false

    init(_ format: ZlibFormat) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isReady = convoy_deflate_init(stream, 6, format.rawValue) == Z_OK
    }

    deinit {
        if isReady { deflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    func step(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(EngineFault) -> Step {
        guard isReady else { throw .outOfMemory }
        let offered = UInt32(clamping: input.count)
        let room = UInt32(clamping: output.count)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.start)
        stream.pointee.avail_in = offered
        stream.pointee.next_out = output.start
        stream.pointee.avail_out = room
        let result = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
        switch result {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isAtEnd = true
        default: throw .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(result)")
        }
        let step = Step(
            consumed: Int(offered - stream.pointee.avail_in), produced: Int(room - stream.pointee.avail_out))
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        return step
    }
}
