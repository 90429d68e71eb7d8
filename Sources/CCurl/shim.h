#pragma once
#include <curl/curl.h>
#include <stdint.h>

#ifdef __linux__
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Declared here since Swift's Glibc module leaves it out.
extern int pthread_setname_np(pthread_t thread, const char *name);
#endif

// libcurl's setters and getters take variable arguments, which Swift cannot call: a typed one for each kind.

static inline CURLcode convoy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode convoy_set_offset(CURL *easy, CURLoption option, int64_t value) {
    return curl_easy_setopt(easy, option, (curl_off_t)value);
}

static inline CURLcode convoy_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode convoy_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline int64_t convoy_get_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? (int64_t)value : 0;
}

static inline long convoy_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline void *convoy_get_private(CURL *easy) {
    char *value = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
    return value;
}

/// The OpenSSL connection of a transfer that is under way; NULL without TLS or on another TLS library.
static inline void *convoy_get_ssl(CURL *easy) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || info == NULL) return NULL;
    return info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : NULL;
}

/// The callbacks of a handle: all get the handle, but that of a closed socket, which outlives it.
typedef struct {
    curl_write_callback header;
    curl_write_callback write;
    curl_read_callback read;
    curl_prereq_callback prereq;
    curl_opensocket_callback open_socket;
    curl_closesocket_callback close_socket;
} convoy_callbacks;

/// What is the same for every transfer: callbacks, no signals, no redirects, no decoding, no protocol but HTTP, no
/// waiting for a look-up that nobody needs any more.
static inline CURLcode convoy_prepare(
    CURL *easy, const convoy_callbacks *calls, void *handle, void *sockets, char *error_buffer
) {
    curl_easy_setopt(easy, CURLOPT_PRIVATE, handle);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_buffer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, calls->header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, handle);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, calls->write);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, handle);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, calls->read);
    curl_easy_setopt(easy, CURLOPT_READDATA, handle);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, calls->prereq);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, handle);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, calls->open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, handle);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, calls->close_socket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, sockets);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 1L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
}

static inline CURLMcode convoy_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode convoy_multi_prepare(
    CURLM *multi, curl_socket_callback on_socket, curl_multi_timer_callback on_timer, void *loop
) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, loop);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    return curl_multi_setopt(multi, CURLMOPT_TIMERDATA, loop);
}

static inline CURLcode convoy_message_result(const CURLMsg *message) { return message->data.result; }
