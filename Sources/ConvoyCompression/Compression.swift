import ConvoyCore

/// The content codings gzip, deflate, br and zstd (RFC 9110 §8.4.1, RFC 7932, RFC 8878), both ways and streaming.
///
/// `br` and `zstd` are there when the package traits `Brotli` and `Zstd` are on. `x-gzip` is taken for gzip
/// (RFC 9110 §8.4.1.3). `identity` is no coding: there is no decoder for it, and nothing to undo.
///
/// A body of no bytes at all decodes to no bytes, whatever its coding: answers to HEAD and of status 204 and 304 name
/// the coding that the content would have had.
///
/// ```swift
/// let coded = try Compression.standard.encode(json, as: "gzip")
/// let plain = try Compression.standard.decode(body, contentEncoding: headers.values(for: .contentEncoding))
/// ```
public struct Compression: ContentCoder {
    /// Every coding of this build, the preferred first.
    public static let standard = Compression()

    /// The codings it decodes and encodes, the preferred first.
    public let codings: [String]

    /// A coder for some of the codings, the preferred first. Default: gzip, deflate, br, zstd.
    ///
    /// Names that this build does not know are left out, and so are names that come a second time.
    public init(codings: [String]? = nil) {
        guard let codings else {
            self.codings = Coding.allCases.map(\.rawValue)
            return
        }
        var known: [String] = []
        for case let coding? in codings.map(Coding.init(name:)) where !known.contains(coding.rawValue) {
            known.append(coding.rawValue)
        }
        self.codings = known
    }

    /// A fresh decoder for one body; nil for a coding that is not among `codings`. Names are compared without case.
    ///
    /// The decoder throws `ConvoyError` `.corruptContent` for damaged bytes and for bytes after the end of the coded
    /// stream, and `.truncatedContent` from `finish` when the end has not come. Several gzip members (RFC 1952 §2.2)
    /// and several zstd frames decode to one body. After an error every further call throws it again.
    public func makeDecoder(for coding: String) -> (any ContentDecoder)? {
        guard let coding = known(coding) else { return nil }
        return StreamDecoder(coding.rawValue, engine: coding.makeDecodingEngine())
    }

    /// A fresh encoder for one body; nil for a coding that is not among `codings`. Names are compared without case.
    public func makeEncoder(for coding: String) -> (any ContentEncoder)? {
        guard let coding = known(coding) else { return nil }
        return StreamEncoder(coding.rawValue, engine: coding.makeEncodingEngine())
    }

    private func known(_ name: String) -> Coding? {
        guard let coding = Coding(name: name), codings.contains(coding.rawValue) else { return nil }
        return coding
    }
}
