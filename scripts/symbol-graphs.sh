#!/usr/bin/env bash
# symbol-graphs.sh [-OPTION…] FOLDER MODULE…: the public symbols of each module, as the compiler tells them, into
# FOLDER/MODULE/. Reads what `swift build` left; api.sh and docs.sh build on it. Options go to symbolgraph-extract.

# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"

options=()
while [[ ${1-} == -* ]]; do
    options+=("$1")
    shift
done
folder=$1
shift
built=$root/.build/debug/Modules
target=$(swiftc -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -n 1)

# The modules import our C modules, which the build keeps as module maps and not among the built modules.
maps=()
for map in "$root"/Sources/*/module.modulemap "$root"/.build/debug/*.build/module.modulemap; do
    if [ -f "$map" ]; then maps+=(-Xcc "-fmodule-map-file=$map"); fi
done

for module in "$@"; do
    [ -f "$built/$module.swiftmodule" ] || fail "the module $module is not built; run: make build"
    mkdir -p "$folder/$module"
    # Without synthesized members: what every Equatable or Sequence has in common is not our API.
    swift symbolgraph-extract -module-name "$module" -target "$target" -I "$built" "${maps[@]}" \
        -minimum-access-level public -skip-synthesized-members "${options[@]}" -output-dir "$folder/$module"
done
