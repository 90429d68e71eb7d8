import Testing

@testable import ConvoyCLI

@Suite struct ArgumentReaderTests {
    private static let flag = Option("verbose", short: "v", "")
    private static let json = Option("json", short: "j", "")
    private static let file = Option("output", short: "o", value: "FILE", "")
    private static let choice = Option("pretty", choices: ["all", "none"], "")

    private func read(_ line: String...) throws -> Arguments {
        try ArgumentReader(options: [Self.flag, Self.json, Self.file, Self.choice]).read(line)
    }

    private func failure(_ line: String...) -> String? {
        do {
            _ = try ArgumentReader(options: [Self.flag, Self.json, Self.file, Self.choice]).read(line)
            return nil
        } catch { return (error as? UsageError)?.message }
    }

    @Test func wordsAndOptionsMayBeMixed() throws {
        let arguments = try read("a", "--verbose", "b", "-o", "x", "c")
        #expect(arguments.words == ["a", "b", "c"])
        #expect(arguments.has(Self.flag))
        #expect(arguments.value(Self.file) == "x")
        #expect(!arguments.has(Self.json))
    }

    @Test func aValueFollowsOrIsJoined() throws {
        #expect(try read("--output=a=b").value(Self.file) == "a=b")
        #expect(try read("--output", "--verbose").value(Self.file) == "--verbose")
        #expect(try read("--output=").value(Self.file) == "")
        #expect(try read("-oFILE").value(Self.file) == "FILE")
        #expect(try read("-o", "-v").value(Self.file) == "-v")
    }

    @Test func shortOptionsAreBundled() throws {
        let arguments = try read("-vjo", "x", "w")
        #expect(arguments.has(Self.flag) && arguments.has(Self.json))
        #expect(arguments.value(Self.file) == "x")
        #expect(arguments.words == ["w"])
        #expect(try read("-vox").value(Self.file) == "x")
    }

    @Test func twoDashesEndOptions() throws {
        let arguments = try read("-v", "--", "--json", "-o", "--")
        #expect(arguments.words == ["--json", "-o", "--"])
        #expect(!arguments.has(Self.json))
    }

    @Test func aLoneDashIsAWord() throws { #expect(try read("-", "x").words == ["-", "x"]) }

    @Test func theLastValueCounts() throws { #expect(try read("-o", "a", "--output=b").value(Self.file) == "b") }

    @Test func mistakesAreNamedWithTheNearestOption() {
        #expect(failure("--outptu=x") == "unknown option --outptu; did you mean --output?")
        #expect(failure("--out", "x") == "unknown option --out; did you mean --output?")
        #expect(failure("--xyzzy") == "unknown option --xyzzy")
        #expect(failure("-verbose") == "unknown option -e in -verbose; did you mean --verbose?")
        #expect(failure("-vq") == "unknown option -q in -vq")
        #expect(failure("--output") == "--output needs a value: --output FILE")
        #expect(failure("-vo") == "-o needs a value: -o FILE")
        #expect(failure("--verbose=yes") == "--verbose takes no value")
        #expect(failure("--pretty=al") == "--pretty takes one of all, none, not \"al\"; did you mean all?")
    }

    @Test func controlCharactersInAMistakeAreEscaped() {
        #expect(failure("--a\u{1B}[31m")?.contains("\u{1B}") == false)
    }

    @Test func nothingThatIsTypedTraps() {
        for line in [
            "", "---", "--=", "-=", "-\u{1F600}", "--\u{0}", "-o", "--\(String(repeating: "a", count: 10_000))",
        ] {
            _ = failure(line)
        }
    }
}

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("tiemout", "timeout"), ("TIMEOUT", "timeout"), ("timeot", "timeout"), ("strem", "stream"), ("prnt", "print"),
    ])
    func aMistypedWordIsFound(word: String, expected: String) {
        #expect(Suggestion.nearest(to: word, among: ["print", "stream", "timeout"]) == expected)
    }

    @Test func aBeginningIsFoundIfItIsOfOneOnly() {
        #expect(Suggestion.nearest(to: "conn", among: ["connect-timeout", "print"]) == "connect-timeout")
        #expect(Suggestion.nearest(to: "no-", among: ["no-decode", "no-check-status"]) == nil)
    }

    @Test func whatIsFarIsNotSuggested() {
        #expect(Suggestion.nearest(to: "banana", among: ["print", "stream"]) == nil)
        #expect(Suggestion.nearest(to: "", among: ["print"]) == nil)
    }

    @Test func aSwapCountsAsOne() {
        #expect(Suggestion.distance("sned", "send") == 1)
        #expect(Suggestion.distance("", "abc") == 3)
        #expect(Suggestion.distance("kitten", "sitting") == 3)
    }
}
