#!/usr/bin/env bash
# Builds the documentation of the modules that users import into .build/docs/NAME.doccarchive.

# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
cd "$root"

modules=(Convoy ConvoyCore ConvoyServer ConvoyTesting)
docs=.build/docs
# docc has no place on the PATH of every installation; it lies beside the compiler.
docc=$(swiftc -print-target-info | sed -n 's/^ *"runtimeResourcePath": "\(.*\)",\{0,1\}$/\1/p')/../../bin/docc
[ -x "$docc" ] || fail "this Swift toolchain has no docc"

rm -rf "$docs"
# What Convoy adds to ConvoyCore's Client is shown only if extensions are symbols of their own.
scripts/symbol-graphs.sh -emit-extension-block-symbols "$docs/graphs" "${modules[@]}"
for module in "${modules[@]}"; do
    catalogue=()
    if [ -d "Sources/$module/$module.docc" ]; then catalogue=("Sources/$module/$module.docc"); fi
    say "building $docs/$module.doccarchive"
    "$docc" convert "${catalogue[@]}" \
        --additional-symbol-graph-dir "$docs/graphs/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "convoy.$module" \
        --output-path "$docs/$module.doccarchive"
done
