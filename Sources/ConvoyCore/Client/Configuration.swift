/// What a client's requests have in common. A request's own value wins over it.
public struct Configuration: Sendable {
    /// What paths are appended to; nil for none. With a base URL, what is set here goes to its origin only, unless
    /// `defaultsScope` says otherwise.
    public var baseURL: String?
    /// Further base URLs of the same service: their origins may have what is set here too.
    public var fallbackURLs: [String] = []
    /// Which origins get the headers, query, parameters and computed values that are set here.
    public var defaultsScope: OriginScope = .ownOrigins
    /// Header fields of every request.
    public var headers = Headers()
    /// Header fields whose values are asked for at each call.
    public var computedHeaders = Computed()
    /// Parameters in the address of every request.
    public var query = Parameters()
    /// Parameters of every request, placed by method.
    public var parameters = Parameters()
    /// Parameters whose values are asked for at each call.
    public var computedParameters = Computed()
    /// Typed values that travel with every call.
    public var userInfo = UserInfo()
    /// What turns values into bodies. Default: JSON.
    public var encoder: any BodyEncoder = JSONBodyEncoder.standard
    /// What turns bodies into values. Default: JSON.
    public var decoder: any BodyDecoder = JSONBodyDecoder.standard
    /// The time limits. Default: connect 10 s, idle 60 s.
    public var timeouts = Timeouts.standard
    /// The most bytes of a body that are kept in memory. Default: 64 MiB.
    public var bodyLimit = 64 << 20
    /// Which answers count as success. Default: 2xx, and 3xx that are not followed.
    public var validation = Validation.standard
    /// How answers are unwrapped. Default: not at all.
    public var envelope: EnvelopeRules?
    /// Turns errors into the app's own. Default: they stay `ConvoyError`s.
    public var mapError: ErrorMapping?
    /// How query and parameters are written, and where parameters go.
    public var parameterOptions = ParameterOptions()
    /// Whether and how redirects are followed. Default: up to 20.
    public var redirects = RedirectPolicy.standard
    /// When a failed exchange is tried again. Default: idempotent requests, up to two more times.
    public var retry = RetryPolicy.standard
    /// Where cookies are kept: `.memory`, `.file(path)`, or a store of yours. Default: nowhere, so that none are sent.
    public var cookies: CookieStore?
    /// How connections are made.
    public var network = Network()
    /// Around every call and exchange, the first one outermost.
    public var plugins: [any Plugin] = []
    /// The most exchanges of one call: attempts, hops, and what plugins ask for again. Default: 64.
    public var maximumExchanges = 64
    /// What `User-Agent` begins with; nil for the program's name.
    public var product: String?
    /// Where the time comes from.
    public var time = TimeSource.system
    /// Where randomness comes from: a number from 0 to 1, for the waits between attempts.
    public var random: @Sendable () -> Double = { Double.random(in: 0...1) }

    /// The defaults.
    public init() {}

    /// Which origins get what a configuration sets.
    public enum OriginScope: Sendable {
        /// The origins of the base URL and the fallbacks; any origin if there is no base URL.
        case ownOrigins
        /// Any origin.
        case anyOrigin
    }
}

extension Configuration: CustomStringConvertible {
    /// The base URL, a user and password in it masked, and the headers, secrets masked.
    public var description: String {
        let base = baseURL.map { Redaction.maskUserInfo($0) } ?? "no base URL"
        return ([base] + (headers.isEmpty ? [] : [headers.description])).joined(separator: "\n")
    }
}

/// Values that are asked for at each call: a token, a device identifier. Nil leaves the value out.
///
/// ```swift
/// configuration.computedHeaders["X-Token"] = { await tokens.current() }
/// ```
public struct Computed: Sendable {
    /// Gives the value for one call.
    public typealias Source = @Sendable () async throws -> String?

    private(set) var sources: [(name: String, source: Source)] = []

    /// No values.
    public init() {}

    /// The source of a value; nil removes it.
    public subscript(name: String) -> Source? {
        get { sources.first { $0.name == name }?.source }
        set {
            sources.removeAll { $0.name == name }
            if let newValue { sources.append((name, newValue)) }
        }
    }
}
