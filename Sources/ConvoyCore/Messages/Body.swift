#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The content of a message: none, bytes in memory, a file, or a stream. Requests and responses use the same type.
///
/// A body knows whether it can be sent again (`isReplayable`) and its length, if that is known. Reading it as an
/// asynchronous sequence of pieces works for every kind; `collect(upTo:)` brings it into memory.
public struct Body: Sendable {
    /// The kinds of body.
    public enum Storage: Sendable {
        /// No content.
        case none
        /// Bytes in memory.
        case bytes(Data)
        /// A file, read when it is sent, never whole into memory.
        case file(path: String)
        /// Pieces that come while they are read.
        case stream(Stream)
        /// A value that the client's encoder turns into bytes when the request is sent.
        case value(any Encodable & Sendable)
    }

    /// What the body consists of.
    public let storage: Storage
    /// The media type that goes into `Content-Type`, unless the headers have one; nil for none.
    public var contentType: String?

    /// A body of this kind.
    public init(_ storage: Storage, contentType: String? = nil) {
        self.storage = storage
        self.contentType = contentType
    }

    /// No content.
    public static let none = Body(.none)

    /// Bytes. No `Content-Type` is invented for them.
    public static func bytes(_ data: Data, contentType: String? = nil) -> Body {
        Body(.bytes(data), contentType: contentType)
    }

    /// Bytes. No `Content-Type` is invented for them.
    public static func bytes(_ bytes: some Sequence<UInt8>, contentType: String? = nil) -> Body {
        Body(.bytes(Data(bytes)), contentType: contentType)
    }

    /// Text in UTF-8, as `text/plain; charset=utf-8` unless told otherwise.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> Body {
        Body(.bytes(Data(text.utf8)), contentType: contentType)
    }

    /// A form: `application/x-www-form-urlencoded` (WHATWG URL §5).
    public static func form(_ fields: Parameters) -> Body {
        Body(.bytes(Data(fields.encoded(.form).utf8)), contentType: formType)
    }

    /// A value, encoded by the client's encoder when the request is sent: JSON by default.
    public static func json(_ value: some Encodable & Sendable) -> Body {
        Body(.value(value), contentType: "application/json")
    }

    /// A file. It is opened when the request is sent; a missing one fails before anything is sent.
    public static func file(_ path: String, contentType: String? = nil) -> Body {
        Body(.file(path: path), contentType: contentType)
    }

    /// Pieces from a sequence that is made afresh each time the body is sent: it can be sent again.
    ///
    /// - Parameters:
    ///   - length: the number of bytes, if known; without it HTTP/1.1 uses the chunked coding (RFC 9112 §7.1).
    ///   - contentType: the media type that goes into `Content-Type`; nil for none.
    ///   - make: gives a fresh sequence for each time the body is sent.
    public static func stream<Pieces: AsyncSequence & Sendable>(
        length: Int64? = nil, contentType: String? = nil, _ make: @escaping @Sendable () -> Pieces
    ) -> Body where Pieces.Element == Data {
        Body(
            .stream(Stream(length: length, isReplayable: true) { make().makeAsyncIterator() }), contentType: contentType
        )
    }

    /// Pieces from a sequence that can be read only once: the body cannot be sent again.
    ///
    /// - Parameters:
    ///   - pieces: the sequence.
    ///   - length: the number of bytes, if known; without it HTTP/1.1 uses the chunked coding (RFC 9112 §7.1).
    ///   - contentType: the media type that goes into `Content-Type`; nil for none.
    public static func once<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, length: Int64? = nil, contentType: String? = nil
    ) -> Body where Pieces.Element == Data {
        Body(
            .stream(Stream(length: length, isReplayable: false) { pieces.makeAsyncIterator() }),
            contentType: contentType)
    }

    static let formType = "application/x-www-form-urlencoded"

    /// Whether there is no content at all: not even an empty one.
    public var isNone: Bool { if case .none = storage { true } else { false } }

    /// Whether it can be sent, or read, more than once.
    public var isReplayable: Bool { if case .stream(let stream) = storage { stream.isReplayable } else { true } }

    /// The bytes, if they are in memory; nil for a file, a stream, or a value not yet encoded. No content is no bytes.
    public var data: Data? {
        switch storage {
        case .none: Data()
        case .bytes(let data): data
        case .file, .stream, .value: nil
        }
    }

    /// The number of bytes, if it is known without reading: nil for a file, which is looked at when it is sent.
    public var length: Int64? {
        switch storage {
        case .none: 0
        case .bytes(let data): Int64(data.count)
        case .stream(let stream): stream.length
        case .file, .value: nil
        }
    }
}

extension Body {
    /// The source of a body's pieces.
    public struct Stream: Sendable {
        /// The number of bytes, if it is known.
        public let length: Int64?
        /// Whether it can be read more than once.
        public let isReplayable: Bool
        private let make: @Sendable () -> any AsyncIteratorProtocol
        private let claim: Claim?

        /// A source whose pieces come from the iterators that `make` gives, one for each time the body is read.
        public init<Iterator: AsyncIteratorProtocol>(
            length: Int64?, isReplayable: Bool, _ make: @escaping @Sendable () -> Iterator
        ) where Iterator.Element == Data {
            self.length = length
            self.isReplayable = isReplayable
            self.make = make
            claim = isReplayable ? nil : Claim()
        }

        /// Starts reading. Throws `.bodyNotReplayable` the second time where that is not possible.
        package func open() throws -> any AsyncIteratorProtocol {
            if let claim, !claim.take() {
                throw ConvoyError(.bodyNotReplayable, "the body is a stream that can be read only once")
            }
            return make()
        }
    }
}
