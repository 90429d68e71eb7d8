/// One operation of a service as a type: what is sent, and what comes back.
///
/// ```swift
/// struct GetUser: Endpoint {
///     typealias Output = User
///     var id: Int
///     var request: Request { Request(.get, "users/\(id)") }
/// }
/// let me = try await client.send(GetUser(id: 42))
/// ```
///
/// `Output` is any `Decodable`, `Data`, `String`, `Void`, or an optional of these, nil for an empty answer or a null
/// payload. Any other type needs an `output(of:)` of yours.
///
/// What an endpoint sets holds where its request leaves it open; what it leaves open is the client's. What the endpoints
/// of a service have in common stands in a protocol of yours that refines this one.
public protocol Endpoint: Sendable {
    /// What comes back.
    associatedtype Output

    /// What is sent.
    var request: Request { get }

    /// What a relative address is appended to; nil, the default, for the client's. What the client sets, such as its
    /// headers, goes to its origin, too.
    var baseURL: String? { get }
    /// What turns a value into the body; nil, the default, for the client's.
    var encoder: (any BodyEncoder)? { get }
    /// What turns the answer's body into a value; nil, the default, for the client's.
    var decoder: (any BodyDecoder)? { get }
    /// Which answers count as success; nil, the default, for the client's.
    var validation: Validation? { get }
    /// How the answer is unwrapped, before the client's rules; nil, the default, for those alone.
    var envelope: EnvelopeRules? { get }
    /// Turns errors into the app's own, those of `output(of:)` too; nil, the default, leaves them to the client's mapping.
    var mapError: ErrorMapping? { get }
    /// Plugins inside the client's and outside the request's. Default: none.
    var plugins: [any Plugin] { get }

    /// Makes the output of the response, which has passed validation. By default it is decoded, as by `decode`.
    func output(of response: Response) throws -> Output
}

extension Endpoint {
    /// The client's.
    public var baseURL: String? { nil }
    /// The client's.
    public var encoder: (any BodyEncoder)? { nil }
    /// The client's.
    public var decoder: (any BodyDecoder)? { nil }
    /// The client's.
    public var validation: Validation? { nil }
    /// The client's.
    public var envelope: EnvelopeRules? { nil }
    /// The client's.
    public var mapError: ErrorMapping? { nil }
    /// None.
    public var plugins: [any Plugin] { [] }
}

extension Endpoint where Output: Decodable {
    /// The decoded body, or the payload of its envelope.
    public func output(of response: Response) throws -> Output { try response.decode() }
}

extension Endpoint where Output == Void {
    // Not `-> Void`: from that Swift would infer the output of a generic endpoint `struct Get<Output: Decodable>`.
    /// Nothing: any body, also an empty one, is well.
    public func output(of response: Response) throws -> Output { () }
}
