import ConvoyCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// One accepted connection, used by its own thread only. Every wait ends when the server stops.
///
/// What goes wrong is thrown as `ConvoyError`: `.connectionLost` when the peer is gone, `.cancelled` when the server
/// stops, `.totalTimeout` when the peer takes too long.
package final class Connection {
    /// The number of the connection, counted from 0.
    package let index: Int
    /// The address of the peer, without port; `unix` for a Unix domain socket.
    package let remoteAddress: String
    private(set) var isSecure = false
    /// Bytes received and not yet taken.
    private var buffer = [UInt8](repeating: 0, count: 65536)
    private var filled = 0..<0
    private var descriptor: Int32
    private var session: TLSSession?
    private let signal: StopSignal
    private let idleTimeout: Duration

    init(_ descriptor: Int32, index: Int, remoteAddress: String, signal: StopSignal, idleTimeout: Duration) {
        self.descriptor = descriptor
        self.index = index
        self.remoteAddress = remoteAddress
        self.signal = signal
        self.idleTimeout = idleTimeout
    }

    deinit { close() }

    /// Whether it was closed from this side.
    package var isClosed: Bool { descriptor < 0 }

    /// Whether bytes are there that nobody has taken yet.
    package var hasBufferedBytes: Bool { !filled.isEmpty }

    /// The moment by which a peer must have moved on.
    var patience: ContinuousClock.Instant { .now + idleTimeout }

    // MARK: Waiting

    /// Waits this long, or for ever if nil. Throws as soon as the peer closes (its sending side counts) or the server
    /// stops.
    package func pause(_ duration: Duration?) throws {
        let deadline = duration.map { ContinuousClock.now + $0 }
        if try wait(for: System.peerClosed, until: deadline) { throw Self.lost("the peer closed the connection") }
    }

    /// Waits for an event at the socket; false when the time is over.
    private func wait(for events: Int16, until deadline: ContinuousClock.Instant?) throws -> Bool {
        try checkOpen()
        let happened = System.wait([(descriptor, events), (signal.descriptor, System.readable)], until: deadline)
        try checkOpen()
        return happened[0] != 0
    }

    private func checkOpen() throws {
        if isClosed { throw Self.lost("the connection is closed") }
        if signal.isGiven { throw ConvoyError(.cancelled, "the server stops") }
    }

    private func patiently(_ events: Int16, until deadline: ContinuousClock.Instant) throws {
        guard try wait(for: events, until: deadline) else {
            throw ConvoyError(.totalTimeout, "the peer did nothing for \(idleTimeout)")
        }
    }

    private static func lost(_ reason: String) -> ConvoyError { ConvoyError(.connectionLost, reason) }

    // MARK: TLS

    func secure(_ context: TLSContext) throws {
        let session = try context.makeSession(descriptor)
        let deadline = patience
        while true {
            switch session.handshake() {
            case .done:
                self.session = session
                isSecure = true
                return
            case .needsReading: try patiently(System.readable, until: deadline)
            case .needsWriting: try patiently(System.writable, until: deadline)
            case .ended: throw Self.lost("the peer left during the TLS handshake")
            case .failed(let reason): throw ConvoyError(.tlsFailed, "the TLS handshake failed: \(reason)")
            }
        }
    }

    // MARK: Receiving

    /// Makes sure that there are bytes to take; false when the peer has ended its side.
    func fill(until deadline: ContinuousClock.Instant? = nil) throws -> Bool {
        if !filled.isEmpty { return true }
        let deadline = deadline ?? patience
        while true {
            try checkOpen()
            let count = try buffer.withUnsafeMutableBytes { try receive($0, until: deadline) }
            guard let count else { continue }
            filled = 0..<count
            return count > 0
        }
    }

    /// Hands the bytes that are there to the closure, which says how many it takes.
    func take<Result>(_ body: (UnsafeRawBufferPointer) throws -> (Int, Result)) rethrows -> Result {
        let (count, result) = try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[filled])) }
        filled = min(filled.lowerBound + count, filled.upperBound)..<filled.upperBound
        return result
    }

    /// The number of bytes received, 0 at the peer's end; nil if it has to be tried again.
    private func receive(
        _ space: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant
    ) throws -> Int? {
        guard let session else {
            let count = System.receive(descriptor, space)
            if count >= 0 { return count }
            switch errno {
            case EAGAIN, EWOULDBLOCK: try patiently(System.readable, until: deadline)
            case EINTR: break
            default: throw Self.lost("the connection broke: \(System.reason(errno))")
            }
            return nil
        }
        switch session.read(space) {
        case .done(let count): return count
        case .needsReading: try patiently(System.readable, until: deadline)
        case .needsWriting: try patiently(System.writable, until: deadline)
        case .ended: return 0
        case .failed(let reason): throw Self.lost("TLS failed: \(reason)")
        }
        return nil
    }

    // MARK: Sending

    /// Sends all of the bytes.
    package func send(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            try checkOpen()
            if let count = try transmit(rest) { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
        }
    }

    private func transmit(_ bytes: UnsafeRawBufferPointer) throws -> Int? {
        guard let session else {
            let count = System.transmit(descriptor, bytes)
            if count >= 0 { return count }
            switch errno {
            case EAGAIN, EWOULDBLOCK: try patiently(System.writable, until: patience)
            case EINTR: break
            default: throw Self.lost("the peer takes no more: \(System.reason(errno))")
            }
            return nil
        }
        switch session.write(bytes) {
        case .done(let count): return count
        case .needsReading: try patiently(System.readable, until: patience)
        case .needsWriting: try patiently(System.writable, until: patience)
        case .ended, .failed: throw Self.lost("the peer takes no more")
        }
        return nil
    }

    // MARK: Ending

    /// Closes at once. If there are bytes nobody has taken, the system sends a reset.
    package func close() {
        session = nil
        System.shut(descriptor)
        descriptor = -1
    }

    /// Closes with a reset: the peer sees ECONNRESET, also for bytes it has not read yet.
    package func reset() {
        guard !isClosed else { return }
        System.resetOnClose(descriptor)
        close()
    }

    /// Ends the sending side, then takes what still comes until the peer closes too, for at most the given time. So
    /// that the last answer is not destroyed by a reset (RFC 9112 §9.6).
    package func closeGracefully(within limit: Duration = .seconds(2)) {
        guard !isClosed else { return }
        session?.endSending()
        System.endSending(descriptor)
        session = nil
        filled = 0..<0
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline, (try? fill(until: deadline)) == true { filled = 0..<0 }
        close()
    }
}
