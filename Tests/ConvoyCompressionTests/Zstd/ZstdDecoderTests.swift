#if Zstd
    import ConvoyCompression
    import ConvoyCore
    import Testing

    @Suite struct ZstdDecoderTests {
        /// By zstd 1.5.4, reading from a pipe.
        static let tool: [UInt8] = [
            0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58, 0x9D, 0x00, 0x00, 0x68, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x2C, 0x20, 0x68,
            0x21, 0x20, 0xC3, 0xA4, 0x0A, 0x01, 0x00, 0x32, 0x0A, 0x17, 0xF0, 0x72, 0xC5, 0x5A,
        ]
        /// The begin of what `zstd -19` makes of many zeros: a window of 8 MiB.
        static let window8: [UInt8] = [
            0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x68, 0x4C, 0x00, 0x00, 0x08, 0x00, 0x01, 0x00, 0xFC, 0xFF, 0x39, 0x10, 0x02,
            0x02, 0x00,
        ]
        /// The begin of what `zstd --ultra -22 --long=27` makes of many zeros: a window of 128 MiB.
        static let window128: [UInt8] = [
            0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x88, 0x4C, 0x00, 0x00, 0x08, 0x00, 0x01, 0x00, 0xFC, 0xFF, 0x39, 0x10, 0x02,
            0x02, 0x00,
        ]
        static let skippable: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 0x03, 0x00, 0x00, 0x00, 0x61, 0x62, 0x63]

        /// Complaint 75: all frames are decoded.
        @Test(arguments: [Int.max, 1, 7]) func framesOneAfterAnother(_ size: Int) throws {
            #expect(try decoded(Self.tool, "zstd", pieces: size) == hello)
            #expect(try decoded(Self.tool + Self.tool, "zstd", pieces: size) == hello + hello)
        }

        @Test(arguments: [Int.max, 1, 7]) func skippableFramesAreSkipped(_ size: Int) throws {
            let empty: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 0x00, 0x00, 0x00, 0x00]
            let frames = Self.skippable + Self.tool + empty + Self.skippable + Self.tool + Self.skippable
            #expect(try decoded(frames, "zstd", pieces: size) == hello + hello)
            #expect(try decoded(Self.skippable, "zstd", pieces: size) == [])
        }

        @Test func brokenOffAtEveryByte() throws {
            let frames = Self.tool + Self.skippable + Self.tool
            let ends = [Self.tool.count, Self.tool.count + Self.skippable.count]
            for count in 1..<frames.count {
                for size in [Int.max, 1] {
                    let error = failure { _ = try decoded(Array(frames.prefix(count)), "zstd", pieces: size) }
                    #expect(error?.code == (ends.contains(count) ? nil : .truncatedContent), "after \(count) bytes")
                }
            }
        }

        @Test func theWindowIsBounded() throws {
            #expect(failure { _ = try decoded(Self.window8, "zstd") }?.code == .truncatedContent)
            let error = failure { _ = try decoded(Self.window128, "zstd") }
            #expect(error?.code == .corruptContent)
            #expect(
                error?.message == "The zstd content is damaged: Frame requires too much memory for decoding.")
        }

        /// The formats before RFC 8878, which the library may still know.
        @Test(arguments: [0x1E, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27] as [UInt8])
        func oldFormatsAreNoZstd(_ first: UInt8) throws {
            let error = failure { _ = try decoded([first] + Self.tool.dropFirst(), "zstd") }
            #expect(error?.message == "The zstd content is damaged: Unknown frame descriptor.")
        }

        @Test(arguments: [[0x28, 0x00], [0x4F], [0x60], [0x50, 0x2A, 0x4D, 0x19], [0x00]] as [[UInt8]])
        func anotherMagicNumberAfterAFrame(_ tail: [UInt8]) throws {
            #expect(failure { _ = try decoded(Self.tool + tail, "zstd") }?.code == .corruptContent)
        }

        @Test func theReasonIsTheLibrarys() throws {
            var damaged = Self.tool
            damaged[damaged.count - 1] ^= 1
            let error = failure { _ = try decoded(damaged, "zstd") }
            #expect(error?.message == "The zstd content is damaged: Restored data doesn't match checksum.")
        }
    }
#endif
