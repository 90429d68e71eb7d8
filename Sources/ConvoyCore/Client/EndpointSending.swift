/// The output of an endpoint, and the response it was made of.
public struct Reply<Output> {
    /// The output.
    public let value: Output
    /// The response: status, headers, envelope, metrics.
    public let response: Response
}

extension Reply: Sendable where Output: Sendable {}

extension Client {
    /// Sends an endpoint's request and gives its output.
    ///
    /// Throws a `ConvoyError`, also where the answer cannot be decoded, or what `mapError` makes of it. An error of
    /// another type that the endpoint's own `output(of:)` throws is thrown as it is. Cancelling the task cancels the call
    /// at once.
    public func send<E: Endpoint>(_ endpoint: E) async throws -> E.Output { try await reply(to: endpoint).value }

    /// Sends an endpoint's request and gives its output together with the response. Throws as `send` does.
    public func reply<E: Endpoint>(to endpoint: E) async throws -> Reply<E.Output> {
        let pipeline = Pipeline(snapshot: snapshot, call: Call.ID())
        let request = endpoint.filledRequest
        let response = try await pipeline.run(request)
        do { return Reply(value: try endpoint.output(of: response), response: response) } catch {
            // Another's error is the app's own already.
            guard let error = error as? ConvoyError else { throw error }
            throw pipeline.mapped(Pipeline.described(error, request), request)
        }
    }
}

extension Endpoint {
    /// The request, and where it leaves something open what the endpoint says: what a client is given.
    var filledRequest: Request {
        var request = request
        request.inherit(self)
        return request
    }
}

extension Request {
    /// Takes from an endpoint what the request leaves open: the request stands over the endpoint, and both over the
    /// client, whose values are added when the request is sent.
    fileprivate mutating func inherit(_ endpoint: some Endpoint) {
        let own = options.value
        var values = own
        values.baseURL = own.baseURL ?? endpoint.baseURL
        values.encoder = own.encoder ?? endpoint.encoder
        values.decoder = own.decoder ?? endpoint.decoder
        values.validation = own.validation ?? endpoint.validation
        values.envelope = EnvelopeRules.joining(own.envelope, endpoint.envelope)
        values.plugins = endpoint.plugins + own.plugins
        if let broader = endpoint.mapError {
            if let own = own.mapError {
                values.mapError = { own($0) ?? broader($0) }
            } else {
                values.mapError = broader
            }
        }
        options.value = values
    }
}
