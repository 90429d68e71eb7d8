/// The fields of a message: in order, names compared without case, repeated fields kept (RFC 9110 §5).
///
/// ```swift
/// var headers: Headers = ["Accept": "text/html"]
/// headers["X-Device"] = "7"          // replaces every field of that name
/// headers.append("X-Tag", "a")       // adds one more
/// headers["Accept"] = nil            // removes
/// ```
///
/// Reading by subscript joins repeated fields as RFC 9110 §5.3 allows; `Set-Cookie` is never joined, use `values(for:)`.
public struct Headers: Sendable, Hashable {
    /// One field line.
    public struct Field: Sendable, Hashable {
        /// The field's name.
        public var name: Name
        /// The field's value, without white space around it.
        public var value: String
        /// Whether the bytes on the wire are ISO-8859-1, since they were no UTF-8 (RFC 9110 §5.5).
        public var isLatin1: Bool

        /// A field line of a name and a value.
        public init(_ name: Name, _ value: String, isLatin1: Bool = false) {
            self.name = name
            self.value = value
            self.isLatin1 = isLatin1
        }

        /// The value's bytes as they go, or came, on the wire. A value beyond ISO-8859-1 is UTF-8 all the same.
        public var rawValue: [UInt8] {
            guard isLatin1 else { return Array(value.utf8) }
            // Cutting scalars down to bytes would make a line break of U+010A.
            let bytes = value.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            return bytes.count == value.unicodeScalars.count ? bytes : Array(value.utf8)
        }
    }

    /// The field lines that were set; none while `lines` stand for all.
    private var own: [Field] = []
    /// What an engine received, until a change makes fields of it.
    private var lines: FieldLines?

    /// No fields.
    public init() {}

    /// The given field lines, in order.
    public init(_ fields: some Sequence<Field>) { own = Array(fields) }

    /// What an engine received.
    package init(_ lines: FieldLines) { self.lines = lines }

    /// The field lines in order.
    public var fields: [Field] { lines?.fields ?? own }

    /// The number of field lines.
    public var count: Int { lines?.count ?? own.count }

    /// Whether there is no field.
    public var isEmpty: Bool { lines?.isEmpty ?? own.isEmpty }

    private mutating func change(_ change: (inout [Field]) -> Void) {
        if let lines {
            own = lines.fields
            self.lines = nil
        }
        change(&own)
    }

    /// Whether both hold the same fields in one piece of memory: a quick yes, where no says nothing.
    package func isIdentical(to other: Headers) -> Bool {
        lines == nil && other.lines == nil && own.count == other.own.count
            && own.withUnsafeBufferPointer { mine in
                other.own.withUnsafeBufferPointer { $0.baseAddress == mine.baseAddress }
            }
    }

    /// Whether both have the same fields in the same order.
    public static func == (left: Headers, right: Headers) -> Bool {
        left.isIdentical(to: right) || left.fields == right.fields
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }

    /// The value of a field; nil if there is none. Several are joined by `, ` (`Cookie` by `; `); of `Set-Cookie` it is
    /// the first. Setting replaces every field of that name, at the first one's place; setting nil removes them.
    public subscript(name: Name) -> String? {
        get {
            var found: String?
            forEachValue(of: name) { value in
                guard let first = found else {
                    found = value
                    return name != .setCookie
                }
                found = first + (name == .cookie ? "; " : ", ") + value
                return true
            }
            return found
        }
        set {
            guard let newValue else { return remove(name) }
            change { fields in
                guard let index = fields.firstIndex(where: { $0.name == name }) else {
                    return fields.append(Field(name, newValue))
                }
                fields[index] = Field(name, newValue)
                var position = 0
                fields.removeAll { field in
                    defer { position += 1 }
                    return position > index && field.name == name
                }
            }
        }
    }

    /// Every value of a field, in order.
    public func values(for name: Name) -> [String] {
        var values: [String] = []
        forEachValue(of: name) { value in
            values.append(value)
            return true
        }
        return values
    }

    /// Whether there is a field of this name.
    public func contains(_ name: Name) -> Bool { lines?.contains(name) ?? own.contains { $0.name == name } }

    /// Goes through the values of a field for as long as the closure says so.
    private func forEachValue(of name: Name, _ body: (String) -> Bool) {
        if let lines { return lines.forEachValue(of: name) { body(FieldLines.text($0).value) } }
        for field in own where field.name == name { guard body(field.value) else { return } }
    }

    /// Adds a field line at the end.
    public mutating func append(_ name: Name, _ value: String) { append(Field(name, value)) }

    /// Adds a field line at the end.
    public mutating func append(_ field: Field) { change { $0.append(field) } }

    /// Removes every field of this name.
    public mutating func remove(_ name: Name) { change { $0.removeAll { $0.name == name } } }

    /// Makes room for this many field lines.
    public mutating func reserveCapacity(_ count: Int) { change { $0.reserveCapacity(count) } }

    /// These fields with the others' added where these have none of that name: the own value wins.
    public func merging(defaults: Headers) -> Headers {
        if isEmpty { return defaults }
        if defaults.isEmpty { return self }
        return Headers(defaults.fields.filter { !contains($0.name) } + fields)
    }

    /// Throws `.invalidHeader` naming the first field that cannot be sent: a name that is no token, or CR, LF or NUL in
    /// a value (RFC 9110 §5.1, §5.5). The message never holds the value, which may be a secret.
    public func validate() throws {
        for field in fields {
            guard field.name.rawName.isToken else {
                throw ConvoyError(
                    .invalidHeader, "header name \(field.name.rawName.quotedForMessage) is not a token (RFC 9110 §5.1)")
            }
            guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                throw ConvoyError(
                    .invalidHeader, "the value of header \(field.name) contains CR, LF or NUL (RFC 9110 §5.5)")
            }
        }
    }
}

extension Headers: Sequence {
    /// Goes through the field lines in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// Field lines in the order given; a name may come twice.
    public init(dictionaryLiteral elements: (Name, String)...) { self.init(elements.map { Field($0.0, $0.1) }) }
}

extension Headers.Field: CustomStringConvertible {
    /// `Name: value`, a secret masked.
    public var description: String { "\(name): \(Redaction.standard.value(of: self))" }
}

extension Headers: CustomStringConvertible {
    /// One `Name: value` line a field, secrets masked.
    public var description: String {
        fields.map(\.description).joined(separator: "\n")
    }
}
