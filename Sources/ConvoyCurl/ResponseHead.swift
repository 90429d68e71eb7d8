import ConvoyCore
import Glibc

/// The header of a response, and what it says about the message.
struct ResponseHead {
    var status: Status
    var reason: String
    var version: HTTPVersion
    var headers = Headers()
    /// The length that `Content-Length` states; nil if it states none, or the body is chunked.
    var contentLength: Int64?

    static func invalid(_ reason: String) -> ConvoyError {
        ConvoyError(.invalidResponse, "the answer is not valid HTTP: \(reason)", phase: .receiving)
    }
}

/// Reads a header as libcurl hands it over, line by line.
///
/// libcurl takes framing that different readers understand differently (conflicting lengths, a bare CR): such answers
/// are refused here (RFC 9112 §6.3, §2.2).
struct HeadReader {
    /// The most bytes of one header that are taken.
    static let limit = 300 << 10

    private var head: ResponseHead?
    /// The fields so far, in the form of `FieldLines`.
    private var lines: [UInt8] = []
    private var size = 0
    private var length: Int64?
    private var isChunked = false
    /// Whether the last field says where the message ends.
    private var hasJustFramed = false

    init() { lines.reserveCapacity(512) }

    /// Begins anew; the memory is kept.
    mutating func reset() {
        head = nil
        lines.removeAll(keepingCapacity: true)
        size = 0
        length = nil
        isChunked = false
        hasJustFramed = false
    }

    /// Takes the next line, its end included; gives the header when it is complete. Throws for one that is too large or
    /// not valid.
    mutating func take(_ line: UnsafeRawBufferPointer) throws -> ResponseHead? {
        try count(line)
        let line = Piece(line: line)
        guard let known = head else {
            head = try Self.statusLine(line)
            return nil
        }
        guard line.isEmpty else {
            try add(line)
            return nil
        }
        var head = known
        head.headers = fields
        head.contentLength = isChunked ? nil : length
        reset()
        return head
    }

    /// Takes the next line of what comes after the body.
    mutating func takeTrailer(_ line: UnsafeRawBufferPointer) throws {
        try count(line)
        let line = Piece(line: line)
        if !line.isEmpty { try add(line) }
    }

    /// The fields so far: a copy of just their size, so that the memory here serves the next header.
    var fields: Headers {
        lines.isEmpty ? Headers() : Headers(FieldLines(lines.withUnsafeBufferPointer { Array($0) }))
    }

    private mutating func count(_ line: UnsafeRawBufferPointer) throws {
        size += line.count
        guard size <= Self.limit else {
            throw ConvoyError(
                .responseHeaderTooLarge, "the answer's header is larger than \(Self.limit) bytes", phase: .receiving)
        }
    }

    /// `HTTP/1.1 200 OK`, the reason and the space before it as the case may be (RFC 9112 §4).
    private static func statusLine(_ line: Piece) throws -> ResponseHead {
        let versionEnd = line.index(of: 0x20) ?? line.count
        let version = line.prefix(versionEnd)
        let code = line.dropFirst(versionEnd + 1).prefix(3)
        let rest = line.dropFirst(versionEnd + 4)
        guard version.starts(with: "HTTP/"), version.count >= 6, version[5].isDigit, code.count == 3,
            code[0].isDigit, code[1].isDigit, code[2].isDigit, code[0] != 0x30, rest.isEmpty || rest[0] == 0x20
        else { throw ResponseHead.invalid("its status line is \(line.text.quotedForMessage)") }
        let minor = version.count == 8 && version[6] == 0x2E && version[7].isDigit ? version[7] - 0x30 : 0
        return ResponseHead(
            status: Status((0..<3).reduce(0) { $0 * 10 + Int(code[$1] - 0x30) }), reason: rest.trimmingOWS.text,
            version: HTTPVersion(major: Int(version[5] - 0x30), minor: Int(minor)))
    }

    private mutating func add(_ line: Piece) throws {
        let isContinuation = line[0] == 0x20 || line[0] == 0x09
        if isContinuation, !lines.isEmpty { return try fold(line) }
        guard let colon = line.index(of: 0x3A) else {
            throw ResponseHead.invalid("a header line has no colon: \(line.text.quotedForMessage)")
        }
        let name = line.prefix(colon)
        guard colon > 0, name.isToken else {
            throw ResponseHead.invalid("the header name \(name.text.quotedForMessage) is not a token")
        }
        guard line.isClean else {
            throw ResponseHead.invalid("the header \(name.text) contains a bare CR or NUL")
        }
        let value = line.dropFirst(colon + 1).trimmingOWS
        let statesLength = colon == 14 && name.isEqual(to: "content-length")
        let statesCoding = colon == 17 && name.isEqual(to: "transfer-encoding")
        if statesLength { try noteLength(value) }
        if statesCoding { try noteCoding(value) }
        hasJustFramed = statesLength || statesCoding
        lines.append(contentsOf: name.bytes)
        lines.append(0x3A)
        lines.append(contentsOf: value.bytes)
        lines.append(0x0A)
    }

    /// A line that continues the one before it (obs-fold, RFC 9112 §5.2).
    private mutating func fold(_ line: Piece) throws {
        guard line.isClean else { throw ResponseHead.invalid("a folded header line contains a bare CR or NUL") }
        // What other readers may not put together must not decide where the message ends.
        guard !hasJustFramed else { throw ResponseHead.invalid("the header that states its length is folded") }
        lines.removeLast()
        lines.append(0x20)
        lines.append(contentsOf: line.trimmingOWS.bytes)
        lines.append(0x0A)
    }

    /// The stated length must be one number: repeated equal ones are taken, anything else is refused.
    private mutating func noteLength(_ value: Piece) throws {
        var rest = value
        repeat {
            let end = rest.index(of: 0x2C) ?? rest.count
            guard let number = rest.prefix(end).trimmingOWS.number else {
                throw ResponseHead.invalid("Content-Length is \(value.text.quotedForMessage)")
            }
            if let length, length != number {
                throw ResponseHead.invalid("it states two lengths, \(length) and \(number)")
            }
            length = number
            if end == rest.count { return }
            rest = rest.dropFirst(end + 1)
        } while true
    }

    /// Nothing but "chunked" was offered, and a body whose end is unknown must not be guessed at (RFC 9112 §6.1).
    private mutating func noteCoding(_ value: Piece) throws {
        guard !isChunked, value.count == 7, value.isEqual(to: "chunked") else {
            throw ResponseHead.invalid("it has the transfer coding \(value.text.quotedForMessage)")
        }
        isChunked = true
    }
}

/// Some bytes of a header, which stay where they are.
private struct Piece {
    let bytes: UnsafeBufferPointer<UInt8>

    private init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) { self.bytes = UnsafeBufferPointer(rebasing: bytes) }

    /// A line without its end: CRLF or LF.
    init(line: UnsafeRawBufferPointer) {
        let bytes = line.bindMemory(to: UInt8.self)
        var end = bytes.count
        if end > 0, bytes[end - 1] == 0x0A {
            end -= 1
            if end > 0, bytes[end - 1] == 0x0D { end -= 1 }
        }
        self.init(bytes[..<end])
    }

    var count: Int { bytes.count }
    var isEmpty: Bool { bytes.isEmpty }

    /// A byte of the piece; the caller keeps to its bounds.
    subscript(index: Int) -> UInt8 { bytes[index] }

    func index(of byte: UInt8) -> Int? {
        guard let base = bytes.baseAddress, count > 0, let found = memchr(base, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    func prefix(_ length: Int) -> Piece { Piece(bytes.prefix(length)) }
    func dropFirst(_ length: Int) -> Piece { Piece(bytes.dropFirst(length)) }

    func starts(with text: StaticString) -> Bool {
        guard let base = bytes.baseAddress, count >= text.utf8CodeUnitCount else { return false }
        return memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Whether it is this text of the same length, which is in lower case; case does not count.
    func isEqual(to text: StaticString) -> Bool {
        bytes.indices.allSatisfy { index in
            let byte = bytes[index]
            return (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) == text.utf8Start[index]
        }
    }

    var isToken: Bool { bytes.allSatisfy(\.isTokenByte) }

    /// Whether it holds neither CR nor LF nor NUL.
    var isClean: Bool { bytes.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }

    /// The number that it is in decimal; nil if it is none, or larger than 63 bits.
    var number: Int64? {
        var number: Int64? = isEmpty ? nil : 0
        for byte in bytes {
            guard byte.isDigit, let product = number?.multipliedReportingOverflow(by: 10), !product.overflow else {
                return nil
            }
            let sum = product.partialValue.addingReportingOverflow(Int64(byte - 0x30))
            number = sum.overflow ? nil : sum.partialValue
        }
        return number
    }

    var trimmingOWS: Piece {
        var rest = bytes[...]
        while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
        return Piece(rest)
    }

    var text: String { FieldLines.text(bytes).value }
}
