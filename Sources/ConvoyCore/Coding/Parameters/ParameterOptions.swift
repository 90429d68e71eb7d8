/// How parameters are written into a query or a form.
///
/// ```swift
/// client.update { $0.parameterOptions.arrays = .brackets }
/// ```
public struct ParameterOptions: Sendable {
    /// Where `parameters` go. Default: by method.
    public var destination: Destination = .byMethod
    /// The names of the elements of a list. Default: the name again for each element, `a=1&a=2`.
    public var arrays: Arrays = .repeated
    /// The names of values within values. Default: `a[b]`.
    public var nesting: Nesting = .brackets
    /// Default: `true` and `false`.
    public var booleans: Booleans = .trueFalse
    /// What becomes of nil. Default: it is left out.
    public var nulls: Nulls = .omitted
    /// What becomes of the names. Default: nothing.
    public var keys: Keys = .asGiven
    /// A space in the query. Default: `%20`, which every server reads; a form body has `+`, as WHATWG URL §5 says.
    public var spaces: Spaces = .percent
    /// Whether they are sorted by name, byte by byte. Default: as given.
    public var isSorted = false

    /// The documented defaults.
    public init() {}

    /// Where parameters go.
    public enum Destination: Sendable, Hashable {
        /// Into the query for GET, HEAD, DELETE and TRACE, else into the body.
        case byMethod
        /// Into the query.
        case query
        /// Into the body.
        case body
    }

    /// The names of the elements of a list.
    public struct Arrays: Sendable {
        let name: @Sendable (_ name: String, _ index: Int) -> String
        let separator: String?

        private init(separator: String? = nil, _ name: @escaping @Sendable (String, Int) -> String) {
            self.name = name
            self.separator = separator
        }

        /// `a=1&a=2`
        public static let repeated = Arrays { name, _ in name }
        /// `a[]=1&a[]=2`; values within elements get their index, `a[0][b]`, so that each keeps together.
        public static let brackets = Arrays { name, _ in name + "[]" }
        /// `a[0]=1&a[1]=2`
        public static let indexed = Arrays { name, index in "\(name)[\(index)]" }
        /// `a=1,2`; lists within lists and named values are indexed.
        public static let joined = Arrays.joined(by: ",")
        /// `a=1|2` and the like.
        public static func joined(by separator: String) -> Arrays { Arrays(separator: separator) { name, _ in name } }
        /// Names of one's own.
        public static func custom(_ name: @escaping @Sendable (_ name: String, _ index: Int) -> String) -> Arrays {
            Arrays(name)
        }
    }

    /// The names of values within values.
    public enum Nesting: Sendable, Hashable {
        /// `a[b][c]`
        case brackets
        /// `a.b.c`
        case dots
    }

    /// How a Boolean reads.
    public enum Booleans: Sendable, Hashable {
        /// `true`, `false`
        case trueFalse
        /// `1`, `0`
        case oneZero
    }

    /// What becomes of nil.
    public enum Nulls: Sendable, Hashable {
        /// It is left out.
        case omitted
        /// `a=`
        case empty
        /// `a=null`
        case null
    }

    /// What becomes of names.
    public enum Keys: Sendable {
        /// They stay.
        case asGiven
        /// `userID` becomes `user_id`.
        case snakeCase
        /// What a closure makes of them.
        case custom(@Sendable (String) -> String)

        func callAsFunction(_ name: String) -> String {
            switch self {
            case .asGiven: name
            case .snakeCase: name.snakeCased
            case .custom(let body): body(name)
            }
        }
    }

    /// How a space is written in a query.
    public enum Spaces: Sendable, Hashable {
        /// `%20`
        case percent
        /// `+`
        case plus
    }
}

extension String {
    /// `userIDNumber` as `user_id_number`: ASCII only.
    var snakeCased: String {
        var output: [UInt8] = []
        let bytes = Array(utf8)
        func isUpper(_ index: Int) -> Bool { bytes.indices.contains(index) && (0x41...0x5A) ~= bytes[index] }
        for (index, byte) in bytes.enumerated() {
            guard isUpper(index) else {
                output.append(byte)
                continue
            }
            let followsLower = index > 0 && !isUpper(index - 1) && bytes[index - 1] != 0x5F
            let endsAcronym =
                index > 0 && isUpper(index - 1) && bytes.indices.contains(index + 1)
                && (0x61...0x7A) ~= bytes[index + 1]
            if followsLower || endsAcronym { output.append(0x5F) }
            output.append(byte | 0x20)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
