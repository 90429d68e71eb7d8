/// A configuration with what follows from it, worked out once and shared by the calls that start under it.
final class Snapshot: Sendable {
    let configuration: Configuration
    let transport: any Transport
    /// The base URL, or why it is none: reported by the call that needs it.
    let base: Result<URI?, any Error>
    /// The origins that may have what the configuration sets; nil for any.
    private let origins: Set<String>?
    private let userAgent: String
    private let acceptEncoding: String

    init(_ configuration: Configuration, transport: any Transport) {
        self.configuration = configuration
        self.transport = transport
        let base = Result { try configuration.baseURL.map { try URI($0) } }
        self.base = base
        if configuration.defaultsScope == .anyOrigin || configuration.baseURL == nil {
            origins = nil
        } else {
            let fallbacks = configuration.fallbackURLs.compactMap { try? URI($0).origin }
            origins = Set(fallbacks + [(try? base.get())?.origin].compactMap { $0 })
        }
        userAgent = "\(configuration.product ?? Product.ofProcess) Convoy/\(Product.version)"
        acceptEncoding = transport.capabilities.contentCodings.joined(separator: ", ")
    }

    /// The request with everything filled in: what plugins around the call see.
    func completed(_ original: Request) async throws -> Request {
        var request = original
        let inherits = request.inherits
        let base = inherits.contains(.baseURL) ? try base.get() : nil
        var uri = try request.address.resolved(on: base)
        let isOwn = origins?.contains(uri.origin) ?? true

        request.timeouts = request.timeouts ?? configuration.timeouts
        request.validation = request.validation ?? configuration.validation
        request.network = request.network ?? configuration.network
        request.bodyLimit = request.bodyLimit ?? configuration.bodyLimit
        if inherits.contains(.userInfo) {
            request.userInfo = request.userInfo.merging(defaults: configuration.userInfo)
        }
        if inherits.contains(.plugins) { request.plugins = configuration.plugins + request.plugins }

        var query = request.query
        if isOwn, inherits.contains(.parameters) {
            query = query.merging(defaults: configuration.query)
            request.parameters = request.parameters.merging(defaults: configuration.parameters)
            for (name, source) in configuration.computedParameters.sources where request.parameters[name] == nil {
                if let value = try await Self.compute(name, source) { request.parameters[name] = .init(value) }
            }
        }
        if isOwn, inherits.contains(.headers) {
            request.headers = request.headers.merging(defaults: configuration.headers)
            for (name, source) in configuration.computedHeaders.sources where !request.headers.contains(.init(name)) {
                if let value = try await Self.compute(name, source) { request.headers[.init(name)] = value }
            }
        }
        try request.encodeBody(with: configuration.encoder)
        request.place(request.parameters, query: &query)
        request.query = query
        if !query.isEmpty { uri.appendQuery(query.encoded(.value)) }
        request.authenticate(from: &uri)
        request.address = Address(uri)
        addHeaders(to: &request)
        try request.validateForSending()
        return request
    }

    /// The header fields that every request has, unless it has them already.
    private func addHeaders(to request: inout Request) {
        if !request.headers.contains(.userAgent) { request.headers.append(.userAgent, userAgent) }
        if !request.headers.contains(.accept) { request.headers.append(.accept, "*/*") }
        if request.decodesContent, !acceptEncoding.isEmpty, !request.headers.contains(.acceptEncoding) {
            request.headers.append(.acceptEncoding, acceptEncoding)
        }
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
