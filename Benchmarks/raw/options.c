#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static void refuse(const char *why) {
    fprintf(stderr, "bench-raw: %s\nusage: bench-raw get|download|upload|inflight|first|wait URL [options]\n", why);
    exit(1);
}

struct options options_read(int count, char **words) {
    if (count < 3) refuse("scenario or URL missing");
    struct options options = {.scenario = words[1], .url = words[2], .requests = 1, .concurrency = 1};
    for (int i = 3; i < count; i++) {
        const char *name = words[i];
        if (!strcmp(name, "--keep-registered")) {
            options.keeps_registered = true;
            continue;
        }
        if (++i == count) refuse("an option without its value");
        const char *value = words[i];
        if (!strcmp(name, "--requests")) options.requests = atol(value);
        else if (!strcmp(name, "--concurrency")) options.concurrency = atol(value);
        else if (!strcmp(name, "--warmup")) options.warmup = atol(value);
        else if (!strcmp(name, "--warm-url")) options.warm_url = value;
        else if (!strcmp(name, "--ca")) options.authorities = value;
        else if (!strcmp(name, "--file")) options.file = value;
        else if (!strcmp(name, "--protocol")) *(strcmp(value, "h2") ? &options.wants_h1 : &options.wants_h2) = true;
        else refuse(name);
    }
    if (!options.warm_url) options.warm_url = options.url;
    return options;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec * 1e-6; }

struct usage usage_now(void) {
    struct timespec clock;
    struct rusage usage;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    getrusage(RUSAGE_SELF, &usage);
    return (struct usage){
        .time = (double)clock.tv_sec + (double)clock.tv_nsec * 1e-9,
        .cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime),
        .switches = usage.ru_nvcsw + usage.ru_nivcsw,
    };
}

long memory(const char *field) {
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;
    while (status && fgets(line, sizeof line, status)) {
        if (!strncmp(line, field, strlen(field))) kib = atol(line + strlen(field));
    }
    if (status) fclose(status);
    return kib;
}
