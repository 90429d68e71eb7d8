import ConvoyCompression
import ConvoyCore
import Testing

@Suite struct DamageTests {
    /// The name of a coding and a small stream of it, compressed and not stored.
    static let streams: [(coding: String, bytes: [UInt8])] = {
        let bytes = prose(400)
        var streams = allCodings.compactMap { coding in (try? encoded(bytes, coding)).map { (coding, $0) } }
        if let zlib = streams.first(where: { $0.0 == "deflate" })?.1 {
            // Without the header of 2 bytes and the check value of 4: the raw stream.
            streams.append(("deflate", Array(zlib.dropFirst(2).dropLast(4))))
        }
        return streams
    }()

    @Test func thereIsAStreamForEachCodingAndARawOne() throws {
        #expect(Self.streams.count == allCodings.count + 1)
        for (coding, bytes) in Self.streams {
            #expect(bytes.count < 200)
            #expect(try decoded(bytes, coding) == prose(400))
        }
    }

    @Test(arguments: streams.indices) func brokenOffAtEveryByte(_ index: Int) throws {
        let (coding, bytes) = Self.streams[index]
        for count in 1..<bytes.count {
            for size in [Int.max, 1] {
                let error = failure { _ = try decoded(Array(bytes.prefix(count)), coding, pieces: size) }
                #expect(error?.code == .truncatedContent, "after \(count) bytes in pieces of \(size)")
                #expect(error?.phase == .receiving)
                #expect(error?.message == "The \(coding) content breaks off after \(count) bytes, before its end.")
            }
        }
    }

    @Test(arguments: streams.indices) func everyBitTurnedOverIsAnErrorOrDecodes(_ index: Int) throws {
        let (coding, bytes) = Self.streams[index]
        let isChecked = coding != "br" && index != Self.streams.count - 1
        for position in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[position] ^= 1 << UInt8(bit)
                var plain: [UInt8] = []
                let error = failure { plain = try decoded(damaged, coding) }
                if let error {
                    #expect([.corruptContent, .truncatedContent].contains(error.code))
                    #expect(error.message.contains(coding))
                } else if isChecked {
                    #expect(plain == prose(400), "bit \(bit) of byte \(position)")
                }
            }
        }
    }

    @Test(arguments: allCodings) func everyByteSetToEveryValueNeverTraps(_ coding: String) throws {
        let bytes = try encoded(hello, coding)
        for position in bytes.indices {
            for value in UInt8.min...UInt8.max {
                var damaged = bytes
                damaged[position] = value
                _ = failure { _ = try decoded(damaged, coding, pieces: 3) }
            }
        }
    }

    @Test(arguments: allCodings) func noiseIsAnError(_ coding: String) throws {
        for count in [3, 100, 5000] {
            // Begins with a byte that no coding begins with.
            #expect(failure { _ = try decoded([0xFF] + noise(count), coding) } != nil)
        }
        let error = failure { _ = try decoded(Array("<!DOCTYPE html><html><body>plain</body></html>".utf8), coding) }
        #expect(error?.code == .corruptContent)
        #expect(error?.phase == .receiving)
        #expect(error?.message.hasPrefix("The \(coding) content is damaged: ") == true)
    }

    /// Complaint 75: a coding is stated and no body comes.
    @Test(arguments: allCodings) func noBytesAreNoError(_ coding: String) throws {
        #expect(try decoded([], coding) == [])
        let decoder = try #require(Compression.standard.makeDecoder(for: coding))
        try decoder.decode(UnsafeRawBufferPointer(start: nil, count: 0)) { _ in Issue.record("nothing to hand out") }
        try decoder.finish { _ in Issue.record("nothing to hand out") }
    }

    @Test(arguments: allCodings) func anErrorStays(_ coding: String) throws {
        let decoder = try #require(Compression.standard.makeDecoder(for: coding))
        let first = failure { _ = try decoded([0xFF] + noise(500), by: decoder) }
        let good = try encoded(hello, coding)
        let second = failure { _ = try decoded(good, by: decoder) }
        let third = failure { try decoder.finish { _ in } }
        #expect(first != nil)
        #expect(second?.message == first?.message)
        #expect(third?.message == first?.message)
    }

    @Test(arguments: allCodings) func whatTheOutputThrowsComesThroughAndStays(_ coding: String) throws {
        struct Stop: Error {}
        let good = try encoded(prose(5000), coding)
        let decoder = try #require(Compression.standard.makeDecoder(for: coding))
        var calls = 0
        for _ in 0..<2 {
            #expect(throws: Stop.self) {
                try good.withUnsafeBytes {
                    try decoder.decode($0) { _ in
                        calls += 1
                        throw Stop()
                    }
                }
            }
        }
        #expect(calls == 1)
        #expect(throws: Stop.self) { try decoder.finish { _ in } }
    }

    @Test(arguments: allCodings) func bytesAfterTheEndAreAnError(_ coding: String) throws {
        let coded = try encoded(hello, coding)
        for tail in [[0x0A], Array("<!-- 3 ms -->".utf8), [0xFF, 0xFF]] as [[UInt8]] {
            for size in [Int.max, 1, 5] {
                let error = failure { _ = try decoded(coded + tail, coding, pieces: size) }
                #expect(error?.code == .corruptContent)
            }
        }
    }
}
