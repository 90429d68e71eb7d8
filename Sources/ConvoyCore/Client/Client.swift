/// The centre: sends requests with what they have in common, over one engine.
///
/// ```swift
/// let client = Client(baseURL: "https://api.example.com/v1") { $0.headers["Accept-Language"] = "en" }
/// let user = try await client.get("users/42").decode(User.self)
/// ```
///
/// Several clients live side by side, each with its own configuration, plugins and connections. A client that is
/// dropped gives its connections back; `shutdown()` does so at a moment you choose.
public final class Client: Sendable {
    private let state: Locked<Snapshot>
    private let updates = Locked(())
    /// The engine.
    public let transport: any Transport

    /// A client over an engine.
    public init(
        baseURL: String? = nil, transport: any Transport, configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration()
        configuration.baseURL = baseURL
        configure(&configuration)
        self.transport = transport
        state = Locked(Snapshot(configuration, transport: transport, retryBudget: RetryBudget()))
    }

    var snapshot: Snapshot { state.withLock { $0 } }

    /// The configuration as it is now.
    public var configuration: Configuration { snapshot.configuration }

    /// Changes the configuration, the whole block at once. Calls that have started keep what they started with.
    ///
    /// Updates wait for each other, so the block must not call `update` itself; requests do not wait for it.
    public func update(_ change: (inout Configuration) -> Void) {
        updates.withLock { _ in
            var configuration = configuration
            change(&configuration)
            let changed = Snapshot(configuration, transport: transport, retryBudget: snapshot.retryBudget)
            state.withLock { $0 = changed }
        }
    }

    /// Sends a request and gives its response, validated, the body in memory unless the request says otherwise.
    ///
    /// Throws a `ConvoyError`, or what `mapError` makes of it. Cancelling the task cancels the call at once, whatever it is
    /// doing.
    public func send(_ request: Request) async throws -> Response {
        try await Pipeline(snapshot: snapshot, call: Call.ID()).run(request)
    }

    /// Sends a request and gives its response as soon as its header is there: the body is read piece by piece, and the
    /// server waits for its reader. Dropping the body unread closes the exchange.
    ///
    /// An answer that validation refuses is thrown with its body, up to the ceiling.
    public func stream(_ request: Request) async throws -> Response {
        var request = request
        request.delivery = .stream
        return try await send(request)
    }

    /// Starts a request without waiting for it.
    public func start(_ request: Request) -> Call {
        let id = Call.ID()
        let pipeline = Pipeline(snapshot: snapshot, call: id)
        return Call(id: id, request: request, task: Task { try await pipeline.run(request) })
    }

    /// Ends what is under way with `.clientClosed` and closes every connection. Further requests are refused.
    public func shutdown() async { await transport.shutdown() }

    /// Sends one request over connections of its own, which are closed when the call has ended. The body of a streamed
    /// answer is brought into memory before.
    public static func once(
        _ request: Request, transport: any Transport, configure: (inout Configuration) -> Void = { _ in }
    ) async throws -> Response {
        let client = Client(transport: transport, configure: configure)
        do {
            var response = try await client.send(request)
            // A stream ends with its connection; a file is complete.
            if case .stream = response.body.storage {
                response = try await response.collected(upTo: request.bodyLimit ?? client.configuration.bodyLimit)
            }
            await client.shutdown()
            return response
        } catch {
            await client.shutdown()
            throw error
        }
    }
}
