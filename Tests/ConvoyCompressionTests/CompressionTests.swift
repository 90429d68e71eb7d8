import ConvoyCompression
import ConvoyCore
import Testing

@Suite struct CompressionTests {
    @Test func offersTheCodingsInTheOrderOfPreference() {
        var expected = ["gzip", "deflate"]
        #if Brotli
            expected.append("br")
        #endif
        #if Zstd
            expected.append("zstd")
        #endif
        #expect(Compression.standard.codings == expected)
    }

    @Test(arguments: allCodings) func namesHaveNoCase(_ coding: String) throws {
        let coded = try encoded(hello, coding.uppercased())
        #expect(try decoded(coded, coding.uppercased()) == hello)
    }

    @Test func xGzipIsGzip() throws {
        #expect(try decoded(encoded(hello, "x-gzip"), "gzip") == hello)
        #expect(try decoded(encoded(hello, "gzip"), "X-GZip") == hello)
    }

    @Test(arguments: ["identity", "compress", "x-deflate", "", "gzip ", "gzip;q=1", "ſ", "\u{0}"])
    func unknownNamesHaveNoCoder(_ name: String) {
        #expect(Compression.standard.makeDecoder(for: name) == nil)
        #expect(Compression.standard.makeEncoder(for: name) == nil)
    }

    @Test func someCodingsOnly() {
        let coder = Compression(codings: ["deflate", "X-GZIP", "compress", "gzip"])
        #expect(coder.codings == ["deflate", "gzip"])
        #expect(Compression(codings: ["deflate"]).makeDecoder(for: "gzip") == nil)
        #expect(Compression(codings: []).codings.isEmpty)
    }
}
