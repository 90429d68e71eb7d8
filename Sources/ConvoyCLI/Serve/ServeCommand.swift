import ConvoyCompression
import ConvoyCore
import ConvoyServer

extension Command {
    static let serve = Command(
        name: "serve",
        summary: "run the embedded server, with routes to try things on",
        operands: "",
        details: """
            The routes are like httpbin's: they tell what was asked, and answer in every common way; GET / lists them. Each
            request is one line on standard error. Ctrl-C ends it, with exit code 0. It is meant for this machine: with
            --host it can be reached from others.
            """,
        options: [.port, .host],
        examples: [
            Example("convoy serve", "listen on http://127.0.0.1:8080/"),
            Example("convoy serve --port 0", "listen on any free port, and say which"),
            Example("convoy serve --host 0.0.0.0 --port 9000", "let other machines in"),
        ],
        run: { arguments, console in
            guard arguments.words.isEmpty else {
                throw UsageError("serve takes no words, only options: \(arguments.words[0].quotedForMessage)")
            }
            return try await Serving(arguments).run(console)
        })
}

/// Runs the embedded server until it is interrupted.
struct Serving {
    private let configuration: Server.Configuration

    init(_ arguments: Arguments) throws {
        var configuration = Server.Configuration()
        configuration.port = try Self.port(arguments.value(.port) ?? "8080")
        if let host = try arguments.nonEmptyValue(.host) { configuration.host = host }
        self.configuration = configuration
    }

    func run(_ console: Console) async throws -> ExitCode {
        let routes = Routes.echo(Compression.standard)
        let log = RequestLog(console)
        let server: Server
        do {
            server = try Server(configuration) { exchange in try log.around(exchange, routes.handler) }
        } catch let error as ConvoyError { throw LocalFailure(error.message) }
        try console.output.write("Listening on \(server.url)\n" + routes.index.map { "  \($0)\n" }.joined())
        // Nothing to do but to wait for the signal that cancels this.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        server.stop()
        console.note("stopped after \(log.count) requests")
        return .success
    }

    private static func port(_ text: String) throws -> Int {
        guard text.utf8.count <= 5, text.utf8.allSatisfy(\.isDigit), let port = Int(text), port <= 65535 else {
            throw UsageError("--port is a number from 0 to 65535, not \(text.quotedForMessage)")
        }
        return port
    }
}
