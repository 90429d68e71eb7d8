import Glibc
import Synchronization

/// An HTTP client to be measured. Everything throws when the answer is not as it must be.
package protocol BenchClient: Sendable {
    init(_ options: Options) throws
    /// Gives the number of bytes of the body.
    func get(_ url: String) async throws -> Int
    func download(_ url: String, to file: String) async throws
    /// Gives the number of bytes that the server says it received.
    func upload(_ file: String, to url: String) async throws -> Int
}

/// Runs a scenario and prints what it took as one line of JSON.
package enum Bench {
    package static func main<Client: BenchClient>(_ program: String, _: Client.Type) async {
        do { print(try await line(program, Client.self)) } catch {
            complain("\(program): \(error)")
            exit(1)
        }
    }

    private static func line<Client: BenchClient>(_ program: String, _: Client.Type) async throws -> String {
        let began = Usage.now
        let options = try Options(CommandLine.arguments)
        let client = try Client(options)
        let startMemory = Memory.resident
        let warm = options.warmURL ?? options.url
        var tally = await repeated(options.warmup, options.concurrency) { try await client.get(warm) }
        // What failed while warming up is told too: a measurement that begins that way is worth nothing.
        let earlyErrors = tally.errors
        let idleMemory = Memory.resident
        let before = options.scenario == .first ? began : Usage.now
        switch options.scenario {
        case .get, .inflight, .first, .wait:
            tally = await repeated(options.requests, options.concurrency) { try await client.get(options.url) }
        case .download:
            tally = await repeated(options.requests, 1) {
                try await client.download(options.url, to: options.file ?? "")
                return try size(of: options.file ?? "")
            }
        case .upload:
            let expected = try size(of: options.file ?? "")
            tally = await repeated(options.requests, 1) {
                let count = try await client.upload(options.file ?? "", to: options.url)
                guard count == expected else { throw Failure("the server got \(count) of \(expected) bytes") }
                return count
            }
        }
        let after = Usage.now
        let seconds = after.time - before.time
        let requests = Double(options.requests)
        return """
            {"program": "\(program)", "scenario": "\(options.scenario.rawValue)", "requests": \(options.requests), \
            "seconds": \(seconds), "requests_per_second": \(requests / seconds), \
            "cpu_us_per_request": \((after.cpu - before.cpu) * 1e6 / requests), \
            "switches_per_request": \(Double(after.switches - before.switches) / requests), \
            "peak_kib": \(Memory.peak), "start_kib": \(startMemory), "idle_kib": \(idleMemory), \
            "errors": \(earlyErrors + tally.errors), "bytes": \(tally.bytes)}
            """
    }

    /// What a number of requests came to.
    private struct Tally {
        var bytes = 0
        var errors = 0
    }

    /// So many requests, so many of them at once: each of that many tasks takes the next as soon as it is free.
    private static func repeated(
        _ count: Int, _ concurrency: Int, _ one: @escaping @Sendable () async throws -> Int
    ) async -> Tally {
        let taken = Counter()
        return await withTaskGroup(of: Tally.self) { group in
            for _ in 0..<min(count, concurrency) {
                group.addTask {
                    var tally = Tally()
                    while taken.next() < count {
                        do { tally.bytes += try await one() } catch {
                            // With an error the measurement is worth nothing: no need to go on.
                            complain("\(error)")
                            tally.errors += 1
                            break
                        }
                    }
                    return tally
                }
            }
            return await group.reduce(into: Tally()) { sum, part in
                sum.bytes += part.bytes
                sum.errors += part.errors
            }
        }
    }

    private static func complain(_ text: String) {
        // Not by C's stderr: to Swift 6 that is a variable without protection.
        let line = Array("\(text)\n".utf8)
        write(STDERR_FILENO, line, line.count)
    }

    private final class Counter: Sendable {
        private let value = Atomic(0)
        func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
    }

    private static func size(of path: String) throws -> Int {
        var info = stat()
        guard stat(path, &info) == 0 else { throw Failure("there is no file \(path)") }
        return Int(info.st_size)
    }
}
