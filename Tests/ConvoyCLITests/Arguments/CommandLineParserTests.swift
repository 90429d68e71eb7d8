import Testing

@testable import ConvoyCLI

@Suite struct CommandLineParserTests {
    /// The command and the words it gets, or what else is asked for.
    private func parse(_ line: String...) throws -> String {
        switch try CommandLineParser(commands: Command.all).parse(line) {
        case .run(let command, let arguments): "\(command.name) \(arguments.words.joined(separator: " "))"
        case .help(let command): "help \(command?.name ?? "")"
        case .version: "version"
        }
    }

    private func failure(_ line: String...) -> String? {
        do {
            _ = try CommandLineParser(commands: Command.all).parse(line)
            return nil
        } catch { return (error as? UsageError)?.message }
    }

    @Test func aCommandIsFoundByItsName() throws {
        #expect(try parse("send", "GET", "x") == "send GET x")
        #expect(try parse("-v", "send", "x", "--json") == "send x")
    }

    @Test func whatLooksLikeARequestIsSent() throws {
        for url in ["http://a", "a.example", "localhost", "localhost:80", ":8080/x", ":/x", "[::1]/", "//a", "a/b"] {
            #expect(try parse(url, "a=1") == "send \(url) a=1")
        }
        #expect(try parse("POST", "a.example") == "send POST a.example")
        #expect(try parse("post", "host") == "send post host")
        #expect(try parse("PURGE", "host") == "send PURGE host")
        #expect(try parse("--timeout", "3", "a.example") == "send a.example")
        #expect(try parse("GET") == "send GET", "so that send says what is missing")
    }

    @Test func helpAndVersionAreEverywhere() throws {
        #expect(try parse() == "help ")
        #expect(try parse("--help") == "help ")
        #expect(try parse("help") == "help ")
        #expect(try parse("help", "send") == "help send")
        #expect(try parse("send", "-h") == "help send")
        #expect(try parse("send", "--help", "nonsense") == "help send")
        #expect(try parse("--version") == "version")
        #expect(try parse("send", "--version") == "version")
    }

    @Test func mistakesAreNamed() {
        #expect(failure("sned", "x") == "unknown command \"sned\"; did you mean send?")
        #expect(failure("xyzzy") == "unknown command \"xyzzy\"")
        #expect(failure("help", "sen") == "unknown command \"sen\"; did you mean send?")
        #expect(failure("-v") == "no command and no URL given")
        #expect(failure("send", "--tiemout", "1", "x") == "unknown option --tiemout; did you mean --timeout?")
    }

    @Test func theTableHasNoContradictions() {
        var byName: [String: Option] = [:]
        for command in Command.all {
            let options = command.options + CommandLineParser.common
            #expect(Set(options.map(\.name)).count == options.count, "\(command.name) has an option twice")
            let shorts = options.compactMap(\.short)
            #expect(Set(shorts).count == shorts.count, "\(command.name) has a letter twice")
            #expect(!command.examples.isEmpty && !command.summary.isEmpty)
            for option in options {
                #expect(byName[option.name] == nil || byName[option.name] == option, "\(option.name) means two things")
                #expect(!option.help.isEmpty)
                byName[option.name] = option
            }
        }
        // All options are read before the command is known, so that a letter must mean one thing in all of them.
        let letters = byName.values.compactMap(\.short)
        #expect(Set(letters).count == letters.count)
    }
}

@Suite struct HelpTests {
    @Test func theOverviewNamesEveryCommandAndExitCode() {
        let text = Help(commands: Command.all).text(for: nil)
        for command in Command.all { #expect(text.contains("  \(command.name)")) }
        for row in ExitCode.explanations { #expect(text.contains(row.meaning)) }
        #expect(text.contains("Examples") && !text.contains("\u{1B}"))
    }

    @Test func eachCommandExplainsEveryOptionWithExamples() {
        for command in Command.all {
            let text = Help(commands: Command.all).text(for: command)
            for option in command.options + CommandLineParser.common {
                #expect(text.contains(option.usage) && text.contains(option.help))
            }
            for example in command.examples { #expect(text.contains(example.line)) }
            let long = text.split(separator: "\n").filter { $0.count > 120 }
            #expect(long.isEmpty, "lines that do not fit: \(long)")
        }
    }

    @Test func examplesAreLinesThatTheToolUnderstands() throws {
        for command in Command.all {
            for example in command.examples {
                // What a shell would make of the line, as far as the examples need one.
                let own = example.line.split(separator: "|").first { $0.contains("convoy") } ?? ""
                let words = own.split(separator: " ").drop { $0 != "convoy" }.dropFirst().map { String($0) }
                let line = words.prefix { $0 != "||" && $0 != "&" }
                guard case .run(let found, _) = try CommandLineParser(commands: Command.all).parse(Array(line)) else {
                    Issue.record("\(example.line) asks for help")
                    continue
                }
                #expect(found.name == command.name)
            }
        }
    }
}
