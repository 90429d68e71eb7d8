/// What is masked wherever a message is shown: the values of header fields that carry secrets.
public struct Redaction: Sendable {
    /// What stands in a masked value's place.
    public static let mask = "•••"

    /// The fields whose values are masked.
    public var headerNames: Set<Headers.Name>

    /// Masks these fields.
    public init(headerNames: Set<Headers.Name>) { self.headerNames = headerNames }

    /// Masks the credentials and cookies of HTTP, and common key headers.
    public static let standard = Redaction(headerNames: [
        .authorization, .proxyAuthorization, .cookie, .setCookie, "X-Api-Key", "X-Auth-Token", "Api-Key",
        "X-Amz-Security-Token",
    ])

    /// Whether the field's value is to be masked: it is named here, or its name says that it holds a secret.
    public func masks(_ name: Headers.Name) -> Bool {
        headerNames.contains(name)
            || ["token", "secret", "password", "apikey"].contains { name.canonicalName.contains($0) }
    }

    /// The field's value as it may be shown: the scheme of credentials stays readable.
    public func value(of field: Headers.Field) -> String {
        guard masks(field.name) else { return field.value }
        let isCredentials = field.name == .authorization || field.name == .proxyAuthorization
        guard isCredentials, let space = field.value.firstIndex(of: " ") else { return Self.mask }
        return field.value[..<space] + " " + Self.mask
    }

    /// An address, possibly malformed, with what stands before an `@` in its authority masked.
    package static func maskUserInfo(_ text: String) -> String {
        guard let slashes = text.range(of: "://", in: text.startIndex) else { return text }
        let rest = text[slashes.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard let at = rest[..<end].lastIndex(of: "@") else { return text }
        return text[..<slashes.upperBound] + mask + text[at...]
    }
}
