import ConvoyCore
import ConvoyTesting
import FoundationEssentials
import Testing

@testable import ConvoyServer

/// A coding that turns every byte round: enough to see that a coder is used.
private struct Flipping: ContentCoder {
    final class Encoder: ContentEncoder {
        func encode(_ input: UnsafeRawBufferPointer, output: (UnsafeRawBufferPointer) throws -> Void) throws {
            try input.map { ~$0 }.withUnsafeBytes { try output($0) }
        }
        func finish(output: (UnsafeRawBufferPointer) throws -> Void) throws {
            try Array("!".utf8).withUnsafeBytes { try output($0) }
        }
    }

    var codings: [String] { ["gzip"] }
    func makeDecoder(for coding: String) -> (any ContentDecoder)? { nil }
    func makeEncoder(for coding: String) -> (any ContentEncoder)? { coding == "gzip" ? Encoder() : nil }
}

@Suite(.timeLimit(.minutes(1)))
struct EchoTests {
    private let server: Server
    private let client: RawClient

    init() throws {
        server = try Server(routes: .echo(Flipping()))
        client = try RawClient(port: server.port)
    }

    private func get(_ target: String, _ headers: Headers = [:]) throws -> RawClient.Reply {
        try #require(try client.exchange(.get, target, headers: headers))
    }

    private func tree(_ reply: RawClient.Reply?) throws -> [String: JSONTree] {
        let reply = try #require(reply)
        #expect(reply.headers[.contentType] == "application/json")
        return try JSONDecoder().decode([String: JSONTree].self, from: Data(reply.body))
    }

    @Test func everythingIsTold() throws {
        let form: Headers = [.contentType: "application/x-www-form-urlencoded; charset=utf-8"]
        let told = try tree(client.exchange(.post, "/post?a=1&b=x%20y&a=2", headers: form, body: "n=J+D&e=%C3%A4&x"))
        #expect(told["args"] == .object(["a": .array([.string("1"), .string("2")]), "b": .string("x y")]))
        #expect(told["form"] == .object(["n": .string("J D"), "e": .string("ä"), "x": .string("")]))
        #expect(told["data"] == .string(""))
        #expect(told["json"] == .null)
        #expect(told["method"] == .string("POST"))
        #expect(told["origin"] == .string("127.0.0.1"))
        #expect(told["url"] == .string("http://test/post?a=1&b=x%20y&a=2"))
        guard case .object(let headers)? = told["headers"] else {
            Issue.record("there are no headers")
            return
        }
        #expect(headers["Host"] == .string("test"))
    }

    @Test func bodiesAreToldAsTextAndJSON() throws {
        let json = #"{"a": [1, 2.5, true, null, "x"], "b": {}}"#
        let told = try tree(client.exchange(.put, "/anything/a/b", body: json))
        #expect(told["data"] == .string(json))
        let list: JSONTree = .array([.integer(1), .number(2.5), .bool(true), .null, .string("x")])
        #expect(told["json"] == .object(["a": list, "b": .object([:])]))
        try client.send("PATCH /patch HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n")
        try client.send([0xFF, 0xFE])
        #expect(try tree(client.receiveReply())["data"] == .string("data:application/octet-stream;base64,//4="))
    }

    @Test(arguments: [500, 100_000])
    func deepJSONTrapsNothing(_ depth: Int) throws {
        let json = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let reply = try client.exchange(.post, "/post", body: json)
        #expect([200, 500].contains(reply?.status))
        #expect(try get("/get").status == 200)
    }

    @Test func keysAreSorted() throws {
        let text = try get("/get?z=1&a=2").text
        let keys = ["\"args\"", "\"a\"", "\"z\"", "\"data\"", "\"form\"", "\"headers\"", "\"json\"", "\"method\""]
        let places = keys.map { text.firstRange(of: $0)?.lowerBound }
        #expect(!places.contains(nil))
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
    }

    @Test(arguments: [
        ("/status/418", 418), ("/status/199", 400), ("/status/600", 400), ("/status/x", 400), ("/delay/x", 400),
        ("/delay/61", 400), ("/delay/nan", 400), ("/bytes/-1", 400), ("/stream/99999", 400), ("/redirect/0", 400),
        ("/redirect-to", 400), ("/redirect-to?url=/a%0D%0Ab", 400), ("/redirect-to?url=/a&status_code=200", 400),
        ("/response-headers?Content-Length=3", 400), ("/response-headers?a%20b=3", 400),
        ("/response-headers?a=b%0D%0Ac:d", 400), ("/drip?numbytes=-1", 400), ("/cookies/set?a=b;c", 400),
        ("/cookies/set?a=b%0D%0Ac", 400), ("/etag/a%0D%0Ab", 400), ("/cache/x", 400), ("/nothing", 404), ("/post", 405),
        ("/zstd", 501),
    ])
    func statusesAndBounds(_ target: String, _ status: Int) throws {
        #expect(try get(target).status == status)
        #expect(try get("/get").status == 200)
    }

    @Test func theRequestsOwnPartsAreTold() throws {
        #expect(try tree(get("/user-agent", ["User-Agent": "me"])) == ["user-agent": .string("me")])
        #expect(try tree(get("/ip")) == ["origin": .string("127.0.0.1")])
        let told = try tree(get("/headers", ["X-A": "1", "x-a": "2"]))
        #expect(
            told == ["headers": .object(["Host": .string("test"), "X-A": .string("1, 2"), "x-a": .string("1, 2")])])
        #expect(
            try tree(get("/cookies", ["Cookie": "a=1; b=2"])) == [
                "cookies": .object(["a": .string("1"), "b": .string("2")])
            ])
    }

    @Test func fieldsAreSetAsAsked() throws {
        let reply = try get("/response-headers?X-A=1&X-A=2&Content-Type=text/plain")
        #expect(reply.headers.values(for: "X-A") == ["1", "2"])
        #expect(reply.headers.values(for: .contentType) == ["text/plain"])
        let cookies = try get("/cookies/set?a=1&b=2")
        #expect(cookies.status == 302)
        #expect(cookies.headers.values(for: .setCookie) == ["a=1; Path=/", "b=2; Path=/"])
    }

    @Test func redirectsCountDown() throws {
        #expect(try get("/redirect/2").headers[.location] == "/redirect/1")
        #expect(try get("/redirect/1").headers[.location] == "/get")
        let reply = try get("/redirect-to?url=http%3A%2F%2Fx%2Fy&status_code=307")
        #expect(reply.status == 307)
        #expect(reply.headers[.location] == "http://x/y")
    }

    @Test func credentialsAreChecked() throws {
        let refused = try get("/basic-auth/user/pass")
        #expect(refused.status == 401)
        #expect(refused.headers[.wwwAuthenticate] == #"Basic realm="convoy", charset="UTF-8""#)
        let credentials = "Basic \(Data("user:pass".utf8).base64EncodedString())"
        let told = try tree(get("/basic-auth/user/pass", [.authorization: credentials]))
        #expect(told == ["authenticated": .bool(true), "user": .string("user")])
        #expect(try get("/basic-auth/user/other", [.authorization: credentials]).status == 401)
        #expect(try get("/bearer", [.authorization: credentials]).status == 401)
        #expect(try tree(get("/bearer", [.authorization: "bearer abc"]))["token"] == .string("abc"))
    }

    @Test func conditionsAreKept() throws {
        #expect(try get("/etag/v1").headers[.etag] == "\"v1\"")
        let kept = try get("/etag/v1", ["If-None-Match": "\"v0\", W/\"v1\""])
        #expect(kept.status == 304)
        #expect(kept.headers[.etag] == "\"v1\"")
        #expect(try get("/etag/v1", ["If-None-Match": "\"v2\""]).status == 200)
        #expect(try get("/etag/v1", ["If-Match": "W/\"v1\""]).status == 412)
        #expect(try get("/etag/v1", ["If-Match": "*"]).status == 200)
        #expect(try get("/cache/60").headers[.cacheControl] == "public, max-age=60")
    }

    @Test func bodiesOfASize() throws {
        let reply = try get("/bytes/100000")
        #expect(reply.body.count == 100_000)
        #expect(reply.body.enumerated().allSatisfy { $0.element == UInt8(truncatingIfNeeded: $0.offset) })
        #expect(try get("/bytes/0").body.isEmpty)
        let head = try client.exchange(.head, "/bytes/100000")
        #expect(head?.headers[.contentLength] == "100000")
    }

    @Test func streams() throws {
        let lines = try get("/stream/3").text.split(separator: "\n")
        #expect(lines.count == 3)
        let ids = try lines.map { try JSONDecoder().decode([String: JSONTree].self, from: Data($0.utf8))["id"] }
        #expect(ids == [.integer(0), .integer(1), .integer(2)])
        #expect(
            try get("/sse?count=2").text == """
                id: 0
                event: tick
                data: {"count": 0}

                id: 1
                event: tick
                data: {"count": 1}


                """)
    }

    @Test func delaysTakeTheirTime() throws {
        var reply: RawClient.Reply?
        let delay = try ContinuousClock().measure { reply = try get("/delay/0.1") }
        #expect(delay >= .milliseconds(100))
        #expect(reply?.status == 200)
        let drip = try ContinuousClock().measure { reply = try get("/drip?numbytes=5&duration=0.1&code=201") }
        #expect(drip >= .milliseconds(100))
        #expect(reply?.status == 201)
        #expect(reply?.text == "*****")
        #expect(reply?.headers[.contentLength] == "5")
    }

    @Test func codingsAreApplied() throws {
        let reply = try get("/gzip")
        #expect(reply.headers[.contentEncoding] == "gzip")
        #expect(reply.body.last == 0x21)
        let told = try JSONDecoder().decode([String: JSONTree].self, from: Data(reply.body.dropLast().map { ~$0 }))
        #expect(told["gzipped"] == .bool(true))
    }

    @Test func pagesAndTheIndex() throws {
        #expect(try get("/html").headers[.contentType] == "text/html; charset=utf-8")
        #expect(try get("/robots.txt").text.contains("Disallow"))
        #expect(try get("/encoding/utf8").text.contains("Καλημέρα"))
        #expect(try tree(get("/json")).keys.contains("caravan"))
        let index = try get("/").text.split(separator: "\n")
        #expect(index.contains("GET /sse"))
        #expect(index.contains("* /anything/*"))
        #expect(Set(index).count == index.count)
    }
}
