#!/usr/bin/env bash
# Whether the numbers that macrostep finds are still those of another binary, or of the files in numbers/, bit for
# bit. The last line is `N passed, N failed, N skipped`; exit 77 when nothing can run.
#
#   tests/pin/run.sh [--all] [--only TEXT] [--write]
#   tests/pin/run.sh --against OTHER_BINARY [--only TEXT] [--study N]
#
#   (no option)     compares with the files of this machine's math class
#   --all           and the cases that must agree with others: searches on 2 threads, one more in chunks
#   --write         writes these files
#   --against FILE  runs that binary beside the program, and compares more cases and every number
#   --only TEXT     the cases with TEXT in their names
#   --study N       with --against: so many problems of the study; 50 unless told
#
# Program: $MACROSTEP_BINARY, else the release build.
set -euo pipefail

readonly limit_s=600
readonly against_limit_s=3600

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=${MACROSTEP_BINARY:-$root/build/release/server/macrostep}

skip() { printf 'skipped: pinned numbers: %s\n' "$*"; exit 77; }
fail() { printf 'pin: %s\n' "$*" >&2; exit 1; }

limit=$limit_s
study=50
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --against) options+=(--against "$(realpath "${2:?--against wants a program}")"); limit=$against_limit_s; shift ;;
    --only) options+=(--only "${2:?--only wants a text}"); shift ;;
    --study) study=${2:?--study wants a number}; shift ;;
    --write) options+=(--write) ;;
    --all) options+=(--all) ;;
    -h | --help) sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "unknown option '$1'" ;;
  esac
  shift
done
for tool in node sqlite3; do command -v "$tool" >/dev/null || skip "no $tool here"; done
[ -x "$binary" ] || fail "there is no program at $binary; build it first"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
timeout --kill-after=10 "$limit" node "$here/pin.mjs" --binary "$(realpath "$binary")" --scratch "$scratch" \
  --study "$study" "${options[@]}"
