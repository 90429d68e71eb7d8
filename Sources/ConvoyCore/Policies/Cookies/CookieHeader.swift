extension Headers {
    /// Adds cookies behind those that are there; one of a name that is there stays out.
    mutating func add(_ cookies: [Cookie]) {
        let own = fields.filter { $0.name == .cookie }.flatMap { $0.rawValue.split(separator: 0x3B) }
            .map { $0.trimmingOWS }.filter { !$0.isEmpty }
        let names = Set(own.map { pair in pair.firstIndex(of: 0x3D).map { pair[..<$0].trimmingOWS } ?? [] })
        let new = cookies.filter { !names.contains($0.nameBytes[...]) }
        guard !new.isEmpty else { return }
        let bytes = Array((own + new.map { $0.pair[...] }).joined(separator: [0x3B, 0x20]))
        let text = bytes.withUnsafeBufferPointer { FieldLines.text($0) }
        // One field, whatever there was (RFC 6265 §5.4).
        remove(.cookie)
        append(Field(.cookie, text.value, isLatin1: text.isLatin1))
    }
}

extension ArraySlice<UInt8> {
    /// Without the white space of RFC 9110 §5.6.3 around it.
    fileprivate var trimmingOWS: ArraySlice<UInt8> {
        var rest = drop { $0 == 0x20 || $0 == 0x09 }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return rest
    }
}
