import ConvoyCore

/// What a server does for which method and path: the first that fits is taken.
///
/// A pattern is a path whose segments may be placeholders, `/users/:id/notes`; a `*` at its end stands for any number
/// of further segments. Segments are compared decoded. HEAD is answered by a route for GET, without its body.
public struct Routes: Sendable {
    private struct Route: Sendable {
        let method: Method?
        let pattern: String
        let segments: [String]
        let handler: Server.Handler
    }

    private var routes: [Route] = []

    /// No routes.
    public init() {}

    /// Adds a route for a method, or for every method if nil. The closure gets the request with its whole body.
    public mutating func on(
        _ method: Method?, _ pattern: String,
        _ answer: @escaping @Sendable (ServerRequest) throws -> ServerResponse
    ) {
        handle(method, pattern) { exchange in
            try exchange.readBody()
            try exchange.respond(try answer(exchange.request))
        }
    }

    /// Adds a route with full control of the exchange, for a method, or for every method if nil.
    public mutating func handle(_ method: Method?, _ pattern: String, _ handler: @escaping Server.Handler) {
        routes.append(
            Route(method: method, pattern: pattern, segments: Self.segments(pattern), handler: handler))
    }

    /// Adds the routes of another value behind these.
    public mutating func append(_ others: Routes) { routes += others.routes }

    /// One line for each route, in order: `GET /status/:code`.
    public var index: [String] { routes.map { "\($0.method?.rawValue ?? "*") \($0.pattern)" } }

    /// The routes as one handler: 404 where no pattern fits, 405 where only the method does not (RFC 9110 §15.5.6).
    public var handler: Server.Handler {
        { exchange in
            guard try !handle(exchange) else { return }
            let allowed = methods(for: exchange.request.path)
            let line = "\(exchange.request.method) \(exchange.request.path)"
            if allowed.isEmpty {
                return try exchange.respond(.text("nothing is at \(line)\n", status: .notFound))
            }
            var response = ServerResponse.text("\(line) is not allowed\n", status: .methodNotAllowed)
            response.headers["Allow"] = allowed.joined(separator: ", ")
            try exchange.respond(response)
        }
    }

    /// Lets the first route that fits answer; false if there is none.
    package func handle(_ exchange: Exchange) throws -> Bool {
        let path = Self.segments(exchange.request.path)
        for route in routes where Self.fits(route.method, exchange.request.method) {
            guard let parameters = Self.match(route.segments, path) else { continue }
            exchange.request.parameters = parameters
            try route.handler(exchange)
            return true
        }
        return false
    }

    private func methods(for path: String) -> [String] {
        let path = Self.segments(path)
        var names: [String] = []
        for route in routes {
            guard let name = route.method?.rawValue, Self.match(route.segments, path) != nil else { continue }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func fits(_ wanted: Method?, _ method: Method) -> Bool {
        wanted == nil || wanted == method || (wanted == .get && method == .head)
    }

    /// The segments of a path, decoded.
    package static func segments(_ path: String) -> [String] {
        path.drop { $0 == "/" }.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.decode($0) ?? String($0) }
    }

    /// What the placeholders stand for; nil if the path is not of the pattern.
    package static func match(_ pattern: [String], _ path: [String]) -> [String: String]? {
        var found: [String: String] = [:]
        for (index, part) in pattern.enumerated() {
            if part == "*", index == pattern.count - 1 {
                found["*"] = path.dropFirst(index).joined(separator: "/")
                return found
            }
            guard index < path.count else { return nil }
            if part.hasPrefix(":"), part.count > 1 {
                guard !path[index].isEmpty else { return nil }
                found[String(part.dropFirst())] = path[index]
            } else if part != path[index] {
                return nil
            }
        }
        return pattern.count == path.count ? found : nil
    }
}
