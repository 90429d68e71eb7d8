/// A configuration with what follows from it, worked out once and shared by the calls that start under it.
final class Snapshot: Sendable {
    let configuration: Configuration
    let transport: any Transport
    /// What retries may add, counted over all of a client's calls.
    let retryBudget: RetryBudget
    /// The base URL, or why it is none: reported by the call that needs it.
    let base: Result<URI?, any Error>
    /// The origins that may have what the configuration sets; nil for any.
    private let origins: Set<String>?
    /// Whether there are parameters to merge with a request's.
    private let hasParameters: Bool
    private let userAgent: String
    private let acceptEncoding: String
    /// The header of a request that has none of its own; nil if it must be worked out each time. All requests share its
    /// memory, so that it is looked at and prepared once.
    private let standardHeaders: Headers?

    init(_ configuration: Configuration, transport: any Transport, retryBudget: RetryBudget) {
        self.configuration = configuration
        self.transport = transport
        self.retryBudget = retryBudget
        let base = Result { try configuration.baseURL.map { try Self.base($0, of: "client") } }
        self.base = base
        if configuration.defaultsScope == .anyOrigin || configuration.baseURL == nil {
            origins = nil
        } else {
            let fallbacks = configuration.fallbackURLs.compactMap { try? URI($0).origin }
            origins = Set(fallbacks + [(try? base.get())?.origin].compactMap { $0 })
        }
        hasParameters =
            !configuration.query.isEmpty || !configuration.parameters.isEmpty
            || !configuration.computedParameters.sources.isEmpty || (try? base.get())?.query != nil
        standardOptions = Boxed(Self.inheriting(Request.OptionValues(), configuration))
        userAgent = "\(configuration.product ?? Product.ofProcess) Convoy/\(Product.version)"
        acceptEncoding = transport.capabilities.contentCodings.joined(separator: ", ")
        var headers = configuration.headers
        Self.addDefaults(to: &headers, userAgent: userAgent, acceptEncoding: acceptEncoding)
        let isStatic = configuration.computedHeaders.sources.isEmpty
        standardHeaders = isStatic && (try? headers.validateForSending()) != nil ? headers : nil
    }

    /// The request with everything filled in: what plugins around the call see.
    func completed(_ original: Request) async throws -> Request {
        var request = original
        let inherits = request.inherits
        // The names that the request itself puts into its address: the client's parameters of these names stay out.
        var taken: Set<String> = []
        if hasParameters || request.baseURL != nil {
            taken = request.address.queryNames.union(request.query.names)
            if request.formForParameters == nil { taken.formUnion(request.parameters.names) }
        }
        var uri = try resolved(request, without: taken)
        let isOwn = origins.map { $0.contains(uri.origin) || request.hasBaseURL(of: uri.origin) } ?? true

        if request.options.isSame(as: Request.standardOptions) {
            request.options = standardOptions
        } else {
            inheritOptions(&request)
        }
        // Before the client's headers: an address that names a user is the request's own.
        try request.authenticate(from: &uri)
        if isOwn, hasParameters, inherits.contains(.parameters) { try await addParameters(to: &request, taken) }
        if isOwn, inherits.contains(.headers), request.headers.isEmpty, request.decodesContent, let standardHeaders {
            request.headers = standardHeaders
        } else if isOwn, inherits.contains(.headers) {
            request.headers = request.headers.merging(defaults: configuration.headers)
            for (name, source) in configuration.computedHeaders.sources where !request.headers.contains(.init(name)) {
                if let value = try await Self.compute(name, source) { request.headers[.init(name)] = value }
            }
        }
        try request.encodeBody()
        request.place(into: &uri)
        request.address = Address(uri)
        if !hasStandardHeaders(request) { addDefaults(to: &request) }
        addContentType(to: &request)
        try request.validateForSending(isKnown: hasStandardHeaders(request))
        return request
    }

    /// Brings a request that a plugin hands on into the form of a completed one, and holds it to the same rules.
    ///
    /// - Parameter known: the completed request that the plugin was given.
    func settle(_ request: inout Request, known: Request) throws {
        completeOptions(&request)
        try request.encodeBody()
        let given = request.uri
        if given == nil || given?.user != nil || given?.password != nil || !request.query.isEmpty
            || !request.parameters.isEmpty
        {
            var uri = try resolved(request, without: [])
            try request.authenticate(from: &uri)
            request.place(into: &uri)
            request.address = Address(uri)
        }
        addContentType(to: &request)
        // Most plugins change little, and equal headers share their storage.
        try request.validateForSending(isKnown: request.headers == known.headers)
    }

    /// Takes out what the client adds for its own origins, where a redirect leads elsewhere.
    func dropDefaults(of request: inout Request, own: Headers) {
        guard let origins, let uri = request.uri, !origins.contains(uri.origin) else { return }
        let names =
            configuration.headers.fields.map(\.name) + configuration.computedHeaders.sources.map { .init($0.name) }
        for name in names where !own.contains(name) { request.headers.remove(name) }
        // The client's may have stood in their place.
        addDefaults(to: &request)
    }

    /// A request at the next of the client's base URLs, in turn; as it is if it does not go to the first, or that is all.
    func moved(_ request: Request, attempt: Int) -> Request {
        guard !configuration.fallbackURLs.isEmpty, let base = try? base.get(), let uri = request.uri,
            uri.origin == base.origin, let rest = uri.path(below: base)
        else { return request }
        let index = attempt % (configuration.fallbackURLs.count + 1)
        guard index > 0, var target = try? URI(configuration.fallbackURLs[index - 1]) else { return request }
        target.path = target.path(with: rest)
        target.query = uri.query
        target.fragment = uri.fragment
        var moved = request
        moved.address = Address(target)
        moved.headers.remove(.host)
        return moved
    }

    private func resolved(_ request: Request, without names: Set<String>) throws -> URI {
        if let uri = request.uri { return uri }
        var base = try base(of: request)
        base?.removeFromQuery(names)
        return try request.address.resolved(on: base)
    }

    private func base(of request: Request) throws -> URI? {
        guard let own = request.baseURL else { return request.inherits.contains(.baseURL) ? try base.get() : nil }
        return try Self.base(own, of: "request")
    }

    private static func base(_ text: String, of owner: String) throws -> URI {
        do { return try URI(text) } catch var error as ConvoyError {
            error.message = "the \(owner)'s base URL: \(error.message)"
            throw error
        }
    }

    /// The options of a request that leaves all of them open.
    private let standardOptions: Boxed<Request.OptionValues>

    private func inheritOptions(_ request: inout Request) {
        request.options.value = Self.inheriting(request.options.value, configuration)
    }

    private static func inheriting(
        _ own: Request.OptionValues, _ configuration: Configuration
    ) -> Request.OptionValues {
        var values = completing(own, configuration)
        if values.inherits.contains(.userInfo) {
            values.userInfo = values.userInfo.merging(defaults: configuration.userInfo)
        }
        if values.inherits.contains(.plugins) { values.plugins = configuration.plugins + values.plugins }
        if values.inherits.contains(.envelope) {
            values.envelope = EnvelopeRules.joining(values.envelope, configuration.envelope)
        }
        return values
    }

    private func completeOptions(_ request: inout Request) {
        let values = request.options.value
        guard
            values.timeouts == nil || values.validation == nil || values.network == nil || values.bodyLimit == nil
                || values.encoder == nil || values.decoder == nil
                || values.parameterOptions == nil || values.redirects == nil || values.retry == nil
        else { return }
        request.options.value = Self.completing(values, configuration)
    }

    private static func completing(
        _ own: Request.OptionValues, _ configuration: Configuration
    ) -> Request.OptionValues {
        var values = own
        values.timeouts = values.timeouts ?? configuration.timeouts
        values.validation = values.validation ?? configuration.validation
        values.encoder = values.encoder ?? configuration.encoder
        values.decoder = values.decoder ?? configuration.decoder
        values.network = values.network ?? configuration.network
        values.parameterOptions = values.parameterOptions ?? configuration.parameterOptions
        values.redirects = values.redirects ?? configuration.redirects
        values.retry = values.retry ?? configuration.retry
        values.bodyLimit = values.bodyLimit ?? configuration.bodyLimit
        return values
    }

    /// The client's query and parameters, but those of a name that the request has in the same place.
    private func addParameters(to request: inout Request, _ names: Set<String>) async throws {
        var taken = names
        let form = request.formForParameters
        request.query = request.query.merging(defaults: configuration.query, except: taken)
        if let form {
            taken = request.parameters.names.union(Parameters.names(inEncoded: String(decoding: form, as: UTF8.self)))
        } else {
            taken.formUnion(configuration.query.names)
        }
        request.parameters = request.parameters.merging(defaults: configuration.parameters, except: taken)
        taken.formUnion(configuration.parameters.names)
        for (name, source) in configuration.computedParameters.sources where !taken.contains(name) {
            if let value = try await Self.compute(name, source) { request.parameters[name] = .init(value) }
        }
    }

    /// The header fields that every request has, unless it has them already.
    private func addDefaults(to request: inout Request) {
        let codings = request.decodesContent ? acceptEncoding : ""
        Self.addDefaults(to: &request.headers, userAgent: userAgent, acceptEncoding: codings)
    }

    private func hasStandardHeaders(_ request: Request) -> Bool {
        standardHeaders.map { request.headers.isIdentical(to: $0) } ?? false
    }

    private static func addDefaults(to headers: inout Headers, userAgent: String, acceptEncoding: String) {
        if !headers.contains(.userAgent) { headers.append(.userAgent, userAgent) }
        if !headers.contains(.accept) { headers.append(.accept, "*/*") }
        if !acceptEncoding.isEmpty, !headers.contains(.acceptEncoding) {
            headers.append(.acceptEncoding, acceptEncoding)
        }
    }

    private func addContentType(to request: inout Request) {
        if let type = request.body.contentType, !request.headers.contains(.contentType) {
            request.headers.append(.contentType, type)
        }
    }

    private static func compute(_ name: String, _ source: Computed.Source) async throws -> String? {
        do { return try await source() } catch let error as ConvoyError { throw error } catch is CancellationError {
            throw ConvoyError(.cancelled, "the call was cancelled")
        } catch {
            throw ConvoyError(.pluginFailed, "the value \(name) could not be computed: \(error)", underlying: error)
        }
    }
}
