#!/usr/bin/env bash
# Builds both fuzz targets with the address and undefined-behaviour sanitizers and runs each for SECONDS, from the
# corpus in the repository. Exit 77 when there is no clang with its fuzzer. The last line is
# `N passed, N failed, N skipped`.
#
#   tests/fuzz/run.sh SECONDS [--keep]
#
#   --keep   add to the corpus what reaches new code, as few and as small inputs as possible
#
# Findings and logs: build/fuzz-findings/.
set -euo pipefail

readonly input_bytes_max=65536   # longer inputs are slower, and the parsers have limits of their own
readonly input_time_max_s=20     # one input that takes longer is a finding
readonly memory_max_mb=4096
readonly corpus_bytes_max=200000 # of one target, beside the seeds
readonly targets=(fuzz_request fuzz_job)

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
usage() { sed -n '2,10s/^# \{0,1\}//p' "$0"; }
seconds=${1:-}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { usage >&2; exit 2; }
keep=0
[ "${2:-}" != --keep ] || keep=1

command -v clang++-14 >/dev/null || { printf 'skipped: fuzz targets: no clang++-14 here\n'; exit 77; }
runtime=$(clang++-14 -print-runtime-dir)/libclang_rt.fuzzer-$(uname -m).a
[ -e "$runtime" ] || { printf 'skipped: fuzz targets: no %s here\n' "$runtime"; exit 77; }
cd "$root"
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz

findings=$root/build/fuzz-findings
mkdir -p "$findings"
if command -v llvm-symbolizer-14 >/dev/null; then export ASAN_SYMBOLIZER_PATH; ASAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer-14); fi
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Sanitizers and address randomisation with many bits do not go together.
fixed_addresses=()
if setarch -R true 2>/dev/null; then fixed_addresses=(setarch -R); fi

passed=0
failed=0
for target in "${targets[@]}"; do
  corpus=$here/corpus/${target#fuzz_}
  grown=$scratch/$target
  log=$findings/$target.log
  binary=build/fuzz/tests/fuzz/$target
  mkdir -p "$grown" "$corpus"
  status=0
  "${fixed_addresses[@]}" "$binary" "$grown" "$corpus" -max_total_time="$seconds" -max_len="$input_bytes_max" \
    -timeout="$input_time_max_s" -rss_limit_mb="$memory_max_mb" -print_final_stats=1 \
    -dict="$here/${target#fuzz_}.dict" -artifact_prefix="$findings/$target-" >"$log" 2>&1 </dev/null || status=$?
  executions=$(sed -n 's/^stat::number_of_executed_units: //p' "$log")
  if [ "$status" = 0 ]; then
    passed=$((passed + 1))
    printf '%s: %s executions in %s s, no finding\n' "$target" "${executions:-?}" "$seconds"
  else
    failed=$((failed + 1))
    printf '%s: %s executions, then a finding (exit %s):\n' "$target" "${executions:-?}" "$status"
    tail -n 60 "$log"
    continue
  fi
  if [ "$keep" = 1 ]; then
    smallest=$scratch/$target-smallest
    mkdir "$smallest"
    "${fixed_addresses[@]}" "$binary" -merge=1 "$smallest" "$corpus" "$grown" >>"$log" 2>&1
    # The smallest first, until the room is used; the seeds, which people wrote, stay.
    find "$corpus" -type f ! -name 'seed*' -delete
    total=0
    while read -r size file; do
      total=$((total + size))
      [ "$total" -le "$corpus_bytes_max" ] || break
      cp "$file" "$corpus"
    done < <(find "$smallest" -type f -printf '%s %p\n' | sort -n)
    printf '%s: %s inputs kept\n' "$target" "$(find "$corpus" -type f | wc -l)"
  fi
done
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" = 0 ]
