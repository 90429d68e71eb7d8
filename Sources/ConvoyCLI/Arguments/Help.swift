import Convoy

/// Writes the help from the table of commands and options.
struct Help {
    let commands: [Command]
    var palette = Palette(isColoured: false)

    /// The help for a command, or for the tool.
    func text(for command: Command?) -> String { command.map { text(of: $0) } ?? overview }

    private var overview: String {
        let names = commands.map { ($0.name, $0.summary) }
        return """
            convoy \(Product.version): HTTP requests from the shell

            \(title("Usage"))
              convoy [send] [METHOD] URL [ITEM…] [OPTION…]
              convoy COMMAND [OPTION…]

            \(title("Commands"))
            \(table(names))

            \(title("Options"))
            \(table(CommandLineParser.common.map { ($0.usage, $0.help) }))

            \(title("Examples"))
            \(examples(commands.compactMap(\.examples.first)))

            \(title("Exit codes"))
            \(table(ExitCode.explanations.map { ($0.code, $0.meaning) }))

            convoy COMMAND --help says more of a command.

            """
    }

    private func text(of command: Command) -> String {
        let operands = command.operands.isEmpty ? "" : " " + command.operands
        let options = command.options + CommandLineParser.common
        return """
            convoy \(command.name): \(command.summary)

            \(title("Usage"))
              convoy \(command.name)\(operands) [OPTION…]
            \(command.details.isEmpty ? "" : "\n\(command.details)\n")
            \(title("Options"))
            \(table(options.map { ($0.usage, $0.help) }))

            \(title("Examples"))
            \(examples(command.examples))

            """
    }

    private func title(_ text: String) -> String { palette.paint(text, .title) }

    private func examples(_ examples: [Command.Example]) -> String {
        examples.map { "  \(palette.paint($0.line, .code))\n      \($0.explanation)" }.joined(separator: "\n")
    }

    /// Two columns; what is too long for the first one has the second on a line of its own.
    private func table(_ rows: [(String, String)]) -> String {
        let limit = 30
        let width = rows.map(\.0.count).filter { $0 <= limit }.max() ?? limit
        return rows.map { name, meaning in
            if name.count > limit { return "  \(name)\n" + String(repeating: " ", count: width + 4) + meaning }
            return "  " + name + String(repeating: " ", count: width - name.count + 2) + meaning
        }.joined(separator: "\n")
    }
}
