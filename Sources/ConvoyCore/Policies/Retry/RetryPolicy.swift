/// When a failed exchange is tried again: which failures, how often, after how long.
///
/// Only what can do no harm twice is repeated: idempotent methods (RFC 9110 §9.2.2), requests with an
/// `Idempotency-Key`, and any request of which no byte was sent. A body must be one that can be sent again. A cancelled
/// call is never repeated, nor is a failure of trust, of validation other than `statuses`, of decoding or of a plugin.
public struct RetryPolicy: Sendable {
    /// The most further attempts of one hop. Default: 2.
    public var limit: Int
    /// The methods that are repeated. Default: the idempotent ones.
    public var methods: Set<Method> = [.get, .head, .put, .delete, .options, .trace]
    /// The statuses that are tried again, also where validation takes them. Default: 408 (once), 413 if it says when,
    /// 429, 500, 502, 503, 504.
    public var statuses: Set<Status> = [408, 413, 429, 500, 502, 503, 504]
    /// Whether lost and failed connections are tried again. Default: true.
    public var retriesConnections = true
    /// Whether timeouts are tried again; the total one never is. Default: true.
    public var retriesTimeouts = true
    /// The bound on the first wait of our own; it doubles with each attempt. Default: 300 ms.
    public var baseDelay: Duration = .milliseconds(300)
    /// The bound on every wait of our own. Default: 10 s.
    public var maximumDelay: Duration = .seconds(10)
    /// The longest wait that a server's `Retry-After` or rate limit may ask for; more is cut to it. Default: 60 s.
    public var maximumServerDelay: Duration = .seconds(60)
    /// The time that one attempt may take; nil for no bound of its own. Default: nil.
    public var attemptTimeout: Duration?
    /// The most retries in proportion to the calls to an origin, counted for the whole client; nil for no bound. The
    /// first ten are free. Default: 0.2.
    public var budget: Double? = 0.2
    /// Whether further attempts go to the client's `fallbackURLs` in turn. Default: true.
    public var usesFallbacks = true
    /// Asked before each retry, and where there would be none: true and false decide, nil leaves it as it is. Never
    /// asked for a cancelled call, beyond `limit`, or where the body cannot be sent again.
    public var decide: (@Sendable (RetryAttempt) async -> Bool?)?

    /// Tries again so many times.
    public init(limit: Int = 2) { self.limit = max(0, limit) }

    /// Two more attempts.
    public static let standard = RetryPolicy()

    /// Never.
    public static let none = RetryPolicy(limit: 0)

    /// So many further attempts.
    public static func limit(_ count: Int) -> RetryPolicy { RetryPolicy(limit: count) }
}

/// An attempt that failed, and what is about to be done about it.
public struct RetryAttempt: Sendable {
    /// The request that was tried.
    public let request: Request
    /// Why it failed; its `response` is the server's answer, if one came.
    public internal(set) var error: ConvoyError
    /// Which attempt of this hop failed, from 1 on.
    public let number: Int
    /// Whether it is tried again.
    public internal(set) var willRetry: Bool
    /// Why, or why not, in words.
    public internal(set) var reason: String
    /// How long is waited before.
    public internal(set) var delay: Duration = .zero
}

extension RetryPolicy {
    /// What is to be done about a failure, by the rules alone: without the budget, the time limit or the user's word.
    func judge(_ error: ConvoyError, to request: Request, number: Int) -> RetryAttempt {
        var attempt = RetryAttempt(request: request, error: error, number: number, willRetry: false, reason: "")
        if let refusal = refusal(error, request, number) {
            attempt.reason = refusal
            return attempt
        }
        guard let cause = cause(error, number) else {
            attempt.reason = "\(error.code) is not tried again"
            return attempt
        }
        let isUnsent = error.response == nil && (error.phase == .connecting || error.phase == .preparing)
        let isSafe = methods.contains(request.method) || request.headers.contains("Idempotency-Key") || isUnsent
        attempt.willRetry = isSafe
        attempt.reason = isSafe ? cause : "\(cause), but \(request.method) might be done twice"
        return attempt
    }

    /// Whether an answer of this status is tried again at all, whatever validation says of it.
    func isRetried(_ status: Status) -> Bool { limit > 0 && statuses.contains(status) }

    /// What no user's word changes.
    private func refusal(_ error: ConvoyError, _ request: Request, _ number: Int) -> String? {
        if error.isCancelled || error.code == .clientClosed { return "the call was ended" }
        if error.code == .totalTimeout { return "the time for the call is over" }
        if error.code == .tooManyExchanges { return "the call has made all its exchanges" }
        if number > limit { return limit == 0 ? "retries are off" : "\(limit) retries were made" }
        if !request.body.isReplayable { return "the body can be sent only once" }
        return nil
    }

    /// Whether the user is asked at all.
    func mayBeDecided(_ attempt: RetryAttempt) -> Bool {
        refusal(attempt.error, attempt.request, attempt.number) == nil
    }

    private func cause(_ error: ConvoyError, _ number: Int) -> String? {
        if error.code == .unacceptableStatus, let status = error.response?.status, statuses.contains(status) {
            // A server that closes idle connections says 408: once more is right, again and again is not.
            if status == 408, number > 1 { return nil }
            if status == 413, error.response?.headers.contains("Retry-After") != true { return nil }
            return "status \(status.code)"
        }
        if error.isConnection { return retriesConnections ? "\(error.code)" : nil }
        if error.isTimeout { return retriesTimeouts ? "\(error.code)" : nil }
        return nil
    }

    /// How long to wait before the next attempt: as the server says, else a random part of a bound that doubles.
    ///
    /// - Parameter random: a number from 0 to 1.
    func delay(after error: ConvoyError, number: Int, now: HTTPDate, random: Double) -> Duration {
        if let response = error.response, let asked = RetryAfter.delay(response.headers, response.status, now: now) {
            return min(asked, maximumServerDelay)
        }
        let factor = Double(sign: .plus, exponent: min(max(number - 1, 0), 40), significand: 1)
        let bound = min(baseDelay.seconds * factor, maximumDelay.seconds)
        let part = random.isNaN ? 1 : min(max(random, 0), 1)
        return .milliseconds(Int64(max(0, min(bound * part, 1e9)) * 1000))
    }
}
