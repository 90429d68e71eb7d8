/// An address with places for values (RFC 6570, levels 1 to 4): `search{?q,lang*}`.
///
/// A value is a text, a number, a list, or named values in order. One that is missing, nil, or an empty list leaves its
/// place empty.
public struct URITemplate: Sendable, Hashable {
    /// The template as it was given.
    public let text: String
    private let parts: [Part]

    private enum Part: Sendable, Hashable {
        case literal(String)
        case expression(Operator, [Variable])
    }

    private struct Variable: Sendable, Hashable {
        let name: String
        let isExploded: Bool
        let prefix: Int?
    }

    /// What stands before, between, and how values are written (RFC 6570 appendix A).
    private struct Operator: Sendable, Hashable {
        var first = ""
        var separator = ","
        var isNamed = false
        /// What follows the name of an empty value.
        var ifEmpty = ""
        var keepsReserved = false

        static func of(_ byte: UInt8?) -> Operator? {
            switch byte {
            case 0x2B: Operator(keepsReserved: true)
            case 0x23: Operator(first: "#", keepsReserved: true)
            case 0x2E: Operator(first: ".", separator: ".")
            case 0x2F: Operator(first: "/", separator: "/")
            case 0x3B: Operator(first: ";", separator: ";", isNamed: true)
            case 0x3F: Operator(first: "?", separator: "&", isNamed: true, ifEmpty: "=")
            case 0x26: Operator(first: "&", separator: "&", isNamed: true, ifEmpty: "=")
            default: nil
            }
        }
    }

    /// Parses a template. Throws `.invalidURL` that says where it is wrong.
    public init(_ text: String) throws {
        self.text = text
        var parts: [Part] = []
        var literal: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        func failure(_ reason: String) -> ConvoyError {
            ConvoyError(
                .invalidURL, "the template \(text.quotedForMessage) is wrong at byte \(index): \(reason)")
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x7D { throw failure("} without {") }
            guard byte == 0x7B else {
                literal.append(byte)
                index += 1
                continue
            }
            guard let end = bytes[index...].firstIndex(of: 0x7D) else { throw failure("{ without }") }
            if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
            literal = []
            var expression = bytes[(index + 1)..<end]
            let kind = Operator.of(expression.first)
            if kind != nil { expression = expression.dropFirst() }
            let names = expression.split(separator: 0x2C, omittingEmptySubsequences: false)
            let variables = try names.map { name in
                guard let variable = Self.variable(name) else {
                    throw failure("\(String(decoding: name, as: UTF8.self).quotedForMessage) is no variable")
                }
                return variable
            }
            parts.append(.expression(kind ?? Operator(), variables))
            index = end + 1
        }
        if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
        self.parts = parts
    }

    private static func variable(_ bytes: ArraySlice<UInt8>) -> Variable? {
        var name = bytes
        var prefix: Int?
        let isExploded = name.last == 0x2A
        if isExploded {
            name.removeLast()
        } else if let colon = name.firstIndex(of: 0x3A) {
            let digits = name[(colon + 1)...]
            guard (1...4) ~= digits.count, digits.allSatisfy(\.isDigit), digits.first != 0x30 else { return nil }
            prefix = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            name = name[..<colon]
        }
        guard isName(name) else { return nil }
        return Variable(name: String(decoding: name, as: UTF8.self), isExploded: isExploded, prefix: prefix)
    }

    /// Letters, digits, `_` and triplets, with single dots between (RFC 6570 §2.3).
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first != 0x2E, bytes.last != 0x2E else { return false }
        var previous: UInt8 = 0
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            switch byte {
            case 0x25:
                guard index + 2 < bytes.endIndex, bytes[index + 1].hexValue != nil, bytes[index + 2].hexValue != nil
                else { return false }
                index += 2
            case 0x2E: guard previous != 0x2E else { return false }
            default: guard byte.isDigit || byte == 0x5F || (0x61...0x7A) ~= (byte | 0x20) else { return false }
            }
            previous = byte
            index += 1
        }
        return true
    }

    /// The address with values in its places. Throws `.invalidURL` where a list is given and a prefix of it asked for,
    /// or a list holds lists.
    public func expanded(_ variables: Parameters) throws -> String {
        var output = ""
        for part in parts {
            switch part {
            case .literal(let text): output += text
            case .expression(let kind, let names):
                let pieces = try names.compactMap { try expanded($0, kind, variables[$0.name]) }
                if !pieces.isEmpty { output += kind.first + pieces.joined(separator: kind.separator) }
            }
        }
        return output
    }

    private func expanded(
        _ variable: Variable, _ kind: Operator, _ value: Parameters.Value?
    ) throws -> String? {
        guard let value else { return nil }
        func encoded(_ text: String) -> String {
            kind.keepsReserved ? PercentEncoding.reserved.completing(text) : PercentEncoding.value.encode(text)
        }
        func named(_ name: String, _ text: String) -> String {
            kind.isNamed ? name + (text.isEmpty ? kind.ifEmpty : "=" + text) : text
        }
        let pairs: [(name: String?, text: String)]
        switch value.tree {
        case .null: return nil
        case .list(let elements): pairs = try elements.compactMap { try scalar($0, variable).map { (nil, $0) } }
        case .object(let members):
            pairs = try members.compactMap { member in try scalar(member.value, variable).map { (member.name, $0) } }
        default:
            guard let text = value.tree.text(.trueFalse) else { return nil }
            let cut = variable.prefix.map { String(String.UnicodeScalarView(text.unicodeScalars.prefix($0))) }
            return named(variable.name, encoded(cut ?? text))
        }
        guard variable.prefix == nil else {
            throw ConvoyError(
                .invalidURL,
                "the template \(text.quotedForMessage) asks for the beginning of \(variable.name), which is no text")
        }
        guard !pairs.isEmpty else { return nil }
        guard variable.isExploded else {
            let texts = pairs.flatMap { pair in ([pair.name].compactMap { $0 } + [pair.text]).map(encoded) }
            return named(variable.name, texts.joined(separator: ","))
        }
        return pairs.map { pair in
            guard let name = pair.name else { return named(variable.name, encoded(pair.text)) }
            if kind.isNamed { return named(encoded(name), encoded(pair.text)) }
            return "\(encoded(name))=\(encoded(pair.text))"
        }.joined(separator: kind.separator)
    }

    /// The text of a member; nil for nothing.
    private func scalar(_ tree: Parameters.Tree, _ variable: Variable) throws -> String? {
        switch tree {
        case .null: return nil
        case .list, .object:
            throw ConvoyError(.invalidURL, "\(variable.name) holds lists in a list, which a template cannot write")
        default: return tree.text(.trueFalse)
        }
    }
}

extension URITemplate: CustomStringConvertible {
    /// The template as it was given.
    public var description: String { text }
}

extension URITemplate {
    /// The address with values in its places, none of which may make a segment `.` or `..`: what follows would go
    /// elsewhere.
    fileprivate func expandedSafely(_ variables: Parameters) throws -> String {
        let expanded = try expanded(variables)
        let own = parts.map { if case .literal(let text) = $0 { text } else { "x" } }.joined()
        guard Self.dotSegments(expanded) <= Self.dotSegments(own) else {
            throw ConvoyError(.invalidURL, "a value for the template \(text.quotedForMessage) would change the path")
        }
        return expanded
    }

    private static func dotSegments(_ address: String) -> Int {
        URIParser.split(address).path.split(separator: "/").count { URIParser.dots($0) > 0 }
    }
}

extension Address {
    /// An address out of a template (RFC 6570) and values for it. A template that is wrong is reported when the request
    /// is sent, and so is a value that would make a segment `.` or `..`.
    public init(template: String, _ variables: Parameters = [:]) {
        do { self.init(try URITemplate(template).expandedSafely(variables)) } catch {
            self.init(template, failure: (error as? ConvoyError)?.message ?? "\(error)")
        }
    }
}

extension Request {
    /// A request to an address out of a template (RFC 6570): `Request(.get, template: "search{?q}", ["q": "tea"])`.
    public init(_ method: Method, template: String, _ variables: Parameters = [:]) {
        self.init(method, Address(template: template, variables))
    }
}
