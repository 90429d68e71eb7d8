import Convoy
import Synchronization

/// Takes down each exchange in brief.
final class WireLog: Plugin {
    /// One exchange as it went over the wire.
    struct Entry: Sendable {
        let request: String
        let answer: String
    }

    private let entries = Mutex<[Entry]>([])

    /// The exchanges since the last time.
    func take() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }

    func exchange(_ request: Request, context: Context, next: Next) async throws -> Response {
        do {
            let response = try await next(request)
            add(request, response.metrics, "\(response.version) \(response.statusLine)")
            return response
        } catch let error as ConvoyError {
            let status = error.response.map { "\($0.version) \($0.statusLine)" } ?? "\(error.code)"
            add(request, error.metrics ?? Metrics(), status)
            throw error
        }
    }

    private func add(_ request: Request, _ metrics: Metrics, _ outcome: String) {
        let target = request.uri?.target ?? request.address.description
        let line = "\(request.method) \(target)"
        let sent = Units.bytes(metrics.sentHeaderBytes + metrics.sentBodyBytes)
        // The answer to a stream is there at its head: its body is still to come.
        let body = request.delivery == .stream ? "streamed" : Units.bytes(metrics.receivedBodyBytes)
        let received = "\(Units.bytes(metrics.receivedHeaderBytes)) + \(body)"
        let connection = metrics.connection == nil ? "none" : metrics.isReusedConnection ? "reused" : "new"
        let entry = Entry(
            request: "\(line.count > 90 ? line.prefix(89) + "…" : line[...]) · \(sent)",
            answer: "\(outcome) · \(received) · \(metrics.total.forPeople) · connection \(connection)")
        entries.withLock { $0.append(entry) }
    }
}
