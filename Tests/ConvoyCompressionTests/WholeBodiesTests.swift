import ConvoyCompression
import ConvoyCore
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct WholeBodiesTests {
    let coder = Compression.standard

    @Test(arguments: allCodings) func thereAndBack(_ coding: String) throws {
        for bytes in [[], hello, prose(100_000)] {
            let coded = try #require(try coder.encode(Data(bytes), as: coding))
            #expect(try coder.decode(coded, contentEncoding: [coding]) == Data(bytes))
        }
    }

    @Test func aSliceOfData() throws {
        let coded = try #require(try coder.encode(Data([1, 2] + hello + [3]).dropFirst(2).dropLast(), as: "gzip"))
        #expect(try coder.decode((Data([9]) + coded).dropFirst(), contentEncoding: ["gzip"]) == Data(hello))
    }

    @Test func unknownCodingsAreNil() throws {
        #expect(try coder.encode(Data(hello), as: "compress") == nil)
        #expect(try coder.encode(Data(hello), as: "identity") == nil)
        #expect(try coder.decode(Data(hello), contentEncoding: ["compress"]) == nil)
        #expect(try coder.decode(Data(hello), contentEncoding: ["identity"]) == Data(hello))
        #expect(try coder.decode(Data(), contentEncoding: ["gzip"]) == Data())
    }

    @Test func errorsAndLimitsComeThrough() throws {
        let coded = try #require(try coder.encode(Data(prose(1000)), as: "gzip"))
        #expect(
            failure { _ = try coder.decode(coded.dropLast(), contentEncoding: ["gzip"]) }?.code == .truncatedContent)
        #expect(
            failure { _ = try coder.decode(Data(hello), contentEncoding: ["gzip"]) }?.code == .corruptContent)
        let limits = ContentLimits(maximumBytes: 999)
        #expect(
            failure { _ = try coder.decode(coded, contentEncoding: ["gzip"], limits: limits) }?.code
                == .contentLimitExceeded)
    }
}
