/// What a server sends must not command the terminal that shows it.
enum ControlCharacters {
    /// The text with every control character but line feed and tab shown as `�`: C0 and C1 controls, DEL, and those that
    /// turn the direction of text, which make it read differently from what it is. A CR before LF is left out.
    static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHostile) else { return text }
        var output = String.UnicodeScalarView()
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            if !isHostile(scalar) {
                output.append(scalar)
                continue
            }
            let next = scalars.index(after: index)
            if scalar == "\r", next == scalars.endIndex || scalars[next] == "\n" { continue }
            output.append("\u{FFFD}")
        }
        return String(output)
    }

    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
