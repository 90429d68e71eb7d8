import ConvoyCompression
import ConvoyCore
import FoundationEssentials
import Glibc

/// A response's body on its way into a file.
final class FileSink {
    private let descriptor: Int32
    private let path: String
    private let decoder: (any ContentDecoder)?

    /// Makes the file, or empties it: readable by its owner only. Throws `.fileNotWritable` with the system's reason.
    init(path: String, decoder: (any ContentDecoder)?) throws {
        self.path = path
        self.decoder = decoder
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
    }

    deinit { close(descriptor) }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if let decoder { try decoder.decode(bytes, output: writeAll) } else { try writeAll(bytes) }
    }

    func finish() throws { try decoder?.finish(output: writeAll) }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
        let code = ConvoyCore.writeAll(bytes, to: descriptor)
        if code != 0 { throw Self.failure(path, code) }
    }

    private static func failure(_ path: String, _ code: Int32) -> ConvoyError {
        ConvoyError(
            .fileNotWritable, "cannot write the file \(path.quotedForMessage): \(String(cString: strerror(code)))",
            phase: .receiving)
    }
}
