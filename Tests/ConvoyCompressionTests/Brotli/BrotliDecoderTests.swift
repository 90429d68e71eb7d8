#if Brotli
    import ConvoyCompression
    import ConvoyCore
    import Testing

    @Suite struct BrotliDecoderTests {
        /// By Node.js 20.
        static let node: [UInt8] = [
            0x8B, 0x0B, 0x80, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x2C, 0x20, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x2C, 0x20, 0x68,
            0x65, 0x6C, 0x6C, 0x6F, 0x21, 0x20, 0xC3, 0xA4, 0x0A, 0x03,
        ]
        /// The same with a large window, which RFC 7932 does not have.
        static let largeWindow: [UInt8] = [
            0x11, 0x1C, 0x2E, 0x00, 0x02, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x2C, 0x20, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x2C,
            0x20, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x21, 0x20, 0xC3, 0xA4, 0x0A, 0x03,
        ]

        @Test(arguments: [Int.max, 1, 7]) func streamsOfOthers(_ size: Int) throws {
            #expect(try decoded(Self.node, "br", pieces: size) == hello)
            #expect(try decoded([0x3B], "br", pieces: size) == [])
            #expect(try decoded([0x06], "br", pieces: size) == [])
        }

        @Test func brokenOffAtEveryByte() throws {
            for count in 1..<Self.node.count {
                let error = failure { _ = try decoded(Array(Self.node.prefix(count)), "br", pieces: 1) }
                #expect(error?.code == .truncatedContent, "after \(count) bytes")
            }
        }

        @Test func theReasonIsTheLibrarys() throws {
            let error = failure { _ = try decoded(Self.largeWindow, "br") }
            #expect(error?.code == .corruptContent)
            #expect(error?.message == "The br content is damaged: WINDOW_BITS.")
        }

        @Test func aSecondStreamIsAnError() throws {
            let error = failure { _ = try decoded(Self.node + Self.node, "br") }
            #expect(error?.message == "The br content is damaged: bytes follow its end.")
        }
    }
#endif
