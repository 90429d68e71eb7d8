extension Parameters {
    /// A name with a text: what a query or form is made of.
    struct Pair: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// The pairs that they are written as, not encoded.
    func pairs(_ options: ParameterOptions) -> [Pair] {
        var pairs: [Pair] = []
        pairs.reserveCapacity(items.count)
        for item in items { Self.add(item.value.tree, options.keys(item.name), options, to: &pairs) }
        // By bytes, as signatures want it; equal names stay in order.
        guard options.isSorted else { return pairs }
        return pairs.enumerated().sorted { left, right in
            let (one, other) = (left.element.name, right.element.name)
            return one == other ? left.offset < right.offset : one.utf8.lexicographicallyPrecedes(other.utf8)
        }.map(\.element)
    }

    private static func add(_ tree: Tree, _ name: String, _ options: ParameterOptions, to pairs: inout [Pair]) {
        switch tree {
        case .null:
            switch options.nulls {
            case .omitted: break
            case .empty: pairs.append(Pair(name: name, value: ""))
            case .null: pairs.append(Pair(name: name, value: "null"))
            }
        case .bool, .text: pairs.append(Pair(name: name, value: tree.text(options.booleans) ?? ""))
        case .list(let elements): add(elements, name, options, to: &pairs)
        case .object(let members):
            for member in members {
                let key = options.keys(member.name)
                let inner = options.nesting == .dots ? "\(name).\(key)" : "\(name)[\(key)]"
                add(member.value, inner, options, to: &pairs)
            }
        }
    }

    private static func add(
        _ elements: [Tree], _ name: String, _ options: ParameterOptions, to pairs: inout [Pair]
    ) {
        let texts = elements.map { $0.text(options.booleans) }
        if let separator = options.arrays.separator, !elements.isEmpty, texts.allSatisfy({ $0 != nil }) {
            return pairs.append(Pair(name: name, value: texts.compactMap { $0 }.joined(separator: separator)))
        }
        for (index, element) in elements.enumerated() {
            switch element {
            // Without its index, what belongs to one element could not be told from the next one's.
            case .list, .object: add(element, "\(name)[\(index)]", options, to: &pairs)
            default: add(element, options.arrays.name(name, index), options, to: &pairs)
            }
        }
    }
}
