#pragma once
#include <zlib.h>

/// The window bits choose the format: 16 + 15 gzip, 15 zlib, -15 raw deflate. The library's own names for these are
/// macros that Swift cannot see.
static inline int convoy_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

static inline int convoy_deflate_init(z_stream *stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}
