import ConvoyCompression
import ConvoyCore
import Testing

/// Every coding of this build.
let allCodings = Compression.standard.codings

/// What the small vectors of other implementations decode to.
let hello = Array("Hello, hello, hello! ä\n".utf8)

/// The bytes a decoder or a stack hands out for input in pieces of a size.
func decoded(_ bytes: [UInt8], by decoder: any ContentDecoder, pieces size: Int = .max) throws -> [UInt8] {
    var plain: [UInt8] = []
    try forEachPiece(of: bytes, size) { try decoder.decode($0) { plain += $0 } }
    try decoder.finish { plain += $0 }
    return plain
}

/// The bytes a fresh decoder of a coding hands out.
func decoded(_ bytes: [UInt8], _ coding: String, pieces size: Int = .max) throws -> [UInt8] {
    try decoded(bytes, by: #require(Compression.standard.makeDecoder(for: coding)), pieces: size)
}

/// The bytes a fresh encoder of a coding hands out.
func encoded(_ bytes: [UInt8], _ coding: String, pieces size: Int = .max) throws -> [UInt8] {
    let encoder = try #require(Compression.standard.makeEncoder(for: coding))
    var coded: [UInt8] = []
    try forEachPiece(of: bytes, size) { try encoder.encode($0) { coded += $0 } }
    try encoder.finish { coded += $0 }
    return coded
}

/// Many zeros, coded, without holding them.
func encodedZeros(mebibytes: Int, _ coding: String) throws -> [UInt8] {
    let encoder = try #require(Compression.standard.makeEncoder(for: coding))
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    var coded: [UInt8] = []
    for _ in 0..<mebibytes { try zeros.withUnsafeBytes { try encoder.encode($0) { coded += $0 } } }
    try encoder.finish { coded += $0 }
    return coded
}

func forEachPiece(of bytes: [UInt8], _ size: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    try bytes.withUnsafeBytes { all in
        var start = 0
        while start < all.count {
            let end = start + min(size, all.count - start)
            try body(UnsafeRawBufferPointer(rebasing: all[start..<end]))
            start = end
        }
    }
}

/// The same bytes at every run, which no coding makes smaller.
func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}

/// Text that repeats itself, as JSON does.
func prose(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 64)
    var number = 0
    while bytes.count < count {
        bytes += "{\"id\": \(number), \"name\": \"item\", \"done\": false}, ".utf8
        number += 1
    }
    return Array(bytes.prefix(count))
}

/// The code and the sentence of the error that a body of a test throws; nil if it throws none.
func failure(_ body: () throws -> Void) -> ConvoyError? {
    do {
        try body()
        return nil
    } catch {
        return error as? ConvoyError
    }
}
