#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writing failed.
enum OutputError: Error {
    /// Whoever read it went away.
    case closed
    /// The system's reason.
    case failed(String)
}

/// A descriptor that is written to without a buffer: what was written is out, however the process ends.
struct OutputStream: Sendable {
    let descriptor: Int32
    let isTerminal: Bool

    static let standardOutput = OutputStream(descriptor: STDOUT_FILENO, isTerminal: isatty(STDOUT_FILENO) == 1)
    static let standardError = OutputStream(descriptor: STDERR_FILENO, isTerminal: isatty(STDERR_FILENO) == 1)

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                // A terminal or pipe that somebody set to non-blocking: wait until it takes more.
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = systemPoll(&poll, 1, -1)
            } else if errno != EINTR {
                throw errno == EPIPE ? OutputError.closed : .failed(String(cString: strerror(errno)))
            }
        }
    }
}

/// The system's calls, whose names methods here have too.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

private func systemPoll(_ descriptors: UnsafeMutablePointer<pollfd>, _ count: Int, _ milliseconds: Int32) -> Int32 {
    poll(descriptors, nfds_t(count), milliseconds)
}
