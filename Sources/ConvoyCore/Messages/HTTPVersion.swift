/// The protocol version of a message (RFC 9110 §2.5).
public struct HTTPVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number before the dot.
    public let major: Int
    /// The number after the dot.
    public let minor: Int

    /// A version by its two numbers.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// HTTP/1.0
    public static let http10 = HTTPVersion(major: 1, minor: 0)
    /// HTTP/1.1
    public static let http11 = HTTPVersion(major: 1, minor: 1)
    /// HTTP/2
    public static let http2 = HTTPVersion(major: 2, minor: 0)
    /// HTTP/3
    public static let http3 = HTTPVersion(major: 3, minor: 0)

    /// Whether the left is the older version.
    public static func < (left: HTTPVersion, right: HTTPVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// `HTTP/1.1`, `HTTP/2`
    public var description: String { major >= 2 ? "HTTP/\(major)" : "HTTP/\(major).\(minor)" }
}
