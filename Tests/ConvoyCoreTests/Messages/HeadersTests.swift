import ConvoyCore
import Testing

struct HeadersTests {
    @Test func namesCompareWithoutCaseAndStayAsWritten() {
        var headers: Headers = ["X-Device": "7"]
        #expect(headers["x-device"] == "7")
        #expect(headers.contains("X-DEVICE"))
        #expect(headers.fields.map(\.name.rawName) == ["X-Device"])
        headers["x-DEVICE"] = "8"
        #expect(headers.fields.map(\.value) == ["8"])
        #expect(Set<Headers.Name>(["Accept", "ACCEPT", "accept"]).count == 1)
    }

    @Test func theOrderIsKeptAndRepeatedFieldsToo() {
        let headers: Headers = ["B": "1", "A": "2", "b": "3"]
        #expect(headers.map(\.value) == ["1", "2", "3"])
        #expect(headers.values(for: "B") == ["1", "3"])
        #expect(headers["B"] == "1, 3")
        #expect(headers.count == 3)
    }

    @Test func cookiesAreJoinedTheirOwnWay() {
        #expect((["Cookie": "a=1", "cookie": "b=2"] as Headers)[.cookie] == "a=1; b=2")
        let set: Headers = ["Set-Cookie": "a=1, x", "Set-Cookie": "b=2"]
        #expect(set[.setCookie] == "a=1, x")
        #expect(set.values(for: .setCookie) == ["a=1, x", "b=2"])
    }

    @Test func settingReplacesAtTheFirstPlaceAndNilRemoves() {
        var headers: Headers = ["A": "1", "B": "2", "a": "3", "C": "4", "A": "5"]
        headers["a"] = "new"
        #expect(headers.map { "\($0.name)=\($0.value)" } == ["a=new", "B=2", "C=4"])
        headers["A"] = nil
        #expect(headers.map(\.value) == ["2", "4"])
        headers["A"] = nil
        headers.append("B", "6")
        headers.remove("c")
        #expect(headers.values(for: "b") == ["2", "6"])
        #expect(headers["nothing"] == nil)
    }

    @Test func unsetAndEmptyDiffer() {
        let headers: Headers = ["X-Empty": ""]
        #expect(headers["X-Empty"] == "")
        #expect(headers["X-Other"] == nil)
        #expect(!headers.isEmpty)
        #expect(Headers().isEmpty)
    }

    @Test func mergingKeepsTheOwnValues() {
        let own: Headers = ["accept": "a", "X": "1", "x": "2"]
        let merged = own.merging(defaults: ["Accept": "b", "Y": "3", "X": "4", "Y": "5"])
        #expect(merged.map { "\($0.name)=\($0.value)" } == ["Y=3", "Y=5", "accept=a", "X=1", "x=2"])
        #expect(own.merging(defaults: Headers()) == own)
        #expect(Headers().merging(defaults: own) == own)
    }

    private static let hostileNames = [
        "", " ", "A B", "A:", "A\r\nB", "A\0", "Ä", "A\t", "(", "Authorization ", "X\u{7F}",
    ]

    @Test(arguments: hostileNames) func namesThatAreNoTokensAreNeverSent(name: String) async {
        let error = await sending(Headers.Field(Headers.Name(name), "v"))
        #expect(error?.code == .invalidHeader)
    }

    private static let hostileValues = [
        "a\r\nEvil: 1", "a\nEvil: 1", "a\rEvil: 1", "\0", "a\0b", "\n", "\r\n", "ü\r\n", "a\n\u{301}b",
    ]

    @Test(arguments: hostileValues) func lineBreaksAndNULAreNeverSent(value: String) async throws {
        for name in ["X-A", "Host", "Content-Type", "Cookie", "Authorization", "User-Agent"] as [Headers.Name] {
            let error = try #require(await sending(Headers.Field(name, value)))
            #expect(error.code == .invalidHeader)
            #expect(error.message.contains(name.rawName))
            #expect(!error.message.contains("Evil"), "the value may be a secret")
        }
    }

    /// U+010A cut down to a byte would be a line break.
    @Test func latin1NeverMakesALineBreakOfAnotherCharacter() {
        let field = Headers.Field("X", "a\u{10A}Evil: 1\u{10D}", isLatin1: true)
        #expect(!field.rawValue.contains(10))
        #expect(!field.rawValue.contains(13))
        #expect(field.rawValue == Array("a\u{10A}Evil: 1\u{10D}".utf8))
        #expect(Headers.Field("X", "\u{FC}", isLatin1: true).rawValue == [0xFC])
        #expect(Headers.Field("X", "\u{FC}").rawValue == [0xC3, 0xBC])
    }

    @Test(arguments: ["Content-Length", "content-length", "Transfer-Encoding"])
    func framingIsTheEnginesOwn(name: String) async {
        #expect(await sending(Headers.Field(Headers.Name(name), "5"))?.code == .invalidHeader)
    }

    @Test func whatIsAllowedIsSentAsItIs() async throws {
        let transport = FakeTransport()
        var request = Request(.get, "http://h/")
        request.headers = ["X-U": "日本 ü", "X-Empty": "", "x-u": "again"]
        _ = try await Client(transport: transport).send(request)
        let headers = try #require(transport.requests.first).headers
        #expect(headers.values(for: "X-U") == ["日本 ü", "again"])
        #expect(headers["X-Empty"] == "")
    }

    @Test func printingMasksSecrets() {
        let headers: Headers = ["Authorization": "Bearer abc.def", "X-Api-Key": "k1", "Accept": "text/html"]
        #expect(headers.description == "Authorization: Bearer •••\nX-Api-Key: •••\nAccept: text/html")
        #expect(!"\(headers.fields)".contains("abc"))
        #expect(!String(reflecting: headers).contains("abc"))
    }

    private func sending(_ field: Headers.Field) async -> ConvoyError? {
        let transport = FakeTransport()
        var request = Request(.get, "http://h/")
        request.headers.append(field)
        let error = await failure { try await Client(transport: transport).send(request) }
        #expect(transport.requests.isEmpty)
        return error
    }
}
