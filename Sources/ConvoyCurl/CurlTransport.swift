import ConvoyCore

/// The engine on libcurl.
public final class CurlTransport: Transport {
    /// An engine with connections of its own.
    public init() {}

    public var capabilities: TransportCapabilities { TransportCapabilities(name: "libcurl") }

    public func exchange(_ request: Request) async throws -> Response {
        throw ConvoyError(.unsupported, "the engine is being built")
    }

    public func shutdown() async {}
}
