#!/usr/bin/env bash
# The page in a headless browser against the real server. The last line is `N passed, N failed, N skipped`;
# exit 77 when there is no browser.
#
#   tests/journey/run.sh [BINARY]
#
# BINARY: macrostep, built with the page; without it $MACROSTEP_BINARY, else the release build.
# Screenshots: $MACROSTEP_ARTIFACTS, else build/journey/. Browser: $MACROSTEP_BROWSER, else chromium on PATH.
set -euo pipefail

readonly journey_limit_s=1700

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=${1:-${MACROSTEP_BINARY:-$root/build/release/server/macrostep}}
artifacts=${MACROSTEP_ARTIFACTS:-$root/build/journey}

skip() { printf 'skipped: page journey: %s\n' "$*"; exit 77; }
fail() { printf 'journey: %s\n' "$*" >&2; exit 1; }

browser=${MACROSTEP_BROWSER:-$(command -v chromium || command -v chromium-browser || true)}
[ -n "$browser" ] || skip 'no chromium here'
[ -x "$browser" ] || skip "$browser cannot be run"
[ -x "$binary" ] || fail "there is no program at $binary; build it first"
"$here/install.sh"

unset MACROSTEP_BINARY MACROSTEP_ARTIFACTS MACROSTEP_BROWSER # the server would take them for settings
mkdir -p "$artifacts"
find "$artifacts" -maxdepth 1 -name '[0-9]*-*.png' -delete
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
timeout --kill-after=10 "$journey_limit_s" node "$here/journey.mjs" \
  --binary "$binary" --browser "$browser" --artifacts "$artifacts" --scratch "$scratch"
