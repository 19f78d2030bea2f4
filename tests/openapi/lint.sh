#!/usr/bin/env bash
# Lints server/api/openapi.json: installs the linter when package-lock.json has changed, then runs it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly stamp=node_modules/.macrostep-lock-sha256
wanted=$(sha256sum package-lock.json)
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  printf '%s\n' "$wanted" >"$stamp"
fi
# The library has no telemetry and looks for no updates; this keeps it so should it get them.
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
exec node lint.mjs
