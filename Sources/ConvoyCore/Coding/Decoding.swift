#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Turns the bytes of a response into a value: the one method to implement for a format of your own.
public protocol BodyDecoder: Sendable {
    /// Decodes a value. Errors thrown are reported as `.decodingFailed` with the URL and an excerpt of the body.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data, response: Response) throws -> Value
}

/// Turns a value into the body of a request: the one method to implement for a format of your own.
public protocol BodyEncoder: Sendable {
    /// Encodes a value. Errors thrown are reported as `.encodingFailed`; nothing is sent.
    func encode(_ value: some Encodable, request: Request) throws -> Data
}

/// JSON by Foundation's decoder (RFC 8259). A byte order mark before the text is skipped.
public struct JSONBodyDecoder: BodyDecoder {
    private let make: @Sendable () -> JSONDecoder

    /// Decodes with a decoder that the closure sets up: strategies for dates, keys and data.
    public init(_ configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }) {
        make = {
            let decoder = JSONDecoder()
            configure(decoder)
            return decoder
        }
    }

    /// Foundation's defaults.
    public static let standard = JSONBodyDecoder()

    /// Decodes JSON text in UTF-8, UTF-16 or UTF-32.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data, response: Response) throws -> Value {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return try make().decode(type, from: data.starts(with: mark) ? data.dropFirst(3) : data)
    }
}

/// JSON by Foundation's encoder (RFC 8259).
public struct JSONBodyEncoder: BodyEncoder {
    private let make: @Sendable () -> JSONEncoder

    /// Encodes with an encoder that the closure sets up: strategies for dates, keys and data, sorted keys.
    public init(
        _ configure: @escaping @Sendable (JSONEncoder) -> Void = { $0.outputFormatting = .withoutEscapingSlashes }
    ) {
        make = {
            let encoder = JSONEncoder()
            configure(encoder)
            return encoder
        }
    }

    /// Foundation's defaults, slashes not escaped.
    public static let standard = JSONBodyEncoder()

    /// Encodes to JSON text in UTF-8.
    public func encode(_ value: some Encodable, request: Request) throws -> Data { try make().encode(value) }
}

extension Response {
    /// Decodes the body: `Data` means its bytes, `String` its text, anything else goes through the decoder, JSON by
    /// default. An optional type is nil for an empty body.
    ///
    /// Of an answer with an `envelope` it decodes the payload: `Data` is its JSON text, `String` the JSON string that it is,
    /// and an optional type is nil for null or no payload.
    ///
    /// Throws `.decodingFailed`, which names the coding path, the type, the URL and an excerpt of the body. A body that
    /// is a stream or a file must be brought into memory first, by `collected(upTo:)`.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let data = try envelope.map { $0.payload ?? Data() } ?? dataForDecoding(type)
        let isAbsent = data.isEmpty || (envelope != nil && data == Data("null".utf8))
        if isAbsent, let absent = (type as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value {
            return absent
        }
        if let bytes = data as? Value { return bytes }
        // A part of a JSON text is no text of its own.
        let isText = (type == String.self || type == String?.self) && data == body.data
        if isText, let text = try text() as? Value { return text }
        if data.isEmpty {
            let absence = envelope == nil ? "empty body" : "no payload in the envelope"
            throw decodingError("\(absence) (status \(status.code)) where \(type) was expected")
        }
        do { return try decoder.decode(type, from: data, response: self) } catch {
            let part = envelope == nil ? "" : "the payload as "
            throw decodingError(part + DecodingDescription.of(error, expected: type), underlying: error)
        }
    }

    /// Nothing to decode: any body, also an empty one, is well.
    public func decode(_ type: Void.Type = Void.self) throws {}

    /// The whole body as text: by its byte order mark, else by the charset of `Content-Type` (UTF-8, US-ASCII,
    /// ISO-8859-1, UTF-16), else as UTF-8 if it is that, else as ISO-8859-1.
    ///
    /// Throws `.decodingFailed` if the bytes are not of the stated charset, or the charset is unknown.
    public func text() throws -> String {
        let data = try dataForDecoding(String.self)
        guard let text = TextDecoding.text(data, contentType: headers[.contentType]) else {
            throw decodingError("the body is no text of its charset (\(headers[.contentType] ?? "none stated"))")
        }
        return text
    }

    private func dataForDecoding<Value>(_ type: Value.Type) throws -> Data {
        guard let data = body.data else {
            throw decodingError("the body is not in memory: call collected() before decoding \(type)")
        }
        return data
    }

    func decodingError(_ message: String, underlying: (any Error)? = nil) -> ConvoyError {
        let from = uri.map { " of \(Redaction.standard.address($0.description))" } ?? ""
        var error = ConvoyError(
            .decodingFailed, "cannot decode the answer\(from): \(message)", phase: .decoding, underlying: underlying)
        error.response = self
        error.attempts = attempts
        error.metrics = metrics
        return error
    }
}

/// What a decoder's error means, in words: Foundation's own do not name the path in one line.
enum DecodingDescription {
    static func of(_ error: any Error, expected: Any.Type) -> String {
        guard let error = error as? DecodingError else { return "\(expected): \(error)" }
        switch error {
        case .keyNotFound(let key, let context):
            return "\(expected): no value for the key \"\(key.stringValue)\" at \(path(context))"
        case .valueNotFound(let type, let context):
            return "\(expected): null where \(type) was expected, at \(path(context))"
        case .typeMismatch(let type, let context):
            return "\(expected): \(type) was expected at \(path(context)): \(context.debugDescription)"
        case .dataCorrupted(let context):
            let cause = context.underlyingError.map { " (\($0))" } ?? ""
            return "\(expected): \(context.debugDescription)\(cause) at \(path(context))"
        @unknown default: return "\(expected): \(error)"
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        return path.isEmpty ? "the top" : path.hasPrefix(".") ? String(path.dropFirst()) : path
    }
}
