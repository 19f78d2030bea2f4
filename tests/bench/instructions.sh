#!/usr/bin/env bash
# Counts instructions per micro-step of every native model under callgrind, of the engine and of the
# loop written by hand: unlike times, they are the same in every run. Prints a table of README.md.
#
#   tests/bench/instructions.sh [BUILD_DIRECTORY]      default: build/release, with bench_native built
set -euo pipefail

readonly micro_steps=5000 # native_macro_steps × native_micro_steps of native_cases.hpp
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${1:-build/release}
command -v valgrind >/dev/null || {
  echo 'instructions.sh needs valgrind' >&2
  exit 1
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# One dump after each call of the counted function: the engine and the loop by hand, case by case.
valgrind --tool=callgrind --callgrind-out-file="$folder/out" --toggle-collect=macrostep_counted \
  --dump-after=macrostep_counted "$build/tests/bench/bench_native" --instructions \
  >"$folder/names" 2>"$folder/log" || {
  cat "$folder/log" >&2
  exit 1
}

printf '| instructions per micro-step | engine | by hand | ratio |\n|---|--:|--:|--:|\n'
part=0
while read -r name; do
  counts=()
  for _ in engine bare; do
    part=$((part + 1))
    counts+=("$(sed -n 's/^totals: //p' "$folder/out.$part")")
  done
  awk -v name="$name" -v steps="$micro_steps" -v engine="${counts[0]}" -v bare="${counts[1]}" \
    'BEGIN { printf "| %s | %.1f | %.1f | %.2f |\n", name, engine / steps, bare / steps, engine / bare }'
done <"$folder/names"
