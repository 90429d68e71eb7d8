/// Performs one exchange: the engine under a client. Convoy brings one on libcurl; bring your own by implementing this.
///
/// A transport never follows a redirect, never sends a request a second time by itself, and refuses an option that it
/// lacks with `.unsupported` before anything is sent. The request it gets is complete: an absolute address
/// (`request.uri`), all header fields, and `timeouts`, `network` and `bodyLimit` set.
public protocol Transport: Sendable {
    /// What it can do.
    var capabilities: TransportCapabilities { get }

    /// What it holds at the moment: nothing, unless it says otherwise.
    var resources: Resources { get }

    /// Sends the request and gives its final (not 1xx) response; the body as `request.delivery` wants it.
    ///
    /// Throws a `ConvoyError` that says how far it came. Cancelling the task ends the exchange at once.
    func exchange(_ request: Request) async throws -> Response

    /// Ends what is under way with `.clientClosed` and gives back every thread, descriptor and handle. A transport that
    /// was shut down refuses further exchanges.
    func shutdown() async
}

extension Transport {
    /// Nothing.
    public var resources: Resources { Resources() }
}

/// What a transport can do.
public struct TransportCapabilities: Sendable {
    /// What it calls itself: for messages.
    public var name: String
    /// The content codings it decodes, the preferred first: what `Accept-Encoding` offers.
    public var contentCodings: [String]

    /// What a transport can do.
    public init(name: String, contentCodings: [String] = []) {
        self.name = name
        self.contentCodings = contentCodings
    }
}
