#!/usr/bin/env bash
# Runs every test under ThreadSanitizer and AddressSanitizer, each in a build folder of its own; a report fails it.
# `scripts/sanitize.sh thread` or `address` runs one of them; further words go to swift test.

# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
cd "$root"

run() {
    local kind=$1 build=".build/sanitize-$1"
    shift
    say "building for ${kind}sanitizer"
    # SANITIZE_THREAD puts values under a lock that ThreadSanitizer knows; see Support/Locked.swift.
    local flags=(--sanitize="$kind" --scratch-path "$build")
    if [ "$kind" = thread ]; then flags+=(-Xswiftc -DSANITIZE_THREAD); fi
    swift build --build-tests "${flags[@]}" >"$build.log" 2>&1 || { tail -40 "$build.log"; return 1; }
    say "testing under ${kind}sanitizer"
    # One test at a time: code under a sanitizer is so slow that side by side they overrun their own time limits.
    # XCTest's own start-up leaks a few bytes; what our code leaks is looked for by the leak checks and the soak.
    TSAN_OPTIONS="halt_on_error=0 exitcode=66" ASAN_OPTIONS="detect_leaks=0" \
        scripts/with-servers.sh swift test --skip-build --no-parallel "${flags[@]}" "$@"
}

mkdir -p .build
kinds=(thread address)
case "${1:-}" in
thread | address) kinds=("$1"); shift ;;
esac
for kind in "${kinds[@]}"; do run "$kind" "$@"; done
say "clean"
