import ConvoyCore

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
            var lines = HeaderLines(buffer[...])
            guard let first = lines.next() else { throw Self.invalid("it has no status line") }
            try parseStatusLine(first)
            headers = try Self.fields(&lines)
        }
        contentLength = try Self.length(headers)
    }

    /// Reads fields without a status line: trailers.
    static func trailers(_ bytes: [UInt8]) throws -> Headers {
        try bytes.withUnsafeBytes { buffer in
            var lines = HeaderLines(buffer[...])
            return try fields(&lines)
        }
    }

    private mutating func parseStatusLine(_ line: Slice<UnsafeRawBufferPointer>) throws {
        let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        let protocolName = String(decoding: parts[0], as: UTF8.self)
        guard parts.count >= 2, protocolName.hasPrefix("HTTP/"), parts[1].count == 3,
            let code = Int(String(decoding: parts[1], as: UTF8.self)), code >= 100
        else { throw Self.invalid("its status line is \(Self.text(line).value.quotedForMessage)") }
        let numbers = protocolName.dropFirst(5).split(separator: ".")
        version = HTTPVersion(
            major: numbers.first.flatMap { Int($0) } ?? 1, minor: numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0)
        status = Status(code)
        if parts.count > 2 { reason = Self.text(parts[2].trimmingOWS).value }
    }

    private static func fields(_ lines: inout HeaderLines) throws -> Headers {
        var headers = Headers()
        headers.reserveCapacity(12)
        while let line = lines.next(), !line.isEmpty {
            guard let colon = line.firstIndex(of: 0x3A) else {
                throw invalid("a header line has no colon: \(text(line).value.quotedForMessage)")
            }
            let name = line[..<colon]
            guard !name.isEmpty, name.allSatisfy(\.isTokenByte) else {
                throw invalid("the header name \(text(name).value.quotedForMessage) is not a token")
            }
            var value = text(line[line.index(after: colon)...].trimmingOWS)
            while let folded = lines.nextContinuation() {
                let more = text(folded.trimmingOWS)
                value = (value.value + " " + more.value, value.isLatin1 || more.isLatin1)
            }
            guard !value.value.utf8.contains(where: { $0 == 0x0D || $0 == 0 }) else {
                throw invalid("the header \(text(name).value) contains a bare CR or NUL")
            }
            let field = Headers.Name(String(decoding: name, as: UTF8.self))
            headers.append(Headers.Field(field, value.value, isLatin1: value.isLatin1))
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

    /// A value as text: UTF-8, else ISO-8859-1 (RFC 9110 §5.5).
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> (value: String, isLatin1: Bool) {
        if let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
        return (String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })), true)
    }

    static func invalid(_ reason: String) -> ConvoyError {
        ConvoyError(.invalidResponse, "the answer is not valid HTTP: \(reason)", phase: .receiving)
    }
}

/// Goes through the lines of a header, which end in CRLF or LF.
private struct HeaderLines {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

    mutating func next() -> Slice<UnsafeRawBufferPointer>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
        var line = rest[..<end]
        if line.last == 0x0D { line.removeLast() }
        rest = end == rest.endIndex ? rest[end...] : rest[(end + 1)...]
        return line
    }

    /// The next line, if it continues the one before it (obs-fold, RFC 9112 §5.2).
    mutating func nextContinuation() -> Slice<UnsafeRawBufferPointer>? {
        guard let first = rest.first, first == 0x20 || first == 0x09 else { return nil }
        return next()
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var trimmingOWS: Slice<UnsafeRawBufferPointer> {
        var rest = self
        while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return rest
    }
}
