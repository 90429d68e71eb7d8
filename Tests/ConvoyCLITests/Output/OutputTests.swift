import ConvoyCore
import Foundation
import Testing

@testable import ConvoyCLI

@Suite struct ControlCharactersTests {
    @Test func whatCommandsATerminalIsMadeVisible() {
        #expect(ControlCharacters.visible("a\u{1B}[31mb\u{7}\u{0}") == "a�[31mb��")
        #expect(ControlCharacters.visible("\u{9B}31m \u{90}\u{7F}") == "�31m ��")
        #expect(ControlCharacters.visible("safe\u{202E}exe\u{2066}") == "safe�exe�")
    }

    @Test func textStaysAsItIs() {
        for text in ["", "a\n\tb\n", "größe 😀 \u{0301}", "日本語"] { #expect(ControlCharacters.visible(text) == text) }
    }

    @Test func carriageReturnsGoOnlyBeforeLineEnds() {
        #expect(ControlCharacters.visible("a\r\nb\r") == "a\nb")
        #expect(ControlCharacters.visible("visible\rhidden") == "visible�hidden")
    }
}

@Suite struct UTF8PiecesTests {
    @Test func charactersMayLieAcrossPieces() {
        let text = "aé€😀b"
        for size in 1...5 {
            var pieces = UTF8Pieces()
            var output = ""
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                output += pieces.text(of: rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(output + pieces.finish() == text)
        }
    }

    @Test func whatIsNeverCompletedIsMarked() {
        var pieces = UTF8Pieces()
        #expect(pieces.text(of: [0x61, 0xE2, 0x82]) == "a")
        #expect(pieces.finish() == "\u{FFFD}")
        #expect(pieces.text(of: [0xFF, 0x62]) == "\u{FFFD}b")
        #expect(pieces.text(of: [0x80, 0x80, 0x80, 0x80]) == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
    }
}

@Suite struct UnitsTests {
    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1234, "1.2 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
            (3_400_000, "3.4 MB"), (5_000_000_000, "5.0 GB"), (7_200_000_000_000, "7.2 TB"),
        ] as [(Int64, String)])
    func sizesAreForPeople(count: Int64, expected: String) { #expect(Units.bytes(count) == expected) }
}

@Suite struct BodyTextTests {
    private func shown(
        _ bytes: [UInt8], type: String?, look: Look = .plain, isForTerminal: Bool = true
    ) -> String {
        var response = Response(status: .ok, body: .bytes(bytes))
        if let type { response.headers[.contentType] = type }
        let text = BodyText(look: look, isForTerminal: isForTerminal).shown(Data(bytes), of: response)
        return String(decoding: text, as: UTF8.self)
    }

    @Test func binaryDataIsNotDumpedToATerminal() {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 1]
        #expect(shown(png, type: "image/png") == "(12 B of image/png, not shown on a terminal; use -o FILE)\n")
        #expect(shown([0x61, 0], type: "text/plain").contains("not shown"))
        #expect(shown([0xFF, 0xD8], type: nil).contains("2 B, not shown"))
        #expect(shown([0x61], type: "application/octet-stream") == "a\n", "text is text, whatever it is called")
    }

    @Test func bytesToAPipeAreUntouched() {
        let bytes: [UInt8] = [0x1B, 0x5B, 0x33, 0x31, 0x6D, 0x0D, 0x0A]
        let response = Response(status: .ok, headers: ["Content-Type": "text/plain"], body: .bytes(bytes))
        #expect(BodyText(look: .plain, isForTerminal: false).shown(Data(bytes), of: response) == bytes)
    }

    @Test func textIsHarmlessAndEndsItsLine() {
        #expect(shown(Array("a\u{1B}[2Jb".utf8), type: "text/html") == "a�[2Jb\n")
        #expect(shown([0x63, 0x61, 0x66, 0xE9], type: "text/plain; charset=iso-8859-1") == "café\n")
        #expect(shown([0xE9], type: "text/plain; charset=utf-8") == "\u{FFFD}\n")
    }

    @Test func jsonIsLaidOutWhereItMayBe() {
        let all = Look(indents: true, isColoured: false)
        #expect(shown(Array("[1]".utf8), type: "application/problem+json", look: all) == "[\n  1\n]\n")
        #expect(shown(Array("[1]".utf8), type: nil, look: all, isForTerminal: false) == "[\n  1\n]")
        #expect(shown(Array("[1]".utf8), type: "text/html", look: all) == "[1]\n")
        #expect(shown(Array("{\"a\":".utf8), type: "application/json", look: all) == "{\"a\":\n")
    }
}

@Suite struct ConsoleTests {
    private func look(isTerminal: Bool, _ environment: [String: String] = [:], asked: Look? = nil) -> Look {
        let stream = OutputStream(descriptor: -1, isTerminal: isTerminal)
        return Console(output: stream, errors: stream, environment: environment).look(on: stream, asked: asked)
    }

    @Test func aTerminalGetsColoursUnlessTheEnvironmentRefuses() {
        #expect(look(isTerminal: true) == Look(indents: true, isColoured: true))
        #expect(look(isTerminal: true, ["NO_COLOR": "1"]) == Look(indents: true, isColoured: false))
        #expect(look(isTerminal: true, ["NO_COLOR": ""]).isColoured)
        #expect(!look(isTerminal: true, ["TERM": "dumb"]).isColoured)
        #expect(look(isTerminal: false) == .plain)
    }

    @Test func whatIsAskedForCounts() {
        let colours = Look(named: "colors")
        #expect(look(isTerminal: false, ["NO_COLOR": "1"], asked: colours) == colours)
        #expect(look(isTerminal: true, asked: .plain) == .plain)
    }
}

@Suite struct HeadTextTests {
    private let head = HeadText(palette: Palette(isColoured: false), isForTerminal: true)

    @Test func aRequestIsShownAsSent() throws {
        var request = Request(.post, Address(try URI("http://ada:pw@a.example:8080/x?b=c")))
        request.headers = ["Authorization": "Bearer secret", "X-Api-Key": "secret", "X-Evil": "a\u{1B}[2J"]
        request.body = .bytes([1, 2, 3])
        #expect(
            head.request(request, version: .http11) == """
                POST /x?b=c HTTP/1.1
                Host: a.example:8080
                Content-Length: 3
                Authorization: Bearer •••
                X-Api-Key: •••
                X-Evil: a�[2J


                """)
    }

    @Test func aResponseIsShownAsItCame() {
        var response = Response(status: .ok, headers: ["Set-Cookie": "id=secret", "X-A": "b"], version: .http2)
        #expect(head.response(response) == "HTTP/2 200\nSet-Cookie: •••\nX-A: b\n\n")
        response.version = .http11
        response.reason = "Fine\u{1B}"
        response.headers = [:]
        #expect(head.response(response) == "HTTP/1.1 200 Fine�\n\n")
    }

    @Test func metricsAreForPeople() {
        var metrics = Metrics()
        metrics.nameLookup = .microseconds(200)
        metrics.connect = .milliseconds(1)
        metrics.tls = .milliseconds(5)
        metrics.firstByte = .milliseconds(9)
        metrics.sentHeaderBytes = 100
        metrics.sentBodyBytes = 20
        metrics.receivedHeaderBytes = 300
        metrics.connection = ConnectionInfo(
            remoteAddress: "127.0.0.1:443", localAddress: "127.0.0.1:9",
            tls: TLSInfo(version: "TLSv1.3", cipher: "AES", certificates: []))
        #expect(
            MetricsLine(metrics, total: .milliseconds(12), body: 1200, decoded: 5000).text
                == "* 12 ms: name 0.2 ms, connect 0.8 ms, TLS 4 ms, first byte 9 ms"
                + " · sent 120 B, received 300 B head and 1.2 kB body (5.0 kB decoded) · 127.0.0.1:443, TLSv1.3 AES")
        metrics.isReusedConnection = true
        #expect(
            MetricsLine(metrics, total: .milliseconds(12), body: 0).text.hasPrefix("* 12 ms: connection reused, "))
    }
}
