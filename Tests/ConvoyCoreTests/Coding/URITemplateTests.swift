import ConvoyCore
import Testing

struct URITemplateTests {
    @Test(arguments: [
        ("users/{id}/notes", "users/a%2Fb/notes"), ("search{?q,lang*}", "search?q=caf%C3%A9&lang=en&lang=de"),
        ("{+path}", "/x/y?z"), ("{id:1}", "a"), ("a{;none}{?none}b", "ab"), ("{&empty}", "&empty="),
        ("{;empty}", ";empty"), ("{/lang*}", "/en/de"), ("{?point*}", "?x=1&y=true"), ("{point}", "x,1,y,true"),
        ("literal", "literal"), ("", ""), ("{half:1}", "%F0%9F%98%80"),
    ])
    func expands(template: String, expected: String) throws {
        let variables: Parameters = [
            "id": "a/b", "q": "café", "lang": ["en", "de"], "path": "/x/y?z", "none": nil, "empty": "",
            "point": ["x": 1, "y": true], "half": "😀b",
        ]
        #expect(try URITemplate(template).expanded(variables) == expected)
    }

    @Test(arguments: [
        ("{", "byte 0"), ("ab}", "byte 2"), ("{}", "byte 0"), ("a{b c}", "byte 1"), ("{a,}", "byte 0"),
        ("{!a}", "byte 0"),
        ("{a:0}", "byte 0"), ("{a:99999}", "byte 0"), ("{a:}", "byte 0"), ("{a..b}", "byte 0"), ("{a%2}", "byte 0"),
        ("{a{b}}", "byte 0"), ("{ä}", "byte 0"),
    ])
    func saysWhereItIsWrong(template: String, place: String) throws {
        let error = #expect(throws: ConvoyError.self) { try URITemplate(template) }
        #expect(error?.code == .invalidURL && error?.message.contains(place) == true, "\(error?.message ?? "")")
    }

    @Test func listsHaveNoBeginningAndNoLists() throws {
        for (template, value) in [("{a:3}", ["x"]), ("{a}", [["x"]])] as [(String, Parameters.Value)] {
            #expect(throws: ConvoyError.self) { try URITemplate(template).expanded(["a": value]) }
        }
    }

    /// As an interpolated value would be, one that leads elsewhere is refused.
    @Test(arguments: ["..", ".", "a/../..", "%2E%2E"]) func noValueLeadsElsewhere(value: String) async throws {
        let client = Client(baseURL: "http://h/v1", transport: FakeTransport())
        let template = value.contains("/") || value.contains("%") ? "users/{+id}/notes" : "users/{id}/notes"
        let error = await failure {
            try await client.send(Request(.get, template: template, ["id": .init(value)]))
        }
        #expect(error?.code == .invalidURL && error?.message.contains("change the path") == true)
        // What the template says itself stays, and so do dots that are no segment.
        _ = try await client.send(Request(.get, template: "a/../{id}", ["id": "x..y"]))
    }

    @Test func aRequestByTemplate() async throws {
        let transport = FakeTransport()
        let client = Client(baseURL: "http://h/v1?k=1", transport: transport)
        _ = try await client.send(
            Request(.get, template: "search{?q,lang*}", ["q": "tea & more", "lang": ["en", "de"]]))
        #expect(transport.addresses == ["http://h/v1/search?k=1&q=tea%20%26%20more&lang=en&lang=de"])
        let error = await failure { try await client.send(Request(.get, template: "a{b")) }
        #expect(error?.code == .invalidURL && error?.message.contains("{ without }") == true)
        // A plain string never expands braces.
        _ = try await client.get("a{b}")
        #expect(transport.addresses.last == "http://h/v1/a%7Bb%7D?k=1")
    }
}
