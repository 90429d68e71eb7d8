import Convoy

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The tool `convoy`.
@main
enum Tool {
    static func main() async {
        // A reader that goes away is seen by the failing write, also on sockets.
        signal(SIGPIPE, SIG_IGN)
        let console = Console(
            output: .standardOutput, errors: .standardError, environment: ProcessInfo.processInfo.environment)
        let line = Array(CommandLine.arguments.dropFirst())
        let code = await Interruption.run { await run(line, console) }
        exit(code.rawValue)
    }

    /// Carries out a command line, and says on standard error what went wrong.
    static func run(_ line: [String], _ console: Console) async -> ExitCode {
        do {
            return try await carryOut(CommandLineParser(commands: Command.all).parse(line), console)
        } catch let error as UsageError {
            let command = error.command.map { " \($0)" } ?? ""
            console.complain(error.message)
            console.note("Try: convoy\(command) --help")
            return .local
        } catch let error as LocalFailure {
            console.complain(error.message)
            return .local
        } catch let error as ConvoyError {
            let code = ExitCode(error)
            // Whoever interrupts knows it.
            if code != .interrupted { console.complain(error.description) }
            return code
        } catch OutputError.closed {
            return .brokenPipe
        } catch OutputError.failed(let reason) {
            console.complain("cannot write the output: \(reason)")
            return .local
        } catch is CancellationError {
            return .interrupted
        } catch {
            console.complain("\(error)")
            return .local
        }
    }

    private static func carryOut(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        switch invocation {
        case .run(let command, let arguments):
            do { return try await command.run(arguments, console) } catch var error as UsageError {
                error.command = error.command ?? command.name
                throw error
            }
        case .help(let command):
            let palette = Palette(isColoured: console.look(on: console.output).isColoured)
            try console.output.write(Help(commands: Command.all, palette: palette).text(for: command))
        case .version: try console.output.write("convoy \(Product.version)\n")
        }
        return .success
    }
}
