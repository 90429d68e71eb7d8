#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What went wrong with a call: one type for every failure, told apart by `code` or by the predicates.
///
/// ```swift
/// do {
///     _ = try await client.get("users/42")
/// } catch let error as ConvoyError where error.isTimeout {
///     print("too slow:", error.message)
/// }
/// ```
///
/// Printing an error never shows a secret: addresses lose their user info and the values of secret parameters, bodies
/// those of secret JSON members, and header fields are not printed.
public struct ConvoyError: Error, Sendable {
    /// What went wrong: an open set, so that a `switch` needs a `default`.
    public var code: Code
    /// A sentence for people that names what was wrong.
    public var message: String
    /// How far the exchange had come.
    public var phase: Phase
    /// The request as it was sent, or would have been.
    public var request: Request? {
        get { sent?.value }
        set { sent = newValue.map { Boxed($0) } }
    }
    /// The response, if one came; its body up to the ceiling.
    public var response: Response? {
        get { received?.value }
        set { received = newValue.map { Boxed($0) } }
    }
    /// How many exchanges the call made, this one included.
    public var attempts: Int
    /// The timings and counts of the failed exchange, if one was begun.
    public var metrics: Metrics? {
        get { measured?.value }
        set { measured = newValue.map { Boxed($0) } }
    }
    /// The error beneath, where there is one.
    public var underlying: (any Error)?

    // Boxed: every function on a call's way keeps room for an error.
    private var sent: Boxed<Request>?
    private var received: Boxed<Response>?
    private var measured: Boxed<Metrics>?

    /// An error of a code with a sentence that names what was wrong.
    public init(
        _ code: Code, _ message: String, phase: Phase = .preparing, metrics: Metrics? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.phase = phase
        self.underlying = underlying
        attempts = 0
        self.metrics = metrics
    }

    /// How far an exchange had come.
    public enum Phase: String, Sendable {
        /// Before anything was sent: the request was being put together.
        case preparing
        /// Waiting for a connection, looking up the name, connecting, or in the TLS handshake.
        case connecting
        /// The request was being sent.
        case sending
        /// The request was sent and no byte of the answer had come.
        case waiting
        /// The answer was coming in.
        case receiving
        /// The answer was complete and was being validated or decoded.
        case decoding
    }
}

/// Turns an error into one of the app's own, which is thrown in its place; nil leaves it to the next broader mapping:
/// request, endpoint, client.
public typealias ErrorMapping = @Sendable (ConvoyError) -> (any Error)?

extension ConvoyError {
    /// A name for what went wrong.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as text.
        public let rawValue: String
        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        private init(_ name: String) { rawValue = name }
        /// The name as text.
        public var description: String { rawValue }

        /// The address is no URL that can be requested.
        public static let invalidURL = Code("invalidURL")
        /// A header name or value that cannot be sent.
        public static let invalidHeader = Code("invalidHeader")
        /// A cookie of your own that cannot be kept.
        public static let invalidCookie = Code("invalidCookie")
        /// The file of the cookies cannot be read or written.
        public static let cookieFileFailed = Code("cookieFileFailed")
        /// A request that cannot be sent as it stands.
        public static let invalidRequest = Code("invalidRequest")
        /// The engine lacks what the request asks for; nothing was sent.
        public static let unsupported = Code("unsupported")
        /// A value could not be encoded as a body.
        public static let encodingFailed = Code("encodingFailed")
        /// The request's body could not be read: a missing file, a stream that failed, a wrong length.
        public static let bodyUnreadable = Code("bodyUnreadable")
        /// The request's body was asked for a second time and can be sent only once.
        public static let bodyNotReplayable = Code("bodyNotReplayable")
        /// The host's name has no address.
        public static let hostNotFound = Code("hostNotFound")
        /// No connection could be made.
        public static let cannotConnect = Code("cannotConnect")
        /// The connection was closed or reset before the exchange was complete.
        public static let connectionLost = Code("connectionLost")
        /// A proxy could not be found, reached, or refused.
        public static let proxyFailed = Code("proxyFailed")
        /// The TLS handshake failed.
        public static let tlsFailed = Code("tlsFailed")
        /// The server's certificate has expired, or is not valid yet.
        public static let certificateExpired = Code("certificateExpired")
        /// The server's certificate is for another host.
        public static let certificateHostMismatch = Code("certificateHostMismatch")
        /// The server's certificate comes from no trusted authority.
        public static let certificateUntrusted = Code("certificateUntrusted")
        /// The server's certificate is signed by itself.
        public static let certificateSelfSigned = Code("certificateSelfSigned")
        /// The server's certificate fails for another reason, named in the message.
        public static let certificateInvalid = Code("certificateInvalid")
        /// No connection within `Timeouts.connect`.
        public static let connectTimeout = Code("connectTimeout")
        /// No byte of the answer within `Timeouts.firstByte` of the request being sent.
        public static let firstByteTimeout = Code("firstByteTimeout")
        /// No byte either way for `Timeouts.idle`.
        public static let idleTimeout = Code("idleTimeout")
        /// One attempt not complete within `RetryPolicy.attemptTimeout`.
        public static let attemptTimeout = Code("attemptTimeout")
        /// Not complete within `Timeouts.total`.
        public static let totalTimeout = Code("totalTimeout")
        /// The answer is no HTTP, or frames its body in a way that must not be trusted.
        public static let invalidResponse = Code("invalidResponse")
        /// The answer's header is larger than can be taken.
        public static let responseHeaderTooLarge = Code("responseHeaderTooLarge")
        /// The answer's body is larger than the ceiling on what is kept in memory.
        public static let bodyTooLarge = Code("bodyTooLarge")
        /// The answer ended before its body was complete.
        public static let incompleteBody = Code("incompleteBody")
        /// The answer's content coding is damaged.
        public static let corruptContent = Code("corruptContent")
        /// The answer's content coding ended before its end.
        public static let truncatedContent = Code("truncatedContent")
        /// The answer's content coding decodes to more than is allowed.
        public static let contentLimitExceeded = Code("contentLimitExceeded")
        /// The answer could not be written to its file.
        public static let fileNotWritable = Code("fileNotWritable")
        /// The status is none that the request accepts.
        public static let unacceptableStatus = Code("unacceptableStatus")
        /// The content type is none that the request accepts.
        public static let unacceptableContentType = Code("unacceptableContentType")
        /// The service's own code is none that the envelope rules accept.
        public static let envelopeRejected = Code("envelopeRejected")
        /// A redirect that must not, or cannot, be followed; the message says why.
        public static let redirectFailed = Code("redirectFailed")
        /// The body is not what was asked for.
        public static let decodingFailed = Code("decodingFailed")
        /// The call was cancelled.
        public static let cancelled = Code("cancelled")
        /// The client was shut down.
        public static let clientClosed = Code("clientClosed")
        /// More exchanges were asked for than one call may make.
        public static let tooManyExchanges = Code("tooManyExchanges")
        /// A plugin, or a closure of the configuration, threw an error of its own.
        public static let pluginFailed = Code("pluginFailed")
        /// The engine failed in a way it has no other name for; the message names it.
        public static let engineFailed = Code("engineFailed")
    }

    /// Whether a time limit ran out; `code` tells which.
    public var isTimeout: Bool {
        [.connectTimeout, .firstByteTimeout, .idleTimeout, .attemptTimeout, .totalTimeout].contains(code)
    }

    /// Whether the connection could not be made or was lost.
    public var isConnection: Bool {
        [.hostNotFound, .cannotConnect, .connectionLost, .proxyFailed, .incompleteBody].contains(code)
    }

    /// Whether the server could not be trusted.
    public var isTrust: Bool { code == .tlsFailed || code.rawValue.hasPrefix("certificate") }

    /// Whether a connection that had served before was lost before a byte of the answer came.
    var isStaleConnection: Bool {
        code == .connectionLost && metrics?.isReusedConnection == true && (phase == .sending || phase == .waiting)
    }

    /// Whether the call was cancelled.
    public var isCancelled: Bool { code == .cancelled }

    /// Whether an answer came and was refused by validation.
    public var isValidation: Bool { code == .unacceptableStatus || code == .unacceptableContentType }

    /// The status of the response, if one came.
    public var status: Status? { response?.status }
}

extension ConvoyError: CustomStringConvertible, LocalizedError {
    /// What was asked and what went wrong, in one line, and an excerpt of the body if an answer came.
    public var description: String {
        var text = message
        if let request { text = "\(request.method) \(request.address): \(text)" }
        if let excerpt = response?.excerpt { text += "\n\(excerpt)" }
        return text
    }

    /// The same as `description`: what Foundation shows to people.
    public var errorDescription: String? { description }
}
