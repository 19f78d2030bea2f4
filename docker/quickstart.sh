#!/usr/bin/env bash
# From a fresh checkout to a first recommendation: installs the packages, builds macrostep, starts the server,
# submits the demo search (the double-actuator crane), shows its progress and prints what it recommends.
#
#   docker/quickstart.sh [--once] [--port N] [--db FILE]
#
#   --once       stop the server after printing the recommendation (else it runs until Ctrl-C)
#   --port N     port on 127.0.0.1, 8080 unless told
#   --db FILE    SQLite file, ${XDG_DATA_HOME:-~/.local/share}/macrostep/macrostep.db unless told
set -euo pipefail

readonly ready_wait_s=30       # until the server answers /readyz
readonly search_wait_s=1800    # until the demo search has ended
readonly stop_wait_s=30        # until the server has ended after SIGTERM

usage() { sed -n '2,9s/^# \{0,1\}//p' "$0"; }
say() { printf '%s\n' "$*"; }
fail() { printf 'quickstart: %s\n' "$*" >&2; exit 1; }
misuse() { usage >&2; printf 'quickstart: %s\n' "$*" >&2; exit 2; }

once=0
port=8080
db=${XDG_DATA_HOME:-${HOME:?HOME is not set}/.local/share}/macrostep/macrostep.db
while [ $# -gt 0 ]; do
  case $1 in
    --once) once=1 ;;
    --port | --db)
      [ -n "${2:-}" ] || misuse "$1 needs a value"
      if [ "$1" = --port ]; then port=$2; else db=$2; fi
      shift ;;
    -h | --help) usage; exit 0 ;;
    *) misuse "unknown option '$1'" ;;
  esac
  shift
done
[[ $port =~ ^[0-9]{1,5}$ && $port -ge 1 && $port -le 65535 ]] || misuse "--port: '$port' is no port number"
case $db in /*) ;; *) db=$PWD/$db ;; esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly base=http://127.0.0.1:$port
readonly logs=build/quickstart-logs
readonly macrostep=build/release/server/macrostep
mkdir -p "$logs"

# --- one updating line on a terminal, and how to end what was started ---------------------------------------------
terminal=0
[ ! -t 1 ] || terminal=1
line() { [ "$terminal" = 0 ] || printf '\r\033[K%s' "$*"; }
line_end() { [ "$terminal" = 0 ] || printf '\r\033[K'; }

child=       # the build or the server: whichever runs now, in a session of its own so that Ctrl-C reaches only us
serving=0
stopping=0
stop_child() {
  [ -n "$child" ] || return 0
  local pid=$child target=$child tenths status=0
  [ "$serving" = 1 ] || target=-$child    # of a build every process; the server sees to its own
  kill -TERM -- "$target" 2>/dev/null || true
  for ((tenths = 0; tenths < 10 * stop_wait_s; tenths++)); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL -- "$target" 2>/dev/null || true
  wait "$pid" || status=$?
  child=
  return "$status"
}
# First Ctrl-C: end cleanly. A second one while the server is still writing: leave at once.
interrupt() {
  [ "$stopping" = 0 ] || { kill -KILL "$child" 2>/dev/null || true; exit 130; }
  stopping=1
  line_end
  if [ "$serving" = 0 ]; then stop_child || true; say "Interrupted."; exit 130; fi
  stop_server
  exit 0
}
stop_server() {
  say "Stopping the server."
  stop_child || fail "the server ended with status $? (log: $logs/serve.log)"
}
trap interrupt INT TERM HUP
trap 'stop_child || true' EXIT

show() { tail -n 20 "$1" | sed 's/^/  | /' >&2; }

# Runs a build step quietly; $1 names the log, the rest is the command.
quietly() {
  local log=$logs/$1.log
  shift
  : >"$log"
  setsid "$@" >"$log" 2>&1 </dev/null &
  child=$!
  while kill -0 "$child" 2>/dev/null; do
    line "$(sed -n 's/^\(\[[0-9]*\/[0-9]*\]\).*/Building \1/p' "$log" | tail -n 1)"
    sleep 0.5
  done
  local status=0
  wait "$child" || status=$?
  child=
  line_end
  [ "$status" = 0 ] || { show "$log"; fail "'$*' failed, see above (log: $log)"; }
}

# --- is the port free? ----------------------------------------------------------------------------------------
port_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
refuse_taken_port() {
  port_taken || return 0
  if command -v curl >/dev/null &&
    curl -s --noproxy '*' --max-time 5 "$base/api/v1/problems" | grep -q double_actuator_crane; then
    fail "a macrostep server is already running at $base/ : use it, or stop it first, or choose another --port and --db."
  fi
  fail "port $port on 127.0.0.1 is in use by another program: choose another one with --port."
}
refuse_taken_port

# --- install and build ----------------------------------------------------------------------------------------
docker/install-deps.sh
say "Building macrostep with the web page (some minutes the first time; logs: $logs/)."
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
quietly configure cmake --preset release -DMACROSTEP_WEB=ON
quietly build cmake --build --preset release --target macrostep

# --- serve ----------------------------------------------------------------------------------------------------
refuse_taken_port
mkdir -p "$(dirname "$db")"
setsid "$macrostep" serve --listen "127.0.0.1:$port" --db "$db" >"$logs/serve.log" 2>&1 </dev/null &
child=$!
serving=1
get() { curl -fsS --noproxy '*' --max-time 30 "$base$1"; }
alive() { kill -0 "$child" 2>/dev/null; }
deadline=$((SECONDS + ready_wait_s))
until get /readyz >/dev/null 2>&1; do
  if ! alive; then
    wait "$child" && status=0 || status=$?
    child=
    show "$logs/serve.log"
    fail "the server ended with status $status before it was ready, see above."
  fi
  [ "$SECONDS" -lt "$deadline" ] || { show "$logs/serve.log"; fail "the server was not ready after $ready_wait_s s."; }
  sleep 0.2
done
say "Serving $base/ (database: $db, log: $logs/serve.log)"

# --- search ---------------------------------------------------------------------------------------------------
answer=$(curl -sS --noproxy '*' --max-time 30 -H 'Content-Type: application/json' \
  --data '{"problem":"double_actuator_crane","name":"quickstart"}' "$base/api/v1/searches")
id=$(jq -r '.id // empty' <<<"$answer")
[ -n "$id" ] || fail "the server refused the demo search: $answer"
say "Searching: double-actuator crane, every configuration against every test input."

deadline=$((SECONDS + search_wait_s))
quarter=0
while :; do
  alive || { show "$logs/serve.log"; fail "the server ended during the search, see above."; }
  search=$(get "/api/v1/searches/$id") || fail "the server did not answer (log: $logs/serve.log)"
  read -r status done_curves total_curves trials < <(jq -r '[.status, .progress.curves_done // 0,
    .progress.curves_total // 0, .progress.trials_done // 0] | @tsv' <<<"$search")
  progress="$done_curves of $total_curves curves, $trials trials"
  line "  $progress"
  if [ "$terminal" = 0 ] && [ "$total_curves" -gt 0 ] && [ $((4 * done_curves / total_curves)) -gt "$quarter" ]; then
    quarter=$((4 * done_curves / total_curves))
    say "  $progress"
  fi
  case $status in queued | running) ;; *) break ;; esac
  [ "$SECONDS" -lt "$deadline" ] || fail "the search was not done after $search_wait_s s; see $base/ for its state."
  sleep 0.3
done
line_end
[ "$status" = succeeded ] ||
  fail "the search ended as '$status': $(jq -r '.reason // "no reason given"' <<<"$search")"

# --- say what came out ----------------------------------------------------------------------------------------
jq -r '"\n\(.sentence)", ((.recommendation.warnings // [])[] | "  note: \(.)")' <<<"$search"
say ""
say "Search $id is stored in $db"

if [ "$once" = 1 ]; then
  say "Dashboard: $base/ while the server runs (start it again without --once)."
  stop_server
  exit 0
fi
say "Dashboard: $base/?search=$id (Ctrl-C stops the server)"
status=0
wait "$child" || status=$?
child=
[ "$status" = 0 ] || { show "$logs/serve.log"; fail "the server ended with status $status, see above."; }
