/// One command of the tool: what the help says of it, what it takes, and what it does.
struct Command: Sendable {
    let name: String
    /// What it does, in one line.
    let summary: String
    /// What follows the name in a call of it.
    let operands: String
    /// What is to be known beyond the options, as paragraphs and tables for the help.
    var details = ""
    let options: [Option]
    let examples: [Example]
    let run: @Sendable (Arguments, Console) async throws -> ExitCode

    struct Example: Sendable {
        let line: String
        let explanation: String

        init(_ line: String, _ explanation: String) {
            self.line = line
            self.explanation = explanation
        }
    }
}
