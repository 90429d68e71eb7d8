import ConvoyCore
import ConvoyCurl
import ConvoyServer
import ConvoyTesting
import Foundation
import Testing

/// A long run with random cancels and faults, after which every count is where it was. `make soak` runs it in a process
/// of its own; `CONVOY_SOAK` says with how many requests.
@Suite(.enabled(if: Soak.count > 0, "a long run: use `make soak`"))
struct SoakTests {
    @Test func leavesEveryCountWhereItWas() async throws {
        // Once round first: what is made once for the process is there before counting begins.
        try await round(200)
        let before = ProcessResources.now
        let memory = Soak.residentMiB
        let start = ContinuousClock.now
        let outcomes = try await round(Soak.count)
        try await LeakCheck.compare(with: before)
        let growth = Soak.residentMiB - memory
        print("soak: \(Soak.count) requests in \(ContinuousClock.now - start), memory grew by \(growth) MiB")
        for (outcome, number) in outcomes.sorted(by: { $0.value > $1.value }) { print("soak: \(number) × \(outcome)") }
        #expect(outcomes.values.reduce(0, +) == Soak.count)
        #expect(growth < 32)
    }

    /// Sends so many requests, 32 at a time, and counts how they ended. The servers' faults are chosen by the request.
    @discardableResult
    private func round(_ count: Int) async throws -> [String: Int] {
        let server = try TestServer()
        server.on(nil, "/fault/:number") { request in
            switch Int(request.parameters["number"] ?? "") ?? 0 {
            case 0: .close
            case 1: .reset
            case 2: .text("1234567890").cut(after: 5)
            case 3: .text("1234567890").reset(after: 5)
            case 4: .raw("HTTP/1.1 200 OK\r\nContent-Length: nonsense\r\n\r\n").closing
            case 5: .status(.serviceUnavailable)
            case 6: .text("1234567890").stalled(after: 5)
            case 7: .bytes(Data(count: 300_000))
            case 8: .status(413).early
            case 9: .chunks(["a", "b"], trailers: ["X-Sum": "2"])
            default: .text("ok")
            }
        }
        let client = Client(baseURL: server.url.description, transport: CurlTransport(connectionsPerHost: 16)) {
            $0.network.proxy = .none
            $0.timeouts = Timeouts(connect: .seconds(5), idle: .milliseconds(200))
        }
        var outcomes: [String: Int] = [:]
        await withTaskGroup(of: String.self) { group in
            for index in 0..<count {
                if index >= 32, let outcome = await group.next() { outcomes[outcome, default: 0] += 1 }
                group.addTask { await Self.one(client) }
            }
            for await outcome in group { outcomes[outcome, default: 0] += 1 }
        }
        try await LeakCheck.close(client, server)
        return outcomes
    }

    private static func one(_ client: Client) async -> String {
        var request = Request(Bool.random() ? .get : .post, "fault/\(Int.random(in: 0..<40))")
        if request.method == .post {
            request.body =
                Bool.random() ? .bytes(Data(count: Int.random(in: 0..<200_000))) : .stream { Zeros(count: 5) }
        }
        let isStreamed = Int.random(in: 0..<4) == 0
        if isStreamed { request.delivery = .stream }
        let call = client.start(request)
        if Int.random(in: 0..<3) == 0 {
            if Bool.random() { try? await Task.sleep(for: .microseconds(Int.random(in: 0..<3000))) }
            call.cancel()
        }
        do {
            let response = try await call.response
            if isStreamed, Bool.random() { return "dropped unread" }
            _ = try await response.body.collect()
            return "well"
        } catch let error as ConvoyError {
            return error.code == .engineFailed ? error.message : error.code.rawValue
        } catch { return "\(error)" }
    }
}

/// How long the soak is.
enum Soak {
    static let count = Int(ProcessInfo.processInfo.environment["CONVOY_SOAK"] ?? "") ?? 0

    static var residentMiB: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4096 >> 20
    }
}

/// A few small pieces of a body.
private struct Zeros: AsyncSequence, Sendable {
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(left: count) }

    struct Iterator: AsyncIteratorProtocol {
        var left: Int

        mutating func next() async throws -> Data? {
            guard left > 0 else { return nil }
            left -= 1
            await Task.yield()
            return Data(count: 1000)
        }
    }
}
