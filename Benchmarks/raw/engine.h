#pragma once
#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

/// libcurl's multi interface, driven by epoll on this thread.
struct engine {
    CURLM *multi;
    int poll;
    /// When libcurl wants to be called though no socket fires, in nanoseconds; -1 for never.
    int64_t due;
    bool keeps_registered;
    /// What each descriptor is registered for, and whether libcurl has no use for it at the moment.
    uint32_t *registered;
    bool *is_idle;
};

void engine_start(struct engine *engine, bool keeps_registered);

/// Prepares a handle: what the engine itself needs.
void engine_prepare(struct engine *engine, CURL *easy);

/// Runs so many requests over these handles, each again as soon as it is free. `ended` is called after each, outside
/// of libcurl.
void engine_run(
    struct engine *engine, CURL **handles, long handle_count, long requests, void (*ended)(CURL *, CURLcode));
