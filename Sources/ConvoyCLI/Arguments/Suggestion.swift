/// Finds what was probably meant.
enum Suggestion {
    /// `; did you mean --timeout?`, or nothing where no candidate is near.
    static func phrase(for word: String, among candidates: [String], prefix: String = "") -> String {
        nearest(to: word, among: candidates).map { "; did you mean \(prefix)\($0)?" } ?? ""
    }

    /// The candidate with the fewest typing errors from the word, if they are few for its length; or the only one that
    /// begins with it.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        // A word of this length is no mistyped name, and comparing it would take long.
        guard word.count <= 40 else { return nil }
        let target = word.lowercasedASCII
        let ranked = candidates.map { (name: $0, distance: distance(target, $0.lowercasedASCII)) }
        if let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= max(1, target.count / 3) {
            return best.name
        }
        let longer = candidates.filter { target.count >= 2 && $0.lowercasedASCII.hasPrefix(target) }
        return longer.count == 1 ? longer[0] : nil
    }

    /// How many insertions, deletions, replacements and swaps of neighbours lead from one word to the other.
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let isSame = left[row] == right[column]
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, before[column - 1] + 1)
                }
                current.append(cost)
            }
            (before, last) = (last, current)
        }
        return last[right.count]
    }
}
