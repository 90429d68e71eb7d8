/// What a command line asks for.
enum Invocation: Sendable {
    case run(Command, Arguments)
    case help(Command?)
    case version
}

/// Finds out which command is meant, by the table of commands.
struct CommandLineParser {
    let commands: [Command]

    /// The options that every command has.
    static let common: [Option] = [.help, .version]

    func parse(_ line: [String]) throws -> Invocation {
        // Options may stand before the command, so that all of them are read before it is known which one it is.
        var all = Self.common
        for option in commands.flatMap(\.options) where !all.contains(option) { all.append(option) }
        var arguments = try ArgumentReader(options: all).read(line)

        if arguments.words.first == "help" {
            guard arguments.words.count > 1 else { return .help(nil) }
            return .help(try named(arguments.words[1]))
        }
        if arguments.has(.version) { return .version }
        guard let word = arguments.words.first else {
            if arguments.has(.help) || line.isEmpty { return .help(nil) }
            throw UsageError("no command and no URL given")
        }
        let command: Command
        if let found = commands.first(where: { $0.name == word }) {
            arguments.words.removeFirst()
            command = found
        } else if arguments.has(.help) {
            command = try named(word)
        } else {
            command = try implied(by: arguments.words)
        }
        if arguments.has(.help) { return .help(command) }
        for option in arguments.given.map(\.option) where !command.options.contains(option) {
            let hint = Suggestion.phrase(for: option.name, among: command.options.map(\.name), prefix: "--")
            throw UsageError("--\(option.name) is no option of convoy \(command.name)\(hint)", command: command.name)
        }
        return .run(command, arguments)
    }

    private func named(_ word: String) throws -> Command {
        if let command = commands.first(where: { $0.name == word }) { return command }
        let hint = Suggestion.phrase(for: word, among: commands.map(\.name))
        throw UsageError("unknown command \(word.quotedForMessage)\(hint)")
    }

    /// `convoy URL …` and `convoy POST URL …` mean `send`.
    private func implied(by words: [String]) throws -> Command {
        let isRequest = words.first.map { Self.looksLikeURL($0) } ?? false
        let word = words.first ?? ""
        let isMethod = MethodWord.isUnmistakable(word) || (words.count > 1 && MethodWord(word) != nil)
        return try named(isRequest || isMethod ? "send" : word)
    }

    /// Whether a word can only be an address: it has a scheme, a dot, a colon or a slash, or is this machine's name.
    static func looksLikeURL(_ word: String) -> Bool {
        word == "localhost" || word.utf8.contains { $0 == 0x2E || $0 == 0x3A || $0 == 0x2F }
    }
}
