import ConvoyCore

/// A request that is refused before a handler sees it, or while one reads its body: answered with the status.
package struct Rejection: Error, Hashable {
    package var status: Status
    package var reason: String

    package init(_ status: Status, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    static let headTooLarge = Rejection(.requestHeaderFieldsTooLarge, "the header fields are too large")
    static let targetTooLong = Rejection(414, "the request line is too long")
    static let chunkLineTooLong = Rejection(.badRequest, "a chunk's size line is too long")

    static func bad(_ reason: String) -> Rejection { Rejection(.badRequest, reason) }
}
