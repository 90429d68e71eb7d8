/// Turns bytes that come in pieces into text, without breaking the characters that lie across two pieces.
struct UTF8Pieces {
    private var held: [UInt8] = []

    /// The text of this piece and what was held back before it. What is no UTF-8 becomes `�`.
    mutating func text(of piece: some Sequence<UInt8>) -> String {
        var bytes = held
        bytes += piece
        let whole = bytes.count - Self.incompleteTail(bytes)
        held = Array(bytes[whole...])
        return String(decoding: bytes[..<whole], as: UTF8.self)
    }

    /// What was held back and never completed.
    mutating func finish() -> String {
        defer { held = [] }
        return String(decoding: held, as: UTF8.self)
    }

    /// How many bytes at the end are the beginning of one character.
    private static func incompleteTail(_ bytes: [UInt8]) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > back ? back : 0
        }
        return 0
    }
}
