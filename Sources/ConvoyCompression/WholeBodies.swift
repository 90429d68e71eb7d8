import ConvoyCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ContentCoder {
    /// Undoes the codings of a whole body; nil if one of them is unknown.
    ///
    /// - Parameter contentEncoding: The values of the `Content-Encoding` field, one for each line of it.
    /// - Throws: `ConvoyError` `.corruptContent`, `.truncatedContent` or `.contentLimitExceeded`.
    public func decode(
        _ data: Data, contentEncoding: [String], limits: ContentLimits = ContentLimits()
    ) throws -> Data? {
        guard let decoder = try ContentDecoderStack(contentEncoding, coder: self, limits: limits) else { return nil }
        var plain = Data()
        try data.withUnsafeBytes { try decoder.decode($0) { plain.append(contentsOf: $0) } }
        try decoder.finish { plain.append(contentsOf: $0) }
        return plain
    }

    /// Applies one coding to a whole body; nil if the coding is unknown.
    ///
    /// - Throws: `ConvoyError` `.encodingFailed` when the library fails, as it does without memory.
    public func encode(_ data: Data, as coding: String) throws -> Data? {
        guard let encoder = makeEncoder(for: coding) else { return nil }
        var coded = Data()
        try data.withUnsafeBytes { try encoder.encode($0) { coded.append(contentsOf: $0) } }
        try encoder.finish { coded.append(contentsOf: $0) }
        return coded
    }
}
