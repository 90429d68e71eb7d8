/// What one turn of an engine took from its input and left in its output.
struct Step {
    var consumed = 0
    var produced = 0
}

/// Why an engine cannot go on; the stream that drives it adds the name of the coding.
enum EngineFault: Error {
    /// The bytes are not of the coding; the reason in the library's words.
    case damaged(String)
    /// The library has no memory for its state.
    case outOfMemory
}

/// One library's decoder: turns coded bytes into plain ones, as far as its output has room.
protocol DecodingEngine: AnyObject {
    /// Whether the coded stream may end here.
    var isAtEnd: Bool { get }

    /// Takes from the input what fits. A turn that leaves room in the output has nothing more to hand out.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(EngineFault) -> Step
}

/// One library's encoder: turns plain bytes into coded ones, as far as its output has room.
protocol EncodingEngine: AnyObject {
    /// Whether the end of the coded stream has been handed out.
    var isAtEnd: Bool { get }

    /// Takes from the input what fits; with `isLast` nothing comes after this input, and the end is written.
    func step(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(EngineFault) -> Step
}

/// The fixed memory that an engine writes into.
final class WorkBuffer {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    /// The first bytes of it, to hand out.
    func prefix(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes.prefix(count)) }

    deinit { bytes.deallocate() }
}

extension UnsafeRawBufferPointer {
    /// What is left after the first bytes.
    func after(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: dropFirst(count)) }

    /// The start as the C libraries take it.
    var start: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
    /// The start as the C libraries take it.
    var start: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension [UInt8] {
    /// Hands the bytes to an engine.
    func feed(_ turn: (UnsafeRawBufferPointer) throws(EngineFault) -> Step) throws(EngineFault) -> Step {
        try withUnsafeBytes { bytes in Result { () throws(EngineFault) in try turn(bytes) } }.get()
    }
}
