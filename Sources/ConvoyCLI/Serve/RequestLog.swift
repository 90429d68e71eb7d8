import ConvoyCore
import ConvoyServer
import Synchronization

/// Writes one line for each request when its answer is done.
final class RequestLog: Sendable {
    private let console: Console
    private let requests = Atomic(0)

    init(_ console: Console) { self.console = console }

    /// How many requests there were.
    var count: Int { requests.load(ordering: .relaxed) }

    /// Lets the handler answer, and writes the line.
    func around(_ exchange: Exchange, _ handler: Server.Handler) throws {
        requests.add(1, ordering: .relaxed)
        let started = ContinuousClock.now
        do {
            try handler(exchange)
            write(exchange, started, "answered")
        } catch {
            write(exchange, started, "broken off: \((error as? ConvoyError)?.message ?? "\(error)")")
            throw error
        }
    }

    private func write(_ exchange: Exchange, _ started: ContinuousClock.Instant, _ outcome: String) {
        let request = exchange.request
        let took = started.duration(to: .now).forPeople
        console.note("\(request.method) \(request.target) \(outcome) \(took)")
    }
}
