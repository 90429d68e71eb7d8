import ConvoyCompression
import ConvoyCore
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: allCodings) func whatWasCodedDecodesToTheSame(_ coding: String) throws {
        for bytes in [[], [7], noise(1 << 20), prose(1 << 20)] {
            for size in [Int.max, 65_536, 4099] {
                let coded = try encoded(bytes, coding, pieces: size)
                #expect(try decoded(coded, coding, pieces: size) == bytes)
            }
        }
    }

    @Test(arguments: allCodings, [1, 7, 4099])
    func piecesOfAnySizeMakeNoDifference(_ coding: String, _ size: Int) throws {
        for bytes in [hello, noise(40_001), prose(200_003)] {
            let coded = try encoded(bytes, coding, pieces: size)
            #expect(try decoded(coded, coding, pieces: size) == bytes)
            #expect(try decoded(coded, coding) == bytes)
        }
    }

    @Test(arguments: allCodings) func compressibleBecomesSmaller(_ coding: String) throws {
        let bytes = prose(1 << 20)
        #expect(try encoded(bytes, coding).count < bytes.count / 8)
    }

    /// A buffer that comes out exactly full has a turn of its own.
    @Test(arguments: allCodings, [65_535, 65_536, 65_537, 131_072])
    func outputOfAWholeBuffer(_ coding: String, _ count: Int) throws {
        for bytes in [noise(count), [UInt8](repeating: 1, count: count)] {
            #expect(try decoded(encoded(bytes, coding), coding) == bytes)
        }
    }

    @Test(arguments: allCodings) func theOutputComesInBoundedPieces(_ coding: String) throws {
        let coded = try encodedZeros(mebibytes: 4, coding)
        let decoder = try #require(Compression.standard.makeDecoder(for: coding))
        var (total, largest) = (0, 0)
        try coded.withUnsafeBytes {
            try decoder.decode($0) {
                total += $0.count
                largest = max(largest, $0.count)
            }
        }
        try decoder.finish { total += $0.count }
        #expect(total == 4 << 20)
        #expect(largest <= 64 * 1024)
    }

    @Test(arguments: allCodings) func decodesBeforeTheEndHasCome(_ coding: String) throws {
        let bytes = noise(400_000)
        let coded = try encoded(bytes, coding)
        let decoder = try #require(Compression.standard.makeDecoder(for: coding))
        var plain: [UInt8] = []
        try coded.prefix(coded.count / 2).withUnsafeBytes { try decoder.decode($0) { plain += $0 } }
        #expect(plain.count > 50_000)
        #expect(bytes.starts(with: plain))
    }

    @Test(arguments: allCodings) func anEncoderTakesNothingAfterItsEnd(_ coding: String) throws {
        let encoder = try #require(Compression.standard.makeEncoder(for: coding))
        try hello.withUnsafeBytes { try encoder.encode($0) { _ in } }
        try encoder.finish { _ in }
        var more = 0
        try encoder.finish { more += $0.count }
        #expect(more == 0)
        let error = failure { try hello.withUnsafeBytes { try encoder.encode($0) { _ in } } }
        #expect(error?.code == .encodingFailed)
        #expect(error?.message.contains(coding) == true)
    }
}
