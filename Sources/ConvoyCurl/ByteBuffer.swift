import ConvoyCore
import FoundationEssentials
import Glibc

/// Bytes that arrive in pieces and are handed over as `Data` without a copy.
final class ByteBuffer {
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    deinit { free(base) }

    /// Makes room for this many bytes in all.
    func reserve(_ size: Int) throws { if size > capacity { try grow(to: size) } }

    /// Adds bytes. Throws `.bodyTooLarge` when the system has no memory for them.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        if count + bytes.count > capacity { try grow(to: max(count + bytes.count, capacity * 2, 1024)) }
        base?.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    /// The bytes; the buffer is empty afterwards.
    func takeData() -> Data {
        guard let base, count > 0 else { return Data() }
        // What a body of unknown length left unused would stay reserved for as long as the response lives.
        let exact = capacity - count > 4096 ? realloc(base, count) ?? base : base
        let data = Data(bytesNoCopy: exact, count: count, deallocator: .free)
        self.base = nil
        capacity = 0
        count = 0
        return data
    }

    private func grow(to size: Int) throws {
        guard let grown = realloc(base, size) else {
            throw ConvoyError(.bodyTooLarge, "there is no memory for a body of \(size) bytes", phase: .receiving)
        }
        base = grown
        capacity = size
    }
}
