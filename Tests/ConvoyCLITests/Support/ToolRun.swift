import ConvoyCore
import Foundation
import Testing

/// One run of the built tool, with everything it wrote.
struct ToolRun: Sendable {
    var code: Int32
    var output: Data
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
}

/// The built tool as a process.
final class ToolProcess: Sendable {
    /// The binary, which lies beside that of the tests.
    static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "convoy").path

    private let process: ChildProcess
    private let output = Reader()
    private let errors = Reader()
    private let input = Pipe()

    /// Starts the tool.
    ///
    /// - Parameters:
    ///   - input: what its standard input has; nil for a pipe that stays open and empty.
    ///   - closesOutput: whether nobody reads its standard output.
    init(_ arguments: [String], input: Data? = Data(), environment: [String: String] = [:], closesOutput: Bool = false)
        throws
    {
        // What the machine of the tests says of proxies and colours must not count.
        let kept = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.lowercased().hasSuffix("_proxy") && name != "NO_COLOR"
        }
        process = try ChildProcess(
            Self.path, arguments, environment: kept.merging(environment) { $1 },
            input: self.input.fileHandleForReading.fileDescriptor,
            output: output.pipe.fileHandleForWriting.fileDescriptor,
            errors: errors.pipe.fileHandleForWriting.fileDescriptor)
        // This end of the pipes is the tool's alone now.
        try? output.pipe.fileHandleForWriting.close()
        try? errors.pipe.fileHandleForWriting.close()
        if closesOutput { try? output.pipe.fileHandleForReading.close() } else { output.start() }
        errors.start()
        if let input {
            if !input.isEmpty { try? self.input.fileHandleForWriting.write(contentsOf: input) }
            try? self.input.fileHandleForWriting.close()
        }
    }

    func send(_ signal: Int32) { kill(process.identifier, signal) }

    /// What it has written to standard output so far.
    var outputSoFar: String { String(decoding: output.soFar, as: UTF8.self) }

    /// Waits for its end; after the limit it is killed, which shows as code 9.
    func finish(within limit: Duration = .seconds(30)) async throws -> ToolRun {
        let deadline = ContinuousClock.now + limit
        var status = process.status()
        while status == nil {
            if ContinuousClock.now > deadline { send(SIGKILL) }
            try await Task.sleep(for: .milliseconds(5))
            status = process.status()
        }
        let code = status ?? 0
        return ToolRun(
            code: code, output: await output.all(), errors: String(decoding: await errors.all(), as: UTF8.self))
    }

    /// Waits until it has written something that the closure finds.
    func wait<Found: Sendable>(for find: (String) -> Found?) async throws -> Found {
        for _ in 0..<2000 {
            if let found = find(outputSoFar) { return found }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw CancellationError()
    }

    /// Reads one of its streams on a thread of its own, so that it never waits for us.
    private final class Reader: Sendable {
        let pipe = Pipe()
        private let data = Locked(Data())
        private let ended = Locked(true)

        var soFar: Data { data.withLock { $0 } }

        func start() {
            ended.withLock { $0 = false }
            Thread.detachNewThread { [self] in
                // The system's read: Foundation's waits until it has all the bytes that were asked for.
                var buffer = [UInt8](repeating: 0, count: 65536)
                while case let count = read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count), count > 0
                {
                    data.withLock { $0 += buffer[..<count] }
                }
                ended.withLock { $0 = true }
            }
        }

        func all() async -> Data {
            while !ended.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(2)) }
            return soFar
        }
    }
}

/// Runs the tool to its end.
func convoy(
    _ arguments: String..., input: Data? = Data(), environment: [String: String] = [:]
) async throws -> ToolRun {
    try await ToolProcess(arguments, input: input, environment: environment).finish()
}

/// The servers that `scripts/with-servers.sh` starts; nil where the tests run without it.
enum TestServers {
    static let httpbin = ProcessInfo.processInfo.environment["CONVOY_TEST_HTTPBIN"]
    static let nginxTLS = ProcessInfo.processInfo.environment["CONVOY_TEST_NGINX_TLS"]
    static let expired = ProcessInfo.processInfo.environment["CONVOY_TEST_NGINX_TLS_EXPIRED"]
    static let nginxUnix = ProcessInfo.processInfo.environment["CONVOY_TEST_NGINX_UNIX"]
    static let root = ProcessInfo.processInfo.environment["CONVOY_TEST_CERTIFICATES"].map { $0 + "/root.pem" }

    static let missing: Comment = "scripts/with-servers.sh starts the servers that this needs"
}
