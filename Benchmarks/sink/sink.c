// bench-sink: the server for what nginx does not do, as cheap as a server can be. HTTP/1.1 on a free port of 127.0.0.1,
// which it prints; one thread and epoll.
//
//   a request with a body       the body is thrown away by the kernel, the answer is its length as text
//   GET /delay/MILLISECONDS     1 KiB, that much later; any number of requests may wait
//   GET anything else           1 KiB
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most_head = 16 << 10, most_discarded = 4 << 20, answer_size = 1024, most_events = 256 };

struct connection {
    int descriptor;
    char head[most_head + 1];
    size_t length;
    /// Of a body: what is announced, and what is still to come.
    long long announced, left;
    /// Of a delayed answer: when it is due, in milliseconds; in the queue only while it waits.
    bool is_waiting;
    int64_t due;
    TAILQ_ENTRY(connection) entry;
};

TAILQ_HEAD(queue, connection);
static struct queue waiting = TAILQ_HEAD_INITIALIZER(waiting);
static int poll_descriptor;

static void die(const char *what) {
    perror(what);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

static bool send_all(int descriptor, const char *text, size_t length) {
    return send(descriptor, text, length, MSG_NOSIGNAL) == (ssize_t)length;
}

static bool answer(struct connection *connection, const char *body, size_t length) {
    char text[512 + answer_size];
    static const char format[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n\r\n";
    int head = snprintf(text, 512, format, length);
    memcpy(text + head, body, length);
    return send_all(connection->descriptor, text, (size_t)head + length);
}

static bool answer_block(struct connection *connection) {
    static char block[answer_size];
    if (!block[0]) memset(block, 'x', sizeof block);
    return answer(connection, block, sizeof block);
}

static void answer_later(struct connection *connection, long delay) {
    connection->is_waiting = true;
    connection->due = now() + delay;
    // Sorted from the end: mostly all wait equally long, and the newest is the last.
    struct connection *before = TAILQ_LAST(&waiting, queue);
    while (before && before->due > connection->due) before = TAILQ_PREV(before, queue, entry);
    if (before) TAILQ_INSERT_AFTER(&waiting, before, connection, entry);
    else TAILQ_INSERT_HEAD(&waiting, connection, entry);
}

/// Acts on a head that is complete; false to close the connection.
static bool take_head(struct connection *connection) {
    const char *length = strcasestr(connection->head, "\r\ncontent-length:");
    const char *delay = strncmp(connection->head, "GET /delay/", 11) ? NULL : connection->head + 11;
    bool expects = strcasestr(connection->head, "\r\nexpect: 100-continue");
    connection->length = 0;
    if (strcasestr(connection->head, "\r\ntransfer-encoding:")) return false;
    connection->announced = connection->left = length ? atoll(length + 17) : 0;
    if (connection->left > 0) {
        static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
        return !expects || send_all(connection->descriptor, go_on, sizeof go_on - 1);
    }
    if (length) return answer(connection, "0\n", 2);
    if (delay && atol(delay) > 0) {
        answer_later(connection, atol(delay));
        return true;
    }
    return answer_block(connection);
}

/// Throws away what there is of a body: with MSG_TRUNC the kernel copies nothing.
static bool discard(struct connection *connection) {
    size_t most = connection->left < most_discarded ? (size_t)connection->left : most_discarded;
    ssize_t count = recv(connection->descriptor, NULL, most, MSG_TRUNC);
    if (count <= 0) return false;
    connection->left -= count;
    if (connection->left > 0) return true;
    char text[32];
    return answer(connection, text, (size_t)snprintf(text, sizeof text, "%lld\n", connection->announced));
}

/// Reads just the head, byte-exactly, so that a body behind it is left to `discard`.
static bool receive(struct connection *connection) {
    if (connection->left > 0) return discard(connection);
    char *end = connection->head + connection->length;
    ssize_t count = recv(connection->descriptor, end, most_head - connection->length, MSG_PEEK);
    if (count <= 0) return false;
    end[count] = 0;
    char *blank = strstr(connection->head, "\r\n\r\n");
    if (blank) count = blank + 4 - end;
    if (recv(connection->descriptor, end, (size_t)count, 0) != count) return false;
    connection->length += (size_t)count;
    connection->head[connection->length] = 0;
    if (blank) return take_head(connection);
    return connection->length < most_head;
}

static void drop(struct connection *connection) {
    if (connection->is_waiting) TAILQ_REMOVE(&waiting, connection, entry);
    close(connection->descriptor);
    free(connection);
}

static int answer_due(void) {
    int64_t moment = now();
    struct connection *first;
    while ((first = TAILQ_FIRST(&waiting)) && first->due <= moment) {
        TAILQ_REMOVE(&waiting, first, entry);
        first->is_waiting = false;
        if (!answer_block(first)) drop(first);
    }
    return first ? (int)(first->due - moment) : -1;
}

static void watch(int descriptor, void *owner) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = owner};
    if (epoll_ctl(poll_descriptor, EPOLL_CTL_ADD, descriptor, &event)) die("epoll_ctl");
}

static int start_listening(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096) ||
        getsockname(listener, (struct sockaddr *)&address, &size)) die("bench-sink");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static void accept_all(int listener) {
    int descriptor, on = 1;
    while ((descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        struct connection *connection = calloc(1, sizeof *connection);
        if (!connection) die("calloc");
        connection->descriptor = descriptor;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(descriptor, connection);
    }
}

int main(void) {
    // Ends with the shell that started it, even when that is killed outright.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    struct rlimit limit;
    if (!getrlimit(RLIMIT_NOFILE, &limit)) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    poll_descriptor = epoll_create1(EPOLL_CLOEXEC);
    int listener = start_listening();
    watch(listener, NULL);
    while (true) {
        struct epoll_event events[most_events];
        int count = epoll_wait(poll_descriptor, events, most_events, answer_due());
        for (int i = 0; i < count; i++) {
            struct connection *connection = events[i].data.ptr;
            if (!connection) accept_all(listener);
            else if (!receive(connection)) drop(connection);
        }
    }
}
