#!/usr/bin/env bash
# Says what is there of all that building and testing need, and what to do about the rest. Changes nothing.

# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"

if [ -t 1 ]; then
    good=$'\e[32m✓\e[0m' bad=$'\e[31m✗\e[0m'
else
    good='ok     ' bad='missing'
fi
failed=0 advice=() absent=()
ok() { printf '%s  %-22s %s\n' "$good" "$1" "$2"; }
missing() {
    printf '%s  %-22s %s\n' "$bad" "$1" "$2"
    failed=1
}

# at_least WANTED VERSION
at_least() { printf '%s\n%s\n' "$1" "$2" | sort -C -V; }

version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1 || true)
if [ -z "$version" ]; then
    missing swift "6.2 or newer"
elif at_least 6.2 "$version"; then
    ok swift "$version"
else
    missing swift "$version is too old; 6.2 or newer is needed"
fi
[ "$failed" = 0 ] || advice+=("install Swift 6.2 or newer: https://www.swift.org/install/linux/")

# shellcheck disable=SC2317    # called by packages
check_package() {
    local version
    version=$(installed_version "$1")
    if [ -n "$version" ]; then
        ok "$1" "$version, $2"
    else
        missing "$1" "$2"
        absent+=("$1")
    fi
}
if command -v dpkg-query >/dev/null; then
    packages check_package
else
    echo "This is not Debian: its packages are not checked."
fi
if [ ${#absent[@]} -gt 0 ]; then
    sudo='sudo '
    if [ "$(id -u)" = 0 ]; then sudo=''; fi
    advice+=("${sudo}apt-get install -y ${absent[*]}")
fi

if version=$(pkg-config --modversion libcurl 2>/dev/null); then
    features=" $(pkg-config --variable=supported_features libcurl) "
    lacking=''
    for feature in SSL HTTP2 UnixSockets AsynchDNS; do
        [[ $features == *" $feature "* ]] || lacking+=" $feature"
    done
    if [ -n "$lacking" ]; then
        missing libcurl "$version lacks$lacking"
    else
        ok libcurl "$version with${features% }"
    fi
else
    missing libcurl "pkg-config does not find it"
fi

if version=$(nginx -v 2>&1); then
    ok nginx "${version##*/}"
else
    missing nginx "a real HTTP/2 and TLS server to test against"
fi

setup_needed=0
if [ -f "$venv/stamp" ] && version=$("$venv/bin/python" -c '
from importlib.metadata import version
print(", ".join(f"{name} {version(name)}" for name in ("httpbin", "gunicorn")))' 2>/dev/null); then
    ok "Python environment" "$version"
else
    missing "Python environment" "httpbin in .setup/venv"
    setup_needed=1
fi

if [ -f "$certificates/stamp" ] && end=$(openssl x509 -in "$certificates/server.pem" -noout -enddate 2>/dev/null); then
    days=$((($(date -d "${end#*=}" +%s) - $(date +%s)) / 86400))
    if [ "$days" -ge 7 ]; then
        ok "test certificates" "good for $days days"
    else
        missing "test certificates" "$days days left"
        setup_needed=1
    fi
else
    missing "test certificates" "in .setup/certificates"
    setup_needed=1
fi
[ "$setup_needed" = 0 ] || advice+=("make setup")

if [ "$failed" = 0 ]; then exit 0; fi
printf '\nTo do:\n'
printf '    %s\n' "${advice[@]}"
exit 1
