import ConvoyCore

/// How the length of a request's body is known (RFC 9112 §6).
enum Framing: Hashable {
    case none
    case length(Int64)
    case chunked
}

/// A request line and header fields, as they came.
struct RequestHead: Hashable {
    var method: Method
    var target: String
    var version: HTTPVersion
    var headers = Headers()

    /// How the body is framed. Two answers to that question, which others could read differently, are refused
    /// (RFC 9112 §6.3, §11.2).
    func framing() throws(Rejection) -> Framing {
        let lengths = headers.values(for: .contentLength)
        let codings = headers.values(for: .transferEncoding)
        if !codings.isEmpty {
            guard lengths.isEmpty else { throw .bad("both Transfer-Encoding and Content-Length") }
            guard version >= .http11 else { throw .bad("Transfer-Encoding in HTTP/1.0") }
            let names = codings.joined(separator: ",").lowercasedASCII.split(separator: ",")
                .map { String($0).trimmingOWS }
            guard names.last == "chunked", names.filter({ $0 == "chunked" }).count == 1 else {
                throw .bad("the last transfer coding is not chunked, or not the only chunked one")
            }
            guard names.count == 1 else { throw Rejection(.notImplemented, "a transfer coding besides chunked") }
            return .chunked
        }
        guard let text = lengths.first else { return .none }
        guard lengths.count == 1, text.utf8.allSatisfy(\.isDigit), let length = Int64(text) else {
            throw .bad("Content-Length is not one number")
        }
        return .length(length)
    }

    /// Whether the client wants an interim answer before it sends the body (RFC 9110 §10.1.1).
    func expectsContinue() throws(Rejection) -> Bool {
        guard let text = headers[.expect], version >= .http11 else { return false }
        guard text.lowercasedASCII == "100-continue" else {
            throw Rejection(417, "an expectation other than 100-continue")
        }
        return true
    }

    /// Whether the client keeps the connection for another request (RFC 9112 §9.3). HTTP/1.0 always closes here.
    var keepsAlive: Bool { version >= .http11 && !headers.connectionCloses }

    /// Path and query of the target, without scheme and authority if it has them.
    var pathAndQuery: (path: String, query: String?) {
        var rest = target[...]
        if let end = Self.endOfScheme(target) {
            let slash = target[end...].firstIndex { $0 == "/" || $0 == "?" }
            rest = target[(slash ?? target.endIndex)...]
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts.first.map(String.init) ?? ""
        return (path.isEmpty ? "/" : path, parts.count > 1 ? String(parts[1]) : nil)
    }

    static func endOfScheme(_ target: String) -> String.Index? {
        let lowered = target.prefix(8).lowercased()
        if lowered.hasPrefix("http://") { return target.index(target.startIndex, offsetBy: 7) }
        if lowered.hasPrefix("https://") { return target.index(target.startIndex, offsetBy: 8) }
        return nil
    }
}

extension Headers {
    /// Whether `Connection` has the option `close` (RFC 9110 §7.6.1).
    var connectionCloses: Bool {
        values(for: .connection).contains { value in
            value.split(separator: ",").contains { String($0).trimmingOWS.lowercased() == "close" }
        }
    }
}

/// Reads a request's head from pieces of any size, strictly and within a bound (RFC 9112 §2 to §5).
struct RequestHeadParser {
    private var lines: LineReader
    private var head: RequestHead?
    private var emptyLines = 0

    /// The bound is on request line and header fields together, in bytes.
    init(limit: Int) { lines = LineReader(budget: limit) }

    /// Whether anything came that belongs to a request.
    private(set) var hasBegun = false

    /// Takes bytes up to the end of the head. The head is nil while its end has not come.
    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Rejection) -> (taken: Int, head: RequestHead?) {
        var taken = 0
        while taken < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
            if rest.first != 0x0D, rest.first != 0x0A { hasBegun = true }
            let step = try lines.take(rest, tooLong: head == nil ? .targetTooLong : .headTooLarge)
            taken += step.taken
            guard let line = step.line else { break }
            if line.isEmpty {
                if let head {
                    try Self.check(head)
                    return (taken, head)
                }
                // One empty line before a request is forgiven (RFC 9112 §2.2).
                emptyLines += 1
                guard emptyLines == 1 else { throw .bad("empty lines before the request") }
            } else if head == nil {
                head = try Self.requestLine(line)
            } else {
                try head?.headers.append(line: line)
            }
        }
        return (taken, nil)
    }

    private static func requestLine(_ line: [UInt8]) throws(Rejection) -> RequestHead {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .bad("the request line has not three parts") }
        guard !parts[0].isEmpty, parts[0].allSatisfy(\.isTokenByte) else { throw .bad("the method is not a token") }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }) else {
            throw .bad("the target is empty or has characters that no target has")
        }
        let version = Array(parts[2])
        guard version.count == 8, version.starts(with: "HTTP/".utf8), version[5].isDigit, version[6] == 0x2E,
            version[7].isDigit
        else { throw .bad("the version is not HTTP/1.1") }
        guard version[5] == 0x31 else { throw Rejection(505, "only HTTP/1.1 and HTTP/1.0 are spoken here") }
        let method = Method(String(decoding: parts[0], as: UTF8.self))
        let target = String(decoding: parts[1], as: UTF8.self)
        let isAuthority = method == .connect && !target.hasPrefix("/")
        let isWhole = target == "*" && method == .options
        guard target.hasPrefix("/") || isAuthority || isWhole || RequestHead.endOfScheme(target) != nil else {
            throw .bad("the target is neither a path nor an http address")
        }
        return RequestHead(method: method, target: target, version: version[7] == 0x30 ? .http10 : .http11)
    }

    private static func check(_ head: RequestHead) throws(Rejection) {
        let hosts = head.headers.values(for: .host)
        guard hosts.count == 1 || (hosts.isEmpty && head.version == .http10) else {
            throw .bad(hosts.isEmpty ? "there is no Host" : "there is more than one Host")
        }
        guard hosts.first?.utf8.contains(where: { $0 <= 0x20 || $0 == 0x2F || $0 == 0x40 || $0 == 0x2C }) != true
        else { throw .bad("Host is no host") }
    }
}
