import Convoy
import Testing

@testable import ConvoyCLI

@Suite struct JSONPrinterTests {
    private func print(
        _ text: String, indents: Bool = true, isColoured: Bool = false, isForTerminal: Bool = false
    ) -> String? {
        let printer = JSONPrinter(
            indents: indents, palette: Palette(isColoured: isColoured), isForTerminal: isForTerminal)
        return printer.print(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func objectsAndListsAreIndented() {
        #expect(
            print(#"{"a":[1,{"b":true}],"c":{},"d":[],"e":null}"#) == """
                {
                  "a": [
                    1,
                    {
                      "b": true
                    }
                  ],
                  "c": {},
                  "d": [],
                  "e": null
                }
                """)
        #expect(print("[ ]") == "[]")
        #expect(print("  [\n1 ,2\t]\r\n") == "[\n  1,\n  2\n]")
        #expect(print("[[[]]]") == "[\n  [\n    []\n  ]\n]")
    }

    @Test(arguments: ["1", "-0.10E+5", "\"x\"", "true", "null", "9223372036854775808", "0", "-0", "1e400"])
    func aLoneValueStaysAsItIs(text: String) { #expect(print(text) == text) }

    @Test func numbersOrderDuplicatesAndEscapesStay() {
        let text = #"{"z":1.0,"a":12345678901234567890123,"z":1E5,"é":"\u00e9\/é","":""}"#
        let lines = [
            #""z": 1.0,"#, #""a": 12345678901234567890123,"#, #""z": 1E5,"#, #""é": "\u00e9\/é","#, #""": """#,
        ]
        #expect(print(text) == "{\n" + lines.map { "  \($0)\n" }.joined() + "}")
    }

    @Test(arguments: [
        "", " ", "{", "}", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:2}", "[1 2]", "1 2", "01",
        "1.", ".1", "+1", "-", "1e", "tru", "truex", "nul", "'a'", "\"a", "\"\n\"", "\"\\x\"", "\"\\u12g4\"", "\"\\",
        "[}",
        "{]", "[1}", "{\"a\":1]", "NaN", "Infinity", "[1]x", "//c\n1", "{\"a\" 1}", "[\"a\":1]", "\u{0}", ":", ",",
    ])
    func whatIsNoJSONIsLeftAlone(text: String) {
        #expect(print(text) == nil)
        #expect(print(text, indents: false, isColoured: true) == nil)
    }

    @Test func whatIsNoTextIsLeftAlone() {
        let printer = JSONPrinter(indents: true, palette: Palette(isColoured: false), isForTerminal: false)
        #expect(printer.print([0x22, 0xFF, 0x22]) == nil)
    }

    @Test func aByteOrderMarkIsPassedOver() { #expect(print("\u{FEFF}[1]") == "[\n  1\n]") }

    @Test func depthIsBounded() {
        let deepest = JSONScanner.maximumDepth
        let fitting = String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest)
        #expect(print(fitting) != nil)
        #expect(print("[\(fitting)]") == nil)
        #expect(print(String(repeating: "[", count: 1_000_000)) == nil)
        #expect(print(String(repeating: "{\"a\":", count: 1_000_000)) == nil)
    }

    @Test func coloursGoByKind() {
        let coloured = print(#"{"k":["s",1,null]}"#, isColoured: true) ?? ""
        #expect(coloured.contains("\u{1B}[34;1m\"k\"\u{1B}[0m: ["))
        #expect(coloured.contains("\u{1B}[32m\"s\"\u{1B}[0m,"))
        #expect(coloured.contains("\u{1B}[36m1\u{1B}[0m"))
        #expect(coloured.contains("\u{1B}[35mnull\u{1B}[0m"))
    }

    @Test func coloursAloneKeepTheWhiteSpace() {
        let text = " {\n\t\"a\" :1 , \"b\": [ ] }\n"
        let plain = (print(text, indents: false, isColoured: true) ?? "").replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(plain == text)
    }

    @Test func controlCharactersInStringsAreVisibleOnATerminalOnly() {
        let text = "{\"a\u{9B}31m\":\"x\u{7F}\u{202E}\"}"
        #expect(print(text, isForTerminal: true) == "{\n  \"a\u{FFFD}31m\": \"x\u{FFFD}\u{FFFD}\"\n}")
        #expect(print(text)?.contains("\u{9B}") == true)
    }
}
