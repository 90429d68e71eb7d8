import Convoy

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes the body of a message: untouched to a pipe, laid out and harmless to a terminal.
struct BodyWriter {
    let stream: OutputStream
    let look: Look
    /// Whether each piece goes out as it comes.
    let streams: Bool

    /// Gives the number of bytes that the body has.
    func write(_ response: Response) async throws -> Int64 {
        let formats = (look.indents || look.isColoured) && !streams && BodyText.mayBeJSON(response.mediaType)
        if formats || (stream.isTerminal && !streams) { return try await writeWhole(try await response.collected()) }
        return try await writePieces(response.body)
    }

    private func writeWhole(_ response: Response) async throws -> Int64 {
        guard let data = response.body.data, !data.isEmpty else { return 0 }
        try stream.write(BodyText(look: look, isForTerminal: stream.isTerminal).shown(data, of: response))
        return Int64(data.count)
    }

    private func writePieces(_ body: Body) async throws -> Int64 {
        var size: Int64 = 0
        var pieces = UTF8Pieces()
        for try await piece in body {
            size += Int64(piece.count)
            if !stream.isTerminal {
                try stream.write(Array(piece))
            } else if piece.contains(0) {
                try stream.write("(binary data, not shown on a terminal; use -o FILE)\n")
                // The rest is read for nothing but its end, which says whether the transfer was complete.
                for try await rest in body { size += Int64(rest.count) }
                return size
            } else {
                try stream.write(ControlCharacters.visible(pieces.text(of: piece)))
            }
        }
        if stream.isTerminal { try stream.write(ControlCharacters.visible(pieces.finish())) }
        return size
    }
}
