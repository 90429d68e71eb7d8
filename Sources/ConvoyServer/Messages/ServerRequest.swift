import ConvoyCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A request as a server received it (RFC 9112 §3).
public struct ServerRequest: Sendable {
    /// The method.
    public var method: Method
    /// The target as the request line has it: usually path and query, still encoded.
    public var target: String
    /// The path of the target, still encoded; at least `/`.
    public var path: String
    /// The query of the target without its `?`, still encoded; nil without one.
    public var query: String?
    /// The version the client speaks: HTTP/1.1 or HTTP/1.0.
    public var version: HTTPVersion
    /// The header fields, in order.
    public var headers: Headers
    /// The body, as far as it was read: all of it in a route's closure, empty in a handler that has not read it yet.
    public var body = Data()
    /// The fields behind a chunked body; empty until it was read to its end.
    public var trailers = Headers()
    /// The number of the connection it came on, counted from 0: equal numbers mean that a connection was reused.
    public var connection: Int
    /// The number of the request on its connection, counted from 0.
    public var index: Int
    /// The address of the client, without port; `unix` for a Unix domain socket.
    public var remoteAddress: String
    /// Whether it came over TLS.
    public var isSecure: Bool
    /// What the placeholders of the route's pattern stand for, decoded, by their names; `*` for the tail.
    public var parameters: [String: String] = [:]

    init(_ head: RequestHead, on connection: Connection, index: Int) {
        method = head.method
        target = head.target
        (path, query) = head.pathAndQuery
        version = head.version
        headers = head.headers
        self.connection = connection.index
        self.index = index
        remoteAddress = connection.remoteAddress
        isSecure = connection.isSecure
    }

    /// The names and values of the query, decoded, in order.
    public var queryItems: [(name: String, value: String)] { Self.pairs(in: query ?? "") }

    /// The first value of a name in the query, decoded; nil if there is none.
    public func queryValue(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// The names and values of a body that is a form (`application/x-www-form-urlencoded`), decoded, in order; empty
    /// for any other body.
    public var formItems: [(name: String, value: String)] {
        let type = (headers[.contentType] ?? "").prefix { $0 != ";" }
        guard String(type).trimmingOWS.lowercased() == "application/x-www-form-urlencoded" else { return [] }
        return Self.pairs(in: String(decoding: body, as: UTF8.self))
    }

    /// The names and values of the cookies the client sent, in order (RFC 6265 §4.2).
    public var cookies: [(name: String, value: String)] {
        (headers[.cookie] ?? "").split(separator: ";").map { pair in
            let parts = String(pair).trimmingOWS.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    /// The body as text; bytes that are no UTF-8 become replacement characters.
    public var text: String { String(decoding: body, as: UTF8.self) }

    private static func pairs(in text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(parts.first ?? ""), parts.count > 1 ? decode(parts[1]) : "")
        }
    }

    private static func decode(_ text: Substring) -> String {
        let spaced = String(text.map { $0 == "+" ? " " : $0 })
        return PercentEncoding.decode(spaced) ?? spaced
    }
}
