#!/usr/bin/env bash
# Runs the two commands of the README on a fresh machine: a bare Debian that debootstrap makes, with git and a clone of
# this project and nothing else. Tells what they take of time and disk. Run as root, with debootstrap and git.
#
#   docker/fresh.sh [--suite SUITE] [--only quickstart|tests] [--keep DIRECTORY]
#
#   --suite SUITE      release of Debian: bookworm (12) unless told, trixie (13), sid, …
#   --only COMMAND     one of the two commands
#   --keep DIRECTORY   where the machine is put, which then stays; else it is removed
set -euo pipefail

readonly command_limit_s=10800
# What is worth knowing of a release beside its name.
readonly told=(g++ cmake nodejs npm libboost1.81-dev libboost-dev libeigen3-dev libsundials-dev libtbb-dev libcli11-dev
  nlohmann-json3-dev libspdlog-dev libsqlite3-dev libzip-dev libpugixml-dev)

usage() { sed -n '2,9s/^# \{0,1\}//p' "$0"; }
say() { printf '%s\n' "$*"; }
fail() { printf 'fresh.sh: %s\n' "$*" >&2; exit 1; }

suite=bookworm only= keep=
while [ $# -gt 0 ]; do
  case $1 in
    --suite) suite=${2:-} ;;
    --only) only=${2:-} ;;
    --keep) keep=${2:-} ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown option '$1'" ;;
  esac
  shift 2 || fail "$1 needs a value"
done
case $only in '' | quickstart | tests) ;; *) fail "--only: '$only' is neither quickstart nor tests" ;; esac
[ -z "$keep" ] || [ ! -e "$keep" ] || fail "--keep: '$keep' is there already"
[ "$(id -u)" = 0 ] || fail "mounts want root"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(dirname "$here")
readonly here project base=$project/build/roots/$suite

"$here/debian_root.sh" "$suite" "$base"
scratch=$(mktemp -d "$project/build/fresh.XXXXXX")
readonly scratch machine=${keep:-$scratch/machine}
trap 'rm -rf --one-file-system "$scratch"' EXIT
cp -a "$base" "$machine"

home=$(awk -F: '$1 == "root" { print $6 }' "$machine/etc/passwd")
inside() { # COMMAND of a shell in the home directory
  "$here/in_root.sh" "$machine" env -i "HOME=$home" LC_ALL=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -c "cd && $1"
}
megabytes() { du -sx --block-size=1000000 "$machine" | cut -f 1; }
packages() { inside "dpkg-query -W | wc -l"; }
state() { say "  disk $(megabytes) MB, $(packages) packages"; }

say "$(inside '. /etc/os-release && echo "$PRETTY_NAME"') from debootstrap"
state
inside 'apt-get -q update && apt-get -q -y --no-install-recommends install git' >"$scratch/git.log" 2>&1 ||
  { tail -n 20 "$scratch/git.log" >&2; fail "git cannot be installed"; }
git -C "$project" bundle create -q "$machine$home/project" HEAD
inside 'git -c advice.detachedHead=false -c init.defaultBranch=main clone -q project macrostep && rm project'
say "git and a clone of $(git -C "$project" describe --always HEAD)"
state

failed=0
try() { # NAME COMMAND
  local start=$SECONDS status=0
  if [ -n "$only" ] && [ "$only" != "$1" ]; then return; fi
  say "$2"
  inside "cd macrostep && timeout $command_limit_s $2" </dev/null 2>&1 | sed 's/^/  | /' || status=$?
  say "  status $status, $(((SECONDS - start) / 60)) min $(((SECONDS - start) % 60)) s on $(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg)"
  state
  [ "$status" = 0 ] || failed=1
}
port=8080
if (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null; then
  port=$((20000 + RANDOM % 20000))
  say "Something listens on 8080 here, so that the quickstart takes $port."
fi
try quickstart "docker/quickstart.sh --once$([ "$port" = 8080 ] || printf ' --port %s' "$port")"
try tests tests/run.sh
say "Versions:"
inside "dpkg-query -W -f '\${db:Status-Abbrev}\${Package} \${Version}\n' ${told[*]} 2>/dev/null" |
  sed -n 's/^ii /  /p' || true
exit "$failed"
