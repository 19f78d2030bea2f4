#!/usr/bin/env bash
# Searches on a real Slurm of one machine, started here without systemd, and faults while they run. The last line is
# `N passed, N failed, N skipped`; exit 77 where there is no Slurm or no root.
#
#   tests/slurm/run.sh [--install] [--only TEXT]
#
#   --install     first installs what is missing of the packages below
#   --only TEXT   the scenarios with TEXT in their names
#
# Program: $MACROSTEP_BINARY, else the release build. Packages: slurm-wlm munge sqlite3 curl procps.
set -uo pipefail

readonly scenario_limit_s=240

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
binary=${MACROSTEP_BINARY:-$root/build/release/server/macrostep}
unset MACROSTEP_BINARY

only=
install=0
if [ "${1:-}" = --install ]; then
  install=1
  shift
fi
case ${1:-} in
  '') ;;
  --only) only=${2:?--only wants a text} ;;
  -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) printf "run.sh: unknown option '%s'\n" "$1" >&2; exit 2 ;;
esac
# shellcheck source=tests/slurm/cluster.sh
. "$root/tests/slurm/cluster.sh"
need_slurm "$install"
[ -x "$binary" ] || { printf 'there is no program at %s; build it first\n' "$binary" >&2; exit 1; }

start_cluster

# --- searches -----------------------------------------------------------------------------------------------------
# Curves of some tenths of a second each, so that there is time to break something.
cat >"$scratch/job.json" <<'JOB'
{"problem": "double_actuator_crane", "micro_steps": {"hydraulics": 2e-7},
 "search": {"extrapolation": ["0", "1", "2"], "integrators": {"mechanics": ["i1al"], "hydraulics": ["forward_euler"]},
            "macro_step": {"initial_s": 4e-4, "increment_s": 4e-4, "maximum_s": 0.02}, "stability_check": "none"}}
JOB

# search NAME OPTION…: into $scratch/NAME.db.
search() {
  local name=$1
  shift
  "$binary" search "${job:-$scratch/job.json}" --db "$scratch/$name.db" --no-reference "$@" \
    >"$scratch/$name.out" 2>"$scratch/$name.err"
}
on_slurm() {
  search "$1" --executor slurm --partition short --chunk-folder "$scratch/$1" --chunk-minutes "${minutes:-0.01}" "${@:2}"
}
# What a search has found, without its name and its times.
tables() {
  sqlite3 "$scratch/$1.db" "
    SELECT problem, rule, coupling, scheme, extrapolation, integrators, substeps, correction, macro_step_s, bend_s,
      cliff_s, relative_residual, confidence, reason FROM v_recommendations;
    SELECT curve_id, test, coupling, scheme, extrapolation, integrators, correction, macro_step_s, residual_J,
      relative_residual, status, inside_linear_region, bend_s, cliff_s FROM v_residual_curves
      ORDER BY curve_id, macro_step_s;
    SELECT curve_id, macro_step_s, status, reason, residual_J, startup_residual_J, macro_steps, rhs_evaluations
      FROM v_trials ORDER BY curve_id, macro_step_s;"
}
same_as_here() {
  tables here >"$scratch/here.txt" && tables "$1" >"$scratch/$1.txt" && [ -s "$scratch/here.txt" ] &&
    cmp "$scratch/here.txt" "$scratch/$1.txt"
}
shards() { find "$scratch/$1" -name '*.shard' 2>/dev/null | wc -l; }
has_shards() { [ "$(shards "$1")" -ge "$2" ]; }
# Processes of chunks of this cluster: those of its program whose folder is below it.
chunk_processes() {
  local process
  for process in $(pgrep -f "^$binary run-chunk "); do
    case $(readlink "/proc/$process/cwd" 2>/dev/null) in "$scratch"/*) echo "$process" ;; esac
  done
}
a_chunk_runs() { [ -n "$(chunk_processes)" ]; }
queue_is_empty() { [ -z "$(squeue --noheader)" ]; }
wait_for() {
  if ! until_true "$scenario_limit_s" test ! -e "/proc/$1"; then kill -9 "$1"; fi
  wait "$1"
}
expect() { "$@" || { printf '  not so: %s\n' "$*"; return 1; }; }

same_table() {
  expect on_slurm same && expect same_as_here same && expect has_shards same 3
}
chunk_killed() {
  on_slurm chunk & local search=$!
  expect until_true "$wait_limit_s" a_chunk_runs || return 1
  chunk_processes | head -n 1 | xargs kill -9
  expect wait_for "$search" && expect grep -q 'lost a chunk' "$scratch/chunk.err" &&
    expect same_as_here chunk
}
slurmd_killed() {
  on_slurm slurmd & local search=$! process
  expect until_true "$wait_limit_s" has_shards slurmd 1 && expect until_true "$wait_limit_s" a_chunk_runs || return 1
  kill -9 "${daemon[slurmd]}"
  for process in $(chunk_processes); do kill -9 "$process"; done
  sleep 1
  start_slurmd
  expect wait_for "$search" && expect same_as_here slurmd
}
# Arrays of a search that scan curves: tasks, such as times of macro-steps, come in others.
curve_arrays() { grep -lE '"curves":\[[0-9]' "$scratch/$1"/round-*/0.json 2>/dev/null | wc -l; }
coordinator_killed() {
  on_slurm coordinator & local search=$!
  expect until_true "$wait_limit_s" has_shards coordinator 1 || return 1
  pkill -9 -P "$search"
  wait "$search"
  rm -f "$scratch"/coordinator.db*
  local arrays
  arrays=$(curve_arrays coordinator)
  expect on_slurm coordinator && expect same_as_here coordinator &&
    expect [ "$(curve_arrays coordinator)" = "$arrays" ]
}
# A stand-in for sbatch that ends the search that calls it, and submits two seconds later.
killer_sbatch() {
  mkdir -p "$scratch/bin"
  printf '#!/bin/sh\nkill -9 $PPID\nsleep 2\nexec %s "$@"\n' "$(command -v sbatch)" >"$scratch/bin/sbatch"
  chmod 755 "$scratch/bin/sbatch"
}
arrays_submitted() { grep -c '_slurm_rpc_submit_batch_job: JobId=' "$scratch/slurmctld.log"; }
submission_killed() {
  killer_sbatch
  local before array=$scratch/lost/round-0/array
  before=$(arrays_submitted)
  PATH=$scratch/bin:$PATH on_slurm lost
  expect [ "$?" = 137 ] && expect test -e "$scratch/lost/round-0/name" && expect test ! -e "$array" || return 1
  rm -f "$scratch"/lost.db*
  expect on_slurm lost && expect same_as_here lost && expect test -e "$array" &&
    expect [ "$(curve_arrays lost)" = 1 ] &&
    expect [ $(($(arrays_submitted) - before)) = "$(find "$scratch/lost" -name array | wc -l)" ]
}
# Longer than sbatch asks by itself.
controller_away() {
  stop_slurmctld
  on_slurm away & local search=$!
  expect until_true "$wait_limit_s" test -e "$scratch/away/round-0/name" || return 1
  sleep 15
  start_slurmctld
  expect wait_for "$search" && expect same_as_here away && expect test -e "$scratch/away/round-0/array" &&
    expect [ "$(curve_arrays away)" = 1 ]
}
# Two FMUs that this program exports; in the sandbox where there is one.
fmus() {
  local sandbox=(--fmu-sandbox bubblewrap) part
  bwrap --ro-bind / / --unshare-all true 2>/dev/null || sandbox=(--fmu-sandbox none)
  for part in m1 m2; do
    "$binary" fmu export linear_oscillator "$part" --fmi 2 --out "$scratch/$part.fmu" >/dev/null || return 1
  done
  cat >"$scratch/fmus.json" <<'JOB'
{"problem": {"subsystems": [{"name": "m1", "fmu": "m1.fmu"}, {"name": "m2", "fmu": "m2.fmu"}],
  "connections": [{"from": "m2.x", "to": "m1.x_in"}, {"from": "m2.v", "to": "m1.v_in"}, {"from": "m1.f", "to": "m2.f_in"}],
  "power_bonds": [{"effort": "m1.f", "flow": "m2.v"}],
  "external_inputs": [{"to": "m1.f_ext", "initial": 0, "minimum": -10, "maximum": 10}]},
 "search": {"extrapolation": ["0", "1"], "macro_step": {"initial_s": 1e-3, "increment_s": 2e-3, "maximum_s": 0.03}, "stability_check": "none"},
 "tests": [{"name": "step", "kind": "step", "duration_s": 1}]}
JOB
  local job=$scratch/fmus.json minutes=1e-6  # a curve each
  expect search fmus_here "${sandbox[@]}" && expect on_slurm fmus "${sandbox[@]}" || return 1
  tables fmus_here >"$scratch/fmus_here.txt" && tables fmus >"$scratch/fmus.txt" && expect [ -s "$scratch/fmus_here.txt" ] &&
    expect cmp "$scratch/fmus_here.txt" "$scratch/fmus.txt" && expect has_shards fmus 8
}
bad_shards() {
  expect on_slurm bad || return 1
  local round=$scratch/bad/round-0
  printf x | dd of="$round/0.shard" bs=1 seek=300 conv=notrunc status=none
  truncate -s -100 "$round/1.shard"
  cp -r "$round" "$scratch/bad/round-1"   # a lost array that comes in after all
  rm -f "$scratch"/bad.db* "$scratch/bad/round-1/array" "$scratch/bad/round-1/"{0,1}.shard
  expect on_slurm bad && expect same_as_here bad && expect test -e "$round/0.shard.bad" &&
    expect test -e "$round/1.shard.bad" && expect test -e "$scratch/bad/round-2/1.shard" &&
    expect test ! -e "$scratch/bad/round-2/2.shard"
}
cancelled() {
  on_slurm cancelled & local search=$!
  expect until_true "$wait_limit_s" has_shards cancelled 1 || return 1
  pkill -INT -P "$search"
  wait_for "$search"
  expect [ "$?" = 130 ] && expect until_true "$wait_limit_s" queue_is_empty &&
    expect [ -z "$(chunk_processes)" ] || return 1
  rm -f "$scratch"/cancelled.db*
  expect on_slurm cancelled && expect same_as_here cancelled
}
cancel_unheard() {
  on_slurm unheard & local search=$! code
  expect until_true "$wait_limit_s" has_shards unheard 1 || return 1
  stop_slurmctld
  pkill -INT -P "$search"
  wait_for "$search"
  code=$?
  start_slurmctld
  expect [ "$code" = 130 ] &&
    expect grep -q 'an array may still run: scancel did not cancel array' "$scratch/unheard.err" || return 1
  rm -f "$scratch"/unheard.db*
  expect on_slurm unheard && expect same_as_here unheard
}

# --- a server -----------------------------------------------------------------------------------------------------
# server NAME: on Slurm, with $scratch/NAME.db; sets server and url.
server() {
  rm -f "$scratch/$1.out"    # or the URL of the one before could be read
  "$binary" serve --listen 127.0.0.1:0 --db "$scratch/$1.db" --executor slurm --partition short \
    --chunk-folder "$scratch/$1" --chunk-minutes 0.01 --chunk-template 'named=--job-name=templated' \
    >"$scratch/$1.out" 2>>"$scratch/$1.err" &
  server=$!
  daemon[server]=$server
  until_true "$wait_limit_s" grep -q http "$scratch/$1.out" || return 1
  url=$(sed -n 's|.*\(http://[^ ]*\)/ .*|\1/api/v1|p' "$scratch/$1.out")
}
end_server() { kill "-$1" "$server"; wait "$server" 2>/dev/null; unset 'daemon[server]'; }
ask() { curl --silent --show-error --max-time 30 -H 'content-type: application/json' "$@"; }
# post EXECUTOR: submits job.json, sets id.
post() {
  sed "1s/{/{\"executor\": $1, /" "$scratch/job.json" >"$scratch/posted.json"
  id=$(ask --data-binary "@$scratch/posted.json" "$url/searches" | sed -n 's/^{"id":"\([0-9a-f]*\)".*/\1/p')
  [ -n "$id" ]
}
says() { ask "$url/searches/$id" | grep -q "$1"; }
shows_chunks() { says '"array":"[0-9]*","rounds":[0-9]*,"chunks":{"queued":[0-9]*,"running":[0-9]*,"done":[1-9]'; }
has_template() { squeue --noheader --format=%j | grep -q templated; }

server_table() {
  server served && post '{"name": "slurm", "template": "named"}' || return 1
  expect until_true "$wait_limit_s" has_template && expect until_true "$wait_limit_s" shows_chunks &&
    expect until_true "$scenario_limit_s" says '"status":"succeeded"' || return 1
  end_server TERM
  expect same_as_here served && expect [ -z "$(ls "$scratch/served")" ]
}
server_killed() {
  server killed && post null && expect until_true "$wait_limit_s" shows_chunks || return 1
  end_server 9
  if queue_is_empty; then echo '  the array does not go on'; return 1; fi
  local arrays
  arrays=$(find "$scratch/killed" -name array | wc -l)
  server killed && expect until_true "$wait_limit_s" shows_chunks &&
    expect [ "$(find "$scratch/killed" -name array | wc -l)" = "$arrays" ] &&
    expect until_true "$scenario_limit_s" says '"status":"succeeded"' || return 1
  end_server TERM
  expect same_as_here killed
}
server_cancelled() {
  server ended && post null && expect until_true "$wait_limit_s" shows_chunks || return 1
  ask -X POST -d '{}' "$url/searches/$id/cancel" >"$scratch/answer.out"
  expect until_true "$wait_limit_s" says '"status":"cancelled"' && expect until_true "$wait_limit_s" queue_is_empty &&
    expect [ -z "$(chunk_processes)" ] || return 1
  ask -X POST -d '{}' "$url/searches/$id/resume" >"$scratch/answer.out"
  expect until_true "$scenario_limit_s" says '"status":"succeeded"' || return 1
  end_server TERM
  expect same_as_here ended
}

passed=0 failed=0
scenario() {
  case "$2" in *"$only"*) ;; *) return ;; esac
  local start=$SECONDS
  if "$1"; then
    passed=$((passed + 1))
    printf 'ok      %3d s  %s\n' $((SECONDS - start)) "$2"
  else
    failed=$((failed + 1))
    printf 'FAILED  %3d s  %s\n' $((SECONDS - start)) "$2"
    tail -n 5 "$scratch"/*.err "$scratch"/slurm*.log
  fi
}

search here || { cat "$scratch/here.err"; exit 1; }
scenario same_table 'a search on Slurm has the tables of one process, byte for byte'
scenario chunk_killed 'kill -9 of a chunk: it runs again'
scenario slurmd_killed 'kill -9 of slurmd and its chunks: they run again'
scenario coordinator_killed 'kill -9 of the coordinator: it goes on with the array that runs'
scenario submission_killed 'kill -9 of the coordinator while sbatch runs: the array is found, and is the only one'
scenario controller_away 'slurmctld is away while a round is submitted: it is submitted again'
scenario fmus 'a search with FMUs on Slurm has the tables of one process, byte for byte'
scenario bad_shards 'shards that are changed or cut off run again, duplicates change nothing'
scenario cancelled 'Ctrl-C cancels the array; the search goes on later'
scenario cancel_unheard 'Ctrl-C while slurmctld is away: said that the array may still run; the search goes on later'
scenario server_table 'a server on Slurm, with a template: state, tables byte for byte, no folder left'
scenario server_killed 'kill -9 of the server: it goes on with the array that runs'
scenario server_cancelled 'a search of the server is cancelled with its array, and resumed'
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" = 0 ]
