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

    /// The values, never changed once they are made.
    final class Options: Sendable {
        let values: OptionValues

        init(_ values: OptionValues) { self.values = values }

        /// What a new request has.
        static let standard = Options(OptionValues())
    }

    private mutating func change(_ change: (inout OptionValues) -> Void) {
        var values = options.values
        change(&values)
        options = Options(values)
    }

    /// Where the answer's body goes. Default: into memory.
    public var delivery: Delivery {
        get { options.values.delivery }
        set { change { $0.delivery = newValue } }
    }
    /// The most bytes of a body that are kept in memory; nil for the client's.
    public var bodyLimit: Int? {
        get { options.values.bodyLimit }
        set { change { $0.bodyLimit = newValue } }
    }
    /// The time limits; nil for the client's.
    public var timeouts: Timeouts? {
        get { options.values.timeouts }
        set { change { $0.timeouts = newValue } }
    }
    /// Which answers count as success; nil for the client's.
    public var validation: Validation? {
        get { options.values.validation }
        set { change { $0.validation = newValue } }
    }
    /// How the answer is unwrapped, before the endpoint's rules and the client's; nil for theirs alone.
    public var envelope: EnvelopeRules? {
        get { options.values.envelope }
        set { change { $0.envelope = newValue } }
    }
    /// Turns an error into the app's own; nil, or an answer of nil, leaves it to the endpoint's and the client's.
    public var mapError: ErrorMapping? {
        get { options.values.mapError }
        set { change { $0.mapError = newValue } }
    }
    /// What a relative address is appended to; nil for the client's. What the client sets goes to its origin, too.
    public var baseURL: String? {
        get { options.values.baseURL }
        set { change { $0.baseURL = newValue } }
    }
    /// What turns a value into the body; nil for the client's.
    public var encoder: (any BodyEncoder)? {
        get { options.values.encoder }
        set { change { $0.encoder = newValue } }
    }
    /// What turns the answer's body into a value; nil for the client's.
    public var decoder: (any BodyDecoder)? {
        get { options.values.decoder }
        set { change { $0.decoder = newValue } }
    }
    /// How the connection is made; nil for the client's.
    public var network: Network? {
        get { options.values.network }
        set { change { $0.network = newValue } }
    }
    /// How query and parameters are written, and where parameters go; nil for the client's.
    public var parameterOptions: ParameterOptions? {
        get { options.values.parameterOptions }
        set { change { $0.parameterOptions = newValue } }
    }
    /// Whether and how redirects are followed; nil for the client's.
    public var redirects: RedirectPolicy? {
        get { options.values.redirects }
        set { change { $0.redirects = newValue } }
    }
    /// When a failed exchange is tried again; nil for the client's.
    public var retry: RetryPolicy? {
        get { options.values.retry }
        set { change { $0.retry = newValue } }
    }
    /// Whether content codings (gzip …) are asked for and undone. Default: true. When false the bytes stay as they came.
    public var decodesContent: Bool {
        get { options.values.decodesContent }
        set { change { $0.decodesContent = newValue } }
    }
    /// What it takes from the client. Default: everything.
    public var inherits: Inheritance {
        get { options.values.inherits }
        set { change { $0.inherits = newValue } }
    }
    /// Plugins for this request alone, inside the client's and the endpoint's.
    public var plugins: [any Plugin] {
        get { options.values.plugins }
        set { change { $0.plugins = newValue } }
    }
    /// Typed values that travel with the call and never reach the wire.
    public var userInfo: UserInfo {
        get { options.values.userInfo }
        set { change { $0.userInfo = newValue } }
    }
    /// Where progress is reported.
    public var progress: ProgressHandler? {
        get { options.values.progress }
        set { change { $0.progress = newValue } }
    }
    /// When the whole call must be over: set by the client from `timeouts.total`, for the transport to end a body that
    /// is streamed.
    public internal(set) var deadline: ContinuousClock.Instant? {
        get { options.values.deadline }
        set { change { $0.deadline = newValue } }
    }
}
