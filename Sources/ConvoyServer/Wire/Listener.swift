import ConvoyCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension ConvoyError.Code {
    /// A server could not listen: the address is taken or not this machine's, or its certificate is not usable.
    public static let cannotListen = Self(rawValue: "cannotListen")
}

extension ConvoyError {
    static func cannotListen(_ what: String, errno code: Bool = false) -> ConvoyError {
        let reason = code ? ": \(System.reason(errno))" : ""
        return ConvoyError(.cannotListen, "the server cannot listen: \(what)\(reason)")
    }
}

/// A listening socket, on a TCP port or at a path of the file system.
struct Listener {
    let descriptor: Int32
    /// The TCP port; 0 for a Unix domain socket.
    let port: Int
    private let path: String?

    init(_ configuration: Server.Configuration) throws {
        path = configuration.unixPath
        if let path {
            descriptor = try Self.listen(path: path)
            port = 0
        } else {
            (descriptor, port) = try Self.listen(host: configuration.host, port: configuration.port)
        }
    }

    /// Stops listening; the socket's file goes too.
    func close() {
        if let path { unlink(path) }
        System.shut(descriptor)
    }

    private static func listen(host: String, port: Int) throws -> (Int32, Int) {
        guard let number = UInt16(exactly: port) else { throw ConvoyError.cannotListen("\(port) is no port") }
        var hints = addrinfo()
        hints.ai_socktype = System.streamType
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(number), &hints, &list)
        guard code == 0, let first = list else {
            throw ConvoyError.cannotListen("\(host.quotedForMessage): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(list) }
        let descriptor = System.makeSocket(family: first.pointee.ai_family)
        guard descriptor >= 0 else { throw ConvoyError.cannotListen("no socket", errno: true) }
        System.enable(descriptor, SOL_SOCKET, SO_REUSEADDR)
        var actual = sockaddr_storage()
        guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
            start(descriptor), name(of: descriptor, &actual)
        else {
            let error = ConvoyError.cannotListen("\(host):\(port)", errno: true)
            System.shut(descriptor)
            throw error
        }
        return (descriptor, self.port(of: actual))
    }

    private static func start(_ descriptor: Int32) -> Bool {
        #if canImport(Glibc)
            Glibc.listen(descriptor, 1024) == 0
        #elseif canImport(Musl)
            Musl.listen(descriptor, 1024) == 0
        #else
            Darwin.listen(descriptor, 1024) == 0
        #endif
    }

    private static func name(of descriptor: Int32, _ storage: inout sockaddr_storage) -> Bool {
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
    }

    private static func port(of storage: sockaddr_storage) -> Int {
        withUnsafeBytes(of: storage) { bytes in
            let isIPv6 = storage.ss_family == sa_family_t(AF_INET6)
            let network =
                isIPv6
                ? bytes.loadUnaligned(as: sockaddr_in6.self).sin6_port
                : bytes.loadUnaligned(as: sockaddr_in.self).sin_port
            return Int(UInt16(bigEndian: network))
        }
    }

    private static func listen(path: String) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else {
            throw ConvoyError.cannotListen(
                "\(path.quotedForMessage) is no path for a socket: it has \(bytes.count) bytes of 1 to \(room - 1)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = System.makeSocket(family: AF_UNIX)
        guard descriptor >= 0 else { throw ConvoyError.cannotListen("no socket", errno: true) }
        removeAbandoned(path, &address)
        let isBound = with(&address) { bind(descriptor, $0, $1) == 0 }
        guard isBound, start(descriptor) else {
            let error = ConvoyError.cannotListen(path.quotedForMessage, errno: true)
            System.shut(descriptor)
            throw error
        }
        return descriptor
    }

    /// Removes a socket of a server that is gone: nobody listens there. Anything else at the path is left alone.
    private static func removeAbandoned(_ path: String, _ address: inout sockaddr_un) {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFSOCK else { return }
        let probe = System.makeSocket(family: AF_UNIX)
        guard probe >= 0 else { return }
        defer { System.shut(probe) }
        if with(&address, { connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED { unlink(path) }
    }

    private static func with<Result>(
        _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
