import ConvoyCore

/// Collects lines that end in CR LF from pieces of any size, strictly: a CR or LF alone, and any other control
/// character but TAB, is refused (RFC 9112 §2.2, §11.1).
struct LineReader {
    /// The bytes that all lines together may still have.
    var budget: Int
    private var line: [UInt8] = []
    private var sawReturn = false

    init(budget: Int) { self.budget = budget }

    /// Takes bytes up to the end of the line. The line is nil while its end has not come.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, tooLong: Rejection
    ) throws(Rejection) -> (taken: Int, line: [UInt8]?) {
        for (index, byte) in bytes.enumerated() {
            guard index < budget else { throw tooLong }
            if sawReturn {
                guard byte == 0x0A else { throw .bad("a CR stands alone") }
                defer {
                    line.removeAll(keepingCapacity: true)
                    sawReturn = false
                }
                budget -= index + 1
                return (index + 1, line)
            }
            switch byte {
            case 0x0D: sawReturn = true
            case 0x0A: throw .bad("a line ends without CR")
            case 0x00..<0x09, 0x0B..<0x20, 0x7F: throw .bad("there is a control character")
            default: line.append(byte)
            }
        }
        budget -= bytes.count
        return (bytes.count, nil)
    }
}

extension Headers {
    /// Adds a field from its line; obsolete folding and white space before the colon are refused (RFC 9112 §5).
    mutating func append(line: [UInt8]) throws(Rejection) {
        guard let colon = line.firstIndex(of: 0x3A) else { throw .bad("a header line has no colon") }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(\.isTokenByte) else { throw .bad("a header name is not a token") }
        var value = line[(colon + 1)...]
        while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        let text = String(validating: value, as: UTF8.self)
        let latin1 = String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
        append(Field(Name(String(decoding: name, as: UTF8.self)), text ?? latin1, isLatin1: text == nil))
    }
}
