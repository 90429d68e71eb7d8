import ConvoyCore
import Foundation
import Testing

struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func theThreeForms(text: String) {
        #expect(HTTPDate(text, now: now)?.date == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test func writesTheFirst() {
        #expect(Date(timeIntervalSince1970: 784_111_777).httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(Date(timeIntervalSince1970: -1).httpDate == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(Date(timeIntervalSince1970: 1_709_210_096.9).httpDate == "Thu, 29 Feb 2024 12:34:56 GMT")
        #expect(Date.distantPast.httpDate.hasSuffix("GMT") && Date.distantFuture.httpDate.hasSuffix("GMT"))
        #expect(Date(timeIntervalSince1970: .infinity).httpDate == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(Date(timeIntervalSince1970: -.infinity).httpDate == "Mon, 01 Jan 0001 00:00:00 GMT")
    }

    @Test func thereAndBack() {
        for step in 0..<4000 {
            let date = Date(timeIntervalSince1970: Double(step * 7_776_011 - 12_000_000_000))
            #expect(HTTPDate(date.httpDate, now: now)?.date == date)
        }
    }

    @Test func yearsOfTwoDigits() {
        #expect(HTTPDate("Sunday, 06-Nov-73 08:49:37 GMT", now: now)?.description.contains("2073") == true)
        #expect(HTTPDate("Sunday, 06-Nov-74 08:49:37 GMT", now: now)?.description.contains("1974") == true)
    }

    @Test(arguments: [
        "", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 31 Feb 2024 00:00:00 GMT",
        "Sun, 29 Feb 2023 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nvo 1994 08:49:37 GMT",
        "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT",
        "Sun, 06 Nov 1994 ٠٨:49:37 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT",
    ])
    func anythingElse(text: String) { #expect(HTTPDate(text, now: now) == nil) }
}
