import Convoy

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file of `--output`: made or emptied when the answer's head is there, and written as the body comes.
enum OutputFile {
    static func write(_ body: Body, to path: String) async throws -> Int64 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        let stream = OutputStream(descriptor: descriptor, isTerminal: false)
        var size: Int64 = 0
        do {
            for try await piece in body {
                try stream.write(Array(piece))
                size += Int64(piece.count)
            }
        } catch let OutputError.failed(reason) { throw failure(path, reason) }
        return size
    }

    private static func failure(_ path: String, _ reason: String) -> LocalFailure {
        LocalFailure("cannot write the file \(path.quotedForMessage): \(reason)")
    }
}
