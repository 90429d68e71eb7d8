import CLinux

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system calls the server makes, under names that no method of a connection hides.
enum System {
    #if os(Linux)
        static let peerClosed = Int16(POLLRDHUP)
        static let streamType = Int32(SOCK_STREAM.rawValue)
        static let noSignal = Int32(MSG_NOSIGNAL)
    #else
        static let peerClosed = Int16(POLLHUP)
        static let streamType = SOCK_STREAM
        static let noSignal: Int32 = 0
    #endif
    static let readable = Int16(POLLIN)
    static let writable = Int16(POLLOUT)
    /// What a poll reports without being asked: the connection is over or broken.
    static let broken = Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL)

    /// What an error number means, in words.
    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    static func shut(_ descriptor: Int32) {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    static func receive(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        recv(descriptor, buffer.baseAddress, buffer.count, 0)
    }

    static func transmit(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        send(descriptor, bytes.baseAddress, bytes.count, noSignal)
    }

    static func endSending(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the closing of a socket send a reset instead of an orderly end.
    static func resetOnClose(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    static func enable(_ descriptor: Int32, _ level: Int32, _ name: Int32) {
        var one: Int32 = 1
        setsockopt(descriptor, level, name, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Makes a descriptor end with the program that replaces this one, and never block.
    static func makePrivate(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// A stream socket that does not block and is not inherited; -1 with `errno` set if there is none.
    static func makeSocket(family: Int32) -> Int32 {
        #if os(Linux)
            return socket(family, streamType | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        #else
            let descriptor = socket(family, streamType, 0)
            if descriptor >= 0 { makePrivate(descriptor) }
            return descriptor
        #endif
    }

    /// The next connection that waits at a listening socket, and where it comes from; -1 with `errno` set if none.
    static func acceptNext(_ listener: Int32) -> (descriptor: Int32, remote: String) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #if os(Linux)
                    accept4(
                        listener, address, &length, Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue))
                #else
                    accept(listener, address, &length)
                #endif
            }
        }
        guard descriptor >= 0 else { return (-1, "") }
        #if !os(Linux)
            makePrivate(descriptor)
            enable(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
        #endif
        enable(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        return (descriptor, numericHost(of: &storage, length))
    }

    private static func numericHost(of storage: inout sockaddr_storage, _ length: socklen_t) -> String {
        guard storage.ss_family != sa_family_t(AF_UNIX) else { return "unix" }
        var host = [CChar](repeating: 0, count: 128)
        let code = withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getnameinfo($0, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
            }
        }
        guard code == 0 else { return "unknown" }
        return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Both ends of a pipe, neither blocking nor inherited; nil with `errno` set if there is none.
    static func makePipe() -> (reader: Int32, writer: Int32)? {
        var ends: [Int32] = [-1, -1]
        #if os(Linux)
            guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { return nil }
        #else
            guard pipe(&ends) == 0 else { return nil }
            ends.forEach(makePrivate)
        #endif
        return (ends[0], ends[1])
    }

    static func writeByte(_ descriptor: Int32) {
        var byte: UInt8 = 1
        _ = write(descriptor, &byte, 1)
    }

    static func drain(_ descriptor: Int32) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
    }

    /// Waits for one of the descriptors and gives what happened at each; all zero when the time is over. A negative
    /// descriptor is left out, a nil deadline means for ever.
    static func wait(
        _ entries: [(descriptor: Int32, events: Int16)], until deadline: ContinuousClock.Instant?
    ) -> [Int16] {
        var list = entries.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        while true {
            let count = poll(&list, nfds_t(list.count), milliseconds(until: deadline))
            if count > 0 { return list.map(\.revents) }
            if count == 0 {
                if let deadline, ContinuousClock.now >= deadline { return list.map { _ in 0 } }
            } else if errno != EINTR {
                return list.map { _ in Int16(POLLERR) }
            }
        }
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = deadline - ContinuousClock.now
        if left <= .zero { return 0 }
        // Rounded up, so that no wait ends before its time and none spins.
        let (seconds, attoseconds) = left.components
        return Int32(clamping: min(seconds, 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
