#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What `EnvelopeRules` found around the payload of an answer: `{"code": 0, "message": "ok", "data": …}`.
public struct Envelope: Sendable, Hashable {
    /// The service's own code; nil if there was none.
    public var code: Code?
    /// The service's message for people; nil if there was none.
    public var message: String?
    /// The JSON text of the payload, byte for byte as it came; nil if there was none. This is what `decode` takes.
    public var payload: Data?

    /// An envelope made by hand: for plugins.
    public init(code: Code? = nil, message: String? = nil, payload: Data? = nil) {
        self.code = code
        self.message = message
        self.payload = payload
    }

    /// A service's own code, by its text: the number 0 and the string "0" are the same code, and so are `true` and
    /// "true".
    public struct Code: Sendable, Hashable {
        /// The code as text: of a number its digits as they came.
        public let text: String

        /// A code by its text.
        public init(_ text: String) { self.text = text }

        /// The code as a number; nil if it is none.
        public var number: Int? { Int(text) }
    }
}

extension Envelope.Code: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    /// A code that is a number.
    public init(integerLiteral value: Int) { self.init("\(value)") }
    /// A code that is a string.
    public init(stringLiteral value: String) { self.init(value) }
    /// A code that is `true` or `false`.
    public init(booleanLiteral value: Bool) { self.init("\(value)") }
}

extension Envelope.Code: CustomStringConvertible {
    /// The code as text.
    public var description: String { text }
}

extension ConvoyError {
    /// The envelope of the answer, if rules for it are set and it had one: also that of a refused status.
    public var envelope: Envelope? { response?.envelope }
}
