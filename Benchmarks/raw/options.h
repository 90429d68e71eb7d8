#pragma once
#include <stdbool.h>

/// What the program was asked to do. The command line is that of all programs: see Sources/BenchSupport/Options.swift.
struct options {
    const char *scenario, *url, *warm_url, *authorities, *file;
    long requests, concurrency, warmup;
    bool wants_h1, wants_h2;
    /// `--keep-registered`: idle sockets stay in epoll, which is not what libcurl asks for.
    bool keeps_registered;
};

/// Reads the command line; ends the program with a message when it makes no sense.
struct options options_read(int count, char **words);

/// What the process has used up to a moment: seconds, seconds of processor time, context switches.
struct usage {
    double time, cpu;
    long switches;
};

struct usage usage_now(void);

/// A field of /proc/self/status in KiB, such as "VmHWM:"; 0 when there is none.
long memory(const char *field);
