import ConvoyCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Finds what a test leaves behind: threads, descriptors, handles, exchanges, tasks, connections.
///
/// ```swift
/// let server = try TestServer()
/// let client = Client(baseURL: server.url.origin)
/// …
/// try await LeakCheck.close(client, server)
/// ```
///
/// What a client and a server hold is counted for each of them, so that tests may run side by side. `ProcessResources`
/// counts for the whole process, for a test that has it to itself.
public enum LeakCheck {
    /// Shuts a client down, then the server, and throws `Leak` if either still holds anything a second later.
    public static func close(_ client: Client, _ server: TestServer? = nil) async throws {
        await client.shutdown()
        if let server {
            do { try await server.waitForConnections(open: 0) } catch {
                server.stop()
                throw Leak(description: "the client's connections are not closed: \(error)")
            }
            server.stop()
        }
        // What a task holds that was just cancelled or resumed is given back when it next runs.
        try await wait { client.transport.resources.isEmpty }
        guard client.transport.resources.isEmpty else {
            throw Leak(description: "the client was shut down and still holds \(client.transport.resources)")
        }
    }

    /// Throws `Leak` if the process holds more than it did, of anything, five seconds later.
    public static func compare(with before: ProcessResources) async throws {
        try await wait(rounds: 5000) { ProcessResources.now.growth(since: before).isEmpty }
        let growth = ProcessResources.now.growth(since: before)
        guard growth.isEmpty else { throw Leak(description: growth.joined(separator: "; ")) }
    }

    private static func wait(rounds: Int = 1000, for condition: () -> Bool) async throws {
        for _ in 0..<rounds where !condition() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// What was left behind, in words.
    public struct Leak: Error, CustomStringConvertible {
        /// What was left behind.
        public let description: String
    }
}

/// What this process holds of the system. On Linux only; elsewhere nothing is seen.
public struct ProcessResources: Sendable {
    /// The names of its threads, as often as there are threads of that name.
    public var threads: [String: Int]
    /// What its descriptors lead to, as often as there are descriptors to the like.
    public var descriptors: [String: Int]
    /// The files of Convoy's in the directory for temporary files.
    public var temporaryFiles: Set<String>

    /// What the process holds now.
    public static var now: ProcessResources {
        let tasks = list("/proc/self/task").compactMap { text("/proc/self/task/\($0)/comm") }
        let links = list("/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        return ProcessResources(
            threads: count(tasks), descriptors: count(links.map { String($0.prefix { $0 != "[" }) }),
            temporaryFiles: Set(list("/tmp").filter { $0.hasPrefix("convoy-") }))
    }

    /// What there is more of than before, one line a kind. Threads of Swift's own pool do not count.
    public func growth(since before: ProcessResources) -> [String] {
        var lines: [String] = []
        for (name, number) in threads.sorted(by: { $0.key < $1.key }) where name.hasPrefix("convoy") {
            let old = before.threads[name] ?? 0
            if number > old { lines.append("threads \(name): \(old) before, \(number) now") }
        }
        for (name, number) in descriptors.sorted(by: { $0.key < $1.key }) {
            let old = before.descriptors[name] ?? 0
            if number > old { lines.append("descriptors \(name): \(old) before, \(number) now") }
        }
        let files = temporaryFiles.subtracting(before.temporaryFiles)
        if !files.isEmpty { lines.append("temporary files: \(files.sorted().joined(separator: ", "))") }
        return lines
    }

    private static func list(_ path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    private static func text(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return String(decoding: data.filter { $0 != 10 }, as: UTF8.self)
    }

    private static func count(_ names: [String]) -> [String: Int] {
        names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
