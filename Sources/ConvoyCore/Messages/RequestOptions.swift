/// The parts of a request that most leave as they are: kept together in one place, so that a request is cheap to hand on.
extension Request {
    /// The values of these parts.
    struct OptionValues: Sendable {
        var delivery = Delivery.memory
        var bodyLimit: Int?
        var timeouts: Timeouts?
        var validation: Validation?
        var envelope: EnvelopeRules?
        var mapError: ErrorMapping?
        var baseURL: String?
        var encoder: (any BodyEncoder)?
        var decoder: (any BodyDecoder)?
        var network: Network?
        var parameterOptions: ParameterOptions?
        var redirects: RedirectPolicy?
        var retry: RetryPolicy?
        var decodesContent = true
        var inherits = Inheritance.all
        var plugins: [any Plugin] = []
        var userInfo = UserInfo()
        var progress: ProgressHandler?
        var deadline: ContinuousClock.Instant?
    }

    /// What a new request has: all of them share it.
    static let standardOptions = Boxed(OptionValues())

    /// Where the answer's body goes. Default: into memory.
    public var delivery: Delivery {
        get { options.value.delivery }
        set { options.value.delivery = newValue }
    }
    /// The most bytes of a body that are kept in memory; nil for the client's.
    public var bodyLimit: Int? {
        get { options.value.bodyLimit }
        set { options.value.bodyLimit = newValue }
    }
    /// The time limits; nil for the client's.
    public var timeouts: Timeouts? {
        get { options.value.timeouts }
        set { options.value.timeouts = newValue }
    }
    /// Which answers count as success; nil for the client's.
    public var validation: Validation? {
        get { options.value.validation }
        set { options.value.validation = newValue }
    }
    /// How the answer is unwrapped, before the endpoint's rules and the client's; nil for theirs alone.
    public var envelope: EnvelopeRules? {
        get { options.value.envelope }
        set { options.value.envelope = newValue }
    }
    /// Turns an error into the app's own; nil, or an answer of nil, leaves it to the endpoint's and the client's.
    public var mapError: ErrorMapping? {
        get { options.value.mapError }
        set { options.value.mapError = newValue }
    }
    /// What a relative address is appended to; nil for the client's. What the client sets goes to its origin, too.
    public var baseURL: String? {
        get { options.value.baseURL }
        set { options.value.baseURL = newValue }
    }
    /// What turns a value into the body; nil for the client's.
    public var encoder: (any BodyEncoder)? {
        get { options.value.encoder }
        set { options.value.encoder = newValue }
    }
    /// What turns the answer's body into a value; nil for the client's.
    public var decoder: (any BodyDecoder)? {
        get { options.value.decoder }
        set { options.value.decoder = newValue }
    }
    /// How the connection is made; nil for the client's.
    public var network: Network? {
        get { options.value.network }
        set { options.value.network = newValue }
    }
    /// How query and parameters are written, and where parameters go; nil for the client's.
    public var parameterOptions: ParameterOptions? {
        get { options.value.parameterOptions }
        set { options.value.parameterOptions = newValue }
    }
    /// Whether and how redirects are followed; nil for the client's.
    public var redirects: RedirectPolicy? {
        get { options.value.redirects }
        set { options.value.redirects = newValue }
    }
    /// When a failed exchange is tried again; nil for the client's.
    public var retry: RetryPolicy? {
        get { options.value.retry }
        set { options.value.retry = newValue }
    }
    /// Whether content codings (gzip …) are asked for and undone. Default: true. When false the bytes stay as they came.
    public var decodesContent: Bool {
        get { options.value.decodesContent }
        set { options.value.decodesContent = newValue }
    }
    /// What it takes from the client. Default: everything.
    public var inherits: Inheritance {
        get { options.value.inherits }
        set { options.value.inherits = newValue }
    }
    /// Plugins for this request alone, inside the client's and the endpoint's.
    public var plugins: [any Plugin] {
        get { options.value.plugins }
        set { options.value.plugins = newValue }
    }
    /// Typed values that travel with the call and never reach the wire.
    public var userInfo: UserInfo {
        get { options.value.userInfo }
        set { options.value.userInfo = newValue }
    }
    /// Where progress is reported.
    public var progress: ProgressHandler? {
        get { options.value.progress }
        set { options.value.progress = newValue }
    }
    /// When the whole call must be over: set by the client from `timeouts.total`, for the transport to end a body that
    /// is streamed.
    public internal(set) var deadline: ContinuousClock.Instant? {
        get { options.value.deadline }
        set { options.value.deadline = newValue }
    }
}
