import ConvoyCore
import Foundation
import Testing

struct TextDecodingTests {
    private func text(_ bytes: [UInt8], _ type: String?) throws -> String {
        try Response(status: 200, headers: type.map { ["Content-Type": $0] } ?? [:], body: .bytes(bytes)).text()
    }

    @Test(
        arguments: [
            // A byte order mark comes first, whatever the header says.
            ([0xEF, 0xBB, 0xBF, 0xC3, 0xBC], "text/plain; charset=iso-8859-1", "ü"),
            ([0xFF, 0xFE, 0xFC, 0x00], nil, "ü"), ([0xFE, 0xFF, 0x00, 0xFC], "text/plain; charset=utf-8", "ü"),
            // Then the header.
            ([0xC3, 0xBC], "text/plain; charset=utf-8", "ü"), ([0xC3, 0xBC], "text/plain; charset=\"UTF8\"", "ü"),
            ([0xC3, 0xBC], "text/plain; charset=ISO-8859-1", "Ã¼"), ([0xFC], "text/plain;charset=latin1", "ü"),
            ([0x41], "text/plain; charset=us-ascii", "A"), ([0xFC, 0x00], "a/b; charset=utf-16le", "ü"),
            ([0x00, 0xFC], "a/b; x=y; Charset = UTF-16", "ü"),
            ([0xD8, 0x3D, 0xDC, 0xA9], "a/b; charset=utf-16be", "💩"),
            ([0xC3, 0xBC], "text/html; charset=utf-8, text/plain", "ü"),
            // Then UTF-8 if it is that, else ISO-8859-1.
            ([0xC3, 0xBC], "text/html", "ü"), ([0xC3, 0xBC], nil, "ü"), ([0x66, 0xFC, 0x72], "text/html", "für"),
            ([0xC3, 0xBC], "text/html; charset", "ü"), ([], nil, ""),
        ] as [([UInt8], String?, String)])
    func bytesToText(bytes: [UInt8], type: String?, expected: String) throws {
        #expect(try text(bytes, type) == expected)
    }

    @Test(
        arguments: [
            ([0xFF], "a/b; charset=utf-8"), ([0xFC], "a/b; charset=us-ascii"), ([0x00], "a/b; charset=utf-16"),
            ([0xD8, 0x3D], "a/b; charset=utf-16be"), ([0xFF, 0xFE, 0x00], nil), ([0xEF, 0xBB, 0xBF, 0xFF], nil),
            ([0x41], "a/b; charset=nonsense"), ([0x41], "a/b; charset=\"\""),
        ] as [([UInt8], String?)])
    func whatIsNoTextOfItsCharsetThrows(bytes: [UInt8], type: String?) throws {
        let error = #expect(throws: ConvoyError.self) { try text(bytes, type) }
        #expect(error?.code == .decodingFailed)
    }
}
