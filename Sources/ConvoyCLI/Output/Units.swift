/// Sizes for people.
enum Units {
    /// `0 B`, `512 B`, `1.2 kB`, `3.4 MB`: powers of a thousand, one decimal.
    static func bytes(_ count: Int64) -> String {
        if count < 1000 { return "\(count) B" }
        var value = Double(count)
        for unit in ["kB", "MB", "GB"] {
            value /= 1000
            // Rounded before it is compared, so that 999 950 bytes read 1.0 MB and not 1000.0 kB.
            if (value * 10).rounded() < 10000 { return "\((value * 10).rounded() / 10) \(unit)" }
        }
        return "\((value / 100).rounded() / 10) TB"
    }
}
