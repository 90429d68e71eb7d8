import ConvoyCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the echo routes tell about a request.
enum Echo {
    /// Everything: arguments, header fields, body as text, form and JSON, and where it came from.
    static func all(of request: ServerRequest) -> [String: JSONTree] {
        let json = try? JSONDecoder().decode(JSONTree.self, from: request.body)
        let isForm = !request.formItems.isEmpty
        return [
            "args": grouped(request.queryItems),
            "data": .string(isForm ? "" : text(of: request.body)),
            "form": grouped(request.formItems),
            "headers": headers(of: request),
            "json": json ?? .null,
            "method": .string(request.method.rawValue),
            "origin": .string(request.remoteAddress),
            "url": .string(url(of: request)),
        ]
    }

    /// The header fields by their names as they came; repeated ones are joined as `Headers` does.
    static func headers(of request: ServerRequest) -> JSONTree {
        var object: [String: JSONTree] = [:]
        for field in request.headers where object[field.name.rawName] == nil {
            object[field.name.rawName] = .string(request.headers[field.name] ?? "")
        }
        return .object(object)
    }

    /// Values by their names; those of a name that comes several times as an array.
    static func grouped(_ items: [(name: String, value: String)]) -> JSONTree {
        let groups = Dictionary(grouping: items, by: \.name)
        return .object(
            groups.mapValues { items in
                let values = items.map { JSONTree.string($0.value) }
                return values.count == 1 ? values[0] : .array(values)
            })
    }

    /// The body as text, or as a `data:` address where it is no UTF-8.
    private static func text(of body: Data) -> String {
        String(validating: body, as: UTF8.self)
            ?? "data:application/octet-stream;base64,\(body.base64EncodedString())"
    }

    private static func url(of request: ServerRequest) -> String {
        if !request.target.hasPrefix("/") { return request.target }
        let scheme = request.isSecure ? "https" : "http"
        return "\(scheme)://\(request.headers[.host] ?? "localhost")\(request.target)"
    }
}

/// Any JSON value (RFC 8259).
enum JSONTree: Hashable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
