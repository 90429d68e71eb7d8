import CCurl
import ConvoyCompression
import ConvoyCore
import Glibc

/// What libcurl calls while a transfer is under way, on the loop's thread.
enum TransferCallbacks {
    static let table = convoy_callbacks(
        header: { bytes, size, count, pointer in
            guard let bytes, let pointer else { return 0 }
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return EasyHandle.transfer(pointer)?.receiveHeader(buffer) == true ? buffer.count : 0
        },
        write: { bytes, size, count, pointer in
            guard let bytes, let pointer else { return 0 }
            return EasyHandle.transfer(pointer)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
                ?? 0
        },
        read: { bytes, size, count, pointer in
            guard let bytes, let pointer else { return Int(CURL_READFUNC_ABORT) }
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return EasyHandle.transfer(pointer)?.send(into: buffer) ?? Int(CURL_READFUNC_ABORT)
        },
        prereq: { pointer, remote, local, remotePort, localPort in
            guard let pointer else { return CURL_PREREQFUNC_ABORT }
            let ends = ConnectionEnds(
                remote: remote, remotePort: remotePort, local: local, localPort: localPort)
            return EasyHandle.transfer(pointer)?.begin(over: ends) == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        },
        open_socket: { pointer, _, address in
            // A transfer that has begun once gets no second connection: libcurl would repeat the request on it.
            guard let pointer, let address, let transfer = EasyHandle.transfer(pointer), transfer.beginnings == 0 else {
                return CURL_SOCKET_BAD
            }
            let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
            let descriptor = socket(address.pointee.family, kind, address.pointee.protocol)
            if descriptor >= 0 { transfer.opened.append(descriptor) }
            return descriptor
        },
        close_socket: { pointer, descriptor in
            if let pointer { Sockets.from(pointer).closed(descriptor) }
            return close(descriptor)
        })
}

extension Transfer {
    /// The connection stands and the request is about to be sent. False ends the transfer before a byte of it is.
    func begin(over ends: ConnectionEnds) -> Bool {
        beginnings += 1
        // libcurl repeats a request by itself when a reused connection turns out to be dead; whether that is right
        // depends on the method, and is the client's to decide. Here it has found another open connection for it.
        guard beginnings == 1, let handle else { return false }
        isReused = convoy_get_long(handle.raw, CURLINFO_NUM_CONNECTS) == 0
        connection = thread?.sockets.connection(ends, of: self, handle)
        guard isOfRightVersion, isQuiet else { return false }
        if smallBody != nil { upload?.markSent() }
        phase = upload?.isComplete ?? true ? .waiting : .sending
        noteActivity()
        sentAt = lastActivity
        thread?.noteDeadline(self)
        return true
    }

    /// Whether the connection is of the version that is asked for. libcurl may reuse one that is not: then the transport
    /// asks for a fresh one, since nothing has been sent.
    private var isOfRightVersion: Bool {
        let versions = request.network?.versions ?? .automatic
        guard versions != .automatic, let connection, connection.isHTTP2 != (versions == .http2) else { return true }
        needsFreshConnection = isReused
        failure = ConvoyError(.unsupported, "the server does not speak \(versions) over TLS", phase: .connecting)
        return false
    }

    /// Whether nothing has come on the connection since its last answer. What came unasked would be taken for the answer
    /// to this request: such a connection is given up before anything is sent over it.
    private var isQuiet: Bool {
        guard isReused, let connection, !connection.isHTTP2, !uri.isSecure else { return true }
        var byte: UInt8 = 0
        guard recv(connection.descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0 else { return true }
        needsFreshConnection = true
        failure = ConvoyError(.connectionLost, "the server sent something that was not asked for", phase: .connecting)
        return false
    }

    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let upload else { return 0 }
        let step = upload.read(into: buffer)
        noteActivity()
        reportProgress(now: lastActivity)
        switch step {
        case .bytes(let count):
            if upload.isComplete, phase == .sending {
                phase = .waiting
                sentAt = lastActivity
                thread?.noteDeadline(self)
            }
            return count
        case .pause:
            isSendingPaused = true
            return Int(CURL_READFUNC_PAUSE)
        case .failure(let error):
            failure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// Takes one header line; false ends the transfer.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        noteActivity()
        guard let handle else { return false }
        do {
            guard head == nil else {
                try handle.reader.takeTrailer(line)
                return true
            }
            guard let complete = try handle.reader.take(line) else { return true }
            // Interim answers (100, 103) are passed over: any number of them may come (RFC 9110 §15.2).
            if complete.status.kind == .informational, complete.status != 101 { return true }
            phase = .receiving
            head = complete
            try openSink(for: complete)
            return true
        } catch {
            failure = error as? ConvoyError ?? ConvoyError(.engineFailed, "\(error)", phase: .receiving)
            return false
        }
    }

    private func openSink(for head: ResponseHead) throws {
        switch request.delivery {
        case .file(let path) where head.status.kind == .successful:
            sink = .file(try FileSink(path: path, decoder: try ContentDecoding.decoder(head.headers, request)))
        case .stream:
            let loop = loop
            let channel = BodyChannel { [weak self] in if let self { loop.post(.resumeReceiving(self)) } }
            sink = .stream(channel)
            hand(over: StreamedBody.body(channel, head, self))
        default:
            if let length = head.contentLength, request.method != .head, length > Int64(bodyLimit) {
                throw Body.tooLarge(bodyLimit)
            }
            if let length = head.contentLength, length <= 1 << 20, request.method != .head {
                try memory.reserve(Int(length))
            }
            sink = .memory(memory)
        }
    }

    private var bodyLimit: Int { request.bodyLimit ?? 64 << 20 }

    /// Takes a piece of the body; gives the number of bytes taken, or libcurl's word for waiting or ending.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        noteActivity()
        do {
            switch sink {
            case .memory(let buffer):
                if buffer.count + bytes.count > bodyLimit { throw Body.tooLarge(bodyLimit) }
                try buffer.append(bytes)
            case .file(let file): try file.write(bytes)
            case .stream(let channel):
                guard channel.offer(bytes) else {
                    isReceivingPaused = true
                    return Int(CURL_WRITEFUNC_PAUSE)
                }
            case .none: break
            }
        } catch {
            failure = error as? ConvoyError ?? ConvoyError(.engineFailed, "\(error)", phase: .receiving)
            return 0
        }
        received += Int64(bytes.count)
        reportProgress(now: lastActivity)
        return bytes.count
    }

    private func noteActivity() { lastActivity = thread?.now ?? Clock.now }
}
