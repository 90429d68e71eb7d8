/// A request method (RFC 9110 §9): one of the nine standard ones, or a name of your own.
///
/// Method names are case-sensitive (RFC 9110 §9.1): `Method("get")` is not `.get`. A name that is no token is
/// refused when the request is sent, as `.invalidRequest`.
public struct Method: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it goes on the wire.
    public let rawValue: String

    /// A method by its name as it goes on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A method by its name as it goes on the wire.
    public init(_ name: String) { rawValue = name }

    /// A method by its name as it goes on the wire.
    public init(stringLiteral value: String) { rawValue = value }

    /// Transfers a current representation of the target (RFC 9110 §9.3.1).
    public static let get = Method("GET")
    /// The same as GET without the content (RFC 9110 §9.3.2).
    public static let head = Method("HEAD")
    /// Processes the enclosed content (RFC 9110 §9.3.3).
    public static let post = Method("POST")
    /// Replaces the target's state with the content (RFC 9110 §9.3.4).
    public static let put = Method("PUT")
    /// Removes the target (RFC 9110 §9.3.5).
    public static let delete = Method("DELETE")
    /// Opens a tunnel; engines use it by themselves for proxies and refuse it as a request (RFC 9110 §9.3.6).
    public static let connect = Method("CONNECT")
    /// Describes the options of communication (RFC 9110 §9.3.7).
    public static let options = Method("OPTIONS")
    /// Loops the request back (RFC 9110 §9.3.8).
    public static let trace = Method("TRACE")
    /// Applies a partial change (RFC 5789).
    public static let patch = Method("PATCH")

    /// Whether the method is defined as read-only (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        self == .get || self == .head || self == .options || self == .trace
    }

    /// Whether sending it twice means the same as once (RFC 9110 §9.2.2). Unknown methods count as not idempotent.
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }

    /// Whether a request of this method without content still says `Content-Length: 0` (RFC 9110 §8.6).
    public var expectsContent: Bool {
        self == .post || self == .put || self == .patch
    }

    /// Whether parameters of a request with this method go to the query and not to the body: GET, HEAD and DELETE, and
    /// TRACE, which never has a body.
    public var placesParametersInQuery: Bool {
        self == .get || self == .head || self == .delete || self == .trace
    }

    /// The name as it goes on the wire.
    public var description: String { rawValue }
}
