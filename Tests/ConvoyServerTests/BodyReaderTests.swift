import ConvoyCore
import Testing

@testable import ConvoyServer

@Suite struct BodyReaderTests {
    /// What a reader makes of bytes that are given in pieces of a size.
    private func read(
        _ text: String, _ framing: Framing, pieces size: Int = .max, upTo maximum: Int = .max
    ) throws -> (body: String, reader: BodyReader, left: Int) {
        var reader = BodyReader(framing, trailerLimit: 1000)
        var body: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, !reader.isComplete {
            let taken = try rest.prefix(size).withUnsafeBytes { bytes in
                try reader.take(bytes, upTo: maximum) { body += Array($0) }
            }
            #expect(taken > 0)
            rest = rest.dropFirst(taken)
        }
        return (String(decoding: body, as: UTF8.self), reader, rest.count)
    }

    @Test(arguments: [1, 2, 5, 1000], [1, 3, 1000])
    func chunksInPiecesOfAnySize(_ size: Int, _ maximum: Int) throws {
        let text = "5\r\nhello\r\n7;name=value\r\n, world\r\n0\r\nX-Sum: 12\r\n\r\nNEXT"
        let result = try read(text, .chunked, pieces: size, upTo: maximum)
        #expect(result.body == "hello, world")
        #expect(result.reader.isComplete)
        #expect(result.reader.trailers == ["X-Sum": "12"])
        #expect(result.left == 4)
    }

    @Test func aCountedBodyEndsAtItsCount() throws {
        let result = try read("helloNEXT", .length(5), pieces: 2)
        #expect(result.body == "hello")
        #expect(result.left == 4)
        #expect(BodyReader(.length(0), trailerLimit: 10).isComplete)
        #expect(BodyReader(.none, trailerLimit: 10).isComplete)
    }

    @Test(arguments: malformedChunks)
    func malformedChunksAreRefused(_ example: MalformedRequest) {
        for size in [1, 5, Int.max] {
            #expect(throws: Rejection.self, "\(example.name), pieces of \(size)") {
                try read(example.text, .chunked, pieces: size)
            }
        }
    }

    @Test func trailersAreBounded() {
        let text = "0\r\nX-A: \(String(repeating: "x", count: 1000))\r\n\r\n"
        #expect(throws: Rejection.headTooLarge) { try read(text, .chunked) }
    }
}
