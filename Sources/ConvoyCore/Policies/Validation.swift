/// Which answers count as success. One that does not throws `.unacceptableStatus` or `.unacceptableContentType`, with
/// the whole response in the error.
///
/// The default takes 2xx, 304 and other 3xx that were not followed, and any content type.
public struct Validation: Sendable {
    private var acceptsStatus: @Sendable (Status) -> Bool
    private var contentTypes: [String]

    /// 2xx, and 3xx that were not followed; any content type.
    public static let standard = Validation { $0.kind == .successful || $0.kind == .redirection }

    /// Everything.
    public static let none = Validation { _ in true }

    /// Statuses of a range, such as `.statuses(200..<300)` or `.statuses(200...299)`.
    public static func statuses(_ range: some RangeExpression<Int> & Sendable) -> Validation {
        Validation { range.contains($0.code) }
    }

    /// Just these statuses.
    public static func statuses(_ statuses: Set<Status>) -> Validation { Validation { statuses.contains($0) } }

    /// Statuses for which the closure says yes.
    public init(_ acceptsStatus: @escaping @Sendable (Status) -> Bool) {
        self.acceptsStatus = acceptsStatus
        contentTypes = []
    }

    /// The same, for answers of one of these media types only: `application/json`, `text/*`, `*/json`. Parameters such
    /// as a charset do not count, and an answer without content passes.
    public func contentTypes(_ types: String...) -> Validation { contentTypes(types) }

    /// The same, for answers of one of these media types only. An empty list takes any.
    public func contentTypes(_ types: [String]) -> Validation {
        var copy = self
        copy.contentTypes = types.map(\.lowercasedASCII)
        return copy
    }

    /// Why the response is not accepted; nil if it is.
    func rejection(of response: Response) -> ConvoyError? {
        guard acceptsStatus(response.status) else {
            return Self.refusal(of: response)
        }
        guard !contentTypes.isEmpty, !response.hasNoContent else { return nil }
        let type = response.mediaType ?? ""
        guard contentTypes.contains(where: { Self.matches(type, $0) }) else {
            return ConvoyError(
                .unacceptableContentType,
                "the answer is \(type.isEmpty ? "of no stated type" : type), not \(contentTypes.joined(separator: " or "))",
                phase: .decoding)
        }
        return nil
    }

    /// The error of a status that does not count as success.
    static func refusal(of response: Response) -> ConvoyError {
        ConvoyError(
            .unacceptableStatus, "the server answered \(response.statusLine.visible(upTo: 120))", phase: .decoding)
    }

    private static func matches(_ type: String, _ pattern: String) -> Bool {
        let parts = type.split(separator: "/", maxSplits: 1)
        let wanted = pattern.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, wanted.count == 2 else { return pattern == "*" || type == pattern }
        return zip(parts, wanted).allSatisfy { $1 == "*" || $0 == $1 }
    }
}
