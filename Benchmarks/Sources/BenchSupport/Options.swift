/// What a program was asked to do: `PROGRAM SCENARIO URL [options]`, the same for every program in every language.
package struct Options: Sendable {
    /// What is measured.
    package enum Scenario: String, Sendable {
        /// Many GET requests.
        case get
        /// The answer's body into a file.
        case download
        /// A file as the request's body.
        case upload
        /// As `get`, all at once against a server that waits before it answers.
        case inflight
        /// The first request of the process, the making of the client included.
        case first
        /// As `get`, one request against a server that waits: what counts is the processor time.
        case wait
    }

    package var scenario: Scenario
    package var url: String
    /// `--requests`: how many requests are measured.
    package var requests = 1
    /// `--concurrency`: how many of them are under way at once.
    package var concurrency = 1
    /// `--warmup`: how many requests come first and are not measured.
    package var warmup = 0
    /// `--warm-url`: where those go, if not to `url`.
    package var warmURL: String?
    /// `--ca`: the PEM file with the authorities to trust.
    package var authorities: String?
    /// `--system-trust`: the system's authorities are trusted too.
    package var trustsSystem = false
    /// `--file`: what is uploaded, or where a download goes.
    package var file: String?
    /// `--connections`: the most connections to one host; the client's default without it.
    package var connections: Int?
    /// `--protocol h1|h2`: an answer in another version is an error, where the client tells.
    package var isHTTP2: Bool?

    package init(_ arguments: [String]) throws {
        guard arguments.count >= 3, let scenario = Scenario(rawValue: arguments[1]) else {
            throw Failure("usage: PROGRAM get|download|upload|inflight|first|wait URL [options]")
        }
        self.scenario = scenario
        url = arguments[2]
        var rest = arguments.dropFirst(3)
        while let name = rest.popFirst() {
            if name == "--system-trust" {
                trustsSystem = true
                continue
            }
            guard let value = rest.popFirst() else { throw Failure("\(name) needs a value") }
            switch name {
            case "--requests": requests = try Self.number(value, name)
            case "--concurrency": concurrency = try Self.number(value, name)
            case "--warmup": warmup = try Self.number(value, name)
            case "--connections": connections = try Self.number(value, name)
            case "--warm-url": warmURL = value
            case "--ca": authorities = value
            case "--file": file = value
            case "--protocol": isHTTP2 = value == "h2"
            default: throw Failure("there is no option \(name)")
            }
        }
        if scenario == .download || scenario == .upload, file == nil { throw Failure("--file is missing") }
    }

    private static func number(_ text: String, _ name: String) throws -> Int {
        guard let number = Int(text), number >= 0 else { throw Failure("\(name) takes a number, not \(text)") }
        return number
    }
}

/// Why a program could not do its work.
package struct Failure: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
