/// A bound on the time of a whole call.
package enum Deadline {
    /// Runs the work and cancels it when the time is over: then it throws `.totalTimeout`, with what the work knew.
    static func run(
        within limit: Duration, time: TimeSource, _ work: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        try await withThrowingTaskGroup(of: Response?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await time.sleep(limit)
                return nil
            }
            defer { group.cancelAll() }
            // The first to end is either the work, however it ended, or the time.
            if let response = try await group.next() ?? nil { return response }
            group.cancelAll()
            do {
                // The work may have ended well just before it was cancelled.
                if let response = try await group.next() ?? nil { return response }
                throw ConvoyError(.totalTimeout, message(limit))
            } catch var error as ConvoyError where error.isCancelled {
                error.code = .totalTimeout
                error.message = message(limit)
                throw error
            }
        }
    }

    package static func message(_ limit: Duration) -> String { "the call was not complete after \(limit.forPeople)" }
}
