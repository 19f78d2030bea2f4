#!/usr/bin/env bash
# Installs the Debian packages that macrostep is built with. Works as root or through sudo, asks nothing,
# removes nothing, starts no daemon, and does nothing at all when every package is already there.
#
#   docker/install-deps.sh            what building and running needs
#   docker/install-deps.sh --tests    and what the tests need beside it
set -euo pipefail

# --- the packages ---------------------------------------------------------------------------------------------
build_tools=(g++ cmake ninja-build git)                   # compiler and build; g++ 12 and cmake 3.25 suffice
libraries=(libeigen3-dev                                  # linear algebra of models and engine
  libsundials-dev                                         # CVODE, for reference solutions
  libtbb-dev                                              # trials in parallel
  libsqlite3-dev zlib1g-dev                               # the store
  nlohmann-json3-dev libcli11-dev libspdlog-dev           # JSON, command line, log of the server
  libzip-dev libpugixml-dev                               # FMUs: the archive and its XML
  doctest-dev libvalijson-dev libbenchmark-dev)           # configuring the build asks for the test libraries too
run_tools=(sqlite3 curl jq ca-certificates                # quickstart, the README's examples, npm over https
  bubblewrap)                                             # FMUs run in its sandbox
test_tools=(chromium fonts-dejavu-core                    # the page journey in a headless browser
  valgrind                                                # leaks of exported FMUs
  python3                                                 # the Python client, and the documentation's program
  strace faketime)                                        # faults: which files are opened, jumps of the clock
# Chosen below, because their names differ between distributions or they may be there from elsewhere:
#   promtool (--tests: what Prometheus thinks of the metrics), without the daemon that its package would start,
#   Boost >= 1.81 (HTTP), node >= 18.18 with npm (the web page), clang >= 14 (--tests: a second compiler)

readonly boost_needed=108100
readonly node_needed=18.18
readonly lock_wait_s=300

usage() { sed -n '2,7s/^# \{0,1\}//p' "$0"; }
say() { printf '%s\n' "$*"; }
fail() { printf 'install-deps: %s\n' "$*" >&2; exit 1; }

with_tests=0
for argument in "$@"; do
  case $argument in
    --tests) with_tests=1 ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown option '$argument'" ;;
  esac
done

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log=$root/build/install-deps.log
readonly promtool=$root/build/tools/promtool

# --- what is there already ------------------------------------------------------------------------------------
installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

boost_version() {
  sed -n 's/^#define BOOST_VERSION \([0-9]*\).*/\1/p' /usr/local/include/boost/version.hpp \
    /usr/include/boost/version.hpp 2>/dev/null | head -n 1
}
boost_present() { [ "$(boost_version)" -ge "$boost_needed" ] 2>/dev/null; }

node_version() { node --version 2>/dev/null | sed -n 's/^v\([0-9]*\.[0-9]*\)\..*/\1/p'; }
# No version at all sorts before any.
node_present() { printf '%s\n' "$node_needed" "$(node_version)" | sort -V -C; }
npm_present() { command -v npm >/dev/null; }

clang_present() {
  local version
  for version in 14 15 16 17 18 19 20 21; do
    command -v "clang++-$version" >/dev/null && return 0
  done
  command -v clang++ >/dev/null
}

# Debian 13 has it in a package of its own, Debian 12 in the daemon's.
download_promtool() { apt-get -q download promtool || apt-get -q download prometheus; }
# One program of the package, which is not installed. Without it its test is skipped.
need_promtool() {
  local directory
  if [ "$with_tests" = 0 ] || [ -x "$promtool" ] || command -v promtool >/dev/null; then return; fi
  directory=$(mktemp -d)
  mkdir -p "$root/build"
  if (cd "$directory" && { download_promtool ||
    { [ "$(id -u)" = 0 ] && apt-get -q update && download_promtool; }; } &&
    dpkg-deb --fsys-tarfile ./*.deb | tar -x --strip-components=3 ./usr/bin/promtool &&
    install -D promtool "$promtool") >>"$log" 2>&1; then
    say "promtool put into build/tools."
  else
    say "promtool cannot be fetched, so that its test will be skipped (log: build/install-deps.log)."
  fi
  rm -rf "$directory"
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail "this is no Debian or Ubuntu.
Install by hand: ${build_tools[*]}, Boost >= 1.81, Eigen 3.4, SUNDIALS >= 6, oneTBB, SQLite, zlib, nlohmann_json 3.11, CLI11, spdlog,
libzip, pugixml, doctest, valijson, Google Benchmark, node >= $node_needed with npm, ${run_tools[*]} (for the tests also chromium and clang)."
fi

wanted=("${build_tools[@]}" "${libraries[@]}" "${run_tools[@]}")
[ "$with_tests" = 0 ] || wanted+=("${test_tools[@]}")
# The fuzz targets' runtime, which clang-14 only recommends; later ones have it under names of their own.
if [ "$with_tests" = 1 ] && installed clang-14; then wanted+=(libclang-rt-14-dev); fi
missing=()
for package in "${wanted[@]}"; do
  installed "$package" || missing+=("$package")
done
boost_present || missing+=(boost)
if ! node_present; then
  [ -z "$(node_version)" ] || [ "$(command -v node)" = /usr/bin/node ] ||
    fail "$(command -v node) is version $(node_version), $node_needed or newer is needed: update it or take it off PATH."
  missing+=(nodejs)
fi
npm_present || missing+=(npm)
[ "$with_tests" = 0 ] || clang_present || missing+=(clang)

if [ ${#missing[@]} = 0 ]; then
  say "All packages are installed."
  need_promtool
  exit 0
fi

# --- install --------------------------------------------------------------------------------------------------
mkdir -p "$root/build"
: >"$log"

as_root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || fail "packages are missing (${missing[*]}); run this script as root, or install sudo."
  as_root=(sudo)
  sudo -v || fail "sudo refused; run this script as root."
fi
apt_get() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y \
    -o DPkg::Lock::Timeout="$lock_wait_s" "$@" >>"$log" 2>&1 </dev/null
}
show_log() { tail -n 20 "$log" | sed 's/^/  | /' >&2; }

say "Installing ${#missing[@]} packages and what they depend on (log: build/install-deps.log)."
apt_get update || { show_log; fail "apt-get update failed, see above."; }

# True when the newest version of package $1 that apt offers is at least $2.
offers() {
  local candidate
  candidate=$(LC_ALL=C apt-cache policy "$1" | sed -n 's/^ *Candidate: //p')
  [ -n "$candidate" ] && [ "$candidate" != '(none)' ] && dpkg --compare-versions "$candidate" ge "$2"
}

boost_package=libboost1.81-dev
offers libboost-dev 1.81 && boost_package=libboost-dev
clang_package=clang-14
offers clang-14 1 || clang_package=clang
packages=()
for package in "${missing[@]}"; do
  case $package in
    boost) packages+=("$boost_package") ;;
    clang)
      packages+=("$clang_package")
      if [ "$clang_package" = clang-14 ]; then packages+=(libclang-rt-14-dev); fi ;;
    *) packages+=("$package") ;;
  esac
done

# Debian 12 keeps the headers of two Boost versions in one place, so that only one can be installed.
if ! boost_present && [ "$boost_package" = libboost1.81-dev ] && installed libboost1.74-dev; then
  users=$(LC_ALL=C apt-get -s remove libboost1.74-dev 2>/dev/null | sed -n 's/^Remv \([^ ]*\).*/\1/p' |
    grep -vx libboost1.74-dev | tr '\n' ' ')
  fail "libboost1.81-dev is needed, but libboost1.74-dev is installed and Debian allows only one of the two.
Installed packages that need libboost1.74-dev: ${users:-none}
Nothing was changed. Either make room with
  ${as_root[*]:+${as_root[*]} }apt-get remove libboost1.74-dev
which also removes the packages named above, and run this script again; or build in a container, a chroot or
another machine with Debian 12."
fi

# Package scripts ask /usr/sbin/policy-rc.d whether they may start a service; 101 means no.
readonly policy=/usr/sbin/policy-rc.d policy_mark='# written by macrostep install-deps'
remove_policy() {
  if grep -qsF "$policy_mark" "$policy"; then "${as_root[@]}" rm -f "$policy"; fi
}
trap remove_policy EXIT
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\n%s\nexit 101\n' "$policy_mark" | "${as_root[@]}" tee "$policy" >/dev/null
  "${as_root[@]}" chmod 755 "$policy"
fi

# --no-remove: apt stops rather than take something away that the machine uses.
if ! apt_get install --no-install-recommends --no-remove "${packages[@]}"; then
  show_log
  fail "apt-get could not install: ${packages[*]}
The reason is above, the whole output in build/install-deps.log. Held or third-party versions of these packages are
the usual cause: 'apt-get -s install ${packages[*]}' shows what stands against it."
fi

# --- check ----------------------------------------------------------------------------------------------------
boost_present || fail "the Boost found first is $(boost_version), $boost_needed or newer is needed."
if ! node_present || ! npm_present; then
  fail "node >= $node_needed and npm are needed; found node '$(node --version 2>&1)',
npm '$(npm --version 2>&1)' on PATH."
fi
say "Packages installed."
need_promtool
