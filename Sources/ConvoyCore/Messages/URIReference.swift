extension URI {
    /// The address that a reference means, read from here (RFC 3986 §5.2). One without a fragment keeps this one's
    /// (RFC 9110 §10.2.2); illegal characters are encoded, valid triplets stay.
    ///
    /// Throws `.invalidURL` for what cannot be one, and for other schemes than `http` and `https`.
    public func resolving(_ reference: String) throws -> URI {
        let trimmed = String(reference.trimmingOWS)
        if let hostile = trimmed.unicodeScalars.first(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw URIParser.failure(trimmed, "it contains the control character \(hostile.escaped(asASCII: true))")
        }
        var target = try target(of: trimmed)
        if target.fragment == nil { target.fragment = fragment }
        return target
    }

    private func target(of reference: String) throws -> URI {
        if let scheme = Self.scheme(of: reference) {
            // `http:path` and `http:/path` are read differently by everybody.
            guard URI.isAbsolute(reference) else {
                throw URIParser.failure(reference, "the scheme \(scheme.quotedForMessage) is not followed by //")
            }
            return try URI(reference)
        }
        if reference.utf8.starts(with: "//".utf8) { return try URI("\(scheme):\(reference)") }
        let (path, query, fragment) = URIParser.split(reference)
        var copy = self
        copy.fragment = fragment
        if path.isEmpty {
            if let query { copy.query = query }
            return copy
        }
        if path.utf8.first == 0x2F {
            copy.path = path
        } else {
            let base = self.path.utf8.lastIndex(of: 0x2F).map { self.path[...$0] } ?? "/"
            copy.path = base + path
        }
        copy.query = query
        return copy
    }

    /// The scheme that a reference begins with; nil for a relative one.
    private static func scheme(of reference: String) -> String? {
        guard let end = reference.utf8.firstIndex(where: { [0x3A, 0x2F, 0x3F, 0x23].contains($0) }),
            reference.utf8[end] == 0x3A, let first = reference.utf8.first, (first | 0x20) >= 0x61,
            (first | 0x20) <= 0x7A
        else { return nil }
        return String(reference[..<end]).lowercasedASCII
    }
}
