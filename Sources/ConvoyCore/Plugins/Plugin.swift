/// Stands around every call or exchange of a client: may change the request, answer it itself, change the response,
/// turn success into failure or failure into success, or ask again.
///
/// ```swift
/// struct Stamp: Plugin {
///     func exchange(_ request: Request, context: Context, next: Next) async throws -> Response {
///         var request = request
///         request.headers["X-Sent-At"] = context.now.description
///         return try await next(request)
///     }
/// }
/// ```
///
/// What a plugin hands on is completed as a user's request is: a relative address is joined with the base URL, `query`
/// and `parameters` are placed, a value is encoded to a body. Only the client's own values are not added again.
///
/// Both methods pass through unless you write them. Plugins run in array order on the way in and in reverse on the way
/// out; the client's first, then the endpoint's, then the request's.
public protocol Plugin: Sendable {
    /// What it is called in messages. Default: the type's name.
    var name: String { get }

    /// Around the whole call, once. The request is as the user made it, the client's values filled in.
    func call(_ request: Request, context: Context, next: Next) async throws -> Response

    /// Around each exchange on the wire.
    func exchange(_ request: Request, context: Context, next: Next) async throws -> Response
}

extension Plugin {
    /// The type's name.
    public var name: String { String(describing: type(of: self)) }

    /// Passes through.
    public func call(_ request: Request, context: Context, next: Next) async throws -> Response {
        try await next(request)
    }

    /// Passes through.
    public func exchange(_ request: Request, context: Context, next: Next) async throws -> Response {
        try await next(request)
    }
}

/// What comes after a plugin. It may be called never, once, or again: exchanges are counted against one bound a call.
public struct Next: Sendable {
    private let body: @Sendable (Request) async throws -> Response

    init(_ body: @escaping @Sendable (Request) async throws -> Response) { self.body = body }

    /// Goes on with this request.
    public func callAsFunction(_ request: Request) async throws -> Response { try await body(request) }
}
