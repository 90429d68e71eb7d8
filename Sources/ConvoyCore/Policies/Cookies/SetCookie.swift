/// A `Set-Cookie` line taken apart: what the server says, before it is known whether it may (RFC 6265 §5.2).
struct SetCookie {
    var name: String
    var value: String
    /// Whether its bytes were no UTF-8.
    let isLatin1: Bool
    var expires: HTTPDate?
    /// Seconds; 0 and less to remove the cookie. Goes before `expires`.
    var maxAge: Int?
    /// In lower case, without the dot in front.
    var domain = ""
    /// Nil where the line gives none of use, and the address decides.
    var path: String?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite = Cookie.SameSite.unspecified

    /// Nil for a line with control characters in it: it may have been forged.
    init?(_ field: Headers.Field) {
        guard !field.value.utf8.contains(where: \.isCookieControl) else { return nil }
        let pieces = field.value.utf8.split(separator: 0x3B, omittingEmptySubsequences: false).map { Substring($0) }
        let pair = Self.pair(pieces.first ?? "")
        // Without a = there is no name, just a value.
        name = pair.value == nil ? "" : String(pair.name)
        value = String(pair.value ?? pair.name)
        isLatin1 = field.isLatin1
        for piece in pieces.dropFirst() {
            let attribute = Self.pair(piece)
            let value = attribute.value ?? ""
            guard value.utf8.count <= 1024 else { continue }
            set(String(attribute.name).lowercasedASCII, value)
        }
    }

    private static func pair(_ text: Substring) -> (name: Substring, value: Substring?) {
        guard let equals = text.utf8.firstIndex(of: 0x3D) else { return (trimmed(text), nil) }
        return (trimmed(text[..<equals]), trimmed(text[text.utf8.index(after: equals)...]))
    }

    private static func trimmed(_ text: Substring) -> Substring { String(text).trimmingOWS }

    /// Takes in an attribute; the last one of a name counts. What it does not know, or cannot be, is passed over.
    private mutating func set(_ name: String, _ value: Substring) {
        switch name {
        case "expires": if let date = CookieDate.parse(value) { expires = date }
        case "max-age": if let seconds = Self.seconds(value) { maxAge = seconds }
        case "domain": domain = CookieScope.withoutDot(value).lowercasedASCII
        case "path": path = value.utf8.first == 0x2F ? String(value) : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = Cookie.SameSite(rawValue: String(value).lowercasedASCII) ?? .unspecified
        default: break
        }
    }

    /// Digits, perhaps behind a minus; more of them than a number holds are as good as endless.
    private static func seconds(_ text: Substring) -> Int? {
        let isNegative = text.utf8.first == 0x2D
        let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        return isNegative ? 0 : Int(Substring(digits)) ?? .max
    }
}

extension UInt8 {
    /// Whether the byte may not stand in a cookie: control characters but the tab (RFC 6265bis §5.6).
    var isCookieControl: Bool { self < 0x20 && self != 0x09 || self == 0x7F }
}
