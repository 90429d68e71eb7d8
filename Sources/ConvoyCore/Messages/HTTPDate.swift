#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Dates as HTTP writes them (RFC 9110 §5.6.7): one form is written, three are read. All are in UTC.
public struct HTTPDate: Sendable, Hashable, CustomStringConvertible {
    /// Seconds since the beginning of 1970.
    let seconds: Int

    /// A date, cut to whole seconds and to the years 1 to 9999.
    public init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        self.seconds = seconds.isNaN ? 0 : Int(min(max(seconds, -62_135_596_800), 253_402_300_799))
    }

    /// This moment.
    public static var now: HTTPDate { HTTPDate(Date()) }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`. A year of
    /// two digits that would lie more than 50 years ahead is of the century before. Nil for anything else.
    ///
    /// - Parameter now: what years of two digits are compared with.
    public init?(_ text: String, now: Date = Date()) {
        let words = text.split(separator: " ")
        let parts: (day: Substring, month: Substring, year: Substring, time: Substring)
        switch words.count {
        case 6 where words[5] == "GMT": parts = (words[1], words[2], words[3], words[4])
        case 5: parts = (words[2], words[1], words[4], words[3])
        case 4 where words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3 else { return nil }
            parts = (date[0], date[1], date[2], words[2])
        default: return nil
        }
        let time = parts.time.split(separator: ":", omittingEmptySubsequences: false).map { Self.number($0, 2) }
        guard let day = Self.number(parts.day, 1...2), let month = Self.months.firstIndex(of: String(parts.month)),
            var year = Self.number(parts.year, 2...4), time.count == 3, let hour = time[0], let minute = time[1],
            let second = time[2]
        else { return nil }
        if parts.year.utf8.count == 2 {
            let current = Self.civil(HTTPDate(now).seconds / 86400).year
            year += current - current % 100
            if year > current + 50 { year -= 100 }
        }
        self.init(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    }

    /// The date of these parts, none of them negative; nil if there is no such day or time. A minute may have 61 seconds.
    init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (1...9999) ~= year, (1...12) ~= month, day >= 1, day <= Self.length(of: month, year), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        seconds = Self.days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second
    }

    /// The moment.
    public var date: Date { Date(timeIntervalSince1970: Double(seconds)) }

    /// As HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let day = Int((Double(seconds) / 86400).rounded(.down))
        let rest = seconds - day * 86400
        let (year, month, dayOfMonth) = Self.civil(day)
        // 1970 began on a Thursday.
        let weekday = Self.weekdays[((day + 4) % 7 + 7) % 7]
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        return
            "\(weekday), \(Self.padded(dayOfMonth, 2)) \(Self.months[month - 1]) \(Self.padded(year, 4)) \(time) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    private static func number(_ text: some StringProtocol, _ width: Int) -> Int? { number(text, width...width) }

    private static func number(_ text: some StringProtocol, _ width: ClosedRange<Int>) -> Int? {
        guard width ~= text.utf8.count, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text)
    }

    private static func length(of month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    // The proleptic Gregorian calendar, counted in years that begin in March, so that a leap day comes last.

    /// Days since the beginning of 1970.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let isEarly = month < 10
        return (yearOfEra + era * 400 + (isEarly ? 0 : 1), isEarly ? month + 3 : month - 9, day)
    }
}

extension Date {
    /// As HTTP writes dates (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var httpDate: String { HTTPDate(self).description }
}
