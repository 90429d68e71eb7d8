import ConvoyTesting
import Foundation
import Testing

/// The other commands as processes.
@Suite struct CommandRunTests {
    @Test func helpAndVersionGoToStandardOutput() async throws {
        for line in [[], ["--help"], ["send", "--help"], ["help", "serve"], ["--version"]] {
            let run = try await ToolProcess(line).finish()
            #expect(run.code == 0 && run.errors.isEmpty && !run.output.isEmpty)
            #expect(!run.text.contains("\u{1B}"))
        }
        #expect(try await convoy("--version").text == "convoy 0.1.0\n")
    }

    @Test func usageErrorsPointToTheHelp() async throws {
        let run = try await convoy("send", "a.example", "word")
        #expect(run.errors.hasSuffix("\nTry: convoy send --help\n"))
    }

    @Test func theServerAnswersLogsAndStops() async throws {
        let server = try ToolProcess(["serve", "--port", "0"])
        let url = try await server.wait { text in
            text.split(separator: "\n").first.flatMap { text.contains("\n") ? $0.split(separator: " ").last : nil }
                .map(String.init)
        }
        let run = try await convoy(url + "get", "a==1")
        #expect(run.text.contains("\"a\""))
        #expect(try await convoy(url + "status/404").code == 4)

        let port = try #require(url.split(separator: ":").last?.dropLast())
        let second = try await convoy("serve", "--port", String(port))
        #expect(second.code == 1)
        #expect(second.errors.contains("Address already in use"), "\(second.errors)")

        server.send(SIGINT)
        let ended = try await server.finish(within: .seconds(10))
        #expect(ended.code == 0)
        #expect(ended.errors.contains("GET /get?a=1 ") && ended.errors.contains("GET /status/404 "))
        #expect(ended.errors.hasSuffix("stopped after 2 requests\n"))
    }

    @Test func theTourShowsThatEverythingWorks() async throws {
        let run = try await convoy("demo")
        #expect(run.code == 0, "\(run.text)")
        #expect(run.text.contains("all as they should be"))
        #expect(!run.text.contains("\u{1B}") && !run.text.contains("✗"))
        let coloured = try await convoy("demo", "--pretty=all")
        #expect(coloured.text.contains("\u{1B}["))
    }
}
