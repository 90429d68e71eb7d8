#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What to send: a value. What it leaves open comes from the client's configuration when it is sent.
///
/// ```swift
/// var request = Request(.post, "users/\(id)/notes")
/// request.query = ["tag": ["a", "b"]]
/// request.body = .json(Note(text: "hi"))
/// ```
public struct Request: Sendable {
    /// The method. Default: GET.
    public var method: Method
    /// Where it goes: an absolute URL, or a path on the client's base URL.
    public var address: Address
    /// The header fields. They win over the client's of the same name.
    public var headers: Headers
    /// Parameters that always go into the address, behind what is there. Plugins see what they add themselves: what was
    /// set before is in the address already.
    public var query: Parameters
    /// Parameters that go into the query for GET, HEAD, DELETE and TRACE, else into a form body: into the one that is
    /// there, or a new one; where the body is of another kind, into the query.
    public var parameters: Parameters
    /// The content.
    public var body: Body
    /// Everything else, shared by requests that have it alike.
    var options: Boxed<OptionValues>

    /// A request to an address: a literal, in which interpolated values are percent-encoded.
    public init(_ method: Method, _ address: Address) {
        self.method = method
        self.address = address
        headers = Headers()
        query = Parameters()
        parameters = Parameters()
        body = .none
        options = Self.standardOptions
    }

    /// A request to an address in a variable: text that is encoded already.
    @_disfavoredOverload
    public init(_ method: Method, _ address: some StringProtocol) { self.init(method, Address(String(address))) }

    /// A request to an address as Foundation has it.
    public init(_ method: Method, _ url: URL) { self.init(method, Address(url)) }

    // Overloads and no default for the method: Swift would take the only argument for the method. And generic ones for
    // text, since it would choose one for `String` also for a literal, and encode nothing.

    /// A GET request to an address: a literal, in which interpolated values are percent-encoded.
    public init(_ address: Address) { self.init(.get, address) }

    /// A GET request to an address in a variable: text that is encoded already.
    @_disfavoredOverload
    public init(_ address: some StringProtocol) { self.init(.get, Address(String(address))) }

    /// A GET request to an address as Foundation has it.
    public init(_ url: URL) { self.init(.get, Address(url)) }

    /// The parsed absolute address: set in what plugins and engines see, nil before the request is sent.
    public var uri: URI? { address.uri }

    /// Where the body of an answer goes.
    public enum Delivery: Sendable, Hashable {
        /// Into memory, up to `bodyLimit`; the response is there when the body is complete.
        case memory
        /// To whoever reads it: the response is there at its header, and the body waits for its reader.
        case stream
        /// Into a file at this path, made anew with mode 0600. The body of an answer that is not 2xx stays in memory.
        case file(path: String)
    }

    /// Parts of the client's configuration that a request may take or leave.
    public struct Inheritance: OptionSet, Sendable {
        /// The parts as bits.
        public let rawValue: Int
        /// Parts by their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// The base URL, and the query on it.
        public static let baseURL = Inheritance(rawValue: 1)
        /// The headers, computed ones too.
        public static let headers = Inheritance(rawValue: 2)
        /// The query and parameters, computed ones too.
        public static let parameters = Inheritance(rawValue: 4)
        /// The user info.
        public static let userInfo = Inheritance(rawValue: 8)
        /// The plugins.
        public static let plugins = Inheritance(rawValue: 16)
        /// The rules for envelopes.
        public static let envelope = Inheritance(rawValue: 32)
        /// The cookies: without, none are sent and none are taken in.
        public static let cookies = Inheritance(rawValue: 64)
        /// Everything.
        public static let all: Inheritance = [
            .baseURL, .headers, .parameters, .userInfo, .plugins, .envelope, .cookies,
        ]
        /// Nothing.
        public static let none: Inheritance = []
    }
}

extension Request: CustomStringConvertible {
    /// Method and address; user, password and secret parameters in it are masked.
    public var description: String { "\(method) \(address)" }
}
