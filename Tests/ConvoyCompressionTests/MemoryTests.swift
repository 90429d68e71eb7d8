#if os(Linux)
    import ConvoyCompression
    import ConvoyCore
    import Testing

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    @Suite struct MemoryTests {
        /// Kept, the states of the libraries would take far more than the bound.
        @Test(arguments: allCodings) func coderLeftBeforeTheEndGivesItsMemoryBack(_ coding: String) throws {
            let coded = try encoded(noise(20_000), coding).prefix(10_000)
            let before = try residentBytes()
            for _ in 0..<10_000 {
                let decoder = try #require(Compression.standard.makeDecoder(for: coding))
                try coded.withUnsafeBytes { try decoder.decode($0) { _ in } }
                let encoder = try #require(Compression.standard.makeEncoder(for: coding))
                try hello.withUnsafeBytes { try encoder.encode($0) { _ in } }
            }
            #expect(try residentBytes() - before < 300 << 20)
        }

        private func residentBytes() throws -> Int {
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            let pages = try #require(Int(text.split(separator: " ")[1]))
            return pages * 4096
        }
    }
#endif
