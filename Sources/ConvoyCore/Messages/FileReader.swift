#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is read from its beginning to its end: a request's body.
package final class FileReader: Sendable {
    private let descriptor: Int32
    private let path: String
    /// The size when it was opened, in bytes.
    package let size: Int64

    /// Opens a file. Throws `.bodyUnreadable` naming the path and the system's reason.
    package init(path: String) throws {
        self.path = path
        guard !path.utf8.contains(0) else { throw ConvoyError(.bodyUnreadable, "a file's path cannot contain NUL") }
        // Not to be kept waiting by a pipe that nobody writes to: it is refused below.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else {
            let code = errno
            close(descriptor)
            throw Self.failure(path, code)
        }
        guard info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ConvoyError(.bodyUnreadable, "\(path.quotedForMessage) is not a regular file")
        }
        size = Int64(info.st_size)
    }

    deinit { close(descriptor) }

    /// Reads into a buffer and gives the number of bytes; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            #if canImport(Glibc)
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Musl)
                let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 { return count }
            if errno != EINTR { throw Self.failure(path, errno) }
        }
    }

    /// The next piece of at most 64 KiB; nil at the end.
    func read() throws -> Data? {
        var piece = Data(count: 65536)
        let count = try piece.withUnsafeMutableBytes { try read(into: $0) }
        if count == 0 { return nil }
        piece.count = count
        return piece
    }

    private static func failure(_ path: String, _ code: Int32) -> ConvoyError {
        ConvoyError(
            .bodyUnreadable, "cannot read the file \(path.quotedForMessage): \(String(cString: strerror(code)))")
    }
}
