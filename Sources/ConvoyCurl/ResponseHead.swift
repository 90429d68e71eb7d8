import ConvoyCore
import Glibc

/// The header of a response as libcurl hands it over, line by line, and what it says.
///
/// libcurl takes framing that different readers understand differently (conflicting lengths, a bare CR): such answers
/// are refused here (RFC 9112 §6.3, §2.2).
struct ResponseHead {
    /// The most bytes of one header that are taken.
    static let limit = 300 << 10

    var status: Status = 0
    var reason = ""
    var version = HTTPVersion.http11
    var headers = Headers()
    /// The length that `Content-Length` states; nil if it states none, or the body is chunked.
    var contentLength: Int64?

    /// Reads a whole header: status line, fields, and the empty line at the end.
    init(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { buffer in
            var lines = HeaderLines(buffer)
            guard let first = lines.next() else { throw Self.invalid("it has no status line") }
            try parseStatusLine(first)
            headers = try Self.fields(&lines)
        }
        contentLength = try Self.length(headers)
    }

    /// Reads fields without a status line: trailers.
    static func trailers(_ bytes: [UInt8]) throws -> Headers {
        try bytes.withUnsafeBytes { buffer in
            var lines = HeaderLines(buffer)
            return try fields(&lines)
        }
    }

    /// `HTTP/1.1 200 OK`, the reason and the space before it as the case may be (RFC 9112 §4).
    private mutating func parseStatusLine(_ line: Piece) throws {
        let versionEnd = line.index(of: 0x20) ?? line.count
        let version = line.prefix(versionEnd)
        let code = line.dropFirst(versionEnd + 1).prefix(3)
        let rest = line.dropFirst(versionEnd + 4)
        guard version.starts(with: "HTTP/"), version.count >= 6, version[5].isDigit, code.count == 3,
            (0..<3).allSatisfy({ code[$0].isDigit }), code[0] != 0x30, rest.isEmpty || rest[0] == 0x20
        else { throw Self.invalid("its status line is \(line.text.value.quotedForMessage)") }
        let minor = version.count == 8 && version[6] == 0x2E && version[7].isDigit ? version[7] - 0x30 : 0
        self.version = HTTPVersion(major: Int(version[5] - 0x30), minor: Int(minor))
        status = Status((0..<3).reduce(0) { $0 * 10 + Int(code[$1] - 0x30) })
        reason = rest.trimmingOWS.text.value
    }

    private static func fields(_ lines: inout HeaderLines) throws -> Headers {
        var headers = Headers()
        headers.reserveCapacity(12)
        while let line = lines.next(), !line.isEmpty {
            guard let colon = line.index(of: 0x3A) else {
                throw invalid("a header line has no colon: \(line.text.value.quotedForMessage)")
            }
            let name = line.prefix(colon)
            guard colon > 0, (0..<colon).allSatisfy({ name[$0].isTokenByte }) else {
                throw invalid("the header name \(name.text.value.quotedForMessage) is not a token")
            }
            var (value, isLatin1) = line.dropFirst(colon + 1).trimmingOWS.text
            while let folded = lines.nextContinuation() {
                guard folded.index(of: 0x0D) == nil, folded.index(of: 0) == nil else {
                    throw invalid("the header \(name.text.value) contains a bare CR or NUL")
                }
                let more = folded.trimmingOWS.text
                value += " " + more.value
                isLatin1 = isLatin1 || more.isLatin1
            }
            guard line.index(of: 0x0D) == nil, line.index(of: 0) == nil else {
                throw invalid("the header \(name.text.value) contains a bare CR or NUL")
            }
            headers.append(Headers.Field(Headers.Name(name.text.value), value, isLatin1: isLatin1))
        }
        return headers
    }

    /// The stated length, if it is one number: repeated equal ones are taken, anything else is refused.
    private static func length(_ headers: Headers) throws -> Int64? {
        var length: Int64?
        for field in headers where field.name == .contentLength {
            for element in field.value.split(separator: ",", omittingEmptySubsequences: false) {
                let digits = String(element).trimmingOWS
                guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit), let number = Int64(digits) else {
                    throw invalid("Content-Length is \(field.value.quotedForMessage)")
                }
                if let length, length != number { throw invalid("it states two lengths, \(length) and \(number)") }
                length = number
            }
        }
        // Nothing but "chunked" was offered, and a body whose end is unknown must not be guessed at (RFC 9112 §6.1).
        let codings = headers.values(for: .transferEncoding)
        guard let coding = codings.first else { return length }
        guard codings.count == 1, coding.lowercasedASCII == "chunked" else {
            throw invalid("it has the transfer coding \(codings.joined(separator: ", ").quotedForMessage)")
        }
        return nil
    }

    static func invalid(_ reason: String) -> ConvoyError {
        ConvoyError(.invalidResponse, "the answer is not valid HTTP: \(reason)", phase: .receiving)
    }
}

/// Some bytes of a header, which stay where they are.
private struct Piece {
    let start: UnsafePointer<UInt8>
    let count: Int

    var isEmpty: Bool { count == 0 }

    /// A byte of the piece; the caller keeps to its bounds.
    subscript(index: Int) -> UInt8 { start[index] }

    func index(of byte: UInt8) -> Int? {
        guard count > 0, let found = memchr(start, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }

    func prefix(_ length: Int) -> Piece { Piece(start: start, count: min(length, count)) }

    func dropFirst(_ length: Int) -> Piece {
        let dropped = min(length, count)
        return Piece(start: start + dropped, count: count - dropped)
    }

    func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    var trimmingOWS: Piece {
        var first = 0
        var end = count
        while first < end, start[first] == 0x20 || start[first] == 0x09 { first += 1 }
        while end > first, start[end - 1] == 0x20 || start[end - 1] == 0x09 { end -= 1 }
        return Piece(start: start + first, count: end - first)
    }

    /// As text: UTF-8, else ISO-8859-1 (RFC 9110 §5.5).
    var text: (value: String, isLatin1: Bool) {
        let bytes = UnsafeBufferPointer(start: start, count: count)
        // Nearly all is ASCII, of which nothing needs to be checked.
        if bytes.allSatisfy({ $0 < 0x80 }) { return (String(decoding: bytes, as: UTF8.self), false) }
        if let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
        return (String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })), true)
    }
}

/// Goes through the lines of a header, which end in CRLF or LF.
private struct HeaderLines {
    private var rest: Piece

    init(_ bytes: UnsafeRawBufferPointer) {
        let bytes = bytes.bindMemory(to: UInt8.self)
        // An empty buffer may have no address; then no byte is looked at.
        rest = bytes.baseAddress.map { Piece(start: $0, count: bytes.count) } ?? Self.nothing
    }

    private static var nothing: Piece {
        let empty: StaticString = ""
        return Piece(start: empty.utf8Start, count: 0)
    }

    mutating func next() -> Piece? {
        guard !rest.isEmpty else { return nil }
        let end = rest.index(of: 0x0A) ?? rest.count
        let line = rest.prefix(end)
        rest = rest.dropFirst(end + 1)
        return !line.isEmpty && line[line.count - 1] == 0x0D ? line.prefix(line.count - 1) : line
    }

    /// The next line, if it continues the one before it (obs-fold, RFC 9112 §5.2).
    mutating func nextContinuation() -> Piece? {
        guard !rest.isEmpty, rest[0] == 0x20 || rest[0] == 0x09 else { return nil }
        return next()
    }
}
