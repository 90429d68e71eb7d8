import ConvoyCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A client that sends and receives bytes as they are, for tests of servers. It blocks, for at most ten seconds a wait.
package final class RawClient {
    /// What the system said instead of giving bytes.
    package struct Failure: Error, Equatable {
        package var call: String
        package var code: Int32

        package init(call: String, code: Int32) {
            self.call = call
            self.code = code
        }
    }

    /// An answer, as a client reads it.
    package struct Reply {
        package var status: Int
        package var reason: String
        package var headers = Headers()
        package var body: [UInt8] = []
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package private(set) var descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to a port of this machine.
    package init(port: Int, host: String = "127.0.0.1") throws {
        var hints = addrinfo()
        #if os(Linux)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0, let first = list else { throw Failure(call: "getaddrinfo", code: code) }
        defer { freeaddrinfo(list) }
        descriptor = try Self.open(first.pointee.ai_family)
        try connect(first.pointee.ai_addr, first.pointee.ai_addrlen)
    }

    /// Connects to a Unix domain socket.
    package init(path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        descriptor = try Self.open(AF_UNIX)
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try connect($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    deinit { close() }

    private static func open(_ family: Int32) throws -> Int32 {
        #if os(Linux)
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    private func connect(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) throws {
        #if canImport(Glibc)
            let code = Glibc.connect(descriptor, address, length)
        #elseif canImport(Musl)
            let code = Musl.connect(descriptor, address, length)
        #else
            let code = Darwin.connect(descriptor, address, length)
        #endif
        if code != 0 { throw Failure(call: "connect", code: errno) }
    }

    /// Sends all of the bytes.
    package func send(_ bytes: some Sequence<UInt8>) throws {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { rest in
                #if canImport(Glibc)
                    Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                #elseif canImport(Musl)
                    Musl.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                #else
                    Darwin.send(descriptor, rest.baseAddress, rest.count, 0)
                #endif
            }
            guard count >= 0 else { throw Failure(call: "send", code: errno) }
            sent += count
        }
    }

    /// Sends text.
    package func send(_ text: String) throws { try send(text.utf8) }

    /// Receives into the buffer; false at the peer's end.
    private func fill() throws -> Bool {
        var piece = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count >= 0 else { throw Failure(call: "recv", code: errno) }
        buffer += piece[..<count]
        return count > 0
    }

    /// At least one byte and what came with it; empty at the peer's end.
    package func receiveSome() throws -> [UInt8] {
        if buffer.isEmpty { _ = try fill() }
        defer { buffer = [] }
        return buffer
    }

    /// So many bytes, or those up to the peer's end.
    package func receive(_ count: Int) throws -> [UInt8] {
        while buffer.count < count, try fill() {}
        defer { buffer.removeFirst(min(count, buffer.count)) }
        return Array(buffer.prefix(count))
    }

    /// Everything up to the peer's end.
    package func receiveAll() throws -> String {
        while try fill() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// A line without its CR LF; nil at the peer's end.
    package func receiveLine() throws -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end].filter { $0 != 0x0D }, as: UTF8.self)
            }
            guard try fill() else { return nil }
        }
    }

    /// An answer with its body; nil at the peer's end. That of a HEAD request has no body.
    package func receiveReply(toHead: Bool = false) throws -> Reply? {
        guard let first = try receiveLine() else { return nil }
        let parts = first.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, let status = Int(parts[1]) else { throw Failure(call: first, code: 0) }
        var reply = Reply(status: status, reason: parts.count > 2 ? parts[2] : "")
        while let line = try receiveLine(), !line.isEmpty { reply.headers.append(Self.field(line)) }
        if toHead || status / 100 == 1 || status == 204 || status == 304 { return reply }
        if reply.headers[.transferEncoding] == "chunked" {
            while let line = try receiveLine(), let size = Int(line, radix: 16), size > 0 {
                reply.body += try receive(size)
                _ = try receive(2)
            }
            while let line = try receiveLine(), !line.isEmpty { reply.headers.append(Self.field(line)) }
        } else if let length = reply.headers[.contentLength].flatMap({ Int($0) }) {
            reply.body = try receive(length)
        } else {
            reply.body = Array(try receiveAll().utf8)
        }
        return reply
    }

    private static func field(_ line: String) -> Headers.Field {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return Headers.Field(.init(parts[0]), String((parts.count > 1 ? parts[1] : "").trimmingOWS))
    }

    /// Sends a request with a body and receives the answer.
    package func exchange(
        _ method: Method, _ target: String, headers: Headers = [:], body: String = ""
    ) throws -> Reply? {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: test\r\n"
        for field in headers { text += "\(field.name): \(field.value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        try send("\(text)\r\n\(body)")
        return try receiveReply(toHead: method == .head)
    }

    /// Says that nothing more is sent.
    package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes in order.
    package func close() {
        guard descriptor >= 0 else { return }
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
        descriptor = -1
    }

    /// Closes with a reset.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }
}
