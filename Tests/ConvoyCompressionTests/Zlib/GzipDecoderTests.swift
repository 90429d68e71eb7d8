import ConvoyCompression
import ConvoyCore
import Testing

@Suite struct GzipDecoderTests {
    /// By gzip 1.12 of a file, its name and time in the header.
    static let file: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x08, 0x0C, 0xEE, 0x0D, 0x6B, 0x00, 0x03, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x2E, 0x74, 0x78,
        0x74, 0x00, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8, 0x40, 0xA2, 0x14, 0x15, 0x0E, 0x2F, 0xE1, 0x02,
        0x00, 0x79, 0x7E, 0x4B, 0x36, 0x18, 0x00, 0x00, 0x00,
    ]
    /// By Node.js 20.
    static let node: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8,
        0x40, 0xA2, 0x14, 0x15, 0x0E, 0x2F, 0xE1, 0x02, 0x00, 0x79, 0x7E, 0x4B, 0x36, 0x18, 0x00, 0x00, 0x00,
    ]
    /// By Node.js 20, of nothing.
    static let nothing: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00,
    ]

    @Test(arguments: [Int.max, 1, 7]) func streamsOfOthers(_ size: Int) throws {
        #expect(try decoded(Self.file, "gzip", pieces: size) == hello)
        #expect(try decoded(Self.node, "gzip", pieces: size) == hello)
        #expect(try decoded(Self.nothing, "gzip", pieces: size) == [])
    }

    /// B148: all members are decoded.
    @Test(arguments: [Int.max, 1, 7]) func membersOneAfterAnother(_ size: Int) throws {
        let members = Self.file + Self.nothing + Self.node
        #expect(try decoded(members, "gzip", pieces: size) == hello + hello)
    }

    @Test func manyMembers() throws {
        let members = Array(repeatElement(Self.node, count: 3000).joined())
        #expect(try decoded(members, "gzip", pieces: 1021) == Array(repeatElement(hello, count: 3000).joined()))
    }

    @Test func aSecondMemberBrokenOffAtEveryByte() throws {
        for count in 1..<Self.node.count {
            let error = failure { _ = try decoded(Self.file + Self.node.prefix(count), "gzip") }
            #expect(error?.code == .truncatedContent, "after \(count) bytes")
        }
    }

    @Test(arguments: [Int.max, 1, 7]) func paddingOfZerosIsLeftOut(_ size: Int) throws {
        for count in [1, 2, 512, 100_000] {
            let padded = Self.node + [UInt8](repeating: 0, count: count)
            #expect(try decoded(padded, "gzip", pieces: size) == hello)
        }
    }

    @Test(arguments: [Int.max, 1, 7]) func otherBytesAfterTheEndAreAnError(_ size: Int) throws {
        for tail in [[0x0A], [0, 0, 1], [0] + Self.node, [0x1F, 0x00], [0x1F, 0x1F]] as [[UInt8]] {
            let error = failure { _ = try decoded(Self.node + tail, "gzip", pieces: size) }
            #expect(error?.code == .corruptContent, "\(tail)")
        }
    }

    @Test func theReasonIsZlibs() throws {
        var wrongCheck = Self.node
        wrongCheck[27] ^= 1
        #expect(
            failure { _ = try decoded(wrongCheck, "gzip") }?.message
                == "The gzip content is damaged: incorrect data check.")
        var wrongLength = Self.node
        wrongLength[31] ^= 1
        #expect(
            failure { _ = try decoded(wrongLength, "gzip") }?.message
                == "The gzip content is damaged: incorrect length check.")
    }

    @Test func zlibIsNoGzip() throws {
        let zlib = try encoded(hello, "deflate")
        #expect(failure { _ = try decoded(zlib, "gzip") }?.code == .corruptContent)
    }
}
