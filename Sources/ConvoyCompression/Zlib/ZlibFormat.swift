/// What zlib wraps around its deflate stream; the raw value is the window bits that ask for it.
enum ZlibFormat: Int32 {
    /// RFC 1952.
    case gzip = 31
    /// RFC 1950.
    case zlib = 15
    /// RFC 1951, nothing around it.
    case raw = -15
}
