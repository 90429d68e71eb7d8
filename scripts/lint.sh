#!/usr/bin/env bash
# Checks the form of the sources: swift format's rules, and the few of our own that it does not know.

# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
cd "$root"

failed=0
problem() {
    printf '%s\n' "$*"
    failed=1
}

# existing PATH…: those that are there, into the array paths.
existing() {
    local path
    paths=()
    for path in "$@"; do
        if [ -e "$path" ]; then paths+=("$path"); fi
    done
}

# forbid PATTERN WHY GREP-ARGUMENT…: no line of those files may match.
forbid() {
    local pattern=$1 why=$2 file line code
    shift 2
    while IFS=: read -r file line code; do
        problem "$file:$line: $why: ${code#"${code%%[![:space:]]*}"}"
    done < <(grep -HnIE "$pattern" "$@" || true)
}

existing Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources
swift format lint --strict --recursive --parallel "${paths[@]}" || failed=1

existing Sources Tests Benchmarks/Sources
while IFS= read -r -d '' file; do
    lines=$(wc -l <"$file")
    if [ "$lines" -gt 600 ]; then problem "$file:601: $lines lines; a file has one concept and at most 600"; fi
done < <(find "${paths[@]}" -name '*.swift' -print0)

forbid '\b(fatalError|preconditionFailure)\(|\btry!|\bas! ' 'traps; throw an error instead' \
    --recursive --include='*.swift' Sources

mapfile -d '' all < <(find . \( -name .git -o -name .build -o -name .setup -o -name .swiftpm \) -prune -o \
    -type f -size +0 -printf '%P\0')
forbid '\b(TO''DO|FIX''ME)\b' 'finish it, or file an issue' "${all[@]}"

mapfile -d '' texts < <(grep -lIZ '' "${all[@]}")
for file in "${texts[@]}"; do
    # $(…) drops a final newline, so something is left only when there is none.
    if [ -n "$(tail -c 1 "$file")" ]; then problem "$file:$(($(wc -l <"$file") + 1)): no newline at the end"; fi
done

for file in scripts/*.sh .ci/run; do
    bash -n "$file" || failed=1
done

[ "$failed" = 0 ] || fail "see the lines above"
say "no problems"
