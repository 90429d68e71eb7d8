/// Named values in order, for a query or a form: `["tag": ["a", "b"], "page": 2, "draft": true]`.
///
/// A list gives its name once for each element, named values read `a[b]=c`, a nil value is left out, and a Boolean reads
/// `true` or `false`, unless `ParameterOptions` say otherwise. `init(encoding:)` makes parameters of an `Encodable` value.
public struct Parameters: Sendable, Hashable {
    /// One name with its value.
    public struct Item: Sendable, Hashable {
        /// The name, not encoded.
        public var name: String
        /// The value, not encoded.
        public var value: Value

        /// A name with its value.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The items in order.
    public var items: [Item]

    /// No parameters.
    public init() { items = [] }

    /// The given items, in order.
    public init(_ items: some Sequence<Item>) { self.items = Array(items) }

    /// Whether there is none.
    public var isEmpty: Bool { items.isEmpty }

    /// The first value of a name. Setting replaces every item of that name, at the first one's place; nil removes them.
    public subscript(name: String) -> Value? {
        get { items.first { $0.name == name }?.value }
        set {
            guard let newValue else { return items.removeAll { $0.name == name } }
            guard let index = items.firstIndex(where: { $0.name == name }) else { return append(name, newValue) }
            items[index].value = newValue
            items = items.enumerated().filter { $0.offset <= index || $0.element.name != name }.map(\.element)
        }
    }

    /// Adds an item at the end, also if there is one of that name.
    public mutating func append(_ name: String, _ value: Value) { items.append(Item(name, value)) }

    /// These items with the others' where these have none of that name: the own value wins.
    public func merging(defaults: Parameters) -> Parameters { merging(defaults: defaults, except: names) }

    /// These items with the others', but those of some names.
    func merging(defaults: Parameters, except taken: Set<String>) -> Parameters {
        if defaults.isEmpty { return self }
        return Parameters(defaults.items.filter { !taken.contains($0.name) } + items)
    }

    /// The names of the items.
    var names: Set<String> { Set(items.map(\.name)) }

    /// The names in an encoded query or form.
    static func names(inEncoded text: some StringProtocol) -> Set<String> {
        Set(
            text.utf8.split(separator: 0x26).map { pair in
                let name = pair.prefix { $0 != 0x3D }.map { $0 == 0x2B ? 0x20 : $0 }
                let encoded = String(decoding: name, as: UTF8.self)
                return PercentEncoding.decode(encoded) ?? encoded
            })
    }

    /// `name=value` pairs joined by `&`.
    package func encoded(_ encoding: PercentEncoding, _ options: ParameterOptions = ParameterOptions()) -> String {
        pairs(options).map { "\(encoding.encode($0.name))=\(encoding.encode($0.value))" }.joined(separator: "&")
    }
}

extension Parameters: CustomStringConvertible {
    /// `name=value` pairs joined by `&`, not encoded, secrets masked.
    public var description: String {
        pairs(ParameterOptions()).map { pair in
            "\(pair.name)=\(Redaction.standard.masks(parameter: pair.name) ? Redaction.mask : pair.value)"
        }.joined(separator: "&")
    }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Items in the order given; a name may come twice.
    public init(dictionaryLiteral elements: (String, Value)...) { items = elements.map { Item($0.0, $0.1) } }
}

extension Parameters {
    /// The value of a parameter: a text, a number, a Boolean, a list, named values, or nothing.
    public struct Value: Sendable, Hashable {
        let tree: Tree

        init(_ tree: Tree) { self.tree = tree }

        /// A value by its text, such as a string or a number. A Boolean stays one.
        public init(_ value: some LosslessStringConvertible) {
            tree = (value as? Bool).map { .bool($0) } ?? .text(value.description)
        }

        /// A list.
        public init(list values: some Sequence<some LosslessStringConvertible>) {
            tree = .list(values.map { Value($0).tree })
        }

        /// A value that may be missing.
        public init(_ value: (some LosslessStringConvertible)?) { tree = value.map { Value($0).tree } ?? .null }

        /// Named values within this one.
        public init(_ parameters: Parameters) {
            tree = .object(parameters.items.map { Member(name: $0.name, value: $0.value.tree) })
        }
    }
}

extension Parameters.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self.init(value) }
    /// A number.
    public init(integerLiteral value: Int) { self.init(value) }
    /// A number.
    public init(floatLiteral value: Double) { self.init(value) }
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self.init(value) }
    /// A list.
    public init(arrayLiteral elements: Self...) { self.init(.list(elements.map(\.tree))) }
    /// Named values, in the order given.
    public init(dictionaryLiteral elements: (String, Self)...) {
        self.init(.object(elements.map { Parameters.Member(name: $0.0, value: $0.1.tree) }))
    }
    /// Nothing.
    public init(nilLiteral: ()) { self.init(.null) }
}
