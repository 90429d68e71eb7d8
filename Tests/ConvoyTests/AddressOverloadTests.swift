import Convoy
import ConvoyTesting
import Testing

/// Which overload a call takes is the compiler's choice: a value in a literal has to be encoded whichever form is used,
/// and text in a variable must not be encoded again.
@Suite struct AddressOverloadTests {
    private let value = "a/b?c&d"
    private let encoded = "a%2Fb%3Fc%26d"

    @Test func literalsOfRequestsEncodeTheirValues() throws {
        let path = "x/%2F"
        let requests = [
            Request(.get, "x/\(value)"), Request("x/\(value)"), Request(.post, "x/\(value)/y/\(value)?q=\(value)"),
            Request(.init("PURGE"), "\(value)/x"),
        ]
        var later = Request(.put, "x/\(value)")
        #expect(later.description == "PUT x/\(encoded)")
        later = Request("y/\(value)")
        #expect(later.description == "GET y/\(encoded)")
        #expect(
            requests.map(\.description) == [
                "GET x/\(encoded)", "GET x/\(encoded)", "POST x/\(encoded)/y/\(encoded)?q=\(encoded)",
                "PURGE \(value)/x",
            ])
        #expect(Request(.get, path).description == "GET x/%2F")
        #expect(Request(path).description == "GET x/%2F")
        #expect(Request(path.dropFirst(2)).description == "GET %2F")
    }

    @Test func literalsOfEveryVerbEncodeTheirValues() async throws {
        let server = try TestServer()
        server.on(nil, "/*", .text("ok"))
        let client = Client(baseURL: server.url.description) { $0.network.proxy = .none }
        _ = try await client.get("v/\(value)")
        _ = try await client.head("v/\(value)")
        _ = try await client.delete("v/\(value)")
        _ = try await client.post("v/\(value)")
        _ = try await client.put("v/\(value)", body: .text("x"))
        _ = try await client.patch("v/\(value)", query: [:])
        let status = try await client.get("v/\(value)", headers: ["X-A": "b"]).status
        _ = try await client.get("\(value)/v")
        #expect(status == .ok)
        #expect(server.requests.dropLast().map(\.target) == Array(repeating: "/v/\(encoded)", count: 7))
        #expect(server.requests.last?.target == "/\(encoded)/v")
        let text = "w/%2F?q=%26"
        _ = try await client.get(text)
        #expect(server.requests.last?.target == "/w/%2F?q=%26")
        try await LeakCheck.close(client, server)
    }
}
