/// Dates as cookies have them: anything with a day, a month, a year and a time in it, in any order (RFC 6265 §5.1.1).
enum CookieDate {
    /// The date in a text; nil if a part is missing or there is no such date.
    static func parse(_ text: some StringProtocol) -> HTTPDate? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        // The first token that can be a part is that part, and then no other.
        for token in Array(text.utf8).split(whereSeparator: isDelimiter) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        switch year {
        case 70...99: year += 1900
        case 0...69: year += 2000
        default: break
        }
        guard year >= 1601, time.second <= 59 else { return nil }
        return HTTPDate(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// `8:49:37`, and whatever follows that is no digit.
    private static func time(_ token: ArraySlice<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: 0x3A, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy(\.isDigit), parts[1].allSatisfy(\.isDigit),
            let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// The number that a token begins with; nil unless it has so many digits.
    private static func number(_ token: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
        let leading = token.prefix(while: \.isDigit)
        return digits ~= leading.count ? leading.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
    }

    /// The month, from 1 on, that a token's first three letters name.
    private static func month(_ token: ArraySlice<UInt8>) -> Int? {
        let name = String(decoding: token.prefix(3), as: UTF8.self).lowercasedASCII
        return HTTPDate.months.firstIndex { $0.lowercasedASCII == name }.map { $0 + 1 }
    }
}
