import ConvoyCore
import Foundation
import Testing

struct ParameterOptionsTests {
    private func query(_ parameters: Parameters, _ change: (inout ParameterOptions) -> Void = { _ in }) async throws
        -> String
    {
        let transport = FakeTransport()
        let client = Client(transport: transport) { change(&$0.parameterOptions) }
        _ = try await client.get("http://h/", query: parameters)
        return transport.requests.last?.uri?.query?.removingPercentEncoding ?? ""
    }

    /// B071: a Boolean is one after every way in.
    @Test func booleans() async throws {
        let erased: any LosslessStringConvertible = true
        let flags: Parameters = ["a": true, "b": .init(false), "c": .init(erased)]
        try await #expect(query(flags) == "a=true&b=false&c=true")
        try await #expect(query(flags) { $0.booleans = .oneZero } == "a=1&b=0&c=1")
    }

    @Test func arrays() async throws {
        let list: Parameters = ["a": [1, 2]]
        try await #expect(query(list) == "a=1&a=2")
        try await #expect(query(list) { $0.arrays = .brackets } == "a[]=1&a[]=2")
        try await #expect(query(list) { $0.arrays = .indexed } == "a[0]=1&a[1]=2")
        try await #expect(query(list) { $0.arrays = .joined } == "a=1,2")
        try await #expect(query(list) { $0.arrays = .joined(by: "|") } == "a=1|2")
        try await #expect(query(list) { $0.arrays = .custom { "\($0)_\($1 + 1)" } } == "a_1=1&a_2=2")
        try await #expect(query(["a": []]) { $0.arrays = .joined } == "")
    }

    /// B072: what belongs to one element keeps together.
    @Test func listsOfNamedValues() async throws {
        let memories: Parameters = ["m": [["x": 1, "y": 2], ["x": 3]]]
        for arrays in [ParameterOptions.Arrays.repeated, .brackets, .indexed, .joined] {
            try await #expect(query(memories) { $0.arrays = arrays } == "m[0][x]=1&m[0][y]=2&m[1][x]=3")
        }
    }

    /// B074.
    @Test func nesting() async throws {
        let nested: Parameters = ["a": ["b": ["c": 1]]]
        try await #expect(query(nested) == "a[b][c]=1")
        try await #expect(query(nested) { $0.nesting = .dots } == "a.b.c=1")
    }

    /// B082: nil never becomes a word unless asked.
    @Test func nulls() async throws {
        let some: Parameters = ["a": nil, "b": 1]
        try await #expect(query(some) == "b=1")
        try await #expect(query(some) { $0.nulls = .empty } == "a=&b=1")
        try await #expect(query(some) { $0.nulls = .null } == "a=null&b=1")
    }

    @Test func keysAndOrder() async throws {
        let parameters: Parameters = ["userID": 1, "b": ["innerURLPath": 2], "ab": 3, "b2": 4]
        try await #expect(query(parameters) { $0.keys = .snakeCase } == "user_id=1&b[inner_url_path]=2&ab=3&b2=4")
        try await #expect(query(parameters) { $0.keys = .custom { $0.uppercased() } }.hasPrefix("USERID=1&B[INNER"))
        try await #expect(query(parameters) { $0.isSorted = true } == "ab=3&b2=4&b[innerURLPath]=2&userID=1")
    }

    /// B076, B077, B078, B080: brackets, plus, semicolon and every other ASCII character arrive as they were.
    @Test func everyCharacterArrives() async throws {
        let all = String(String.UnicodeScalarView((0..<128).compactMap { Unicode.Scalar($0) })) + "😀é"
        let transport = FakeTransport()
        let client = Client(transport: transport)
        _ = try await client.get("http://h/", query: ["me+a[b];": .init(all)])
        let query = try #require(transport.requests.last?.uri?.query)
        #expect(query.hasPrefix("me%2Ba%5Bb%5D%3B=") && query.contains("%20") && !query.contains("+"))
        let value = try #require(query.split(separator: "=", maxSplits: 1).last)
        #expect(String(value).removingPercentEncoding == all)
        client.update { $0.parameterOptions.spaces = .plus }
        _ = try await client.get("http://h/", query: ["q": "a b+c"])
        #expect(transport.requests.last?.uri?.query == "q=a+b%2Bc")
    }

    @Test(arguments: [
        (ParameterOptions.Destination.byMethod, "GET", "a=1", ""), (.byMethod, "POST", "", "a=1"),
        (.query, "POST", "a=1", ""), (.body, "GET", "", "a=1"), (.body, "DELETE", "", "a=1"),
    ])
    func destinations(destination: ParameterOptions.Destination, method: String, query: String, body: String)
        async throws
    {
        let transport = FakeTransport()
        let client = Client(transport: transport) { $0.parameterOptions.destination = destination }
        var request = Request(.init(method), "http://h/")
        request.parameters = ["a": 1]
        _ = try await client.send(request)
        let sent = try #require(transport.requests.last)
        #expect(sent.uri?.query ?? "" == query && sent.body.data == Data(body.utf8))
    }

    @Test func aRequestsOwnOptionsWin() async throws {
        let transport = FakeTransport()
        let client = Client(transport: transport) { $0.parameterOptions.booleans = .oneZero }
        var request = Request(.get, "http://h/")
        request.query = ["a": true]
        request.parameterOptions = ParameterOptions()
        _ = try await client.send(request)
        #expect(transport.addresses == ["http://h/?a=true"])
    }

    @Test func tenThousand() async throws {
        let many = Parameters((0..<10_000).map { .init("name\($0)", .init($0)) })
        try await #expect(query(many).utf8.count > 100_000)
    }
}
