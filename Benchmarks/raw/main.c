// bench-raw: what libcurl itself can do. Plain C on the multi socket interface and epoll, one thread, handles that are
// used again; headers are received and not parsed, a body goes into a buffer that is kept.
#define _FILE_OFFSET_BITS 64
#include "engine.h"
#include "options.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// What belongs to a handle, from one request to the next.
struct slot {
    char *body;
    size_t length, capacity;
    int file;
};

static struct options options;
static long errors;
static curl_off_t bytes;

static size_t on_header(char *line, size_t size, size_t count, void *context) {
    (void)line, (void)context;
    return size * count;
}

static size_t on_body(char *piece, size_t size, size_t count, void *context) {
    struct slot *slot = context;
    size_t length = size * count;
    if (slot->length + length + 1 > slot->capacity) {
        slot->capacity = (slot->length + length + 1) * 2;
        slot->body = realloc(slot->body, slot->capacity);
        if (!slot->body) return 0;
    }
    memcpy(slot->body + slot->length, piece, length);
    slot->length += length;
    slot->body[slot->length] = 0;  // so that it can be read as text
    return length;
}

static size_t on_body_to_file(char *piece, size_t size, size_t count, void *context) {
    struct slot *slot = context;
    size_t length = size * count, written = 0;
    while (written < length) {
        ssize_t result = write(slot->file, piece + written, length - written);
        if (result < 0) return 0;
        written += (size_t)result;
    }
    slot->length += length;
    return length;
}

static size_t on_read(char *buffer, size_t size, size_t count, void *context) {
    ssize_t result = read(((struct slot *)context)->file, buffer, size * count);
    return result < 0 ? CURL_READFUNC_ABORT : (size_t)result;
}

static void ended(CURL *easy, CURLcode code) {
    struct slot *slot;
    long status = 0, version = 0;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &slot);
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(easy, CURLINFO_HTTP_VERSION, &version);
    bool is_wrong = (options.wants_h2 && version != CURL_HTTP_VERSION_2) ||
                    (options.wants_h1 && version != CURL_HTTP_VERSION_1_1);
    if ((code != CURLE_OK || status != 200 || is_wrong) && errors++ == 0) {
        fprintf(stderr, "%s, status %ld, version %ld\n", curl_easy_strerror(code), status, version);
    }
    bytes += (curl_off_t)slot->length;
    slot->length = 0;
}

static CURL *make_handle(struct engine *engine) {
    CURL *easy = curl_easy_init();
    struct slot *slot = calloc(1, sizeof *slot);
    if (!easy || !slot) exit(1);
    engine_prepare(engine, easy);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, slot);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, slot);
    if (options.authorities) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, options.authorities);
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    if (options.wants_h1) {
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    } else {
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
        curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    }
    return easy;
}

/// Opens the file and gives the handle what a transfer of that kind needs. Buffers are as large as Convoy's.
static struct slot *prepare_transfer(CURL *easy, bool is_upload) {
    struct slot *slot;
    struct stat info;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &slot);
    slot->file = open(options.file, is_upload ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (slot->file < 0 || fstat(slot->file, &info)) {
        perror(options.file);
        exit(1);
    }
    if (is_upload) {
        // libcurl copies neither: both live as long as the program.
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, curl_slist_append(NULL, "Expect:"));
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)info.st_size);
        curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_read);
        curl_easy_setopt(easy, CURLOPT_READDATA, slot);
        curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 1024L << 10);
    } else {
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body_to_file);
        curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 512L << 10);
    }
    return slot;
}

/// The number in the answer to an upload is what the server received, and takes the place of the answer's own length.
static void check_upload(struct slot *slot) {
    struct stat info;
    bytes = slot->body ? atoll(slot->body) : 0;
    if (fstat(slot->file, &info) || bytes != info.st_size) errors++;
}

int main(int count, char **words) {
    struct usage before = usage_now();
    options = options_read(count, words);
    bool is_upload = !strcmp(options.scenario, "upload"), is_download = !strcmp(options.scenario, "download");
    if (curl_global_init(CURL_GLOBAL_DEFAULT)) return 1;
    static struct engine engine;
    engine_start(&engine, options.keeps_registered);
    CURL **handles = calloc((size_t)options.concurrency, sizeof *handles);
    if (!handles) return 1;
    for (long i = 0; i < options.concurrency; i++) handles[i] = make_handle(&engine);
    long start_memory = memory("VmRSS:");

    for (long i = 0; i < options.concurrency; i++) curl_easy_setopt(handles[i], CURLOPT_URL, options.warm_url);
    engine_run(&engine, handles, options.concurrency, options.warmup, ended);
    for (long i = 0; i < options.concurrency; i++) curl_easy_setopt(handles[i], CURLOPT_URL, options.url);
    long idle_memory = memory("VmRSS:");

    bytes = 0;
    if (strcmp(options.scenario, "first")) before = usage_now();
    struct slot *slot = is_upload || is_download ? prepare_transfer(handles[0], is_upload) : NULL;
    engine_run(&engine, handles, options.concurrency, options.requests, ended);
    if (is_upload) check_upload(slot);
    struct usage after = usage_now();

    double seconds = after.time - before.time, requests = (double)options.requests;
    printf("{\"program\": \"%s\", \"scenario\": \"%s\", \"requests\": %ld, \"seconds\": %.6f, "
           "\"requests_per_second\": %.3f, \"cpu_us_per_request\": %.3f, \"switches_per_request\": %.4f, "
           "\"peak_kib\": %ld, \"start_kib\": %ld, \"idle_kib\": %ld, \"errors\": %ld, \"bytes\": %lld}\n",
           options.keeps_registered ? "raw-kept" : "raw", options.scenario, options.requests, seconds,
           requests / seconds, (after.cpu - before.cpu) * 1e6 / requests,
           (double)(after.switches - before.switches) / requests, memory("VmHWM:"), start_memory, idle_memory, errors,
           (long long)bytes);
    return 0;
}
