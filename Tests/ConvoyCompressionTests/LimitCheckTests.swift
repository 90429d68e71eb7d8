import ConvoyCompression
import ConvoyCore
import Testing

@Suite struct LimitCheckTests {
    /// What came out before the error, and the error.
    func run(
        _ bytes: [UInt8], _ field: String, _ limits: ContentLimits, pieces size: Int = .max
    ) throws -> (seen: Int, error: ConvoyError?) {
        let stack = try #require(try ContentDecoderStack([field], coder: Compression.standard, limits: limits))
        var seen = 0
        let error = failure {
            try forEachPiece(of: bytes, size) { try stack.decode($0) { seen += $0.count } }
            try stack.finish { seen += $0.count }
        }
        return (seen, error)
    }

    @Test(arguments: allCodings) func aBombIsStoppedByItsBytes(_ coding: String) throws {
        let bomb = try encodedZeros(mebibytes: 100, coding)
        let limits = ContentLimits(maximumBytes: 1 << 20, maximumRatio: nil)
        let (seen, error) = try run(bomb, coding, limits)
        #expect(error?.code == .contentLimitExceeded)
        #expect(error?.phase == .receiving)
        #expect(
            error?.message == "The \(coding) content decodes to more than 1048576 bytes, the most allowed.")
        #expect(seen <= 1 << 20)
        #expect(seen > 900_000)
    }

    @Test(arguments: allCodings) func aBombIsStoppedByItsRatio(_ coding: String) throws {
        let bomb = try encodedZeros(mebibytes: 100, coding)
        let (seen, error) = try run(bomb, coding, ContentLimits(maximumRatio: 100), pieces: 512)
        #expect(error?.code == .contentLimitExceeded)
        #expect(error?.message.contains("more than 100 for one") == true)
        #expect(error?.message.contains(" received") == true)
        #expect(seen <= 17 << 20)
        #expect(seen >= 15 << 20)
    }

    @Test func theDefaultStopsABombInABomb() throws {
        let bomb = try encoded(encodedZeros(mebibytes: 100, "gzip"), "gzip")
        let (seen, error) = try run(bomb, "gzip, gzip", ContentLimits())
        #expect(error?.code == .contentLimitExceeded)
        #expect(seen <= 17 << 20)
    }

    /// Zeros that pad a gzip member: 100 MiB come out of the outer coding and nothing out of the inner.
    @Test func growthInTheMiddleCounts() throws {
        let member = try encoded([], "gzip")
        let encoder = try #require(Compression.standard.makeEncoder(for: "gzip"))
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        var bomb: [UInt8] = []
        try member.withUnsafeBytes { try encoder.encode($0) { bomb += $0 } }
        for _ in 0..<100 { try zeros.withUnsafeBytes { try encoder.encode($0) { bomb += $0 } } }
        try encoder.finish { bomb += $0 }
        for limits in [ContentLimits(maximumRatio: 100), ContentLimits(maximumBytes: 1 << 20, maximumRatio: nil)] {
            #expect(try run(bomb, "gzip, gzip", limits).error?.code == .contentLimitExceeded)
        }
        #expect(try run(bomb, "gzip, gzip", ContentLimits(maximumRatio: nil)).error == nil)
    }

    @Test(arguments: allCodings) func exactlyTheMostAllowedPasses(_ coding: String) throws {
        let bytes = noise(300_000)
        let coded = try encoded(encoded(bytes, "gzip"), coding)
        let field = "gzip, \(coding)"
        #expect(try run(coded, field, ContentLimits(maximumBytes: 300_000)).error == nil)
        #expect(try run(coded, field, ContentLimits(maximumBytes: 299_999)).error?.code == .contentLimitExceeded)
    }

    @Test(arguments: allCodings) func twentyFiveToOnePassesByDefault(_ coding: String) throws {
        var json: [UInt8] = []
        let note = String(repeating: "the same words in every item, ", count: 10)
        for number in 0..<60_000 { json += "{\"id\": \(number &* 2_654_435_761), \"note\": \"\(note)\"}\n".utf8 }
        #expect(json.count > 17 << 20)
        let coded = try encoded(json, coding)
        #expect(json.count / coded.count >= 25)
        let (seen, error) = try run(coded, coding, ContentLimits(), pieces: 16_384)
        #expect(error == nil)
        #expect(seen == json.count)
    }

    @Test func aSmallBodyMayRepeatItself() throws {
        let coded = try encodedZeros(mebibytes: 16, "gzip")
        let (seen, error) = try run(coded, "gzip", ContentLimits(maximumRatio: 1))
        #expect(error == nil)
        #expect(seen == 16 << 20)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max]) func strangeLimitsNeverTrap(_ number: Int64) throws {
        let coded = try encodedZeros(mebibytes: 17, "gzip")
        let twice = try encoded(coded, "gzip")
        let bytes = try run(twice, "gzip, gzip", ContentLimits(maximumBytes: number, maximumRatio: nil))
        #expect((bytes.error == nil) == (number == .max))
        let ratio = try run(twice, "gzip, gzip", ContentLimits(maximumRatio: number))
        #expect((ratio.error == nil) == (number == .max))
    }
}
