/// An endpoint as a value, for those who want no type for each call.
///
/// ```swift
/// func user(_ id: Int) -> Route<User> { Route(.get, "users/\(id)") }
/// let ada = try await client.send(user(42))
/// ```
///
/// What an endpoint can set are its properties. As a member of `Endpoint` it reads shorter: `client.send(.user(42))`.
public struct Route<Output>: Endpoint {
    /// What is sent.
    public var request: Request
    /// What a relative address is appended to; nil for the client's.
    public var baseURL: String?
    /// What turns a value into the body; nil for the client's.
    public var encoder: (any BodyEncoder)?
    /// What turns the answer's body into a value; nil for the client's.
    public var decoder: (any BodyDecoder)?
    /// Which answers count as success; nil for the client's.
    public var validation: Validation?
    /// How the answer is unwrapped, before the client's rules; nil for those alone.
    public var envelope: EnvelopeRules?
    /// Turns errors into the app's own; nil leaves them to the client's mapping.
    public var mapError: ErrorMapping?
    /// Plugins inside the client's and outside the request's.
    public var plugins: [any Plugin] = []
    private let makeOutput: @Sendable (Response) throws -> Output

    /// A request, and what makes the output of its response.
    public init(_ request: Request, output: @escaping @Sendable (Response) throws -> Output) {
        self.request = request
        makeOutput = output
    }

    /// The output, by the closure or by decoding.
    public func output(of response: Response) throws -> Output { try makeOutput(response) }
}

extension Route where Output: Decodable & SendableMetatype {
    /// A request whose answer is decoded.
    public init(_ request: Request) { self.init(request) { try $0.decode() } }

    /// A request to an address: a literal, in which interpolated values are percent-encoded.
    public init(_ method: Method, _ address: Address) { self.init(Request(method, address)) }

    /// A request to an address in a variable: text that is encoded already.
    @_disfavoredOverload
    public init(_ method: Method, _ address: some StringProtocol) { self.init(Request(method, address)) }
}

extension Route where Output == Void {
    /// A request whose answer has nothing of interest but its success.
    public init(_ request: Request) { self.init(request) { _ in } }

    /// A request to an address: a literal, in which interpolated values are percent-encoded.
    public init(_ method: Method, _ address: Address) { self.init(Request(method, address)) }

    /// A request to an address in a variable: text that is encoded already.
    @_disfavoredOverload
    public init(_ method: Method, _ address: some StringProtocol) { self.init(Request(method, address)) }
}
