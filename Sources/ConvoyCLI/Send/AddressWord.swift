/// The address as it is typed: `https://` may not be left out, everything before `//` may.
enum AddressWord {
    /// `:8080/x` is `http://localhost:8080/x`, and what has no scheme is `http`.
    static func expanded(_ word: String) -> String {
        if hasScheme(word) { return word }
        if word.hasPrefix("//") { return "http:" + word }
        guard word.hasPrefix(":"), !word.hasPrefix("::") else { return "http://" + word }
        let rest = word.dropFirst()
        // `:/x` and `:` leave the port out as well.
        let hasPort = rest.utf8.first?.isDigit ?? false
        return hasPort ? "http://localhost:\(rest)" : "http://localhost\(rest)"
    }

    private static func hasScheme(_ word: String) -> Bool {
        guard let end = word.utf8.firstIndex(where: { !$0.isTokenByte }) else { return false }
        return end != word.startIndex && word.utf8[end...].starts(with: "://".utf8)
    }
}
