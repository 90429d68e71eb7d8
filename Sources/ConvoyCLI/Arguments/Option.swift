/// One option of the tool. A name means the same in every command that has it.
struct Option: Sendable, Hashable {
    /// The long name, without its dashes.
    let name: String
    /// The one letter that stands for it, if there is one.
    let short: Character?
    /// What the value is called in the help; nil for an option without one.
    let value: String?
    /// The only values it takes; empty for any.
    let choices: [String]
    /// What it does, in one line.
    let help: String

    init(_ name: String, short: Character? = nil, value: String? = nil, choices: [String] = [], _ help: String) {
        self.name = name
        self.short = short
        self.value = choices.isEmpty ? value : choices.joined(separator: "|")
        self.choices = choices
        self.help = help
    }

    /// `-o, --output FILE`
    var usage: String {
        let letter = short.map { "-\($0), " } ?? "    "
        return letter + "--" + name + (value.map { " \($0)" } ?? "")
    }
}
