#!/usr/bin/env bash
# Builds the benchmarks, runs them with repetitions and prints the tables of README.md.
#
#   tests/bench/report.sh [BUILD_DIRECTORY]      default: build/release, made if it is not there
set -euo pipefail

readonly step_repetitions=9 search_repetitions=5
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${1:-build/release}

{
  [ -f "$build/build.ninja" ] ||
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMACROSTEP_WEB=OFF
  ninja -C "$build" bench_crane bench_native bench_search bench_pipe bench_many_trials
} >&2

# Medians over the repetitions, one JSON object a benchmark.
medians() {
  "$build/tests/bench/$1" --benchmark_repetitions="$2" --benchmark_enable_random_interleaving=true \
    --benchmark_min_time=0.1 --benchmark_report_aggregates_only=true --benchmark_format=json \
    2>/dev/null | jq -c '.benchmarks | map(select(.aggregate_name == "median")) | sort_by(.family_index)[]'
}

printf 'Measured on %s, %s processors, %s.\n\n' \
  "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" \
  "$(c++ --version | head -n 1)"

printf '| step | engine, ns | by hand, ns | overhead | by hand, in turn, ns | overhead |\n'
printf '|---|--:|--:|--:|--:|--:|\n'
{ medians bench_crane "$step_repetitions"; medians bench_native "$step_repetitions"; } | jq -r '
  def round_to(digits): . * pow(10; digits) | round / pow(10; digits);
  "| \(.run_name | rtrimstr("/manual_time")) | \(.engine_ns | round_to(1)) | " +
  "\(.bare_ns | round_to(1)) | \(.overhead | round_to(2)) | " +
  (if .in_turn_ns then "\(.in_turn_ns | round_to(1)) | \(.overhead_in_turn | round_to(2)) |"
   else "| |" end)'

if command -v valgrind >/dev/null; then
  echo
  tests/bench/instructions.sh "$build"
fi

printf '\n| search of the double-actuator crane, without its checks | |\n|---|--:|\n'
medians bench_search "$search_repetitions" | jq -r '
  def round_to(digits): . * pow(10; digits) | round / pow(10; digits);
  to_entries[] | select(.key | IN("engine_s", "bare_s", "overhead", "overhead_in_turn",
    "adaptive_s", "adaptive_overhead", "avx2_overhead", "avx2_adaptive_overhead", "trials",
    "engine_trials_per_s", "bare_trials_per_s", "speed_up", "speed_up_bound", "two_threads_wall_s",
    "allocations_per_macro_step", "allocations_per_trial", "peak_MB", "two_threads_peak_MB"))
  | "| \(.key) | \(.value | round_to(3)) |"'

printf '\n| a search of many short trials, stored in a file | |\n|---|--:|\n'
"$build/tests/bench/bench_many_trials" --benchmark_format=json 2>/dev/null | jq -r '
  .benchmarks[0] | to_entries[] | select(.key | IN("trials", "trial_us", "outside",
    "outside_without_file", "bytes_per_trial")) | "| \(.key) | \(.value * 1000 | round / 1000) |"'

printf '\n| 50 ms of `pipe_volume` | ms |\n|---|--:|\n'
medians bench_pipe "$step_repetitions" | jq -r '
  "| \(.run_name | ltrimstr("run/")) | \(.cpu_time / 1e4 | round / 100) |"'
