#!/usr/bin/env bash
# The Python client and its example scripts against the real server. The last line is `N passed, N failed, N skipped`;
# exit 77 without python3 >= 3.9.
#
#   tests/client/run.sh [TEST ...]      names of tests, as ClientTest.test_tokens; all unless told
#
# Program: $MACROSTEP_BINARY, else the release build.
set -euo pipefail

readonly limit_s=600

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=${MACROSTEP_BINARY:-$root/build/release/server/macrostep}

command -v python3 >/dev/null || { echo 'skipped: Python client: no python3 here'; exit 77; }
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' ||
  { echo 'skipped: Python client: python3 is older than 3.9'; exit 77; }
[ -x "$binary" ] || { printf 'client: there is no program at %s; build it first\n' "$binary" >&2; exit 1; }

unset MACROSTEP_BINARY # the server would take it for a setting
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export CLIENT_TEST_BINARY=$binary CLIENT_TEST_SCRATCH=$scratch PYTHONDONTWRITEBYTECODE=1
timeout --kill-after=10 "$limit_s" python3 "$here/client_test.py" "$@"
