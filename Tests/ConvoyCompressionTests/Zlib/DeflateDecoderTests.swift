import ConvoyCompression
import ConvoyCore
import Testing

@Suite struct DeflateDecoderTests {
    /// By zlib through Python.
    static let zlib: [UInt8] = [
        0x78, 0x9C, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8, 0x40, 0xA2, 0x14, 0x15, 0x0E, 0x2F, 0xE1, 0x02,
        0x00, 0x68, 0x11, 0x08, 0x67,
    ]
    /// The same without a header and a check value.
    static let raw: [UInt8] = [
        0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8, 0x40, 0xA2, 0x14, 0x15, 0x0E, 0x2F, 0xE1, 0x02, 0x00,
    ]
    /// "abc", raw and stored.
    static let stored: [UInt8] = [0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63]
    /// The zlib format with a preset dictionary.
    static let dictionary: [UInt8] = [
        0x78, 0xF9, 0x06, 0x2C, 0x02, 0x15, 0xF3, 0x00, 0x11, 0x3A, 0x0A, 0x19, 0x48, 0x94, 0xA2, 0xC2, 0xE1, 0x25,
        0x5C, 0x00, 0x68, 0x11, 0x08, 0x67,
    ]

    /// Complaint 75: raw deflate too.
    @Test(arguments: [Int.max, 1, 7]) func zlibAndRaw(_ size: Int) throws {
        #expect(try decoded(Self.zlib, "deflate", pieces: size) == hello)
        #expect(try decoded(Self.raw, "deflate", pieces: size) == hello)
        #expect(try decoded(Self.stored, "deflate", pieces: size) == Array("abc".utf8))
        #expect(try decoded([0x03, 0x00], "deflate", pieces: size) == [])
    }

    /// 0x08 0x1D is a zlib header with the smallest window; 0x78 0x9D is none, for it is no multiple of 31.
    @Test func theHeaderTells() throws {
        let smallWindow = [0x08, 0x1D] + Self.zlib.dropFirst(2)
        #expect(try decoded(smallWindow, "deflate") == hello)
        let noHeader = [0x78, 0x9D] + Self.zlib.dropFirst(2)
        #expect(failure { _ = try decoded(noHeader, "deflate") }?.code == .corruptContent)
    }

    @Test func brokenOffAtEveryByte() throws {
        for stream in [Self.zlib, Self.raw, Self.stored, [0x03, 0x00]] {
            for count in 1..<stream.count {
                let error = failure { _ = try decoded(Array(stream.prefix(count)), "deflate", pieces: 1) }
                #expect(error?.code == .truncatedContent, "\(stream) after \(count)")
            }
        }
    }

    @Test func aPresetDictionaryIsAnError() throws {
        let error = failure { _ = try decoded(Self.dictionary, "deflate") }
        #expect(error?.message == "The deflate content is damaged: it needs a preset dictionary.")
    }

    @Test func aSecondStreamIsAnError() throws {
        let error = failure { _ = try decoded(Self.zlib + Self.zlib, "deflate") }
        #expect(error?.message == "The deflate content is damaged: bytes follow its end.")
    }
}
