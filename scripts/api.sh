#!/usr/bin/env bash
# Writes the public API of the library modules to Documentation/api/, so that a change of it shows in review.
# With --check it writes nothing, and fails with the difference when the sources and the dump disagree.

# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
cd "$root"

modules=(Convoy ConvoyCore ConvoyCompression ConvoyCurl ConvoyServer ConvoyTesting)
kept=Documentation/api
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

scripts/symbol-graphs.sh "$new/graphs" "${modules[@]}"
mkdir "$new/api"
for module in "${modules[@]}"; do
    python3 scripts/api.py "$new/graphs/$module" >"$new/api/$module.txt"
done

case ${1-} in
--check)
    # -F heads every difference with the type that it belongs to.
    if [ -d "$kept" ] && diff -u -r -N -F '^[^ ]' "$kept" "$new/api"; then
        say "the public API is as $kept says"
    else
        fail "the public API is not what $kept says; if it is meant to be so, run: make api"
    fi
    ;;
'')
    rm -rf "$kept"
    mkdir -p "$kept"
    cp "$new"/api/*.txt "$kept/"
    say "wrote $kept"
    ;;
*) fail "usage: scripts/api.sh [--check]" ;;
esac
