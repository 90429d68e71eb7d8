#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is gone when nobody needs it any more.
final class TemporaryFile: Sendable {
    let path: String

    /// Makes a file of so many zero bytes.
    init(size: Int) throws {
        var template = Array("/tmp/convoy-demo-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw LocalFailure("cannot make a file in /tmp: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        guard ftruncate(descriptor, off_t(size)) == 0 else {
            throw LocalFailure("cannot make \(path) of \(size) bytes: \(String(cString: strerror(errno)))")
        }
    }

    deinit { unlink(path) }
}
