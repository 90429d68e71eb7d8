/// One call on its way: completed, through the plugins around the call, through those around each exchange, to the
/// transport and back.
struct Pipeline: Sendable {
    let snapshot: Snapshot
    let call: Call.ID

    func run(_ original: Request) async throws -> Response {
        do {
            guard let total = (original.timeouts ?? snapshot.configuration.timeouts).total else {
                return try await attempt(original)
            }
            return try await Deadline.run(within: total, time: snapshot.configuration.time) {
                try await attempt(original)
            }
        } catch { throw mapped(Self.described(error, original), original) }
    }

    /// The error as the app has it: the request's mapping is asked first, then the client's.
    func mapped(_ error: ConvoyError, _ request: Request) -> any Error {
        request.mapError?(error) ?? snapshot.configuration.mapError?(error) ?? error
    }

    private func attempt(_ original: Request) async throws -> Response {
        let started = ContinuousClock.now
        var request = try await snapshot.completed(original)
        if let total = request.timeouts?.total { request.deadline = started + total }
        let context = Context(
            call: call, snapshot: snapshot, deadline: request.deadline, ownHeaders: original.headers)
        do {
            let plugins = request.plugins
            let response =
                plugins.isEmpty
                ? try await hops(request, context) : try await around(request, context, plugins[...])
            return try finished(response, request, context)
        } catch { throw failed(error, request, context) }
    }

    // What follows an exchange stands in functions of its own, not inlined: its temporary values would take room in the
    // task of every call that is under way.

    @inline(never)
    private func finished(_ given: Response, _ request: Request, _ context: Context) throws -> Response {
        var response = given
        response.attempts = max(response.attempts, context.exchangeCount)
        response.call = call
        response.userInfo = response.userInfo.merging(defaults: request.userInfo)
        // What a plugin answered by itself has neither.
        response.ownDecoder = response.ownDecoder ?? request.decoder
        response.uri = response.uri ?? request.uri
        return try opened(response, request)
    }

    @inline(never)
    private func failed(_ given: any Error, _ request: Request, _ context: Context) -> ConvoyError {
        var error = Self.described(given, request)
        error.attempts = context.exchangeCount
        request.envelope?.explain(&error)
        return error
    }

    /// The call level: the plugins that are left, then the hops.
    private func around(_ request: Request, _ context: Context, _ plugins: ArraySlice<any Plugin>) async throws
        -> Response
    {
        guard let plugin = plugins.first else { return try await hops(request, context) }
        let next = Next { try await around(settled($0, from: request, context), context, plugins.dropFirst()) }
        return try await Self.blaming(plugin) { try await plugin.call(request, context: context, next: next) }
    }

    /// The exchange level: the plugins, then the transport.
    func exchangeThroughPlugins(_ request: Request, _ context: Context) async throws -> Response {
        if request.envelope != nil { return try await openedExchange(request, context) }
        let plugins = request.plugins
        return plugins.isEmpty
            ? try await transport(request, context) : try await exchange(request, context, plugins[...])
    }

    /// The envelope is read behind the plugins, which may have decrypted it, and before the retries, which may try again.
    private func openedExchange(_ request: Request, _ context: Context) async throws -> Response {
        do { return try opened(await exchange(request, context, request.plugins[...]), request) } catch {
            var error = Self.described(error, request)
            request.envelope?.explain(&error)
            throw error
        }
    }

    private func exchange(
        _ request: Request, _ context: Context, _ plugins: ArraySlice<any Plugin>
    ) async throws -> Response {
        guard let plugin = plugins.first else { return try await transport(request, context) }
        let next = Next { try await exchange(settled($0, from: request, context), context, plugins.dropFirst()) }
        return try await Self.blaming(plugin) { try await plugin.exchange(request, context: context, next: next) }
    }

    /// A plugin may have changed the request, or made a new one: what comes next sees a complete one.
    func settled(_ given: Request, from known: Request, _ context: Context) throws -> Request {
        var request = given
        try snapshot.settle(&request, known: known)
        if request.deadline == nil, let deadline = context.deadline { request.deadline = deadline }
        return request
    }

    private func transport(_ request: Request, _ context: Context) async throws -> Response {
        // A plugin or a transport need not look: a cancelled call goes no further.
        try Task.checkCancellation()
        do {
            let given =
                try await snapshot.configuration.cookies == nil
                ? exchangeOnLiveConnection(request, context) : exchangeWithCookies(request, context)
            let response = completed(given, request, context)
            // A redirect that is followed is no outcome yet.
            guard let error = request.validation?.rejection(of: response), !redirects(of: request).follows(response)
            else { return response }
            throw await rejected(response, error, request)
        } catch { throw Self.described(error, request) }
    }

    /// The client's cookies go with each exchange, and are taken from each answer, whatever becomes of it.
    private func exchangeWithCookies(_ original: Request, _ context: Context) async throws -> Response {
        guard original.inherits.contains(.cookies), let cookies = snapshot.configuration.cookies,
            let uri = original.uri
        else { return try await exchangeOnLiveConnection(original, context) }
        var request = original
        try cookies.apply(to: &request, now: context.now)
        let response = try await exchangeOnLiveConnection(request, context)
        cookies.receive(from: response, at: uri, now: context.now)
        return response
    }

    @inline(never)
    private func opened(_ response: Response, _ request: Request) throws -> Response {
        guard let rules = request.envelope, response.envelope == nil else { return response }
        return try rules.opened(response)
    }

    @inline(never)
    private func completed(_ given: Response, _ request: Request, _ context: Context) -> Response {
        var response = given
        response.attempts = context.exchangeCount
        response.uri = response.uri ?? request.uri
        response.ownDecoder = request.decoder
        response.userInfo = response.userInfo.merging(defaults: request.userInfo)
        return response
    }

    /// The error of an answer that counts as none, with the answer in it.
    private func rejected(_ given: Response, _ error: ConvoyError, _ request: Request) async -> ConvoyError {
        var response = given
        var error = error
        if response.body.data == nil {
            let limit = request.bodyLimit ?? snapshot.configuration.bodyLimit
            response.body = .bytes(await response.body.beginning(upTo: limit), contentType: response.body.contentType)
        }
        error.response = response
        error.metrics = response.metrics
        return error
    }

    /// One exchange; once more on a fresh connection if the one that was used had been closed by the server meanwhile.
    ///
    /// A server may close an idle connection at the very moment it is used again. Where not a byte of an answer came and
    /// the method is idempotent the request is sent again, once (RFC 9112 §9.3.1); this is no retry by policy.
    private func exchangeOnLiveConnection(_ request: Request, _ context: Context) async throws -> Response {
        try context.countExchange()
        do { return try await snapshot.transport.exchange(request) } catch let error as ConvoyError
            where error.isStaleConnection && request.method.isIdempotent && request.body.isReplayable
        {
            try Task.checkCancellation()
            // At the bound the failure itself says more than the bound.
            guard (try? context.countExchange()) != nil else { throw error }
            return try await exchangeAfresh(request)
        }
    }

    private func exchangeAfresh(_ request: Request) async throws -> Response {
        var request = request
        request.network?.usesFreshConnection = true
        return try await snapshot.transport.exchange(request)
    }

    /// Says which plugin failed, where the error is of its own making.
    private static func blaming(_ plugin: any Plugin, _ body: () async throws -> Response) async throws -> Response {
        do { return try await body() } catch let error as ConvoyError { throw error } catch is CancellationError {
            throw ConvoyError(.cancelled, "the call was cancelled")
        } catch { throw ConvoyError(.pluginFailed, "the plugin \(plugin.name) failed: \(error)", underlying: error) }
    }

    /// Any error as ours, with the request it belongs to.
    static func described(_ error: any Error, _ request: Request) -> ConvoyError {
        var known: ConvoyError
        if let error = error as? ConvoyError {
            known = error
        } else if error is CancellationError {
            known = ConvoyError(.cancelled, "the call was cancelled")
        } else {
            known = ConvoyError(.engineFailed, "the transport failed: \(error)", underlying: error)
        }
        if known.request == nil { known.request = request }
        return known
    }
}
