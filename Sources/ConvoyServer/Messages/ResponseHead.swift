import ConvoyCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The head of a response as it goes on the wire, and what follows from it for the body (RFC 9112 §4, §6).
package struct ResponseHead {
    /// How the body's end is told.
    package enum Framing: Hashable, Sendable {
        /// There is no body on the wire, whatever the fields say.
        case none
        /// So many bytes.
        case length(Int64)
        /// In chunks.
        case chunked
        /// By the end of the connection, or not at all.
        case untilClose
    }

    package let bytes: [UInt8]
    package let framing: Framing
    /// Whether the connection ends with this response.
    package let closes: Bool

    /// The head of a response to a request. The length is that of the body, nil if it is not known before.
    init(_ response: ServerResponse, length: Int?, to request: ServerRequest, keepsAlive: Bool) {
        var headers = response.headers
        let opensTunnel = request.method == .connect && response.status.kind == .successful
        let isBare = response.status.forbidsContent || opensTunnel
        var framing = Self.stated(headers)
        if framing == nil, !isBare {
            if !response.isChunked, let length {
                headers.append(.contentLength, String(length))
                framing = .length(Int64(length))
            } else if request.version >= .http11 {
                headers.append(.transferEncoding, "chunked")
                framing = .chunked
            }
        }
        let isInterim = response.status.kind == .informational
        let closes =
            !isInterim && (response.closes || !keepsAlive || headers.connectionCloses || (framing == nil && !isBare))
        if closes, !headers.contains(.connection) { headers.append(.connection, "close") }
        if !isInterim, !headers.contains(.date) { headers.append(.date, HTTPDate.now.description) }
        self.closes = closes
        self.framing = isBare || request.method == .head ? .none : framing ?? .untilClose
        bytes = Self.serialize(response, headers)
    }

    private static func stated(_ headers: Headers) -> Framing? {
        if let coding = headers[.transferEncoding] {
            return coding.lowercased().hasSuffix("chunked") ? .chunked : .untilClose
        }
        return headers[.contentLength].map { text in Int64(text).map { .length($0) } ?? .untilClose }
    }

    private static func serialize(_ response: ServerResponse, _ headers: Headers) -> [UInt8] {
        let reason = response.reason ?? response.status.standardReason
        var bytes = Array("HTTP/1.1 \(response.status.code) \(reason)\r\n".utf8)
        for field in headers {
            bytes += Array("\(field.name.rawName): ".utf8)
            bytes += field.rawValue
            bytes += [0x0D, 0x0A]
        }
        return bytes + [0x0D, 0x0A]
    }
}
