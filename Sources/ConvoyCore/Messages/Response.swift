/// What came back: the header, the body in memory, as a stream or in a file, and what it took.
public struct Response: Sendable {
    /// The status.
    public var status: Status
    /// The reason phrase as the server said it; empty if it said none.
    public var reason: String
    /// The header fields, in order.
    public var headers: Headers
    /// The protocol version.
    public var version: HTTPVersion
    /// The content, its codings undone unless the request said otherwise.
    public var body: Body {
        didSet { if envelope != nil { envelope = nil } }
    }
    /// The address that answered; nil for a response made by hand, until a client gives it its request's.
    public var uri: URI?
    /// Boxed: every function on a call's way keeps room for a response.
    private var details: Boxed<Details>

    private struct Details {
        var trailers = Headers()
        var source: Source
        var metrics: Metrics
        var attempts = 0
        var history: [Response] = []
        var call: Call.ID?
        var userInfo = UserInfo()
        var decoder: (any BodyDecoder)?
        var envelope: Envelope?
    }

    /// A response made by hand: for plugins and transports.
    public init(
        status: Status, reason: String = "", headers: Headers = Headers(), body: Body = .none,
        version: HTTPVersion = .http11, uri: URI? = nil, metrics: Metrics = Metrics(), source: Source = .network
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.version = version
        self.body = body
        self.uri = uri
        details = Boxed(Details(source: source, metrics: metrics))
    }

    /// The fields that came after the body; of a streamed body they are not known.
    public var trailers: Headers {
        get { details.value.trailers }
        set { details.value.trailers = newValue }
    }
    /// Where the response is from.
    public var source: Source {
        get { details.value.source }
        set { details.value.source = newValue }
    }
    /// What the exchange took. Of a streamed body: until its header came.
    public var metrics: Metrics {
        get { details.value.metrics }
        set { details.value.metrics = newValue }
    }
    /// The redirects that led here, the first one first: each with its address, and the beginning of its body.
    public internal(set) var history: [Response] {
        get { details.value.history }
        set { details.value.history = newValue }
    }
    /// How many exchanges the call made, this one included.
    public var attempts: Int {
        get { details.value.attempts }
        set { details.value.attempts = newValue }
    }
    /// The identifier of the call it answers.
    public var call: Call.ID? {
        get { details.value.call }
        set { details.value.call = newValue }
    }
    /// The typed values that travelled with the call.
    public var userInfo: UserInfo {
        get { details.value.userInfo }
        set { details.value.userInfo = newValue }
    }
    /// What stood around the payload, where `EnvelopeRules` are set. Setting `body` drops it.
    public var envelope: Envelope? {
        get { details.value.envelope }
        set { details.value.envelope = newValue }
    }
    /// Decodes the body. Default: the request's, and so the client's; JSON for a response that came from none.
    public var decoder: any BodyDecoder {
        get { ownDecoder ?? JSONBodyDecoder.standard }
        set { ownDecoder = newValue }
    }
    /// The decoder, if one was set: a plugin's answer gets the client's only where it brings none.
    var ownDecoder: (any BodyDecoder)? {
        get { details.value.decoder }
        set { details.value.decoder = newValue }
    }

    /// Where a response is from: an open set.
    public struct Source: RawRepresentable, Hashable, Sendable {
        /// The name of the source.
        public let rawValue: String
        /// A source by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// From the server.
        public static let network = Source(rawValue: "network")
        /// From a mock.
        public static let mock = Source(rawValue: "mock")
    }

    /// The media type of the body in lower case without parameters, such as `application/json`; nil if none is stated.
    public var mediaType: String? {
        guard let value = headers[.contentType] else { return nil }
        let type = String(value.prefix { $0 != ";" && $0 != "," }).trimmingOWS
        return type.isEmpty ? nil : String(type).lowercasedASCII
    }

    /// Status and reason: `404 Not Found`.
    public var statusLine: String { reason.isEmpty ? status.description : "\(status.code) \(reason)" }

    /// The same response with its body in memory: reads a stream or a file to its end.
    ///
    /// - Parameter limit: the most bytes to take; 64 MiB by default. Throws `.bodyTooLarge` beyond.
    public func collected(upTo limit: Int = 64 << 20) async throws -> Response {
        if body.data != nil { return self }
        var copy = self
        copy.body = .bytes(try await body.collect(upTo: limit), contentType: body.contentType)
        return copy
    }

    /// Whether it has no content, or an empty one in memory.
    var hasNoContent: Bool { body.data?.isEmpty ?? false }

    /// The beginning of a text body, for an error message; nil if it is empty, elsewhere, or no text.
    package var excerpt: String? {
        guard let data = body.data, !data.isEmpty else { return nil }
        let type = mediaType ?? ""
        let isText =
            type.isEmpty || type.hasPrefix("text/")
            || ["json", "xml", "x-www-form-urlencoded"].contains {
                type.hasSuffix($0)
            }
        guard isText else { return "(\(data.count) bytes of \(type))" }
        let isForm = type.hasSuffix("x-www-form-urlencoded")
        let text = String(decoding: data.prefix(400), as: UTF8.self)
        let safe = isForm ? String(Redaction.standard.address("?" + text).dropFirst()) : Redaction.standard.body(text)
        return safe.visible(upTo: 400) + (data.count > 400 ? "…" : "")
    }
}

extension Response: CustomStringConvertible {
    /// Status line, address with its secrets masked, and the size of the body.
    public var description: String {
        let size = body.length.map { "\($0) bytes" } ?? "body not in memory"
        return
            "\(version) \(statusLine)\(uri.map { " from \(Redaction.standard.address($0.description))" } ?? ""), \(size)"
    }
}
