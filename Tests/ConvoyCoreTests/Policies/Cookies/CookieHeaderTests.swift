import ConvoyCore
import Foundation
import Testing

/// A client's cookies beside those that were set by hand.
@Suite struct CookieHeaderTests {
    private func sent(_ cookies: [Cookie], headers: Headers) async throws -> [Headers.Field] {
        let store = CookieStore()
        try store.update { jar in for cookie in cookies { try jar.set(cookie) } }
        let transport = FakeTransport()
        let client = Client(transport: transport) { $0.cookies = store }
        _ = try await client.get("http://h/", headers: headers)
        return transport.requests[0].headers.fields.filter { $0.name == .cookie }
    }

    @Test(
        "What was set by hand goes first, and wins over a cookie of its name",
        arguments: [
            ([:], "a=1; b=2"), (["Cookie": "c=3"], "c=3; a=1; b=2"), (["Cookie": "b=9"], "b=9; a=1"),
            (["Cookie": "b=9; a=8"], "b=9; a=8"), (["cookie": "x; B=9;;"], "x; B=9; a=1; b=2"),
            (["Cookie": ""], "a=1; b=2"),
            (["Cookie": "a = 9 ; =c"], "a = 9; =c; b=2"), (["Cookie": "c=3", "cookie": "a=4"], "c=3; a=4; b=2"),
        ] as [(Headers, String)])
    func beside(_ headers: Headers, _ expected: String) async throws {
        let fields = try await sent([Cookie("a", "1", domain: "h"), Cookie("b", "2", domain: "h")], headers: headers)
        #expect(fields.map(\.value) == [expected])
    }

    @Test func withoutOneOfOurs() async throws {
        let fields = try await sent([], headers: ["Cookie": "c=3;;"])
        #expect(fields.map(\.value) == ["c=3;;"])
    }

    @Test("Two cookies of one name are both sent") func twice() async throws {
        let cookies = [
            Cookie("a", "1", domain: "h.example"), Cookie("a", "2", domain: "h.example", isHostOnly: false),
        ]
        let store = CookieStore()
        try store.update { jar in for cookie in cookies { try jar.set(cookie) } }
        let transport = FakeTransport()
        _ = try await Client(transport: transport) { $0.cookies = store }.get("http://h.example/")
        #expect(transport.requests[0].headers[.cookie] == "a=1; a=2")
    }

    @Test("Bytes that are no UTF-8 go back as they came") func latin1() async throws {
        let transport = FakeTransport { request, number in
            guard number == 1 else { return Response(status: 200) }
            return Response(
                status: 200,
                headers: Headers([
                    .init(.setCookie, "a=\u{E9}t\u{E9}", isLatin1: true), .init(.setCookie, "b=\u{E9}"),
                ]))
        }
        let client = Client(transport: transport) { $0.cookies = .memory }
        _ = try await client.get("http://h/")
        _ = try await client.get("http://h/", headers: ["Cookie": "c=\u{E9}"])
        let field = try #require(transport.requests[1].headers.fields.first { $0.name == .cookie })
        #expect(field.rawValue == Array("c=é; a=".utf8) + [0xE9, 0x74, 0xE9] + Array("; b=é".utf8))
    }
}
