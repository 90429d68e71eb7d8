#!/usr/bin/env bash
# Makes a fresh Debian machine ready to build and test: packages, httpbin, certificates, files to serve.
# Run again, it only checks, in well under a second.

# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
cd "$root"

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt_get() {
    # 9>&-: the lock below is ours alone; a service that a package starts must not keep it.
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 -y --no-install-recommends "$@" \
        >"$state/apt.log" 2>&1 </dev/null 9>&-
}

# We start our own nginx on ports of our own, so the packaged service should not start: policy-rc.d is Debian's way
# to say so while packages are installed. One that is already there is the machine owner's, and stays.
forbid_services() {
    local policy=/usr/sbin/policy-rc.d
    if [ -e "$policy" ]; then return; fi
    trap 'as_root rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
}

install_packages() {
    local missing=() failed=0 package
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "this system has no apt; please see to the equivalents of these Debian packages yourself:"
        list() { printf '    %-22s %s\n' "$1" "$2"; }
        packages list
        return
    fi

    collect() { [ -n "$(installed_version "$1")" ] || missing+=("$1"); }
    packages collect
    [ ${#missing[@]} -gt 0 ] || return 0

    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        fail "missing Debian packages, and neither root nor sudo to install them; have an administrator run:
    apt-get install -y ${missing[*]}"
    fi
    say "installing Debian packages: ${missing[*]}"
    # A list of packages that cannot be refreshed may still be good enough, so only say so.
    apt_get update || { say "apt-get update failed; going on with the lists there are"; quote "$state/apt.log" 3; }
    forbid_services
    if ! apt_get install "${missing[@]}"; then
        # One bad package stops them all: take them one by one, to name the ones that are at fault.
        explain() {
            if [[ " ${missing[*]} " == *" $1 "* ]] && ! apt_get install "$1"; then
                failed=1
                say "cannot install the Debian package $1, needed for: $2"
                quote "$state/apt.log"
            fi
        }
        packages explain
    fi
    [ "$failed" = 0 ] || fail "stopped: the packages above are missing"
}

make_venv() {
    # The system's Python by its full name: it has the venv module installed above, which a version manager's may lack.
    local python=/usr/bin/python3 wanted
    [ -x "$python" ] || python=$(command -v python3) || fail "python3 is missing: it runs httpbin"
    wanted=$(hash_of scripts/requirements.txt scripts/setup.sh <("$python" --version))
    is_stamped "$venv" "$wanted" && return

    say "installing httpbin into .setup/venv"
    rm -rf "$venv"
    {
        "$python" -m venv "$venv" &&
            "$venv/bin/python" -m pip install --disable-pip-version-check --requirement scripts/requirements.txt &&
            "$venv/bin/python" -c 'import httpbin, gunicorn'
    } >"$state/pip.log" 2>&1 </dev/null || {
        say "cannot install httpbin and gunicorn, needed as a server to test against:"
        quote "$state/pip.log"
        fail "stopped: no httpbin"
    }
    stamp "$venv" "$wanted"
}

# Files for nginx to serve: text that looks random (so that it does not compress away) and is the same everywhere,
# and a page of English that compresses well.
make_files() {
    local wanted size
    wanted=$(hash_of scripts/setup.sh)
    is_stamped "$files" "$wanted" && return

    say "making files to serve in .setup/files"
    rm -rf "$files"
    mkdir -p "$files"
    head -c 8M /dev/zero | openssl enc -aes-128-ctr -K 00 -iv 00 2>/dev/null | base64 -w 63 >"$files/all"
    for size in 1k 64k 1m 10m; do
        head -c "${size^^}" "$files/all" >"$files/$size"
    done
    rm "$files/all"
    seq -f 'Line %g of a page that is served compressed.' 1 1000 >"$files/gzip"
    stamp "$files" "$wanted"
}

command -v swift >/dev/null ||
    fail "swift is not on the PATH; install Swift 6.2 or newer: https://www.swift.org/install/linux/"

mkdir -p "$state"
# Two makes at once must not write the same folders.
exec 9>"$state/lock"
if command -v flock >/dev/null && ! flock -n 9; then
    say "waiting for another setup to finish"
    flock 9
fi

install_packages
make_venv
scripts/certificates.sh
make_files
