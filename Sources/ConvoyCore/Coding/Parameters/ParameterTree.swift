extension Parameters {
    /// What a value is made of.
    enum Tree: Sendable, Hashable {
        case null
        case bool(Bool)
        case text(String)
        case list([Tree])
        case object([Member])
    }

    /// A named value within another.
    struct Member: Sendable, Hashable {
        let name: String
        let value: Tree
    }
}

extension Parameters.Tree {
    /// The text of a value that has no parts; nil for nothing.
    func text(_ booleans: ParameterOptions.Booleans) -> String? {
        switch self {
        case .bool(let value): booleans == .trueFalse ? (value ? "true" : "false") : (value ? "1" : "0")
        case .text(let text): text
        case .null, .list, .object: nil
        }
    }
}
