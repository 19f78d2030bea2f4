#!/usr/bin/env bash
# Runs every command, request, job and query of the documentation against a real server with a scratch home. The
# last line is `N passed, N failed, N skipped`; exit 77 when nothing can run.
#
#   tests/docs/run.sh [--all] [--only TEXT]
#
#   --all         the slow blocks as well
#   --only TEXT   the pages with TEXT in their paths
#
# Program: $MACROSTEP_BINARY, else the release build.
set -euo pipefail

readonly quick_limit_s=900
readonly limit_s=1800            # with the slow blocks

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=${MACROSTEP_BINARY:-$root/build/release/server/macrostep}

skip() { printf 'skipped: documentation: %s\n' "$*"; exit 77; }
fail() { printf 'docs: %s\n' "$*" >&2; exit 1; }

limit=$quick_limit_s
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --all) limit=$limit_s; options+=(--all) ;;
    --only) options+=(--only "${2:?--only wants a text}"); shift ;;
    -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "unknown option '$1'" ;;
  esac
  shift
done
for tool in node curl jq sqlite3 python3; do command -v "$tool" >/dev/null || skip "no $tool here"; done
[ -x "$binary" ] || fail "there is no program at $binary; build it first"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
timeout --kill-after=10 "$limit" node "$here/run.mjs" "$root" "$binary" "$scratch" "${options[@]}"
