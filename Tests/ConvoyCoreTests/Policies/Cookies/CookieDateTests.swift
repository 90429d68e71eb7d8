import ConvoyCore
import Foundation
import Testing

/// Dates of cookies, seen by when a cookie ends. Published cases are in Tests/Conformance.
@Suite struct CookieDateTests {
    private func end(_ date: String, now: Date) throws -> Date? {
        var jar = CookieJar()
        try jar.receive(["a=b; Expires=\(date)"], now: now)
        return jar.all.first?.expires
    }

    /// 2 January 2030, 03:04:05.
    private static let moment = Date(timeIntervalSince1970: 1_893_553_445)

    @Test(arguments: [
        "Wed, 02 Jan 2030 03:04:05 GMT", "Wednesday, 02-Jan-30 03:04:05 GMT", "Wed Jan  2 03:04:05 2030",
        "2030 January 2 3:4:5", "3:04:05pm 2/jan/30", "2Jan jAn 2030x 03:04:05.999+0500", "\"2\"Jan\"30\"3:4:5",
        "03:04:05 02th January 2030AD", "2 2030 jan 03:04:05 04:05:06",
    ])
    func anyOrder(_ date: String) throws {
        try #expect(end(date, now: Self.moment - 86400) == Self.moment)
    }

    @Test(arguments: [
        "", "2 Jan 2030", "2 Jan 03:04:05", "Jan 2030 03:04:05", "2 2030 03:04:05", "2 Jab 2030 03:04:05",
        "32 Jan 2030 03:04:05", "0 Jan 2030 03:04:05", "30 Feb 2030 03:04:05", "29 Feb 2030 03:04:05",
        "2 Jan 2030 24:04:05", "2 Jan 2030 03:60:05", "2 Jan 2030 03:04:60", "2 Jan 2030 03:04", "2 Jan 2030 03:04:",
        "2 Jan 2030 003:04:05", "2 Jan 2030 3:04:005", "2 Jan 1600 03:04:05", "2 Jan 199 03:04:05",
        "2 Jan 20300 03:04:05", "٢ Jan 2030 03:04:05", "2 Jän 2030 03:04:05", "1893553445",
    ])
    func noDates(_ date: String) throws {
        try #expect(end(date, now: Self.moment - 86400) == nil)
    }

    /// The limits lie in the past, where a cookie is removed, or beyond the longest life.
    @Test(arguments: [("70", false), ("99", false), ("1601", false), ("00", false), ("69", true), ("9999", true)])
    func years(_ year: String, isAhead: Bool) throws {
        var jar = CookieJar()
        try jar.receive(["a=b; Expires=1 Jan \(year) 00:00:00"], now: Self.moment)
        #expect(jar.all.map(\.expires) == (isAhead ? [Self.moment + 400 * 86400] : []))
    }

    @Test func leapDays() throws {
        try #expect(end("29 Feb 2028 00:00:00", now: noon) == noon + 400 * 86400)
        try #expect(end("29 Feb 2028 00:00:00", now: Self.moment - 700 * 86400) != nil)
    }
}
