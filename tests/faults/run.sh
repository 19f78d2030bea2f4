#!/usr/bin/env bash
# Faults and attacks against the real server, one table. The last line is `N passed, N failed, N skipped`;
# exit 77 when nothing can run.
#
#   tests/faults/run.sh [--quick] [--only TEXT]
#
#   --quick       fewer tries and shorter waits: two minutes
#   --only TEXT   the scenarios with TEXT in their names
#
# Program: $MACROSTEP_BINARY, else the release build. Browser: $MACROSTEP_BROWSER, else chromium on PATH.
set -euo pipefail

readonly quick_limit_s=600       # every scenario has limits of its own
readonly limit_s=3600

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=${MACROSTEP_BINARY:-$root/build/release/server/macrostep}
browser=${MACROSTEP_BROWSER:-$(command -v chromium || command -v chromium-browser || true)}

skip() { printf 'skipped: faults: %s\n' "$*"; exit 77; }
fail() { printf 'faults: %s\n' "$*" >&2; exit 1; }

limit=$limit_s
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) limit=$quick_limit_s; options+=(--quick) ;;
    --only) options+=(--only "${2:?--only wants a text}"); shift ;;
    -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "unknown option '$1'" ;;
  esac
  shift
done
for tool in node sqlite3; do command -v "$tool" >/dev/null || skip "no $tool here"; done
[ -x "$binary" ] || fail "there is no program at $binary; build it first"
if [ -n "$browser" ]; then
  "$root/tests/journey/install.sh" || fail "the browser's driver cannot be installed"
  options+=(--browser "$browser")
fi

unset MACROSTEP_BINARY MACROSTEP_BROWSER # the server would take them for settings
scratch=$(mktemp -d)
trap 'umount "$scratch"/*/small 2>/dev/null || true; rm -rf "$scratch"' EXIT
timeout --kill-after=10 "$limit" node "$here/faults.mjs" --binary "$binary" --scratch "$scratch" "${options[@]}"
