import ConvoyTesting
import Foundation
import Testing

/// Each exit code of the built tool, on real sockets.
@Suite struct ExitCodeRunTests {
    @Test func zeroForSuccess() async throws {
        let server = try TestServer()
        server.on(nil, "/", .text("hello\n"))
        let run = try await convoy(server.url("/"))
        #expect(run.code == 0)
        #expect(run.text == "hello\n")
        #expect(run.errors == "")
    }

    @Test(arguments: [
        ["send"], ["send", "--tiemout", "1", "x"], ["sned", "x"], ["a.example", "word"], ["a.example", "a:={"],
        ["a.example", "--timeout", "0"], ["a.example", "--timeout", "nan"], ["a.example", "--timeout=1e99"],
        ["a.example", "--timeout=-1"], ["a.example", "--cacert", "/nowhere"], ["a.example", "f@x"],
        ["http://a b.example/"], ["http://a.example:99999/"], ["a.example", "X-A:b\r\nX-C:d"], ["serve", "x"],
        ["serve", "--port", "70000"], ["a.example", "--print", "z"], ["GE T", "a.example"],
    ])
    func oneForWrongUsage(line: [String]) async throws {
        let run = try await ToolProcess(line).finish()
        #expect(run.code == 1, "\(line)")
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("convoy: "))
    }

    @Test func oneForAFileThatCannotBeWritten() async throws {
        let server = try TestServer()
        server.on(nil, "/", .text("hello"))
        let run = try await convoy(server.url("/"), "-o", "/nowhere/file")
        #expect(run.code == 1)
        #expect(run.errors == "convoy: cannot write the file \"/nowhere/file\": No such file or directory\n")
    }

    @Test func twoForATimeLimit() async throws {
        let server = try TestServer()
        server.on(nil, "/stall", .stall)
        server.on(nil, "/half", Answer.head(200, ["Content-Length": "10"]).then(.raw("12345"), .stall))
        let stalled = try await convoy(server.url("/stall"), "--timeout", "0.3")
        #expect(stalled.code == 2)
        #expect(stalled.errors.contains("not complete after 300 ms"))
        let half = try await convoy(server.url("/half"), "--timeout", "0.3")
        #expect(half.code == 2)
        #expect(half.text == "12345")
    }

    @Test(arguments: [(301, 3), (304, 3), (400, 4), (404, 4), (500, 5), (503, 5)] as [(Int, Int32)])
    func threeFourFiveForAStatus(status: Int, code: Int32) async throws {
        let server = try TestServer()
        let body = status == 304 ? "" : "said with \(status)"
        server.on(nil, "/", .text(body, status: .init(status), headers: ["Location": "/x"]))
        let run = try await convoy(server.url("/"))
        #expect(run.code == code)
        #expect(run.text == body, "the body is printed all the same")
        #expect(run.errors.hasPrefix("convoy: the server answered \(status)"))
        let unchecked = try await convoy(server.url("/"), "--no-check-status")
        #expect(unchecked.code == 0)
        #expect(unchecked.errors == "")
    }

    @Test func sixForARedirectThatCannotBeFollowed() async throws {
        let server = try TestServer()
        server.on(nil, "/1", .redirect(to: "/2"))
        server.on(nil, "/2", .redirect(to: "/3"))
        server.on(nil, "/3", .text("here"))
        server.on(nil, "/circle", .redirect(to: "/circle"))
        server.on(nil, "/mail", .redirect(to: "mailto:a@example.com"))
        let followed = try await convoy(server.url("/1"), "--follow")
        #expect(followed.code == 0 && followed.text == "here")
        #expect(try await convoy(server.url("/1"), "--max-redirects", "2").code == 0)
        for (path, options) in [("/1", "1"), ("/circle", "20"), ("/mail", "20")] {
            let run = try await convoy(server.url(path), "--max-redirects", options)
            #expect(run.code == 6, "\(path)")
            #expect(run.errors.contains("the redirect cannot be followed: "))
        }
        #expect(try await convoy(server.url("/1"), "--max-redirects", "many").code == 1)
    }

    @Test func retriesWhereAskedTo() async throws {
        let server = try TestServer()
        server.enqueue(.status(.serviceUnavailable, headers: ["Retry-After": "0"]), .text("up again"))
        let run = try await convoy(server.url("/"), "--retry", "1")
        #expect(run.code == 0 && run.text == "up again")
        #expect(server.requests.count == 2)
        server.enqueue(.status(.serviceUnavailable))
        #expect(try await convoy(server.url("/")).code == 5)
        #expect(server.requests.count == 3)
    }

    @Test func sevenForNoConnectionOrABrokenTransfer() async throws {
        let gone = try TestServer()
        gone.stop()
        #expect(try await convoy(gone.url("/")).code == 7)

        let server = try TestServer()
        server.on(nil, "/cut", Answer.text("hello, world").cut(after: 5))
        server.on(nil, "/reset", .reset)
        server.on(nil, "/garbage", .raw("this is no HTTP\r\n\r\n").closing)
        let chunks = Answer.head(200, ["Transfer-Encoding": "chunked"]).then(.raw("5\r\nhello\r\n"), .close)
        server.on(nil, "/chunks", chunks)
        for path in ["/cut", "/reset", "/garbage", "/chunks"] {
            let run = try await convoy(server.url(path))
            #expect(run.code == 7, "\(path): \(run.errors)")
            #expect(run.errors.hasPrefix("convoy: GET "))
        }
        #expect(try await convoy("nowhere.invalid").code == 7)
    }

    @Test func eightForAServerThatSpeaksNoTLS() async throws {
        let server = try TestServer()
        let run = try await convoy("https://127.0.0.1:\(server.port)/")
        #expect(run.code == 8, "\(run.errors)")
    }

    @Test(.enabled(if: TestServers.nginxTLS != nil && TestServers.root != nil, TestServers.missing))
    func eightForACertificateThatIsNotTrusted() async throws {
        let tls = try #require(TestServers.nginxTLS)
        let expired = try #require(TestServers.expired)
        let root = try #require(TestServers.root)
        #expect(try await convoy(tls + "/header").code == 8)
        let run = try await convoy(expired + "/header", "--cacert", root)
        #expect(run.code == 8)
        #expect(run.errors.contains("expired"))
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func signalsHaveTheirOwn(signal: Int32, code: Int32) async throws {
        let server = try TestServer()
        server.on(nil, "/", .stall)
        let tool = try ToolProcess([server.url("/")])
        _ = try await server.request(at: 0)
        tool.send(signal)
        let run = try await tool.finish(within: .seconds(10))
        #expect(run.code == code)
        #expect(run.errors == "")
        // The call was cancelled and not only left behind.
        _ = try await server.request(at: 0) { $0.isAbandoned }
    }

    @Test func aReaderThatGoesAwayEndsItQuietly() async throws {
        let server = try TestServer()
        server.on(nil, "/", Answer([.readBody(), .raw("HTTP/1.1 200 OK\r\n\r\n"), .repeating("more and more\n")]))
        let run = try await ToolProcess([server.url("/")], closesOutput: true).finish(within: .seconds(10))
        #expect(run.code == 141)
        #expect(run.errors == "")
    }
}
