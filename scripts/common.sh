# shellcheck shell=bash
# Sourced by the other scripts: where things are, and how the scripts speak.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
state=$root/.setup            # everything the scripts generate; ignored by git
# shellcheck disable=SC2034   # used by the scripts that source this file
venv=$state/venv certificates=$state/certificates files=$state/files
script=$(basename "$0" .sh)
PATH=$PATH:/usr/sbin:/sbin    # Debian keeps nginx there, outside an ordinary user's path

say() { printf '%s: %s\n' "$script" "$*"; }
fail() { say "$*" >&2; exit 1; }

# The last lines of a log, indented so that they read as a quotation.
quote() { tail -n "${2:-5}" "$1" | sed 's/^/    /'; }

# packages FUNCTION: calls FUNCTION with each Debian package and what it is needed for.
packages() {
    local package reason
    while IFS=$'\t' read -r package reason; do
        case $package in '' | '#'*) continue ;; esac
        "$1" "$package" "$reason"
    done <"$root/scripts/packages.txt"
}

# The version of an installed Debian package; nothing when it is not installed.
installed_version() {
    dpkg-query -W -f='${db:Status-Status} ${Version}' "$1" 2>/dev/null | sed -n 's/^installed //p' || true
}

# A stamp holds the hash of all that a generated folder depends on. It lies inside that folder and is written last:
# a folder that was only half made, or made from something older, has no valid stamp and is made again.
hash_of() { { cat -- "$@"; printf '%s' "$root"; } | sha256sum | cut -d ' ' -f 1; }
is_stamped() { [ "$(cat "$1/stamp" 2>/dev/null)" = "$2" ]; }
stamp() { printf '%s\n' "$2" >"$1/stamp"; }
