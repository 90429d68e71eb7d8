/// A bound on the time of a whole call.
package enum Deadline {
    /// Runs the work and cancels it when the time is over: then it throws `.totalTimeout`, with what the work knew.
    static func run(
        within limit: Duration, time: TimeSource, _ work: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        try await withThrowingTaskGroup(of: Event.self) { group in
            group.addTask { .ended(try await work()) }
            group.addTask {
                // Where the caller's task is cancelled the work ends too, and knows more.
                do { try await time.sleep(limit) } catch { return .stoppedWaiting }
                return .timeIsOver
            }
            defer { group.cancelAll() }
            var isOver = false
            while true {
                do {
                    switch try await group.next() {
                    // The work may have ended well just before it was cancelled.
                    case .ended(let response): return response
                    case .timeIsOver:
                        isOver = true
                        group.cancelAll()
                    case .stoppedWaiting: break
                    case nil: throw CancellationError()
                    }
                } catch  where isOver {
                    // Whatever the work made of being cancelled.
                    var known = error as? ConvoyError ?? ConvoyError(.totalTimeout, "")
                    if !known.isCancelled { known.underlying = error }
                    known.code = .totalTimeout
                    known.message = message(limit)
                    throw known
                }
            }
        }
    }

    private enum Event: Sendable {
        case ended(Response)
        case timeIsOver
        case stoppedWaiting
    }

    package static func message(_ limit: Duration) -> String { "the call was not complete after \(limit.forPeople)" }
}
