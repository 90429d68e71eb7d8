#if canImport(Dispatch)
    import Dispatch
#endif

/// How far a request's body has gone out and the answer's body has come in, in bytes on the wire.
public struct Progress: Sendable, Hashable {
    /// The bytes of the request's body that were sent.
    public var sent: Int64
    /// The bytes of the request's body in all; nil if unknown.
    public var sendTotal: Int64?
    /// The bytes of the answer's body that came, before any decoding.
    public var received: Int64
    /// The bytes of the answer's body in all, before any decoding; nil if unknown.
    public var receiveTotal: Int64?

    /// Counts of bytes.
    public init(sent: Int64 = 0, sendTotal: Int64? = nil, received: Int64 = 0, receiveTotal: Int64? = nil) {
        self.sent = sent
        self.sendTotal = sendTotal
        self.received = received
        self.receiveTotal = receiveTotal
    }

    /// How much of the answer came, from 0 to 1; nil if the total is unknown.
    public var fractionReceived: Double? { Self.fraction(received, of: receiveTotal) }

    /// How much of the request's body went, from 0 to 1; nil if the total is unknown.
    public var fractionSent: Double? { Self.fraction(sent, of: sendTotal) }

    private static func fraction(_ part: Int64, of total: Int64?) -> Double? {
        guard let total else { return nil }
        return total > 0 ? min(1, Double(part) / Double(total)) : 1
    }
}

/// Where the progress of a request is reported: at most ten times a second, and once at the end.
public struct ProgressHandler: Sendable {
    package let report: @Sendable (Progress) -> Void

    /// Calls the closure on the main actor.
    public init(_ handler: @escaping @MainActor @Sendable (Progress) -> Void) {
        report = { progress in Task { @MainActor in handler(progress) } }
    }

    /// Calls the closure on a queue of yours.
    public init(on queue: DispatchQueue, _ handler: @escaping @Sendable (Progress) -> Void) {
        report = { progress in queue.async { handler(progress) } }
    }
}
