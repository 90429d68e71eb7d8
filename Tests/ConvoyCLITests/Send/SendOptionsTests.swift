import ConvoyCore
import Testing

@testable import ConvoyCLI

@Suite struct SendOptionsTests {
    private func options(_ line: String..., isInteractive: Bool = false) throws -> SendOptions {
        guard case .run(_, let arguments) = try CommandLineParser(commands: Command.all).parse(["send", "x"] + line)
        else { throw UsageError("no run") }
        return try SendOptions(arguments, isInteractive: isInteractive)
    }

    private func failure(_ line: String...) -> String {
        do {
            guard
                case .run(_, let arguments) = try CommandLineParser(commands: Command.all).parse(["send", "x"] + line)
            else { return "" }
            _ = try SendOptions(arguments, isInteractive: false)
            return ""
        } catch { return (error as? UsageError)?.message ?? "\(error)" }
    }

    @Test func partsAreChosenByLetters() throws {
        #expect(try options().parts == .responseBody)
        #expect(try options(isInteractive: true).parts == [.responseHead, .responseBody])
        #expect(try options("-v").parts == .all)
        #expect(try options("--print=Hm").parts == [.requestHead, .metrics])
        #expect(try options("--print=").parts == [])
        #expect(try options("-v", "-pb").parts == .responseBody, "what is said in detail counts")
        #expect(failure("--print=hx").contains("not \"x\""))
    }

    @Test(arguments: [
        ("1", 1000), ("2.5", 2500), ("0.001", 1), ("0.0001", 1), (".5", 500), ("7.", 7000),
        ("31536000", 31_536_000_000),
        ("007", 7000),
    ])
    func timeoutsAreSeconds(text: String, milliseconds: Int) throws {
        #expect(try options("--timeout", text).timeouts.total == .milliseconds(milliseconds))
        #expect(try options("--connect-timeout", text).timeouts.connect == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "0", "0.0", "-1", "nan", "NaN", "inf", "-inf", "1e99", "1e9", "31536001", "99999999999999999999999", "", ".",
        "1.2.3",
        "0x10", " 1", "1s", "１", "1,5",
    ])
    func oddTimeoutsAreRefused(text: String) {
        #expect(failure("--timeout=\(text)").hasPrefix("--timeout "))
        #expect(failure("--connect-timeout=\(text)").hasPrefix("--connect-timeout "))
    }

    @Test func defaultsAreTheLibrarys() throws {
        #expect(try options().timeouts == .standard)
        #expect(try options().network == Network())
        #expect(try options().checksStatus)
        #expect(try !options("--no-check-status").checksStatus)
    }

    @Test func connectionsAreMadeAsAsked() throws {
        #expect(try options("--http1").network.versions == .http1)
        #expect(try options("--http2").network.versions == .http2)
        #expect(try options("--proxy", "none").network.proxy == Network.Proxy.none)
        #expect(try options("--proxy", "p:3128").network.proxy == .url("http://p:3128"))
        #expect(try options("--proxy", "socks5h://p").network.proxy == .url("socks5h://p"))
        #expect(try options("--unix-socket", "/s").network.unixSocket == "/s")
        let folder = try TemporaryFolder()
        let file = try folder.file("root.pem", "x")
        #expect(try options("--cacert", file).network.trust == .only(pemFile: file))
    }

    @Test func contradictionsAndMissingFilesAreNamed() {
        #expect(failure("--http1", "--http2") == "--http1 and --http2 exclude each other")
        #expect(failure("--json", "--form") == "--json and --form exclude each other")
        #expect(failure("--check-status", "--no-check-status").contains("exclude"))
        #expect(failure("--cacert", "/nowhere/x.pem").contains("No such file"))
        #expect(failure("--output=") == "--output has an empty value")
        #expect(failure("--pretty=color").contains("did you mean colors?"))
    }

    @Test func looksAreNamed() throws {
        #expect(try options().look == nil)
        #expect(try options("--pretty=all").look == Look(indents: true, isColoured: true))
        #expect(try options("--pretty=colors").look == Look(indents: false, isColoured: true))
        #expect(try options("--pretty=format").look == Look(indents: true, isColoured: false))
        #expect(try options("--pretty=none").look == .plain)
    }
}
