/// The time limits of a call. Each that runs out ends the call with an error that says which one and after how long.
public struct Timeouts: Sendable, Hashable {
    /// For the name look-up, the connection and the TLS handshake, not counting the wait for a free connection.
    /// Default: 10 s. Nil for none.
    public var connect: Duration?
    /// From the request being sent, with its body, to the first byte of the answer. Default: nil, none.
    public var firstByte: Duration?
    /// Without a byte in either direction, once there is a connection. Time in which this side does not read, or has
    /// nothing to send, does not count. Default: 60 s. Nil for none.
    public var idle: Duration?
    /// For the whole call: plugins, attempts and the answer's body, streamed or not. Default: nil, none.
    public var total: Duration?

    /// Limits, the documented defaults where none are given.
    public init(
        connect: Duration? = .seconds(10), firstByte: Duration? = nil, idle: Duration? = .seconds(60),
        total: Duration? = nil
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.total = total
    }

    /// The documented defaults: connect 10 s, idle 60 s, the others none.
    public static let standard = Timeouts()
}

extension Duration {
    /// In seconds.
    package var seconds: Double {
        let (whole, atto) = components
        return Double(whole) + Double(atto) * 1e-18
    }

    /// For people: `250 ms`, `1.5 s`, `2 min`.
    package var forPeople: String {
        let seconds = seconds
        if seconds < 0.0995 { return "\((seconds * 10000).rounded() / 10) ms".replacingTrailingZero }
        if seconds < 0.9995 { return "\(Int((seconds * 1000).rounded())) ms" }
        if seconds < 120 { return "\((seconds * 100).rounded() / 100) s".replacingTrailingZero }
        return "\((seconds / 6).rounded() / 10) min".replacingTrailingZero
    }
}

extension String {
    fileprivate var replacingTrailingZero: String {
        guard let space = firstIndex(of: " "), self[..<space].hasSuffix(".0") else { return self }
        return String(self[..<space].dropLast(2) + self[space...])
    }
}
