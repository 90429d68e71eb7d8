#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where a request goes: an absolute `http` or `https` URL, or a path that is appended to the client's base URL.
///
/// ```swift
/// let elsewhere = Request(.get, "https://example.com/a?b=c")     // absolute: the base URL plays no part
/// let notes = Request(.get, "users/\(id)/notes?tag=\(tag)")      // id and tag are encoded, each as one piece
/// ```
///
/// A path is appended to the base's path with exactly one `/` between, whether it begins with one or not; queries of
/// both sides are kept. Interpolated values are percent-encoded once, everything but unreserved characters, so that a
/// value cannot add a segment or a parameter; one that would make a `.` or `..` segment is refused. A value at the very
/// beginning is taken as the start of an absolute URL only by a client without a base URL. `\(raw: text)` inserts text
/// that is already encoded, and a `URI` or `URL` goes in as it is. Braces have no meaning here.
///
/// Nothing is checked until the request is sent: then what is no URL throws `.invalidURL` with the text and the reason.
public struct Address: Sendable, Hashable {
    /// A value interpolated at the very beginning, not yet encoded: what it is depends on the client.
    private var head: String?
    private var text: String
    /// Why the interpolated values cannot be used, if they cannot.
    private var failure: String?
    private var parsed: URI?

    /// Text that is an address already: only characters that no URL may contain are encoded.
    public init(_ text: String) { self.text = text }

    /// Text that cannot be used, and why.
    init(_ text: String, failure: String) {
        self.text = text
        self.failure = failure
    }

    /// An address that is parsed already.
    public init(_ uri: URI) {
        text = ""
        parsed = uri
    }

    /// An address as Foundation has it, absolute or relative.
    public init(_ url: URL) { text = url.absoluteString }

    /// The parsed address: set in what plugins and engines see, nil before the client has joined it with its base URL.
    public var uri: URI? { parsed }

    /// The names of the parameters that are in it already.
    var queryNames: Set<String> {
        (parsed?.query ?? URIParser.split((head ?? "") + text).query).map { Parameters.names(inEncoded: $0) } ?? []
    }

    /// The absolute address of this one, for a base URL.
    func resolved(on base: URI?) throws -> URI {
        if let parsed { return parsed }
        if let failure { throw URIParser.failure((head ?? "") + text, failure) }
        var whole = text
        if let head {
            if base == nil, URI.isAbsolute(head) {
                whole = head + text
            } else {
                whole = PercentEncoding.value.encode(head) + text
            }
        }
        if URI.isAbsolute(whole) { return try URI(whole) }
        guard let base else {
            throw URIParser.failure(
                whole, "it is relative and the client has no base URL; begin with http:// or https://")
        }
        return try base.appending(whole)
    }
}

extension Address: CustomStringConvertible {
    /// The address for people: user, password and secret parameters in it are masked. `uri` has them.
    public var description: String { Redaction.standard.address(parsed?.description ?? (head ?? "") + text) }
}

extension Address: ExpressibleByStringInterpolation {
    /// Text that is an address already.
    public init(stringLiteral value: String) { self.init(value) }

    /// Text with values in it, which are encoded.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        head = stringInterpolation.head
        failure = stringInterpolation.finishedFailure
    }

    /// Puts an address together out of its literal pieces and its values.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var head: String?
        private var failure: String?
        /// The path segment being put together, to see whether values made it a dot segment.
        private var segment = ""
        private var segmentHasValue = false
        private var isInPath = true
        /// Whether the text so far is a whole address: its last `/` and a following one are the same.
        private var endsInURI = false

        /// Starts an empty address.
        public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        /// Adds text that is part of the address already.
        public mutating func appendLiteral(_ literal: String) {
            guard !literal.isEmpty else { return }
            let meetsSlash = endsInURI && text.utf8.last == 0x2F && literal.utf8.first == 0x2F
            endsInURI = false
            text += meetsSlash ? Substring(literal.utf8.dropFirst()) : literal[...]
            trackLiteral(literal)
        }

        private mutating func trackLiteral(_ literal: String) {
            for scalar in literal.unicodeScalars where isInPath {
                switch scalar {
                case "/": endSegment()
                case "?", "#":
                    endSegment()
                    isInPath = false
                default: segment.unicodeScalars.append(scalar)
                }
            }
        }

        /// Adds one value, percent-encoded.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            let plain = value.description
            if text.isEmpty, head == nil {
                head = plain
                // As the start of an absolute URL it is no value but text, whose last segment may go on.
                if URI.isAbsolute(plain) { return trackLiteral(plain) }
            } else {
                endsInURI = false
                closePercent()
                text += PercentEncoding.value.encode(plain)
            }
            if isInPath {
                segment += plain
                segmentHasValue = true
            }
        }

        /// Adds an address as it is.
        public mutating func appendInterpolation(_ uri: URI) {
            appendLiteral(uri.wireText)
            endsInURI = true
        }

        /// Adds an address as it is.
        public mutating func appendInterpolation(_ url: URL) {
            appendLiteral(url.absoluteString)
            endsInURI = true
        }

        /// Adds text that is encoded already.
        public mutating func appendInterpolation(raw text: String) { appendLiteral(text) }

        /// Encodes a `%` of the literal that a value behind it would make a triplet of its own choice.
        private mutating func closePercent() {
            let end = text.utf8.suffix(2)
            guard let percent = end.lastIndex(of: 0x25), end[percent...].dropFirst().allSatisfy({ $0.hexValue != nil })
            else { return }
            text.replaceSubrange(percent...percent, with: "%25")
        }

        private mutating func endSegment() {
            if segmentHasValue, URIParser.dots(segment) > 0 {
                failure = "the value \(segment.quotedForMessage) would change the path"
            }
            segment = ""
            segmentHasValue = false
        }

        fileprivate var finishedFailure: String? {
            var copy = self
            if copy.isInPath { copy.endSegment() }
            return copy.failure
        }
    }
}
