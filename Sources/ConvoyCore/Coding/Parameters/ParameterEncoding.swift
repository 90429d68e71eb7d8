#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Parameters {
    /// How dates are written.
    public enum Dates: Sendable {
        /// `2026-01-02T03:04:05Z`
        case iso8601
        /// Seconds since 1970; a fraction only where there is one.
        case seconds
        /// Whole milliseconds since 1970.
        case milliseconds
        /// What a closure makes of them.
        case custom(@Sendable (Date) -> String)
    }

    /// The members of an `Encodable` value, in the order in which it encodes them; booleans stay booleans.
    ///
    /// Dates are written as `dates` says, data as Base64. Throws `.encodingFailed`, with the path, for a value that has no
    /// members, for numbers that are none or infinite, and for values nested more than 100 deep.
    public init(encoding value: some Encodable, dates: Dates = .iso8601) throws {
        let target = EncodedValue()
        do { try ParameterEncoder(target, dates: dates, path: []).encode(value) } catch let error as EncodingError {
            throw ConvoyError(
                .encodingFailed, "cannot write \(type(of: value)) as parameters: \(Self.description(error))",
                underlying: error)
        }
        guard case .object(let members) = target.tree else {
            throw ConvoyError(
                .encodingFailed, "cannot write \(type(of: value)) as parameters: it has no named members")
        }
        self.init(members.map { Item($0.name, Value($0.value)) })
    }

    private static func description(_ error: EncodingError) -> String {
        guard case .invalidValue(_, let context) = error else { return "\(error)" }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}

/// Where a value is put together while it is encoded.
private final class EncodedValue {
    enum Content {
        case single(Parameters.Tree)
        case list([EncodedValue])
        case object([(name: String, value: EncodedValue)])
    }

    var content = Content.single(.null)

    var tree: Parameters.Tree {
        switch content {
        case .single(let tree): tree
        case .list(let elements): .list(elements.map(\.tree))
        case .object(let members): .object(members.map { Parameters.Member(name: $0.name, value: $0.value.tree) })
        }
    }

    /// Where each member stands: one that is encoded again takes the place of the first.
    private var places: [String: Int] = [:]

    func member(_ name: String) -> EncodedValue {
        let value = EncodedValue()
        var members: [(name: String, value: EncodedValue)] = []
        if case .object(let known) = content { members = known }
        // Held by one only, so that it is not copied for each member.
        content = .single(.null)
        if let index = places[name], members.indices.contains(index) {
            members[index].value = value
        } else {
            places[name] = members.count
            members.append((name, value))
        }
        content = .object(members)
        return value
    }

    func element() -> EncodedValue {
        let value = EncodedValue()
        var elements: [EncodedValue] = []
        if case .list(let known) = content { elements = known }
        content = .single(.null)
        elements.append(value)
        content = .list(elements)
        return value
    }

    var count: Int { if case .list(let elements) = content { elements.count } else { 0 } }
}

private struct ParameterEncoder: Encoder {
    let target: EncodedValue
    let dates: Parameters.Dates
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ target: EncodedValue, dates: Parameters.Dates, path: [any CodingKey]) {
        self.target = target
        self.dates = dates
        codingPath = path
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .object = target.content {} else { target.content = .object([]) }
        return KeyedEncodingContainer(Members<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .list = target.content {} else { target.content = .list([]) }
        return Elements(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    func within(_ target: EncodedValue, _ key: any CodingKey) -> ParameterEncoder {
        ParameterEncoder(target, dates: dates, path: codingPath + [key])
    }

    func encode(_ value: some Encodable) throws {
        guard codingPath.count <= 100 else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: Array(codingPath.prefix(5)), debugDescription: "it is nested too deeply"))
        }
        switch value {
        case let date as Date: target.content = .single(.text(text(date)))
        case let data as Data: target.content = .single(.text(data.base64EncodedString()))
        case let url as URL: target.content = .single(.text(url.absoluteString))
        case let decimal as Decimal: target.content = .single(.text("\(decimal)"))
        default: try value.encode(to: self)
        }
    }

    private func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        switch dates {
        case .iso8601: return date.formatted(.iso8601)
        case .seconds: return Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
        case .milliseconds: return Int(exactly: (seconds * 1000).rounded()).map { "\($0)" } ?? "\(seconds * 1000)"
        case .custom(let body): return body(date)
        }
    }

    func encode(number: some BinaryFloatingPoint & CustomStringConvertible) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: codingPath, debugDescription: "\(number) is not a number to be written"))
        }
        // 3.0 is 3 to everybody who reads it.
        let whole = Int64(exactly: number).map { "\($0)" }
        target.content = .single(.text(whole ?? number.description))
    }

    struct Single: SingleValueEncodingContainer {
        let encoder: ParameterEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil() throws { encoder.target.content = .single(.null) }
        func encode(_ value: Bool) throws { encoder.target.content = .single(.bool(value)) }
        func encode(_ value: Double) throws { try encoder.encode(number: value) }
        func encode(_ value: Float) throws { try encoder.encode(number: value) }
        func encode<Value: Encodable>(_ value: Value) throws {
            // These encode themselves by this very function.
            switch value {
            case let text as String: encoder.target.content = .single(.text(text))
            case let number as any BinaryInteger: encoder.target.content = .single(.text("\(number)"))
            default: try encoder.encode(value)
            }
        }
    }

    struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: ParameterEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        private func at(_ key: any CodingKey) -> ParameterEncoder {
            encoder.within(encoder.target.member(key.stringValue), key)
        }

        func encodeNil(forKey key: Key) throws { _ = encoder.target.member(key.stringValue) }
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            try at(key).encode(value)
        }
        func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key)
            -> KeyedEncodingContainer<Inner>
        { at(key).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { at(key).unkeyedContainer() }
        func superEncoder() -> any Encoder { at(Index("super")) }
        func superEncoder(forKey key: Key) -> any Encoder { at(key) }
    }

    struct Elements: UnkeyedEncodingContainer {
        let encoder: ParameterEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int { encoder.target.count }

        private func next() -> ParameterEncoder {
            let key = Index("\(count)")
            return encoder.within(encoder.target.element(), key)
        }

        func encodeNil() throws { _ = encoder.target.element() }
        func encode<Value: Encodable>(_ value: Value) throws { try next().encode(value) }
        func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
            next().container(keyedBy: type)
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
        func superEncoder() -> any Encoder { next() }
    }

    /// The place of an element, or a superclass, in a path.
    private struct Index: CodingKey {
        let stringValue: String
        var intValue: Int? { Int(stringValue) }
        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { self.init("\(intValue)") }
    }
}
