/// Decodes and encodes content codings (RFC 9110 §8.4.1). ConvoyCompression has the one that engines use.
public protocol ContentCoder: Sendable {
    /// The codings it decodes, the preferred first: what `Accept-Encoding` offers.
    var codings: [String] { get }

    /// A fresh decoder for one body; nil if the coding is unknown. Names are compared without case.
    func makeDecoder(for coding: String) -> (any ContentDecoder)?

    /// A fresh encoder for one body; nil if the coding is unknown. Names are compared without case.
    func makeEncoder(for coding: String) -> (any ContentEncoder)?
}

/// Undoes one content coding of one body, in pieces of any size.
public protocol ContentDecoder: AnyObject {
    /// Takes the next piece of coded bytes and hands out what it decodes to, in pieces.
    ///
    /// Throws `.corruptContent` when the bytes are not of this coding, and whatever `output` throws.
    func decode(_ input: UnsafeRawBufferPointer, output: (UnsafeRawBufferPointer) throws -> Void) throws

    /// Says that no more bytes come. Throws `.truncatedContent` when the coded stream has not reached its end.
    func finish(output: (UnsafeRawBufferPointer) throws -> Void) throws
}

/// Applies one content coding to one body, in pieces of any size.
public protocol ContentEncoder: AnyObject {
    /// Takes the next piece of plain bytes and hands out what is ready.
    func encode(_ input: UnsafeRawBufferPointer, output: (UnsafeRawBufferPointer) throws -> Void) throws

    /// Says that no more bytes come, and hands out the rest.
    func finish(output: (UnsafeRawBufferPointer) throws -> Void) throws
}

/// How much a coded body may become: what stops a decompression bomb.
public struct ContentLimits: Sendable, Hashable {
    /// The most bytes that may come out; nil for no bound. Default: none, the response's own ceiling applies.
    public var maximumBytes: Int64?
    /// The most bytes that may come out for each byte that went in, looked at once more than 16 MiB came out; nil for
    /// no bound. Default: 1000.
    public var maximumRatio: Int64?

    /// Limits on what comes out of a decoder.
    public init(maximumBytes: Int64? = nil, maximumRatio: Int64? = 1000) {
        self.maximumBytes = maximumBytes
        self.maximumRatio = maximumRatio
    }
}
