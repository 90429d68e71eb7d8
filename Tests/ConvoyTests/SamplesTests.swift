import Foundation
import Testing

/// Every sample of the documentation stands, line for line, in a file of `Samples`, where it is compiled and run.
@Suite struct SamplesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    @Test func samplesOfTheGuidesRun() throws {
        let guides = try [
            "README.md", "Documentation/client.md", "Documentation/requests.md", "Documentation/responses.md",
            "Documentation/errors.md", "Documentation/plugins.md", "Documentation/connections.md",
            "Documentation/testing.md", "Documentation/redirects.md", "Documentation/retry.md",
            "Documentation/cookies.md",
        ]
        .map { ($0, try Self.text($0)) }
        for (file, text) in guides {
            let count = SampleBlock.blocks(ofMarkdown: text, in: file).count
            #expect(count > 0, "\(file) has no sample")
        }
        let files = try Self.files(".", ending: ".md")
        let known = Set(guides.map(\.0))
        #expect(known.isSubset(of: files))
        try expectSamples(
            try files.flatMap { SampleBlock.blocks(ofMarkdown: try Self.text($0), in: $0) }, allowingGaps: false)
    }

    @Test func samplesOfTheCommentsRun() throws {
        let blocks = try Self.files("Sources", ending: ".swift").flatMap {
            SampleBlock.blocks(ofSource: try Self.text($0), in: $0)
        }
        #expect(blocks.count > 10)
        try expectSamples(blocks, allowingGaps: true)
    }

    private func expectSamples(_ blocks: [SampleBlock], allowingGaps: Bool) throws {
        let code = try Self.files("Tests/ConvoyTests/Samples", ending: ".swift").map { SampleCode(try Self.text($0)) }
        for block in blocks where !code.contains(where: { $0.contains(block, allowingGaps: allowingGaps) }) {
            Issue.record("\(block.file):\(block.line): this sample stands in no file of Tests/ConvoyTests/Samples")
        }
    }

    /// The files of a folder and those below it, by their paths from the root of the package.
    private static func files(_ folder: String, ending: String) throws -> [String] {
        let skipped = [".build", ".setup", ".git", ".swiftpm"]
        let names = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
        return try names.filter { !skipped.contains($0) }.sorted().flatMap { name -> [String] in
            let path = folder == "." ? name : "\(folder)/\(name)"
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isFolder)
            if exists, isFolder.boolValue { return try files(path, ending: ending) }
            return name.hasSuffix(ending) ? [path] : []
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    // MARK: The check itself

    @Test func blocksAreFound() {
        let text = """
            # Title
            ```swift
            let a = 1

            let b = 2
            ```
            ```sh
            make
            ```
            ```swift manifest
            let package = 1
            ```
              ```swift
              let c = 3
            """
        let blocks = SampleBlock.blocks(ofMarkdown: text, in: "a.md")
        #expect(blocks.map(\.line) == [3, 14])
        #expect(blocks.map(\.lines.count) == [3, 1])
    }

    @Test func blocksOfCommentsAreFound() {
        let text = """
            /// What it does.
            ///
            /// ```swift
            /// a()
            /// ```
            func a() {
                /// ```swift
                /// b()
                /// ```
            """
        let blocks = SampleBlock.blocks(ofSource: text, in: "a.swift")
        #expect(blocks.map(\.line) == [4, 8])
        #expect(blocks.map(\.lines) == [[" a()"], [" b()"]])
    }

    @Test(arguments: [
        (["let a = f(1)", "", "let b = 2"], true),
        (["    let a = f(1)         // one"], false),
        (["let b = 2                // two"], false),
        (["g(b)         // three"], true),
        (["let a = f(1)", "g(b)"], false),
        (["let a = f(2)"], false),
        (["let a = f(1"], false),
        (["get(\"https://api.example.com/a\")"], true),
        (["get(\"https://example.com/a\")"], false),
        (["import Convoy", "let b = 2"], true),
        (["import Other", "let b = 2"], false),
        ([], false), ([""], false),
    ])
    func linesAreCompared(_ lines: [String], _ isContained: Bool) {
        let code = SampleCode(
            """
            import Convoy
                let a = f(1)
                let b = 2
                    g(b)  // three
                get("\\(origin)/a")
            """)
        let block = SampleBlock(file: "a.md", line: 1, lines: lines)
        #expect(code.contains(block, allowingGaps: false) == isContained)
    }

    @Test(arguments: [
        (["a()", "… anything", "c()"], true), (["…", "b()"], true), (["c()", "…", "a()"], false),
        (["a()", "…", "a()"], false),
    ])
    func linesMayBeLeftOut(_ lines: [String], _ isContained: Bool) {
        let block = SampleBlock(file: "a.swift", line: 1, lines: lines)
        #expect(SampleCode("a()\nb()\nc()").contains(block, allowingGaps: true) == isContained)
        #expect(!SampleCode("a()\nb()\nc()").contains(block, allowingGaps: false))
    }
}
