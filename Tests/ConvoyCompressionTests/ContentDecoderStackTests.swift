import ConvoyCompression
import ConvoyCore
import Testing

@Suite struct ContentDecoderStackTests {
    func stack(_ values: [String]) throws -> ContentDecoderStack? {
        try ContentDecoderStack(values, coder: Compression.standard)
    }

    @Test(arguments: [Int.max, 1, 7]) func undoesFromRightToLeft(_ size: Int) throws {
        let bytes = prose(5000)
        let coded = try encoded(encoded(bytes, "deflate"), "gzip")
        for values in [["deflate, gzip"], ["deflate", "gzip"], [" Deflate ,\tX-GZIP, "], ["", "deflate,,gzip,", ","]] {
            let stack = try #require(try stack(values))
            #expect(try decoded(coded, by: stack, pieces: size) == bytes)
        }
        let wrong = try #require(try stack(["gzip, deflate"]))
        #expect(failure { _ = try decoded(coded, by: wrong, pieces: size) }?.code == .corruptContent)
    }

    @Test func allCodingsOnTopOfEachOther() throws {
        let coded = try allCodings.reduce(prose(50_000)) { try encoded($0, $1) }
        let stack = try #require(try stack([allCodings.joined(separator: ", ")]))
        #expect(stack.codings == allCodings)
        #expect(try decoded(coded, by: stack, pieces: 11) == prose(50_000))
    }

    @Test func theSameCodingTwice() throws {
        let stack = try #require(try stack(["gzip, gzip"]))
        #expect(try decoded(encoded(encoded(hello, "gzip"), "gzip"), by: stack) == hello)
    }

    @Test(arguments: [[], [""], ["identity"], ["Identity, ,identity"], [" , "]])
    func nothingToUndoPassesThrough(_ values: [String]) throws {
        let stack = try #require(try stack(values))
        #expect(stack.codings.isEmpty)
        #expect(try decoded(hello, by: stack, pieces: 5) == hello)
    }

    @Test func identityAmongOthers() throws {
        let stack = try #require(try stack(["identity, gzip", "IDENTITY"]))
        #expect(stack.codings == ["gzip"])
        #expect(try decoded(encoded(hello, "gzip"), by: stack) == hello)
    }

    @Test(arguments: ["compress", "gzip, aes128gcm", "aes128gcm, gzip", "gzip gzip", "\"gzip\"", "gzip; q=1", "ä"])
    func anUnknownCodingHasNoDecoder(_ value: String) throws {
        #expect(try stack([value]) == nil)
    }

    @Test func tooManyCodings() throws {
        let coded = try (0..<5).reduce(hello) { bytes, _ in try encoded(bytes, "gzip") }
        let five = try #require(try stack(["gzip, gzip, gzip", "gzip,, identity, gzip"]))
        #expect(try decoded(coded, by: five) == hello)
        for count in [6, 100_000] {
            let error = failure { _ = try stack([String(repeating: "gzip,", count: count)]) }
            #expect(error?.code == .corruptContent)
            #expect(error?.message == "The content has more than 5 codings on top of each other.")
        }
    }

    @Test func brokenOffInEitherCoding() throws {
        let inner = try encoded(prose(500), "deflate")
        let outer = try encoded(inner, "gzip")
        for count in 1..<outer.count {
            let stack = try #require(try stack(["deflate, gzip"]))
            let error = failure { _ = try decoded(Array(outer.prefix(count)), by: stack) }
            #expect(error?.code == .truncatedContent)
        }
        let brokenInner = try encoded(Array(inner.dropLast(3)), "gzip")
        let stack = try #require(try stack(["deflate, gzip"]))
        let error = failure { _ = try decoded(brokenInner, by: stack) }
        #expect(error?.code == .truncatedContent)
        #expect(error?.message.contains("deflate") == true)
    }

    @Test func noBytesAreNoError() throws {
        let stack = try #require(try stack(["deflate, gzip"]))
        #expect(try decoded([], by: stack) == [])
    }

    @Test func anErrorStays() throws {
        let stack = try #require(try stack(["gzip"]))
        let first = failure { _ = try decoded(hello, by: stack) }
        let second = failure { _ = try decoded(encoded(hello, "gzip"), by: stack) }
        #expect(first?.code == .corruptContent)
        #expect(second?.message == first?.message)
        #expect(failure { try stack.finish { _ in } }?.message == first?.message)
    }
}
