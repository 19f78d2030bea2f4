#!/usr/bin/env bash
# Builds the image of docker/Dockerfile without a daemon, and tries the server in it from end to end: as its user, with
# the options of compose.yaml, over REST, by its page, its health check and SQL, through a restart, with a token, and with FMUs.
# Run as root, with debootstrap, curl, jq and sqlite3.
#
#   docker/rehearse.sh [--by engine|steps] [--base ROOT] [--package FILE]
#
#   --by engine      by buildah and podman with runc: the usual way, where they are there
#   --by steps       goes through the steps of the file in copies of the base, without any of these
#   --base ROOT      bare Debian that takes the place of debian:12-slim; it is copied, not changed.
#                    Unless told, debian_root.sh makes one below build/roots
#   --package FILE   take this Debian package as what the stage "build" makes, and leave that stage out
#
# Exit 77 where something is missing for it.
set -euo pipefail

readonly healthy_wait_s=30 search_wait_s=120 stop_wait_s=30

usage() { sed -n '2,15s/^# \{0,1\}//p' "$0"; }
say() { printf '%s\n' "$*"; }
fail() { printf 'rehearse.sh: %s\n' "$*" >&2; exit 1; }
skip() { printf 'skipped: container image: %s\n' "$*"; exit 77; }

way= base= package=
while [ $# -gt 0 ]; do
  case $1 in
    --by) way=${2:-} ;;
    --base) base=${2:-} ;;
    --package) package=${2:-} ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown option '$1'" ;;
  esac
  shift 2 || fail "$1 needs a value"
done
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
context=$(dirname "$here")
readonly here context
[ -z "$package" ] || [ -f "$package" ] || fail "--package: there is no file '$package'"
[ "$(id -u)" = 0 ] || skip "mounts want root"
for tool in curl jq sqlite3 debootstrap; do command -v "$tool" >/dev/null || skip "no $tool here"; done
if [ -z "$way" ]; then
  way=engine
  for tool in buildah podman runc; do command -v "$tool" >/dev/null || way=steps; done
fi
case $way in engine | steps) ;; *) fail "--by: '$way' is neither engine nor steps" ;; esac
if [ -z "$base" ]; then
  base=$context/build/roots/bookworm
  "$here/debian_root.sh" bookworm "$base" || skip "debootstrap made no base, see above"
fi
[ -d "$base/var/lib/dpkg" ] || fail "--base: '$base' is no Debian root"

# A port that nothing listens on; the engine shares the network of the machine.
port=
for ((tries = 0; tries < 20; tries++)); do
  port=$((20000 + RANDOM % 20000))
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
done
# Not below the system's directory for such, which may be small or in memory.
mkdir -p "$context/build"
scratch=$(mktemp -d "$context/build/rehearsal.XXXXXX")
readonly way port scratch url=http://127.0.0.1:$port
trap 'clean_up || true; rm -rf --one-file-system "$scratch"' EXIT

# Either file defines
#   build            makes the image; leaves image_user, image_size, base_size (MB)
#   start [NAME=VALUE…]   starts the server on $url, or as these variables say, with the data of earlier starts
#   ended            true when it runs no longer
#   healthy          true when the health check of the image succeeds
#   stop             SIGTERM; returns the server's exit status
#   data             directory of this machine that is the image's volume
#   shell RIGHTS COMMAND   runs a shell command in the image with the rights as-it-is, no-namespaces or no-seccomp;
#                          returns 77 where these cannot be had
#   clean_up
# shellcheck source=docker/rehearsal/engine.sh
. "$here/rehearsal/$way.sh"
# shellcheck source=docker/rehearsal/end_to_end.sh
. "$here/rehearsal/end_to_end.sh"

build
say "Image: $image_size MB, of which the base is $base_size MB."
[ "$image_user" != root ] && [ "$image_user" != 0 ] && [ -n "$image_user" ] || fail "the image runs as root"
end_to_end
foreign_code
say "Everything about the image is as it should be ($way)."
