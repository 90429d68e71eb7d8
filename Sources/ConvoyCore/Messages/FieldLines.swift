/// Field lines as they came: the bytes stay, and strings are made of what is asked for.
///
/// Most programs look at few fields of an answer, or at none. Each line is a name, a colon, a value without white space
/// around it and a line feed; whoever made it has checked that names are tokens and values hold neither LF nor NUL.
package struct FieldLines: Sendable {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isEmpty: Bool { bytes.isEmpty }

    var count: Int { bytes.reduce(into: 0) { if $1 == 0x0A { $0 += 1 } } }

    var fields: [Headers.Field] {
        var fields: [Headers.Field] = []
        fields.reserveCapacity(12)
        forEach { name, value in
            let text = Self.text(value)
            fields.append(Headers.Field(Headers.Name(Self.text(name).value), text.value, isLatin1: text.isLatin1))
            return true
        }
        return fields
    }

    func contains(_ name: Headers.Name) -> Bool {
        var isThere = false
        forEachValue(of: name) { _ in
            isThere = true
            return false
        }
        return isThere
    }

    /// Goes through the values of the fields of a name for as long as the closure says so.
    func forEachValue(of name: Headers.Name, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) {
        var wanted = name.canonicalName
        wanted.withUTF8 { wanted in
            forEach { name, value in
                // The wanted name is in lower case.
                guard name.count == wanted.count,
                    zip(name, wanted).allSatisfy({ ($0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0) == $1 })
                else { return true }
                return body(value)
            }
        }
    }

    private func forEach(_ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool) {
        bytes.withUnsafeBufferPointer { all in
            var rest = all[...]
            while let end = rest.firstIndex(of: 0x0A) {
                let line = rest[..<end]
                rest = rest[(end + 1)...]
                guard let colon = line.firstIndex(of: 0x3A) else { continue }
                let value = UnsafeBufferPointer(rebasing: line[(colon + 1)...])
                if !body(UnsafeBufferPointer(rebasing: line[..<colon]), value) { return }
            }
        }
    }

    /// As text: UTF-8, else ISO-8859-1 (RFC 9110 §5.5).
    package static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> (value: String, isLatin1: Bool) {
        // Nearly all is ASCII, of which nothing needs to be checked.
        if bytes.allSatisfy({ $0 < 0x80 }) { return (String(decoding: bytes, as: UTF8.self), false) }
        if let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
        return (String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })), true)
    }
}
