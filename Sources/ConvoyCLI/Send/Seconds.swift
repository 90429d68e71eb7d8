/// A number of seconds on the command line.
enum Seconds {
    /// A year: beyond it, the number is a mistake.
    static let maximum = 31_536_000.0

    /// A time limit. Zero is refused, since elsewhere it means "none" as often as "at once".
    static func parse(_ text: String, for option: Option) throws -> Duration {
        // Digits with at most one point: exponents, `nan`, signs and hexadecimal digits are no way to write a limit.
        let isDecimal = text.utf8.allSatisfy { $0.isDigit || $0 == 0x2E } && text.utf8.contains { $0.isDigit }
        guard isDecimal, let seconds = Double(text.hasPrefix(".") ? "0" + text : text) else {
            throw UsageError("--\(option.name) takes seconds such as 30 or 2.5, not \(text.quotedForMessage)")
        }
        let limit: Duration = .milliseconds(Int64((min(seconds, maximum) * 1000).rounded(.up)))
        guard seconds > 0 else {
            throw UsageError("--\(option.name) must be more than 0; leave it out for the default")
        }
        guard seconds <= maximum else {
            throw UsageError("--\(option.name) is at most a year (\(Int(maximum))), not \(text.quotedForMessage)")
        }
        return limit
    }
}
