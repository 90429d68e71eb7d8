#!/usr/bin/env bash
# Builds the programs in Examples/, a package of its own that uses this one as any other would, and runs each: it starts
# its own server, and fails when what it shows does not hold.

# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
cd "$root"

build=.build/examples
log=.build/examples.log
mkdir -p .build
# SwiftPM does not see that a package it depends on by path has got or lost a file: without its plan it looks again.
rm -f "$build/debug.yaml"
build_all() { swift build --package-path Examples --scratch-path "$build" >"$log" 2>&1; }
# Nor does it always compile again what calls a function that has changed: a build from nothing has the last word.
build_all || { rm -rf "$build" && build_all; } || {
    quote "$log" 40 >&2
    fail "the examples do not build"
}
for folder in Examples/Sources/*/; do
    name=$(basename "$folder")
    "$build/debug/$name" >"$log" 2>&1 || {
        quote "$log" 40 >&2
        fail "$name does not show what it should"
    }
    say "$name shows what it should"
done
