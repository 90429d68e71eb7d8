import ConvoyCore
import Testing

@testable import ConvoyCLI

@Suite struct RequestItemTests {
    @Test(arguments: [
        ("name=Ada", RequestItem(.field, "name", "Ada")),
        ("name=", RequestItem(.field, "name", "")),
        ("age:=36", RequestItem(.json, "age", "36")),
        ("page==2", RequestItem(.query, "page", "2")),
        ("X-A:b", RequestItem(.header, "X-A", "b")),
        ("X-A:", RequestItem(.header, "X-A", "")),
        ("X-A;", RequestItem(.emptyHeader, "X-A", "")),
        ("photo@a.png", RequestItem(.file, "photo", "a.png")),
        ("text=@a.txt", RequestItem(.fieldFromFile, "text", "a.txt")),
        ("tree:=@a.json", RequestItem(.jsonFromFile, "tree", "a.json")),
        ("q==@a.txt", RequestItem(.queryFromFile, "q", "a.txt")),
        ("X-A:@a.txt", RequestItem(.headerFromFile, "X-A", "a.txt")),
    ])
    func eachSeparatorMeansItsKind(word: String, expected: RequestItem) throws {
        #expect(try RequestItem(parsing: word) == expected)
    }

    @Test(arguments: [
        ("a=b==c", RequestItem(.field, "a", "b==c")),
        ("a==b=c", RequestItem(.query, "a", "b=c")),
        ("Time:12:=30", RequestItem(.header, "Time", "12:=30")),
        ("a=x@y:z", RequestItem(.field, "a", "x@y:z")),
        ("mail=ada@example.com", RequestItem(.field, "mail", "ada@example.com")),
        ("Location:http://a/?b=c", RequestItem(.header, "Location", "http://a/?b=c")),
        ("a===b", RequestItem(.query, "a", "=b")),
        ("a;b=c", RequestItem(.field, "a;b", "c")),
        ("a=b;", RequestItem(.field, "a", "b;")),
    ])
    func theFirstSeparatorWinsAndTheLongestAtItsPlace(word: String, expected: RequestItem) throws {
        #expect(try RequestItem(parsing: word) == expected)
    }

    @Test(arguments: [
        (#"a\=b=c"#, RequestItem(.field, "a=b", "c")),
        (#"a\:b:c"#, RequestItem(.header, "a:b", "c")),
        (#"a=b\=c"#, RequestItem(.field, "a", "b=c")),
        (#"a\@b=c"#, RequestItem(.field, "a@b", "c")),
        (#"a=\@b"#, RequestItem(.field, "a", "@b")),
        (#"a\==b"#, RequestItem(.field, "a=", "b")),
        (#"a\;;"#, RequestItem(.emptyHeader, "a;", "")),
        (#"path=C:\dir\x"#, RequestItem(.field, "path", #"C:\dir\x"#)),
        (#"a=b\"#, RequestItem(.field, "a", #"b\"#)),
        (#"a=\\=b"#, RequestItem(.field, "a", #"\\=b"#)),
    ])
    func aBackslashTakesTheMeaningAway(word: String, expected: RequestItem) throws {
        #expect(try RequestItem(parsing: word) == expected)
    }

    @Test(arguments: ["nothing", "", #"a\=b"#, "=value", ":value", "==x", ";", "@file", #"\"#, ":"])
    func whatIsNoItemIsRefusedByName(word: String) {
        let error = #expect(throws: UsageError.self) { try RequestItem(parsing: word) }
        #expect(error?.message.contains(word.quotedForMessage) == true)
    }

    @Test func charactersOfSeveralBytesStayWhole() throws {
        #expect(try RequestItem(parsing: "größe=5 €") == RequestItem(.field, "größe", "5 €"))
        #expect(try RequestItem(parsing: "👩‍👩‍👧==👍🏽") == RequestItem(.query, "👩‍👩‍👧", "👍🏽"))
    }
}
