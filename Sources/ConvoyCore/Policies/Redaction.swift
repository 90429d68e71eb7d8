/// What is masked wherever a message is shown: header fields, parameters and JSON members that carry secrets.
public struct Redaction: Sendable {
    /// What stands in a masked value's place.
    public static let mask = "•••"

    /// The fields whose values are masked.
    public var headerNames: Set<Headers.Name>
    /// The parameters whose values are masked, in lower case.
    public var parameterNames: Set<String>

    /// Masks these, and whatever has a name that says it holds a secret: a token, a password, an API key …
    public init(headerNames: Set<Headers.Name>, parameterNames: Set<String> = []) {
        self.headerNames = headerNames
        self.parameterNames = parameterNames
    }

    /// Masks the credentials and cookies of HTTP, and common key headers and parameters.
    public static let standard = Redaction(
        headerNames: [.authorization, .proxyAuthorization, .cookie, .setCookie],
        parameterNames: ["auth", "key", "pass", "pwd", "sig"])

    /// Whether the field's value is to be masked: it is named here, or its name says that it holds a secret.
    public func masks(_ name: Headers.Name) -> Bool {
        headerNames.contains(name) || Self.soundsSecret(name.rawName)
    }

    /// Whether the parameter's value is to be masked: it is named here, or its name says that it holds a secret.
    public func masks(parameter name: String) -> Bool {
        // Of `user[key]` and `user.key` each part is a name.
        Self.soundsSecret(name)
            || name.utf8.split { [0x5B, 0x5D, 0x2E].contains($0) }.contains {
                parameterNames.contains(String(Substring($0)).lowercasedASCII)
            }
    }

    private static let secretWords = [
        "token", "secret", "password", "passwd", "apikey", "accesskey", "privatekey", "authkey", "credential",
        "signature", "session",
    ]

    private static func soundsSecret(_ name: String) -> Bool {
        // X-Api-Key, api_key and apiKey are one name to people.
        let plain = String(decoding: name.utf8.filter { $0 != 0x2D && $0 != 0x5F }, as: UTF8.self).lowercasedASCII
        return secretWords.contains { plain.contains($0) }
    }

    /// The field's value as it may be shown: the scheme of credentials stays readable.
    public func value(of field: Headers.Field) -> String {
        guard masks(field.name) else { return field.value }
        let isCredentials = field.name == .authorization || field.name == .proxyAuthorization
        guard isCredentials, let space = field.value.utf8.firstIndex(of: 0x20) else { return Self.mask }
        return field.value[..<space] + " " + Self.mask
    }

    /// An address, possibly malformed, as it may be shown: user, password and secret parameters masked.
    package func address(_ text: String) -> String {
        let text = Self.maskUserInfo(text)
        guard let mark = text.utf8.firstIndex(where: { $0 == 0x3F || $0 == 0x23 }) else { return text }
        // A query, and a fragment too, since that is where some logins put their tokens.
        var shown = String(text[..<mark])
        var start = mark
        for index in text.utf8[mark...].indices where [0x3F, 0x23, 0x26].contains(text.utf8[index]) {
            let next = text.utf8.index(after: index)
            shown += masked(text[start..<index]) + text[index..<next]
            start = next
        }
        return shown + masked(text[start...])
    }

    /// Text of a body as it may be shown: the values of JSON members that hold secrets are masked.
    func body(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var shown: [UInt8] = []
        var name: Range<Int>?
        var index = 0
        while index < bytes.count {
            guard bytes[index] == 0x22 else {
                // A number or a word behind a secret name is masked to its end.
                if let key = name, !Self.isBetweenNameAndValue(bytes[index]) {
                    name = nil
                    let isNested = bytes[index] == 0x7B || bytes[index] == 0x5B
                    if !isNested, isSecret(bytes[key]) {
                        while index < bytes.count, ![0x2C, 0x7D, 0x5D, 0x0A].contains(bytes[index]) { index += 1 }
                        shown += Array(Self.mask.utf8)
                        continue
                    }
                }
                shown.append(bytes[index])
                index += 1
                continue
            }
            let start = index + 1
            index = start
            while index < bytes.count, bytes[index] != 0x22 { index += bytes[index] == 0x5C ? 2 : 1 }
            let end = min(index, bytes.count)
            index = min(end + 1, bytes.count)
            let isMember = bytes[index...].first { !$0.isJSONSpace } == 0x3A
            let isMasked = !isMember && name.map { isSecret(bytes[$0]) } ?? false
            shown.append(0x22)
            shown += isMasked ? Array(Self.mask.utf8)[...] : bytes[start..<end]
            if index > end { shown.append(0x22) }
            name = isMember ? start..<end : nil
        }
        return String(decoding: shown, as: UTF8.self)
    }

    private func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        Self.soundsSecret(String(decoding: name, as: UTF8.self))
    }

    private static func isBetweenNameAndValue(_ byte: UInt8) -> Bool { byte == 0x3A || byte.isJSONSpace }

    private func masked(_ pair: Substring) -> String {
        guard let equals = pair.utf8.firstIndex(of: 0x3D), pair.utf8.index(after: equals) != pair.endIndex else {
            return String(pair)
        }
        let name = pair[..<equals]
        return masks(parameter: PercentEncoding.decode(name) ?? String(name)) ? "\(name)=\(Self.mask)" : String(pair)
    }

    /// An address, possibly malformed, with what stands before an `@` in its authority masked.
    package static func maskUserInfo(_ text: String) -> String {
        let bytes = text.utf8
        let slashes = text.range(of: "://", in: text.startIndex)
        var start = slashes?.upperBound ?? text.startIndex
        if slashes == nil {
            if let scheme = ["https:", "http:"].first(where: { text.lowercasedASCII.hasPrefix($0) }) {
                start = bytes.index(start, offsetBy: scheme.utf8.count)
            }
            start = bytes[start...].firstIndex { $0 != 0x2F && $0 != 0x5C } ?? text.endIndex
        }
        let end = bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? text.endIndex
        let authority = bytes[start..<end]
        var at = authority.lastIndex(of: 0x40)
        if slashes == nil, let found = at, !authority[..<found].contains(0x3A) {
            // A path may have an @ in it; a user and a password have a colon between them.
            at = nil
        } else if slashes != nil, at == nil, let colon = authority.lastIndex(of: 0x3A), authority.last != 0x5D,
            !authority[authority.index(after: colon)...].allSatisfy(\.isDigit)
        {
            // What looks like a port and is none may be a password with a / in it.
            at = bytes.lastIndex(of: 0x40)
        }
        guard let at else { return text }
        return text[..<start] + mask + text[at...]
    }
}
