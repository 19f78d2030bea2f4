#!/usr/bin/env bash
# The packages that drive the browser, once per lock file, one run at a time.
set -euo pipefail

readonly install_limit_s=600

cd "$(dirname "${BASH_SOURCE[0]}")"
fail() { printf 'journey: %s\n' "$*" >&2; exit 1; }
for tool in node npm; do command -v "$tool" >/dev/null || fail "$tool is needed"; done

exec 9>.npm-install.lock
flock -w "$install_limit_s" 9 || fail 'another run has been installing packages for too long'
stamp=node_modules/.macrostep-lock-sha256
wanted=$(sha256sum <package-lock.json)
[ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && exit 0
timeout "$install_limit_s" npm ci --ignore-scripts --loglevel=error || fail 'npm ci failed, see above'
printf '%s\n' "$wanted" >"$stamp"
