import ConvoyCore

extension ContentLimits {
    /// How much comes out before the ratio is looked at: small bodies may repeat themselves as they like.
    static let ratioThreshold: Int64 = 16 * 1024 * 1024

    /// Throws `.contentLimitExceeded` when one coding has handed out more than is allowed.
    ///
    /// What comes out before the last coding is undone is coded itself, and coding makes what it cannot compress a
    /// little longer: there the bound on the bytes has an eighth and 64 KiB on top.
    func check(produced: Int64, received: Int64, coding: String, isLast: Bool) throws {
        if let maximumBytes {
            let slack = isLast ? 0 : max(0, maximumBytes) / 8 + 64 * 1024
            if produced - slack > maximumBytes {
                throw exceeded("The \(coding) content decodes to more than \(maximumBytes) bytes, the most allowed.")
            }
        }
        if let maximumRatio, produced > Self.ratioThreshold {
            let (bound, overflow) = received.multipliedReportingOverflow(by: max(0, maximumRatio))
            if !overflow, produced > bound {
                throw exceeded(
                    "The \(coding) content decodes to \(produced) bytes from \(received) received, "
                        + "more than \(maximumRatio) for one, the most allowed.")
            }
        }
    }

    private func exceeded(_ message: String) -> ConvoyError {
        ConvoyError(.contentLimitExceeded, message, phase: .receiving)
    }
}
