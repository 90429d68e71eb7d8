#include "engine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { most_descriptors = 1 << 16, most_events = 256 };

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void control(struct engine *engine, int operation, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    epoll_ctl(engine->poll, operation, descriptor, &event);
    engine->registered[descriptor] = events;
}

static int on_socket(CURL *easy, curl_socket_t descriptor, int what, void *context, void *unused) {
    (void)easy, (void)unused;
    struct engine *engine = context;
    if (descriptor >= most_descriptors) return -1;
    if (what == CURL_POLL_REMOVE) {
        engine->is_idle[descriptor] = true;
        if (!engine->keeps_registered) control(engine, EPOLL_CTL_DEL, descriptor, 0);
        return 0;
    }
    uint32_t events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    uint32_t before = engine->registered[descriptor];
    engine->is_idle[descriptor] = false;
    if (before != events) control(engine, before ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, events);
    return 0;
}

static int on_timer(CURLM *multi, long milliseconds, void *context) {
    (void)multi;
    struct engine *engine = context;
    engine->due = milliseconds < 0 ? -1 : now() + milliseconds * 1000000;
    return 0;
}

/// The kernel takes a closed descriptor out of epoll by itself; its number may come back as another socket.
static int on_close(void *context, curl_socket_t descriptor) {
    struct engine *engine = context;
    if (descriptor < most_descriptors) engine->registered[descriptor] = 0;
    return close(descriptor);
}

void engine_start(struct engine *engine, bool keeps_registered) {
    engine->multi = curl_multi_init();
    engine->poll = epoll_create1(EPOLL_CLOEXEC);
    engine->due = -1;
    engine->keeps_registered = keeps_registered;
    engine->registered = calloc(most_descriptors, sizeof *engine->registered);
    engine->is_idle = calloc(most_descriptors, sizeof *engine->is_idle);
    if (!engine->multi || engine->poll < 0 || !engine->registered || !engine->is_idle) {
        perror("bench-raw");
        exit(1);
    }
    curl_multi_setopt(engine->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(engine->multi, CURLMOPT_SOCKETDATA, engine);
    curl_multi_setopt(engine->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(engine->multi, CURLMOPT_TIMERDATA, engine);
    curl_multi_setopt(engine->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    curl_multi_setopt(engine->multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 1024L);
    // Else libcurl closes idle connections of which the next request would have made use.
    curl_multi_setopt(engine->multi, CURLMOPT_MAXCONNECTS, 2048L);
}

void engine_prepare(struct engine *engine, CURL *easy) {
    // With a callback of our own libcurl leaves closing to us: needed only where a registration outlives its use.
    if (!engine->keeps_registered) return;
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, engine);
}

static void run_timer(struct engine *engine) {
    int running;
    // The action may set the timer again to "at once"; sockets have their turn too.
    for (int i = 0; i < 16 && engine->due >= 0 && engine->due <= now(); i++) {
        engine->due = -1;
        curl_multi_socket_action(engine->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
}

static int milliseconds_left(const struct engine *engine) {
    if (engine->due < 0) return -1;
    int64_t left = engine->due - now();
    return left <= 0 ? 0 : (int)((left + 999999) / 1000000);
}

static void wait_and_act(struct engine *engine) {
    struct epoll_event events[most_events];
    int running;
    int count = epoll_wait(engine->poll, events, most_events, milliseconds_left(engine));
    for (int i = 0; i < count; i++) {
        int descriptor = events[i].data.fd;
        if (engine->is_idle[descriptor]) {
            control(engine, EPOLL_CTL_DEL, descriptor, 0);
            continue;
        }
        int what = (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR) ? CURL_CSELECT_IN : 0) |
                   (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0);
        curl_multi_socket_action(engine->multi, descriptor, what, &running);
    }
}

void engine_run(
    struct engine *engine, CURL **handles, long handle_count, long requests, void (*ended)(CURL *, CURLcode)) {
    long started = 0, finished = 0;
    while (started < handle_count && started < requests) curl_multi_add_handle(engine->multi, handles[started++]);
    while (finished < requests) {
        run_timer(engine);
        CURLMsg *message;
        int left, added = 0;
        while ((message = curl_multi_info_read(engine->multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            CURLcode code = message->data.result;
            curl_multi_remove_handle(engine->multi, easy);
            ended(easy, code);
            finished++;
            if (started < requests) {
                curl_multi_add_handle(engine->multi, easy);
                started++;
                added++;
            }
        }
        // A request that was added waits for the timer action, which sends it: no use to look at the sockets before.
        if (!added && finished < requests) wait_and_act(engine);
    }
}
