import Convoy

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What of a whole body is shown.
struct BodyText {
    let look: Look
    let isForTerminal: Bool

    /// The bytes to write for a body: JSON laid out as asked for; for a terminal, text that is harmless, or the size of
    /// what is no text; else the bytes as they are.
    func shown(_ data: Data, of response: Response) -> [UInt8] {
        let bytes = Array(data)
        if look.indents || look.isColoured, Self.mayBeJSON(response.mediaType) {
            let palette = Palette(isColoured: look.isColoured)
            let printer = JSONPrinter(indents: look.indents, palette: palette, isForTerminal: isForTerminal)
            if let json = printer.print(bytes) { return isForTerminal ? Self.endingInLine(json) : json }
        }
        guard isForTerminal else { return bytes }
        guard let text = Self.text(data, of: response) else {
            let type = response.mediaType.map { " of \(ControlCharacters.visible($0))" } ?? ""
            return Array("(\(Units.bytes(Int64(data.count)))\(type), not shown on a terminal; use -o FILE)\n".utf8)
        }
        return Self.endingInLine(Array(ControlCharacters.visible(text).utf8))
    }

    /// Whether a body of this type is tried as JSON: it says so, or says nothing and may well be.
    static func mayBeJSON(_ mediaType: String?) -> Bool {
        guard let mediaType, mediaType != "text/plain" else { return true }
        return mediaType.hasSuffix("json") || mediaType.hasSuffix("javascript")
    }

    /// The body as text; nil if it is none: it has NUL bytes, or is neither UTF-8 nor called text.
    static func text(_ data: Data, of response: Response) -> String? {
        let type = response.headers[.contentType]?.lowercased() ?? ""
        let isWide = type.contains("utf-16") || data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
        if data.contains(0), !isWide { return nil }
        if !type.contains("charset"), let text = String(validating: data, as: UTF8.self) { return text }
        let isCalledText = type.hasPrefix("text/") || ["charset", "json", "xml"].contains { type.contains($0) }
        guard isCalledText else { return nil }
        // A body that is not of its charset is still worth reading.
        return (try? response.text()) ?? String(decoding: data, as: UTF8.self)
    }

    private static func endingInLine(_ bytes: [UInt8]) -> [UInt8] { bytes.last == 0x0A ? bytes : bytes + [0x0A] }
}
