import ConvoyCore
import Foundation
import Testing

@testable import ConvoyCLI

@Suite struct RequestBuilderTests {
    private func build(_ line: [String]) throws -> RequestBuilder.Result {
        guard case .run(_, let arguments) = try CommandLineParser(commands: Command.all).parse(["send"] + line) else {
            throw UsageError("no run")
        }
        return try RequestBuilder.build(arguments)
    }

    private func request(_ line: String...) throws -> Request { try build(line).request }

    private func bodyText(_ line: String...) throws -> String? {
        try build(line).request.body.data.map { String(decoding: $0, as: UTF8.self) }
    }

    private func failure(_ line: String...) -> String {
        do {
            _ = try build(line)
            return ""
        } catch { return (error as? UsageError)?.message ?? "\(error)" }
    }

    @Test func theMethodIsPostWithABodyElseGet() throws {
        #expect(try request("a.example").method == .get)
        #expect(try request("a.example", "q==1", "X-A:b").method == .get)
        #expect(try request("a.example", "a=1").method == .post)
        #expect(try request("a.example", "--raw", "x").method == .post)
        #expect(try request("a.example", "--raw", "").method == .post)
        #expect(try request("a.example", "--stdin").method == .post)
        #expect(try request("a.example", "-").method == .post)
        #expect(try request("PUT", "a.example", "a=1").method == .put)
        #expect(try request("get", "a.example", "a=1").method == .get)
        #expect(try request("PROPFIND", "host").method == "PROPFIND")
        #expect(try request("localhost", "a=1").method == .post, "a word in small letters is a host")
    }

    @Test(arguments: [
        (":8080/x", "http://localhost:8080/x"), (":/x", "http://localhost/x"), (":", "http://localhost"),
        ("localhost:8080/x", "http://localhost:8080/x"), ("a.example/b?c=d", "http://a.example/b?c=d"),
        ("//a.example", "http://a.example"), ("https://a.example", "https://a.example"),
        ("HTTPS://a.example", "HTTPS://a.example"), ("[::1]:80/", "http://[::1]:80/"),
        ("a.example/?u=http://b", "http://a.example/?u=http://b"),
        ("user:pw@a.example/", "http://•••@a.example/"),
    ])
    func addressesMayBeShort(word: String, expected: String) throws {
        #expect(try request(word).address.description == expected)
    }

    @Test func jsonStaysAsGiven() throws {
        let text = try bodyText(
            "a.example", "b=1", "a:=9223372036854775808", "a:= 1.50e+2 ", "b:={\"y\":1, \"y\":2}", "n:=null")
        #expect(text == #"{"b":"1","a":9223372036854775808,"a":1.50e+2,"b":{"y":1, "y":2},"n":null}"#)
    }

    @Test func jsonStringsAreEscaped() throws {
        #expect(try bodyText("a.example", "k=\"\n\t\u{1}\\/é😀") == #"{"k":"\"\n\t\u0001\\/é😀"}"#)
    }

    @Test func jsonSaysSo() throws {
        let request = try request("a.example", "a=1")
        #expect(request.body.contentType == "application/json")
        #expect(request.headers[.accept] == "application/json, */*;q=0.5")
        #expect(try self.request("a.example", "a=1", "Accept:text/html").headers[.accept] == "text/html")
        #expect(try self.request("a.example", "--json").headers[.accept] == "application/json, */*;q=0.5")
        #expect(try self.request("a.example").headers.isEmpty)
    }

    @Test func formsAreFormEncoded() throws {
        #expect(try bodyText("-f", "a.example", "a=1 2", "ä=&", "n:=5", "s:=\"x\\n\"") == "a=1+2&%C3%A4=%26&n=5&s=x%0A")
        #expect(try request("-f", "a.example", "a=1").body.contentType == "application/x-www-form-urlencoded")
        #expect(failure("-f", "a.example", "o:={}").contains("\"o\" cannot be sent with --form"))
    }

    @Test func queryAndHeadersKeepTheirOrder() throws {
        let request = try request("a.example", "b==1", "a==x y", "b==2", "X-B: 1", "X-A:2", "X-B:3", "X-E;")
        #expect(request.query.items.map(\.name) == ["b", "a", "b"])
        #expect(request.headers.fields.map { "\($0.name)=\($0.value)" } == ["X-B=1", "X-A=2", "X-B=3", "X-E="])
    }

    @Test func aHeaderWithoutValueRemovesTheDefault() throws {
        let built = try build(["a.example", "Accept:", "User-Agent:", "User-Agent:mine"])
        #expect(built.removedHeaders == [.accept])
        #expect(built.request.headers[.userAgent] == "mine")
        #expect(
            try request("a.example", "-A", "agent/1", "User-Agent:other").headers.values(for: .userAgent) == ["agent/1"]
        )
    }

    @Test func valuesComeFromFiles() throws {
        let folder = try TemporaryFolder()
        let text = try folder.file("text", "line\n")
        let json = try folder.file("json", "{\"a\":1.0}\n")
        #expect(try bodyText("a.example", "t=@\(text)", "j:=@\(json)") == #"{"t":"line\n","j":{"a":1.0}}"#)
        let request = try request("a.example", "q==@\(text)", "X-A:@\(text)")
        #expect(request.headers["X-A"] == "line", "the line's end is none of a header's")
        let missing = folder.path + "/missing"
        #expect(failure("a.example", "t=@\(missing)").contains("No such file"))
        #expect(failure("a.example", "t=@\(folder.path)").contains("not a regular file"))
        #expect(failure("a.example", "t=@\(try folder.file("latin", [0xE9]))").contains("no UTF-8 text"))
        #expect(failure("a.example", "j:=@\(text)").contains("no JSON"))
    }

    @Test func mistakesAreNamed() {
        #expect(failure().contains("no URL given"))
        #expect(failure("POST").contains("no URL given"))
        #expect(failure("a.example", "a:={1}").contains("the value of \"a\" is no JSON"))
        #expect(failure("a.example", "a=1", "--raw", "x").contains("only one of fields and --raw"))
        #expect(failure("a.example", "--stdin", "--raw", "x").contains("only one of --raw and --stdin"))
        #expect(failure("a.example", "f@x.png").contains("multipart"))
        #expect(failure("a.example", "word").contains("\"word\" has no separator"))
    }

    @Test func rawTextIsSentAsItIs() throws {
        #expect(try bodyText("a.example", "--raw", "x=1 {") == "x=1 {")
        #expect(try request("a.example", "--raw", "{}").body.contentType == "application/json")
        #expect(
            try request("a.example", "--raw", "a=b", "--form").body.contentType == "application/x-www-form-urlencoded")
    }

    @Test func contentCodingsCanBeKept() throws {
        #expect(try request("a.example").decodesContent)
        #expect(try !request("a.example", "--no-decode").decodesContent)
    }
}
