/// How long a server asks to wait (RFC 9110 §10.2.3, and the rate limit fields in use).
enum RetryAfter {
    /// The wait; nil if none is asked for, or the field is garbage, negative or a time that has passed.
    static func delay(_ headers: Headers, _ status: Status, now: HTTPDate) -> Duration? {
        if let value = headers["Retry-After"] { return delay(value, sentAt: sent(headers, now)) }
        guard status == 429 || status == 503 else { return nil }
        for name in ["RateLimit-Reset", "X-RateLimit-Retry-After", "X-RateLimit-Reset", "X-Rate-Limit-Reset"] {
            guard let number = headers[.init(name)].flatMap({ number($0) }) else { continue }
            // Some tell seconds from now, some a moment in seconds since 1970.
            let seconds = number > 1_000_000_000 ? number - Double(now.seconds) : number
            return seconds > 0 ? .seconds(min(seconds, 1e9)) : nil
        }
        return nil
    }

    private static func delay(_ value: String, sentAt: HTTPDate) -> Duration? {
        let value = String(value.trimmingOWS)
        if let seconds = number(value) { return .seconds(min(seconds.rounded(.up), 1e9)) }
        guard let date = HTTPDate(value, now: sentAt.date), date.seconds > sentAt.seconds else { return nil }
        return .seconds(date.seconds - sentAt.seconds)
    }

    /// The server's own clock, so that a wrong one here does no harm.
    private static func sent(_ headers: Headers, _ now: HTTPDate) -> HTTPDate {
        headers[.date].flatMap { HTTPDate($0, now: now.date) } ?? now
    }

    /// A number in decimal without a sign; nil for anything else.
    private static func number(_ text: String) -> Double? {
        guard (1...20) ~= text.utf8.count, text.utf8.allSatisfy({ $0.isDigit || $0 == 0x2E }),
            text.utf8.first?.isDigit == true
        else { return nil }
        return Double(text)
    }
}
