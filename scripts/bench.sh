#!/usr/bin/env bash
# Measures Convoy beside plain libcurl, URLSession and Go, and writes Documentation/performance.md and .json.
#
#   ROUNDS=7              how often everything is measured
#   ONLY='get-h1-c16 …'   just these scenarios; patterns such as 'get-*' too
#   QUICK=1               three short rounds: to see that everything works, not to learn how fast it is
#
# With ONLY or QUICK the report goes to Benchmarks/.build/report instead: it is not one to publish.

# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
cd "$root"

for file in /usr/bin/cc /usr/bin/python3; do
    [ -x "$file" ] || fail "$file is missing"
done
tools=$root/Benchmarks/.build/tools
mkdir -p "$tools"

# MARK: Building

say "building"
flags=(-std=gnu17 -O2 -Wall -Wextra -Werror)
read -r -a libcurl < <(pkg-config --cflags --libs libcurl)
cc "${flags[@]}" Benchmarks/raw/*.c -o "$tools/bench-raw" "${libcurl[@]}"
cc "${flags[@]}" Benchmarks/sink/*.c -o "$tools/bench-sink"
for product in bench-convoy bench-urlsession convoy; do
    swift build --package-path Benchmarks --configuration release --product "$product"
    ln -sf "$(swift build --package-path Benchmarks --configuration release --show-bin-path)/$product" "$tools/"
done
rm -f "$tools/bench-go"
if command -v go >/dev/null; then
    GO111MODULE=off go build -o "$tools/bench-go" Benchmarks/go/main.go
fi

# MARK: A place for large files

# In memory where there is room, so that no disk is measured: what is sent, what arrives, and nginx's copy of an upload.
shopt -s nullglob
for old in /dev/shm/convoy-bench.* "$state"/convoy-bench.* "$files"/convoy-bench.*; do
    [ -d "/proc/${old##*.}" ] || rm -rf "$old"
done
name=convoy-bench.$$
place=$state
if [ -w /dev/shm ] && [ "$(df --output=avail -k /dev/shm | tail -n 1)" -gt $((5 << 20)) ] &&
    [ "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" -gt $((6 << 20)) ]; then
    place=/dev/shm
else
    say "less than 6 GiB of memory are free: large files go to the disk, and with them its speed into the numbers"
fi
scratch=$place/$name
trap 'rm -rf "$scratch" "$files/$name"' EXIT
mkdir -m 700 "$scratch"
ln -s "$scratch" "$files/$name"    # so that nginx serves what lies there

where=$root/Documentation
if [ -n "${QUICK-}${ONLY-}" ]; then where=$root/Benchmarks/.build/report; fi
CONVOY_TEST_RUN=$scratch scripts/with-servers.sh /usr/bin/python3 -B Benchmarks/runner/run.py \
    "$tools" "$scratch" "$name" "$where"
