import ConvoyCore
import Testing

@testable import ConvoyServer

@Suite struct RequestHeadTests {
    /// The head of a request that is given in pieces of a size.
    private func parse(_ text: String, pieces size: Int = .max, limit: Int = 65536) throws -> RequestHead? {
        var parser = RequestHeadParser(limit: limit)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            let step = try piece.withUnsafeBytes { try parser.take($0) }
            if let head = step.head { return head }
            #expect(step.taken == piece.count)
            rest = rest.dropFirst(piece.count)
        }
        return nil
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func readsInPiecesOfAnySize(_ size: Int) throws {
        let text = "POST /a?b=c HTTP/1.1\r\nHost: x\r\nX-Tag:  one\t\r\nx-tag: two\r\nContent-Length: 3\r\n\r\n"
        let head = try #require(try parse(text, pieces: size))
        #expect(head.method == .post)
        #expect(head.target == "/a?b=c")
        #expect(head.version == .http11)
        #expect(head.headers.values(for: "X-Tag") == ["one", "two"])
        #expect(try head.framing() == .length(3))
        #expect(head.pathAndQuery == ("/a", "b=c"))
    }

    @Test func bytesThatAreNoUTF8AreKept() throws {
        let text: [UInt8] = Array("GET / HTTP/1.1\r\nHost: x\r\nX-A: ".utf8) + [0x66, 0xFC] + Array("\r\n\r\n".utf8)
        var parser = RequestHeadParser(limit: 1000)
        let head = try #require(try text.withUnsafeBytes { try parser.take($0) }.head)
        let field = try #require(head.headers.fields.last)
        #expect(field.value == "fü")
        #expect(field.isLatin1)
        #expect(field.rawValue == [0x66, 0xFC])
    }

    @Test func anEmptyLineBeforeTheRequestIsForgiven() throws {
        #expect(try parse("\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")?.target == "/")
        #expect(throws: Rejection.self) { try parse("\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n") }
    }

    @Test(
        arguments: [
            ("http://host:80/a?b", "/a", "b"), ("HTTPS://host", "/", nil), ("http://host?q", "/", "q"), ("/", "/", nil),
            ("//a//b", "//a//b", nil), ("/?a?b", "/", "a?b"),
        ] as [(String, String, String?)])
    func targetsHaveAPath(_ target: String, _ path: String, _ query: String?) throws {
        let head = try #require(try parse("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n"))
        #expect(head.pathAndQuery == (path, query))
    }

    @Test(arguments: malformedRequests)
    func malformedHeadsAreRefused(_ example: MalformedRequest) throws {
        for size in [1, 5, Int.max] {
            #expect(throws: Rejection.self, "\(example.name), pieces of \(size)") {
                let head = try #require(try parse(example.text, pieces: size))
                _ = try head.framing()
                _ = try head.expectsContinue()
            }
        }
    }

    @Test func boundsHoldToTheByte() throws {
        let text = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        #expect(try parse(text, limit: text.utf8.count) != nil)
        #expect(throws: Rejection.headTooLarge) { try parse(text, limit: text.utf8.count - 1) }
        #expect(throws: Rejection.targetTooLong) { try parse(text, limit: 15) }
    }
}

struct MalformedRequest: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var status = 400
    var testDescription: String { name }
}

let malformedRequests: [MalformedRequest] = [
    .init(name: "no version", text: "GET /\r\n\r\n"),
    .init(name: "an unknown protocol", text: "GET / HTTQ/1.1\r\nHost: x\r\n\r\n"),
    .init(name: "a long version", text: "GET / HTTP/1.10\r\nHost: x\r\n\r\n"),
    .init(name: "HTTP/2", text: "GET / HTTP/2.0\r\nHost: x\r\n\r\n", status: 505),
    .init(name: "two spaces", text: "GET  / HTTP/1.1\r\nHost: x\r\n\r\n"),
    .init(name: "no method", text: " / HTTP/1.1\r\nHost: x\r\n\r\n"),
    .init(name: "a method that is no token", text: "G(T / HTTP/1.1\r\nHost: x\r\n\r\n"),
    .init(name: "a target that is no path", text: "GET a HTTP/1.1\r\nHost: x\r\n\r\n"),
    .init(name: "a fragment", text: "GET /#a HTTP/1.1\r\nHost: x\r\n\r\n"),
    .init(name: "a byte beyond ASCII in the target", text: "GET /ü HTTP/1.1\r\nHost: x\r\n\r\n"),
    .init(name: "no Host", text: "GET / HTTP/1.1\r\n\r\n"),
    .init(name: "two Hosts", text: "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n"),
    .init(name: "a Host with a path", text: "GET / HTTP/1.1\r\nHost: x/y\r\n\r\n"),
    .init(name: "LF alone", text: "GET / HTTP/1.1\nHost: x\n\n"),
    .init(name: "CR alone", text: "GET / HTTP/1.1\r\nHost: x\rX-A: b\r\n\r\n"),
    .init(name: "NUL in a value", text: "GET / HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n"),
    .init(name: "no colon", text: "GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n"),
    .init(name: "an empty name", text: "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n"),
    .init(name: "a space before the colon", text: "GET / HTTP/1.1\r\nHost: x\r\nX-A : b\r\n\r\n"),
    .init(name: "folded lines", text: "GET / HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\n\r\n"),
    .init(name: "a TLS greeting", text: "\u{16}\u{3}\u{1}\u{2}"),
    .init(name: "two lengths", text: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
    .init(name: "a list of lengths", text: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\n"),
    .init(name: "a negative length", text: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"),
    .init(name: "a signed length", text: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\n"),
    .init(name: "an empty length", text: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n"),
    .init(
        name: "a length beyond all numbers",
        text: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n"),
    .init(
        name: "length and chunks",
        text: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    .init(name: "chunks in HTTP/1.0", text: "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    .init(name: "an unknown coding", text: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n"),
    .init(name: "chunked twice", text: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n\r\n"),
    .init(
        name: "another coding", text: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        status: 501),
    .init(name: "an expectation", text: "POST / HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n", status: 417),
]

let malformedChunks: [MalformedRequest] = [
    .init(name: "no size", text: "\r\n"), .init(name: "a size in words", text: "five\r\nhello\r\n"),
    .init(name: "a signed size", text: "+5\r\nhello\r\n"), .init(name: "a prefixed size", text: "0x5\r\nhello\r\n"),
    .init(name: "a space behind the size", text: "5 \r\nhello\r\n"),
    .init(name: "a size beyond all numbers", text: "FFFFFFFFFFFFFFFFF\r\nhello\r\n"),
    .init(name: "a chunk that is too long", text: "3\r\nhello\r\n0\r\n\r\n"),
    .init(name: "LF alone", text: "5\nhello\n0\n\n"), .init(name: "a broken trailer", text: "0\r\nnonsense\r\n\r\n"),
    .init(name: "an endless size line", text: "5;\(String(repeating: "x", count: 5000))\r\nhello\r\n"),
]
