/// A status code (RFC 9110 §15): any integer, the registered ones named.
public struct Status: RawRepresentable, Hashable, Sendable, Comparable, ExpressibleByIntegerLiteral,
    CustomStringConvertible
{
    /// The code, such as 404.
    public let rawValue: Int

    /// A status by its code.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A status by its code.
    public init(_ code: Int) { rawValue = code }

    /// A status by its code.
    public init(integerLiteral value: Int) { rawValue = value }

    /// The code, such as 404.
    public var code: Int { rawValue }

    /// The class of a status: its first digit.
    public enum Kind: Int, Sendable {
        /// 1xx: an interim answer.
        case informational = 1
        /// 2xx: received, understood and accepted.
        case successful
        /// 3xx: further action is needed.
        case redirection
        /// 4xx: the request is at fault.
        case clientError
        /// 5xx: the server is at fault.
        case serverError
    }

    /// The class of the status; nil for a code outside 100 to 599.
    public var kind: Kind? { Kind(rawValue: rawValue / 100) }

    /// Whether a message with this status never has content (RFC 9110 §6.4.1).
    public var forbidsContent: Bool { kind == .informational || self == .noContent || self == .notModified }

    /// By code.
    public static func < (left: Status, right: Status) -> Bool { left.rawValue < right.rawValue }

    /// The code and, if it is registered, its reason phrase: `404 Not Found`.
    public var description: String {
        standardReason.isEmpty ? "\(rawValue)" : "\(rawValue) \(standardReason)"
    }

    /// The registered reason phrase; empty for an unknown code.
    public var standardReason: String { Self.reasons[rawValue] ?? "" }

    private static let reasons: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints", 200: "OK",
        201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
        424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates",
        507: "Insufficient Storage", 508: "Loop Detected", 511: "Network Authentication Required",
    ]
}

extension Status {
    /// 200
    public static let ok: Status = 200
    /// 201
    public static let created: Status = 201
    /// 202
    public static let accepted: Status = 202
    /// 204
    public static let noContent: Status = 204
    /// 206
    public static let partialContent: Status = 206
    /// 301
    public static let movedPermanently: Status = 301
    /// 302
    public static let found: Status = 302
    /// 303
    public static let seeOther: Status = 303
    /// 304
    public static let notModified: Status = 304
    /// 307
    public static let temporaryRedirect: Status = 307
    /// 308
    public static let permanentRedirect: Status = 308
    /// 400
    public static let badRequest: Status = 400
    /// 401
    public static let unauthorized: Status = 401
    /// 403
    public static let forbidden: Status = 403
    /// 404
    public static let notFound: Status = 404
    /// 405
    public static let methodNotAllowed: Status = 405
    /// 407
    public static let proxyAuthenticationRequired: Status = 407
    /// 408
    public static let requestTimeout: Status = 408
    /// 409
    public static let conflict: Status = 409
    /// 410
    public static let gone: Status = 410
    /// 412
    public static let preconditionFailed: Status = 412
    /// 413
    public static let contentTooLarge: Status = 413
    /// 416
    public static let rangeNotSatisfiable: Status = 416
    /// 422
    public static let unprocessableContent: Status = 422
    /// 429
    public static let tooManyRequests: Status = 429
    /// 431
    public static let requestHeaderFieldsTooLarge: Status = 431
    /// 500
    public static let internalServerError: Status = 500
    /// 501
    public static let notImplemented: Status = 501
    /// 502
    public static let badGateway: Status = 502
    /// 503
    public static let serviceUnavailable: Status = 503
    /// 504
    public static let gatewayTimeout: Status = 504
}
