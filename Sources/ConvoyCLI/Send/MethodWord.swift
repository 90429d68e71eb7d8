import Convoy

/// A word on the command line that is a method: capital letters, or one of the known names in any case.
///
/// Methods are case-sensitive (RFC 9110 §9.1): only the known names, which nobody means in small letters, are raised.
struct MethodWord {
    let method: Convoy.Method

    private static let known: Set<String> = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"]

    /// Whether a word that stands alone is a method without its URL, and no host.
    static func isUnmistakable(_ word: String) -> Bool { known.contains(word) }

    init?(_ word: String) {
        if Self.known.contains(word.uppercased()) {
            method = Convoy.Method(word.uppercased())
            return
        }
        let isCapital = !word.isEmpty && word.utf8.allSatisfy { ($0 >= 0x41 && $0 <= 0x5A) || $0 == 0x2D || $0 == 0x5F }
        guard isCapital else { return nil }
        method = Convoy.Method(word)
    }
}
