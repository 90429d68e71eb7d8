import Foundation

/// Code that the documentation shows: one ```` ```swift ```` block of a Markdown file or of a documentation comment.
struct SampleBlock {
    var file: String
    /// The number of its first line in the file.
    var line: Int
    var lines: [String]

    /// The blocks of a Markdown file. One whose info string says more than `swift`, such as `swift manifest`, is none.
    static func blocks(ofMarkdown text: String, in file: String) -> [SampleBlock] {
        blocks(numbered(text), in: file)
    }

    /// The blocks of the documentation comments of a source file.
    static func blocks(ofSource text: String, in file: String) -> [SampleBlock] {
        blocks(
            numbered(text).compactMap { number, line in
                let code = line.drop { $0 == " " }
                return code.hasPrefix("///") ? (number, String(code.dropFirst(3))) : nil
            }, in: file)
    }

    private static func numbered(_ text: String) -> [(number: Int, text: String)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0 + 1, String($1)) }
    }

    private static func blocks(_ lines: [(number: Int, text: String)], in file: String) -> [SampleBlock] {
        var blocks: [SampleBlock] = []
        var open: SampleBlock?
        var isInOtherFence = false
        for (number, line) in lines {
            let text = line.trimmingCharacters(in: .whitespaces)
            guard text.hasPrefix("```") else {
                open?.lines.append(line)
                continue
            }
            if let block = open {
                blocks.append(block)
                open = nil
            } else if isInOtherFence {
                isInOtherFence = false
            } else if text == "```swift" {
                open = SampleBlock(file: file, line: number + 1, lines: [])
            } else {
                isInOtherFence = true
            }
        }
        // A fence that is never closed reaches to the end of the file.
        if let open { blocks.append(open) }
        return blocks
    }
}

/// A file of `Samples`, in which the blocks have to stand.
struct SampleCode {
    private let lines: [String]

    init(_ text: String) { lines = Self.normalised(text.components(separatedBy: "\n")) }

    /// Whether every line of the block stands here, one after the other, indentation and empty lines aside. Imports may
    /// stand anywhere; a line with `…` stands for any lines, where the block may use one.
    func contains(_ block: SampleBlock, allowingGaps: Bool) -> Bool {
        let wanted = Self.normalised(block.lines)
        let (imports, code) = (wanted.filter(Self.isImport), wanted.filter { !Self.isImport($0) })
        guard imports.allSatisfy(lines.contains) else { return false }
        let parts = allowingGaps ? code.split { $0.contains("…") }.map(Array.init) : [code]
        var rest = lines[...]
        for part in parts where !part.isEmpty {
            guard let found = rest.indices.first(where: { rest[$0...].starts(with: part) }) else { return false }
            rest = rest[(found + part.count)...]
        }
        return !wanted.isEmpty
    }

    /// The lines with the indentation, empty lines and the spaces before a comment behind code left out, and with the
    /// address that the documentation shows replaced by the one that tests have.
    private static func normalised(_ lines: [String]) -> [String] {
        lines.map { line in
            let text = line.replacing("\"https://api.example.com", with: "\"\\(origin)")
                .trimmingCharacters(in: .whitespaces)
            return text.replacing(#/ {2,}(?=//)/#, with: "  ")
        }
        .filter { !$0.isEmpty }
    }

    private static func isImport(_ line: String) -> Bool { line.hasPrefix("import ") }
}
