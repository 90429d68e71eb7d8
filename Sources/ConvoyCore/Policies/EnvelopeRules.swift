#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How the answers of a service are unwrapped: where the payload, the service's own code and its message are, and which
/// codes count as success.
///
/// ```swift
/// client.update {
///     $0.envelope = EnvelopeRules(data: "data", code: "code", accepted: [0], message: ["message", "msg"])
/// }
/// let user = try await client.get("users/42").decode(User.self)
/// ```
///
/// A code that is not accepted throws `.envelopeRejected`, with the envelope in the error; `decode` takes the payload.
/// The rules hold for answers with a body in memory, redirections left out; one without content passes.
///
/// Rules of a request stand before those of its endpoint, and these before the client's: each part is asked of the most
/// specific rule first, and one that finds nothing leaves it to the next.
public struct EnvelopeRules: Sendable {
    /// Where the payload is. Without any rule the whole body is decoded. A null is a payload.
    public var data: Source<Data>
    /// Where the service's own code is: a string, a number, `true` or `false`.
    public var code: Source<Envelope.Code>
    /// Which codes count as success. Without any rule all do.
    public var accepted: Acceptance
    /// Where the message for people is: the first one that is not empty.
    public var message: Source<String>

    /// Rules; what is left out is left to the next broader ones.
    public init(
        data: Source<Data> = [], code: Source<Envelope.Code> = [], accepted: Acceptance = [],
        message: Source<String> = []
    ) {
        self.data = data
        self.code = code
        self.accepted = accepted
        self.message = message
    }

    /// Where one part of an envelope comes from: key paths into the JSON text, the first that leads to something wins,
    /// or a closure.
    ///
    /// A path is the keys with dots between them; in an array a number picks an element: `"errors.0.message"`. Where an
    /// object has a key twice the first one counts.
    public struct Source<Value: Sendable>: Sendable {
        enum Place: Sendable {
            case path([String])
            case closure(@Sendable (Response) -> Value?)
        }

        var places: [Place]

        /// Key paths, tried in order.
        public init(paths: [String]) {
            places = paths.map { .path($0.split(separator: ".", omittingEmptySubsequences: false).map(String.init)) }
        }

        /// What the closure makes of the response, its body not yet unwrapped. Nil leaves it to the next broader rule.
        public static func from(_ find: @escaping @Sendable (Response) -> Value?) -> Source {
            var source = Source(paths: [])
            source.places = [.closure(find)]
            return source
        }
    }

    /// Which codes count as success: a list of them, or a closure.
    public struct Acceptance: Sendable {
        enum Rule: Sendable {
            case codes(Set<Envelope.Code>)
            case closure(@Sendable (Envelope) -> Bool?)
        }

        var rules: [Rule]

        /// These codes. None is no rule.
        public init(_ codes: Set<Envelope.Code>) { rules = codes.isEmpty ? [] : [.codes(codes)] }

        /// What the closure says of the envelope. Nil leaves it to the next broader rule.
        public static func when(_ accepts: @escaping @Sendable (Envelope) -> Bool?) -> Acceptance {
            var acceptance = Acceptance([])
            acceptance.rules = [.closure(accepts)]
            return acceptance
        }
    }

    /// These rules, and where they find nothing the broader ones.
    static func joining(_ own: EnvelopeRules?, _ broader: EnvelopeRules?) -> EnvelopeRules? {
        guard var rules = own, let broader else { return own ?? broader }
        rules.data.places += broader.data.places
        rules.code.places += broader.code.places
        rules.accepted.rules += broader.accepted.rules
        rules.message.places += broader.message.places
        return rules
    }
}

extension EnvelopeRules.Source: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// One key path.
    public init(stringLiteral value: String) { self.init(paths: [value]) }
    /// Key paths, tried in order.
    public init(arrayLiteral elements: String...) { self.init(paths: elements) }
}

extension EnvelopeRules.Acceptance: ExpressibleByArrayLiteral {
    /// These codes. None is no rule.
    public init(arrayLiteral elements: Envelope.Code...) { self.init(Set(elements)) }
}
