import ConvoyCore

/// A small HTTP/1.1 server within the process, for tests, demonstrations and local pages: a thread for each connection,
/// control of every byte, and nothing left behind when it stops. Not meant for the open internet.
///
/// ```swift
/// var routes = Routes()
/// routes.on(.get, "/hello/:name") { .text("Hello, \($0.parameters["name"] ?? "")\n") }
/// let server = try Server(routes: routes)
/// print(server.url)           // http://127.0.0.1:49152/
/// server.stop()
/// ```
///
/// It listens from its creation until `stop()` or until it is released.
public final class Server: Sendable {
    /// What answers a request, on the connection's own thread. Errors thrown before an answer become 500.
    public typealias Handler = @Sendable (Exchange) throws -> Void

    /// How many connections there are.
    public struct Connections: Sendable, Hashable {
        /// The number of connections accepted since the start.
        public var accepted = 0
        /// The number of connections open now.
        public var open = 0

        /// No connections.
        public init() {}
    }

    private let engine: Engine
    /// The address of the server, with the port it got. Of a Unix domain socket: `http://localhost/`.
    public let url: URI
    /// The TCP port it listens on; 0 for a Unix domain socket.
    public let port: Int

    /// Starts a server with a handler for every request.
    ///
    /// Throws `.cannotListen` if the address is taken or not this machine's, or the certificate is not usable.
    public convenience init(_ configuration: Configuration = Configuration(), handler: @escaping Handler) throws {
        try self.init(configuration, handler: handler, accepted: nil, observer: nil)
    }

    /// Starts a server with routes; what none of them takes is answered with 404 or 405.
    ///
    /// Throws `.cannotListen` if the address is taken or not this machine's, or the certificate is not usable.
    public convenience init(_ configuration: Configuration = Configuration(), routes: Routes) throws {
        try self.init(configuration, handler: routes.handler)
    }

    package init(
        _ configuration: Configuration, handler: @escaping Handler,
        accepted: (@Sendable (Connection) throws -> Void)?, observer: (@Sendable (Connections) -> Void)?
    ) throws {
        let listener = try Listener(configuration)
        do {
            let scheme = configuration.tls == nil ? "http" : "https"
            let host = configuration.unixPath == nil ? Self.reachable(configuration.host) : "localhost"
            let port = listener.port == 0 ? "" : ":\(listener.port)"
            url = try URI("\(scheme)://\(host)\(port)/")
            self.port = listener.port
            let server = ConnectionServer(
                configuration: configuration, tls: try configuration.tls.map { try TLSContext($0) }, handler: handler,
                accepted: accepted)
            engine = try Engine(listener, server: server, observer: observer)
            try engine.start()
        } catch {
            listener.close()
            throw error
        }
    }

    deinit { engine.abandon() }

    /// How many connections there are, now and altogether.
    public var connections: Connections { engine.connections }

    /// The address of a path, with or without its `/` at the beginning: `url("/get?a=1")`.
    public func url(_ target: String) -> String { target.hasPrefix("/") ? "\(url.origin)\(target)" : "\(url)\(target)" }

    /// Stops: closes every connection at once, also those in the middle of an answer, and waits for all threads.
    ///
    /// A handler that waits through its `Exchange` is interrupted; one that blocks by other means is waited for. To call
    /// it again does nothing. Called by a handler it only begins the stop, since a thread cannot wait for its own end.
    public func stop() { engine.stop() }

    /// An address that a client can connect to, for one that means all of this machine's.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "": "127.0.0.1"
        case "::": "[::1]"
        default: host.utf8.contains(0x3A) ? "[\(host)]" : host
        }
    }
}
