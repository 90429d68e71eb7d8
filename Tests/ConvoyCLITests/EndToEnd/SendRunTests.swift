import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

/// `convoy send` as a process, against real servers.
@Suite struct SendRunTests {
    private static let escape: UInt8 = 0x1B

    @Test func whatIsTypedIsWhatIsSent() async throws {
        let server = try TestServer()
        server.on(nil, "/x", .text("ok"))
        let run = try await convoy(
            "POST", ":\(server.port)/x?z=0", "q==a b", "X-A:b", "X-E;", "Accept-Encoding:", "n:=1.50", "n:=1.50", "s=é")
        #expect(run.text == "ok")
        let request = try await server.request(at: 0)
        #expect(request.method == .post)
        #expect(request.target == "/x?z=0&q=a%20b")
        #expect(request.text == #"{"n":1.50,"n":1.50,"s":"é"}"#)
        #expect(request.headers["X-A"] == "b")
        #expect(request.headers["X-E"] == "")
        #expect(request.headers["Accept-Encoding"] == nil)
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.headers["User-Agent"] == "convoy Convoy/0.1.0")
    }

    @Test func formsArriveAsForms() async throws {
        let server = try TestServer()
        server.on(nil, "/", .text("ok"))
        _ = try await convoy("-f", server.url("/"), "a=1 2", "b=&=")
        let request = try await server.request(at: 0)
        #expect(request.formItems.map { "\($0.name)|\($0.value)" } == ["a|1 2", "b|&="])
    }

    @Test func standardInputIsSentWhenAskedFor() async throws {
        let server = try TestServer()
        server.on(nil, "/", .text("ok"))
        let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        let run = try await convoy("PUT", server.url("/"), "-", "Content-Type:image/x", input: body)
        #expect(run.code == 0, "\(run.errors)")
        let request = try await server.request(at: 0)
        #expect(request.body == body)
        #expect(request.headers["Content-Type"] == "image/x")
    }

    @Test func standardInputIsNotWaitedForOtherwise() async throws {
        let server = try TestServer()
        server.on(nil, "/", .text("ok"))
        let run = try await ToolProcess([server.url("/"), "a=1"], input: nil).finish(within: .seconds(10))
        #expect(run.text == "ok")
    }

    @Test func aStalledInputIsNoHang() async throws {
        let server = try TestServer()
        server.on(nil, "/", .text("ok"))
        let line = [server.url("/"), "--stdin", "--timeout", "0.5"]
        let run = try await ToolProcess(line, input: nil).finish(within: .seconds(10))
        #expect(run.code == 2, "\(run.errors)")
    }

    @Test func aPipeGetsTheBytesUntouched() async throws {
        let server = try TestServer()
        let bytes = Data([0x1B, 0x5B, 0x32, 0x4A, 0, 0xFF, 0x0D, 0x0A] + Array("{\"a\":1}".utf8))
        server.on(nil, "/", .bytes(bytes, headers: ["Content-Type": "application/json"]))
        #expect(try await convoy(server.url("/")).output == bytes)
        #expect(try await convoy(server.url("/"), "--pretty", "all").output == bytes, "it is no JSON")
    }

    @Test func aPipeHasNoColoursUnlessAskedFor() async throws {
        let server = try TestServer()
        server.on(nil, "/", .json(#"{"a":1}"#))
        let plain = try await convoy(server.url("/"), "-v")
        #expect(!plain.output.contains(Self.escape) && !plain.errors.contains("\u{1B}"))
        #expect(plain.text == #"{"a":1}"#)
        let laidOut = try await convoy(server.url("/"), "--pretty=format")
        #expect(laidOut.text == "{\n  \"a\": 1\n}")
        let coloured = try await convoy(server.url("/"), "--pretty=colors", environment: ["NO_COLOR": "1"])
        #expect(coloured.output.contains(Self.escape), "what is asked for counts")
    }

    @Test func everythingIsShownWithSecretsMasked() async throws {
        let server = try TestServer()
        server.on(nil, "/", .text("answer", headers: ["Set-Cookie": "id=hidden", "X-B": "c"]))
        let run = try await convoy("-v", "http://ada:hidden@127.0.0.1:\(server.port)/", "X-Api-Key:hidden", "a=1")
        #expect(run.text == "answer")
        let lines = run.errors.split(separator: "\n").map(String.init)
        #expect(lines.first == "POST / HTTP/1.1")
        for line in ["Authorization: Basic •••", "X-Api-Key: •••", "Set-Cookie: •••", "X-B: c", "HTTP/1.1 200 OK"] {
            #expect(lines.contains(line), "\(line) is missing in \(run.errors)")
        }
        #expect(lines.contains(#"{"a":"1"}"#))
        #expect(lines.last?.hasPrefix("* ") == true && lines.last?.contains("received") == true)
        #expect(!run.errors.contains("hidden"))
    }

    @Test func partsAreChosen() async throws {
        let server = try TestServer()
        server.on(nil, "/", .text("answer"))
        let heads = try await convoy(server.url("/"), "--print=Hh")
        #expect(heads.output.isEmpty)
        #expect(heads.errors.hasPrefix("GET / HTTP/1.1\n") && heads.errors.contains("HTTP/1.1 200 OK\n"))
        let metrics = try await convoy(server.url("/"), "--print=m")
        #expect(metrics.output.isEmpty && metrics.errors.hasPrefix("* "))
    }

    @Test func aFileGetsTheBodyOfASuccessOnly() async throws {
        let server = try TestServer()
        let folder = try TemporaryFolder()
        let path = folder.path + "/body"
        server.on(nil, "/", .text("whole"))
        server.on(nil, "/missing", .text("not here", status: 404))
        let run = try await convoy(server.url("/"), "-o", path)
        #expect(run.output.isEmpty && run.code == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "whole")
        let missing = try await convoy(server.url("/missing"), "-o", path)
        #expect(missing.text == "not here" && missing.code == 4)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "whole")
    }

    @Test func aStreamIsWrittenAsItComes() async throws {
        let server = try TestServer()
        server.on(nil, "/", Answer.head(200, ["Content-Type": "text/plain"]).then(.raw("first\n"), .stall))
        let tool = try ToolProcess(["--stream", server.url("/")])
        let text = try await tool.wait { $0.isEmpty ? nil : $0 }
        #expect(text == "first\n")
        tool.send(SIGINT)
        #expect(try await tool.finish().code == 130)
    }

    @Test func codingsAreUndoneUnlessTheyAreToBeKept() async throws {
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA=="))
        let server = try TestServer()
        server.on(nil, "/", .bytes(gzip, headers: ["Content-Encoding": "gzip"]))
        #expect(try await convoy(server.url("/")).text == "hello")
        #expect(try await convoy(server.url("/"), "--no-decode").output == gzip)
        #expect(try await convoy(server.url("/"), "-pm").errors.contains(" and \(gzip.count) B body (5 B decoded)"))
    }

    @Test func aUnixSocketStandsForTheHost() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let server = try TestServer(Server.Configuration { $0.unixPath = path })
        server.on(nil, "/x", .text("by socket"))
        #expect(try await convoy("--unix-socket", path, "a.example/x").text == "by socket")
        #expect(try await server.request(at: 0).headers["Host"] == "a.example")
    }

    @Test func aProxyIsAsked() async throws {
        let proxy = try TestServer()
        proxy.enqueue(.text("by proxy"))
        #expect(try await convoy("--proxy", "127.0.0.1:\(proxy.port)", "a.example/x").text == "by proxy")
        #expect(try await proxy.request(at: 0).target == "http://a.example/x")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script gives a terminal"))
    func aTerminalIsNotCommandedByServers() async throws {
        let server = try TestServer()
        server.on(nil, "/text", .text("a\u{1B}[2Jb\u{9B}c\n", headers: ["X-Evil": "\u{1B}[2J"]))
        server.on(nil, "/json", .json(#"{"a":1}"#))
        server.on(nil, "/image", .bytes([0, 1, 2], headers: ["Content-Type": "image/png"]))
        func onTerminal(_ line: String) throws -> String {
            let data = try ChildProcess.output(
                of: "/usr/bin/script", ["-qec", "\(ToolProcess.path) \(line)", "/dev/null"],
                environment: ["TERM": "xterm", "PATH": "/usr/bin:/bin"])
            return String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
        }
        let text = try onTerminal(server.url("/text"))
        #expect(text.contains("a�[2Jb�c\n") && text.contains(": �[2J"))
        #expect(!text.contains("\u{1B}[2J") && !text.contains("\u{9B}"))
        #expect(text.contains("\u{1B}[32;1m200 OK"), "its own colours are there: \(text)")
        #expect(
            try onTerminal(server.url("/json")).contains("{\n  \u{1B}[34;1m\"a\"\u{1B}[0m: \u{1B}[36m1\u{1B}[0m\n}\n"))
        #expect(
            try onTerminal(server.url("/image")).contains("(3 B of image/png, not shown on a terminal; use -o FILE)"))
        #expect(try onTerminal("--stream \(server.url("/text"))").contains("a�[2Jb�c\n"))
    }

    @Test(.enabled(if: TestServers.httpbin != nil, TestServers.missing))
    func httpbinEchoesTheRequest() async throws {
        let httpbin = try #require(TestServers.httpbin)
        let run = try await convoy("send", "GET", httpbin + "/get", "a==1", "X-A:b")
        struct Echo: Decodable {
            var args: [String: String]
            var headers: [String: String]
        }
        let echo = try JSONDecoder().decode(Echo.self, from: run.output)
        #expect(run.code == 0)
        #expect(echo.args == ["a": "1"])
        #expect(echo.headers["X-A"] == "b")
    }

    @Test(.enabled(if: TestServers.nginxTLS != nil && TestServers.root != nil, TestServers.missing))
    func tlsSpeaksHTTP2() async throws {
        let url = try #require(TestServers.nginxTLS) + "/header"
        let root = try #require(TestServers.root)
        let run = try await convoy("-v", "--cacert", root, url, "X-Test:yes")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.hasPrefix("GET /header HTTP/2\n") && run.errors.contains("\nHTTP/2 200\n"))
        #expect(run.errors.contains("TLSv1.3"))
        #expect(run.text.contains("x-test: yes\nprotocol: HTTP/2.0\n"))
        let old = try await convoy("-v", "--http1", "--cacert", root, url)
        #expect(old.errors.contains("\nHTTP/1.1 200 OK\n"))
    }
}
