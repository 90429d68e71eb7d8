import ConvoyCore

/// A content coding of this build, by the name it is registered under; in the order of preference.
enum Coding: String, CaseIterable {
    case gzip
    case deflate
    #if Brotli && canImport(CBrotli)
        case brotli = "br"
    #endif
    #if Zstd && canImport(CZstd)
        case zstd
    #endif

    /// The coding of a name in any case, aliases included; nil if there is none.
    init?(name: String) {
        let name = name.lowercasedASCII
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    func makeDecodingEngine() -> any DecodingEngine {
        switch self {
        case .gzip: GzipDecoder()
        case .deflate: DeflateDecoder()
        #if Brotli && canImport(CBrotli)
            case .brotli: BrotliDecoder()
        #endif
        #if Zstd && canImport(CZstd)
            case .zstd: ZstdDecoder()
        #endif
        }
    }

    func makeEncodingEngine() -> any EncodingEngine {
        switch self {
        case .gzip: ZlibEncoder(.gzip)
        case .deflate: ZlibEncoder(.zlib)
        #if Brotli && canImport(CBrotli)
            case .brotli: BrotliEncoder()
        #endif
        #if Zstd && canImport(CZstd)
            case .zstd: ZstdEncoder()
        #endif
        }
    }
}
