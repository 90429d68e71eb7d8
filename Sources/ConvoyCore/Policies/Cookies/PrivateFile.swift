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

/// A small file that holds secrets: read whole, and written anew beside the old one, whose place it then takes. Nobody but
/// its owner can read it, and nobody ever sees half of it.
struct PrivateFile: Sendable {
    let path: String

    private static let limit = 32 << 20

    /// The bytes of the file; nil if there is none and one could be made.
    ///
    /// Throws `.cookieFileFailed` for a symbolic link, for what is no regular file or larger than 32 MiB, and with the
    /// system's reason.
    func read() throws -> [UInt8]? {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw failure("read", "its path is empty or contains NUL") }
        var info = stat()
        guard lstat(path, &info) == 0 else {
            guard errno == ENOENT else { throw failure("read", errno) }
            // Better said now than when the first cookie is lost.
            guard access(folder, W_OK | X_OK) == 0 else { throw failure("make", errno) }
            return nil
        }
        // What a link points to would stay as it is when the file is written, or be someone else's.
        guard info.st_mode & S_IFMT != S_IFLNK else { throw failure("use", "it is a symbolic link") }
        do {
            let reader = try FileReader(path: path)
            var bytes: [UInt8] = []
            while let piece = try reader.read() {
                bytes += piece
                guard bytes.count <= Self.limit else { throw failure("read", "it is larger than 32 MiB") }
            }
            return bytes
        } catch let error as ConvoyError where error.code == .bodyUnreadable {
            throw ConvoyError(.cookieFileFailed, error.message)
        }
    }

    /// Replaces the file. Throws `.cookieFileFailed` with the system's reason, and leaves the old one as it is.
    func replace(_ bytes: [UInt8]) throws {
        let new = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write", errno) }
        // Not forced onto the disk: that takes long, and after a power failure one can log in again.
        var code = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
        if close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(new, path) != 0 { code = errno }
        guard code == 0 else {
            unlink(new)
            throw failure("write", code)
        }
    }

    private var folder: String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func failure(_ verb: String, _ code: Int32) -> ConvoyError {
        failure(verb, String(cString: strerror(code)))
    }

    private func failure(_ verb: String, _ reason: String) -> ConvoyError {
        ConvoyError(.cookieFileFailed, "cannot \(verb) the cookie file \(path.quotedForMessage): \(reason)")
    }
}
