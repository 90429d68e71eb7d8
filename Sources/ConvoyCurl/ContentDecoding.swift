import ConvoyCompression
import ConvoyCore
import FoundationEssentials

/// Undoes the content codings of a response (RFC 9110 §8.4). The header fields stay as the server sent them.
enum ContentDecoding {
    /// A decoder for a body that is written as it comes; nil if there is nothing to undo.
    static func decoder(_ headers: Headers, _ request: Request) throws -> (any ContentDecoder)? {
        request.decodesContent ? try decoder(headers.values(for: .contentEncoding)) : nil
    }

    /// A decoder for these values of `Content-Encoding`; nil if there is nothing to undo, or a coding is unknown.
    static func decoder(
        _ codings: [String], limits: ContentLimits = ContentLimits()
    ) throws -> (any ContentDecoder)? {
        codings.isEmpty ? nil : try ContentDecoderStack(codings, coder: Compression.standard, limits: limits)
    }

    /// The response with its body in memory decoded: in the caller's task, so that the loop goes on meanwhile.
    static func decoded(_ response: Response, _ request: Request) throws -> Response {
        guard request.decodesContent, case .bytes(let data) = response.body.storage, !data.isEmpty else {
            return response
        }
        let codings = response.headers.values(for: .contentEncoding)
        let limit = request.bodyLimit ?? 64 << 20
        do {
            guard let decoder = try decoder(codings, limits: ContentLimits(maximumBytes: Int64(limit))) else {
                return response
            }
            let plain = ByteBuffer()
            try data.withUnsafeBytes { try decoder.decode($0, output: plain.append) }
            try decoder.finish(output: plain.append)
            var response = response
            response.body = .bytes(plain.takeData(), contentType: response.body.contentType)
            return response
        } catch var error as ConvoyError {
            error.metrics = response.metrics
            throw error
        }
    }
}
