#!/usr/bin/env bash
# Installs what the tests need, builds, and runs them. The last line is `N passed, N failed, N skipped`.
#
#   tests/run.sh [--all] [--require-all]
#
#   (no option)     what every change must pass: release build and tests, the OpenAPI lint, the page's unit
#                   tests, the page journey in a headless browser, faults and attacks (quick), the quickstart,
#                   the documentation's commands, the Python client, the pinned numbers
#   --all           and the slow suites, benchmarks once each, all of the documentation, all faults and attacks,
#                   searches on Slurm, the Debian package and the container image, both fuzz targets for a minute,
#                   clang over models, engine and fuzz targets, and all suites under the address,
#                   undefined-behaviour and thread sanitizers
#   --require-all   a test that is skipped because the host lacks something counts as failed
#
# Output of every step: build/test-logs/.
set -uo pipefail

readonly build_limit_s=1800      # any one build
readonly suite_limit_s=1800      # any one suite; the slow ones, and with sanitizers: twice that
readonly test_limit_s=900        # one test executable; the slow ones, and with sanitizers: suite_limit_s
readonly shown_lines=40          # of what failed

usage() { sed -n '2,15s/^# \{0,1\}//p' "$0"; }
all=0
require_all=0
for argument in "$@"; do
  case $argument in
    --all) all=1 ;;
    --require-all) require_all=1 ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; printf "run.sh: unknown option '%s'\n" "$argument" >&2; exit 2 ;;
  esac
done

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD
readonly root logs=$root/build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
scratch=$(mktemp -d) || exit 1
beside=      # process group of what `start` began
clean_up() {
  [ -z "$beside" ] || kill -TERM -- "-$beside" 2>/dev/null
  rm -rf "$scratch"
}
trap clean_up EXIT
trap 'printf "Interrupted.\n"; exit 130' INT TERM

# Sanitizers and address randomisation with many bits do not go together in GCC 12.
fixed_addresses=()
if setarch -R true 2>/dev/null; then fixed_addresses=(setarch -R); fi
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
export NO_COLOR=1 ASAN_OPTIONS=${ASAN_OPTIONS:-} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
unset XDG_CONFIG_HOME XDG_DATA_HOME    # a user's settings and database are none of the tests' business
jobs=$(nproc)

# --- steps: each prints one line, its output goes to a file -------------------------------------------------------
passed=0
failed=0
skipped=0
number=0
step_log=
step_status=0

# step NAME LIMIT_S COMMAND…: runs the command, leaves step_status and step_log, prints nothing.
step() {
  local limit=$2
  step_name=$1
  shift 2
  number=$((number + 1))
  step_log=$logs/$(printf '%02d-%s.log' "$number" "${step_name//[^A-Za-z0-9]/-}")
  local start=$EPOCHREALTIME
  step_status=0
  timeout --foreground --kill-after=10 "$limit" "$@" >"$step_log" 2>&1 </dev/null || step_status=$?
  step_time=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%6.1f s", b - a }')
  if [ "$step_status" = 124 ]; then echo "(stopped after $limit s)" >>"$step_log"; fi
}

# start NAME LIMIT_S COMMAND…: a step that runs beside the following ones; `finish` waits for it and leaves
# what `step` leaves. One at a time.
start() {
  set -m    # a process group of its own
  (
    step "$@"
    printf 'step_name=%q step_log=%q step_status=%q step_time=%q\n' \
      "$step_name" "$step_log" "$step_status" "$step_time" >"$scratch/started"
  ) &
  beside=$!
  set +m
  number=$((number + 1))    # the one that it has taken
}
finish() {
  step_name=start step_log=/dev/null step_status=1 step_time='     - s'
  wait "$beside"
  beside=
  # shellcheck disable=SC1091
  . "$scratch/started"
}
report() { printf '%-6s %s  %s%s\n' "$1" "$step_time" "$step_name" "${2:+: $2}"; }
show_log() {    # what failed further up, then the end
  { head -n "-$shown_lines" "$step_log" | grep -A 4 '^FAILED' | head -n "$shown_lines" && echo '…'
    tail -n "$shown_lines" "$step_log"; } | sed 's/^/       | /'
  printf '       whole output: %s\n' "${step_log#"$root"/}"
}
skip_named() {
  if [ "$require_all" = 1 ]; then
    failed=$((failed + 1))
    printf '       skipped, which fails here: %s\n' "$1"
  else
    skipped=$((skipped + 1))
    printf '       skipped: %s\n' "$1"
  fi
}
# A step that could not run because an earlier one failed: named, and counted as failed.
not_run() {
  step_name=$1 step_time='     - s'
  report FAILED "not run, because $2 failed"
  failed=$((failed + 1))
}

# Something to be done, but no test: counts only when it fails.
do_step() {
  step "$@"
  if [ "$step_status" = 0 ]; then report ok; return 0; fi
  report FAILED
  show_log
  failed=$((failed + 1))
  return 1
}

# One test of its own: exit 0 is passed, 77 skipped (the last line `skipped: NAME: why`), else failed.
# A last line `N passed, N failed, N skipped` of its own is taken over.
test_step() {
  step "$@"
  judge_test
}
judge_test() {
  local last p=1 f=0 s=0 why
  last=$(grep -v '^[[:space:]]*$' "$step_log" | tail -n 1)
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
    p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[3]}
    last=
  fi
  case $step_status in
    0) report ok; passed=$((passed + p)) failed=$((failed + f)) ;;
    77) report skip; [ "$s" -gt 0 ] || s=1 ;;
    *)
      report FAILED
      show_log
      [ "$f" -gt 0 ] && passed=$((passed + p)) || f=1
      failed=$((failed + f)) ;;
  esac
  while [ "$s" -gt 0 ]; do
    why=$(sed -n 's/^skipped: //p' "$step_log" | sed -n "${s}p")
    skip_named "${why:-$step_name}"
    s=$((s - 1))
  done
}

# --- ctest suites: doctest cases are counted, not executables -----------------------------------------------------
# Prints `passed failed`, then one line per skip (`skip NAME`) and the end of the output of each failed test.
read -r -d '' count_junit <<'AWK' || true
function attribute(name,    value) {
  if (!match($0, "[ \t]" name "=\"[^\"]*\"")) return ""
  value = substr($0, RSTART, RLENGTH)
  sub("^[^\"]*\"", "", value); sub("\"$", "", value)
  return value
}
function plain(text) {
  gsub("&lt;", "<", text); gsub("&gt;", ">", text); gsub("&quot;", "\"", text); gsub("&apos;", "'", text)
  gsub("&amp;", "\\&", text)
  return text
}
function close_test(    i, good, bad, own_skips) {
  own_skips = 0
  for (i = 1; i <= lines; ++i)
    if (line[i] ~ /^skipped: /) { ++own_skips; skip[++skips] = substr(line[i], 10) }
  if (status == "disabled" || (status == "notrun" && skip_message ~ /^SKIP_/)) {
    if (own_skips == 0) skip[++skips] = test (status == "disabled" ? " (disabled)" : "")
    return
  }
  good = cases >= 0 ? cases - own_skips : (status == "run" && own_skips == 0 ? 1 : 0)
  bad = case_failures
  if (status != "run" && bad == 0) bad = 1
  if (good < 0) good = 0
  passed += good
  failed += bad
  if (status != "run" || bad > 0) {
    shown = shown sprintf("fail %s\n", test)
    for (i = (lines > limit ? lines - limit + 1 : 1); i <= lines; ++i) shown = shown "text " line[i] "\n"
  }
}
/^[ \t]*<testcase / {
  test = plain(attribute("name")); status = attribute("status")
  lines = 0; cases = -1; case_failures = 0; skip_message = ""; inside = 1
  next
}
/^[ \t]*<\/testcase>/ { close_test(); inside = 0; next }
inside && /^[ \t]*<failure / { next }
inside && /^[ \t]*<skipped / { skip_message = attribute("message"); next }
inside {
  text = $0
  sub(/^[ \t]*<system-out>/, "", text); sub(/<\/system-out>$/, "", text)
  text = plain(text)
  line[++lines] = text
  if (text ~ /^\[doctest\] test cases:/) {
    split(text, field, "|")
    if (cases < 0) cases = 0
    cases += field[2] + 0
    case_failures += field[3] + 0
  }
}
END {
  print passed + 0, failed + 0
  for (i = 1; i <= skips; ++i) print "skip " skip[i]
  printf "%s", shown
}
AWK

# suite NAME PRESET TEST_LIMIT_S CTEST_OPTION…
suite() {
  local name=$1 preset=$2 test_limit=$3
  shift 3
  local junit=$scratch/$preset-$number.xml counts p=0 f=0 row
  step "$name" $((test_limit > test_limit_s ? 2 * suite_limit_s : suite_limit_s)) \
    "${fixed_addresses[@]}" ctest --test-dir "build/$preset" --output-on-failure --no-tests=error \
    --timeout "$test_limit" -j "$jobs" --output-junit "$junit" \
    --test-output-size-passed 10000000 --test-output-size-failed 10000000 "$@"
  if [ ! -s "$junit" ]; then
    report FAILED
    show_log
    failed=$((failed + 1))
    return
  fi
  counts=$(awk -v limit="$shown_lines" "$count_junit" "$junit")
  read -r p f <<<"$counts"
  if [ "$step_status" != 0 ] && [ "$f" = 0 ]; then f=1; fi
  passed=$((passed + p)) failed=$((failed + f))
  if [ "$f" = 0 ]; then report ok "$p passed"; else report FAILED "$p passed, $f failed"; fi
  while IFS= read -r row; do
    case $row in
      skip\ *) skip_named "${row#skip }" ;;
      fail\ *) printf '       failed: %s\n' "${row#fail }" ;;
      text\ *) printf '       | %s\n' "${row#text }" ;;
    esac
  done < <(tail -n +2 <<<"$counts")
  [ "$f" = 0 ] || printf '       whole output: %s\n' "${step_log#"$root"/}"
}

# Configures preset $1 without the page and builds the program and the tests, but no benchmarks.
sanitizer_build() {
  cmake --preset "$1" -DMACROSTEP_WEB=OFF || return 1
  local targets
  mapfile -t targets < <(ninja -C "build/$1" -t targets all | sed -n 's/^\(test_[a-z_]*\): phony$/\1/p')
  cmake --build --preset "$1" --target macrostep "${targets[@]}"
}
export -f sanitizer_build

# --- the steps ----------------------------------------------------------------------------------------------------
do_step install 1800 docker/install-deps.sh --tests

release=0
if do_step 'configure release' 300 cmake --preset release -DMACROSTEP_WEB=ON -DMACROSTEP_TESTS=ON &&
  do_step 'build release' "$build_limit_s" cmake --build --preset release; then
  release=1
  suite 'tests, release' release "$test_limit_s" -LE 'slow|bench' -E '^web$'
else
  not_run 'tests, release' 'the release build'
fi

test_step 'OpenAPI lint' "$suite_limit_s" tests/openapi/lint.sh

# web/ has its packages from the release build.
if [ "$release" = 1 ]; then
  step_web() { cd "$root/web" && npm test --silent; }
  export -f step_web
  export root
  step 'web unit tests' "$suite_limit_s" bash -c step_web
  # vitest ends with `Tests  N failed | N passed (N)`.
  summary=$(grep -E '^ *Tests  ' "$step_log" | tail -n 1)
  web_passed=$(grep -oE '[0-9]+ passed' <<<"$summary" | grep -oE '[0-9]+')
  web_failed=$(grep -oE '[0-9]+ failed' <<<"$summary" | grep -oE '[0-9]+')
  if [ "$step_status" != 0 ] && [ "${web_failed:-0}" = 0 ]; then web_failed=1; fi
  passed=$((passed + ${web_passed:-0})) failed=$((failed + ${web_failed:-0}))
  if [ "$step_status" = 0 ]; then report ok "${web_passed:-0} passed"; else report FAILED; show_log; fi

  # Both wait more than they compute.
  MACROSTEP_BINARY=$root/build/release/server/macrostep MACROSTEP_ARTIFACTS=$logs/journey \
    start 'page journey' "$suite_limit_s" tests/journey/run.sh
  if [ "$all" = 0 ]; then
    MACROSTEP_BINARY=$root/build/release/server/macrostep \
      test_step 'faults, quick subset' "$suite_limit_s" tests/faults/run.sh --quick
  fi
  finish
  judge_test
  port=$((20000 + RANDOM % 20000))
  test_step 'quickstart' "$suite_limit_s" docker/quickstart.sh --once --port "$port" --db "$scratch/quickstart.db"
  # The searches of one and commands of the other run on one thread most of the time.
  pins=(tests/pin/run.sh) docs=(tests/docs/run.sh)
  [ "$all" = 0 ] || pins+=(--all) docs+=(--all)
  MACROSTEP_BINARY=$root/build/release/server/macrostep start 'pinned numbers' "$suite_limit_s" "${pins[@]}"
  MACROSTEP_BINARY=$root/build/release/server/macrostep test_step 'documentation' "$suite_limit_s" "${docs[@]}"
  MACROSTEP_BINARY=$root/build/release/server/macrostep test_step 'Python client' "$suite_limit_s" tests/client/run.sh
  finish
  judge_test
else
  not_run 'web unit tests, page journey, faults, quickstart, documentation, Python client, pinned numbers' \
    'the release build'
fi

if [ "$all" = 1 ]; then
  if [ "$release" = 1 ]; then
    if ctest --test-dir build/release -N -L slow | grep -q '^  Test '; then
      suite 'slow tests, release' release "$suite_limit_s" -L slow
    fi
    if do_step 'build benchmarks' "$build_limit_s" cmake --build --preset release --target benchmarks; then
      suite 'benchmarks, once each' release "$test_limit_s" -L bench
    else
      not_run 'benchmarks, once each' 'their build'
    fi
    MACROSTEP_BINARY=$root/build/release/server/macrostep \
      test_step 'faults' $((2 * suite_limit_s)) tests/faults/run.sh
    MACROSTEP_BINARY=$root/build/release/server/macrostep \
      test_step 'Slurm' "$suite_limit_s" tests/slurm/run.sh --install
    if do_step 'make the Debian package' "$suite_limit_s" bash -c 'rm -rf build/package &&
      cmake --build --preset release --target package_files && cpack --config build/release/CPackConfig.cmake -B build/package'; then
      test_step 'Debian package' "$suite_limit_s" docker/package/test.sh
    else
      not_run 'Debian package' 'making it'
    fi
  else
    not_run 'slow tests, release' 'the release build'
    not_run 'faults, Slurm, Debian package' 'the release build'
  fi
  test_step 'container image' $((2 * suite_limit_s)) docker/rehearse.sh
  test_step 'fuzz targets, a minute each' "$build_limit_s" tests/fuzz/run.sh 60
  # A second compiler's opinion on the numerical folders.
  clang=
  for candidate in clang++-{14..21} clang++; do
    if command -v "$candidate" >/dev/null; then clang=$candidate; break; fi
  done
  if [ -z "$clang" ]; then
    step_name='clang over models, engine, fuzz targets' step_time='     - s'
    report skip
    skip_named 'clang over models, engine, fuzz targets: no clang++ here'
  else
    clang_check_one() {    # SOURCE as $0; a file for an instruction set gets it, as in CMakeLists.txt
      local instructions=()
      case $(uname -m)/$0 in
        x86_64/*_avx2.cpp) instructions=(-mavx2) ;;
        x86_64/*_avx512.cpp) instructions=(-mavx2 -mavx512f -mavx512vl -mavx512dq -mavx512bw) ;;
      esac
      "$clang" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
        -DEIGEN_DONT_PARALLELIZE -DMACROSTEP_VERSION='"0"' -I. -isystem /usr/include/eigen3 "${instructions[@]}" "$0"
    }
    clang_check() {
      local output status=0
      output=$( { find models engine server/{base,json,jobs,results} tests/fuzz -name '*.cpp' -print0
        printf '%s\0' server/http/{message/json_body,message/message,server/request_reader}.cpp; } | sort -z | xargs -0 -r -n 1 -P "$jobs" bash -c clang_check_one 2>&1) || status=$?
      # The errors once more at the end: between them stand pages of notes.
      printf '%s\n\n' "$output"
      grep -E ' (fatal )?error: ' <<<"$output" | cut -c 1-200
      return "$status"
    }
    export -f clang_check clang_check_one
    export clang jobs
    test_step 'clang over models, engine, fuzz targets' "$build_limit_s" bash -c clang_check
  fi
  if do_step 'build with sanitizers' "$build_limit_s" bash -c 'sanitizer_build dev'; then
    suite 'tests, address and undefined-behaviour sanitizers' dev "$suite_limit_s" -LE 'slow|bench' -E '^(web|tidy|bench)'
  else
    not_run 'tests, address and undefined-behaviour sanitizers' 'the sanitizer build'
  fi
  # Debian's TBB is not instrumented: what it does inside looks like races.
  printf 'called_from_lib:libtbb\nrace:tbb::detail\n' >"$scratch/tsan.supp"
  export TSAN_OPTIONS="suppressions=$scratch/tsan.supp ${TSAN_OPTIONS:-}"
  if do_step 'build with the thread sanitizer' "$build_limit_s" bash -c 'sanitizer_build tsan'; then
    suite 'tests, thread sanitizer' tsan "$suite_limit_s" -LE 'slow|bench' -E '^(web|tidy|bench)'
  else
    not_run 'tests, thread sanitizer' 'the thread sanitizer build'
  fi
fi

printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" = 0 ]
