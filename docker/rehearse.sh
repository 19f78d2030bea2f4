#!/usr/bin/env bash
# Goes through docker/Dockerfile without a container engine: every step in a copy of a bare Debian, then the
# server as the image starts it, its health check, and a search. Run as root, with curl and jq.
#
#   docker/rehearse.sh --base ROOT [--package FILE]
#
#   --base ROOT      directory that debootstrap --variant=minbase made; it is copied, not changed
#   --package FILE   take this Debian package as what the stage "build" makes, and leave that stage out
set -euo pipefail

readonly healthy_wait_s=30 search_wait_s=120 stop_wait_s=30 port=18464

usage() { sed -n '2,8s/^# \{0,1\}//p' "$0"; }
say() { printf '%s\n' "$*"; }
fail() { printf 'rehearse.sh: %s\n' "$*" >&2; exit 1; }

base= package=
while [ $# -gt 0 ]; do
  case $1 in
    --base) base=${2:-} ;;
    --package) package=${2:-} ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown option '$1'" ;;
  esac
  shift 2 || fail "$1 needs a value"
done
[ -d "$base/var/lib/dpkg" ] || { usage >&2; fail "--base: '$base' is no Debian root"; }
[ -z "$package" ] || [ -f "$package" ] || fail "--package: there is no file '$package'"
[ "$(id -u)" = 0 ] || fail "chroot wants root"

context=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
readonly context scratch url=http://127.0.0.1:$port
server=
roots=()
stop() {
  [ -n "$server" ] || return 0
  local pid=$server tenths
  server=
  kill -TERM "$pid" 2>/dev/null || true
  for ((tenths = 0; tenths < 10 * stop_wait_s; tenths++)); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid"
}
clean_up() {
  stop || true
  local one
  for one in "${roots[@]}"; do
    umount -R "$one/dev" "$one/proc" 2>/dev/null || true
    if mountpoint -q "$one/proc" || mountpoint -q "$one/dev"; then return; fi
  done
  rm -rf --one-file-system "$scratch"
}
trap clean_up EXIT

# --- the steps of the file --------------------------------------------------------------------------------------
stage= root= directory=/ user=root
environment=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/)
health= entry= command=
left_out() { [ "$stage" = build ] && [ -n "$package" ]; }

from() { # IMAGE [AS NAME]
  # shellcheck disable=SC2016  # the words of the file
  [ "$1" = '${BASE}' ] || fail "FROM $1: only \${BASE} is known here"
  stage=${3:-run} root=$scratch/${3:-run} directory=/ user=root
  cp -a "$base" "$root"
  roots+=("$root")
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --make-rslave "$root/dev"
  if left_out; then install -D -t "$root/src/build/package" "$package"; fi
}
copy() { # [--from=STAGE] SOURCE TARGET
  local target
  case $1 in
    --from=*)
      mkdir -p "$root$3"
      cp -a "$scratch/${1#--from=}$2." "$root$3" ;;
    *)
      [ "$1" = . ] || fail "COPY $1: only the whole context is known here"
      target=$(realpath -m "$root$directory/$2")
      (cd "$context" && git ls-files -z --cached --others --exclude-standard |
        tar -c --null -T - | tar -x -C "$target") ;;
  esac
}
run() {
  left_out && { say "  left out  $stage: ${1:0:80}"; return; }
  SECONDS=0
  chroot "$root" sh -c "cd '$directory' && $1" >"$scratch/log" 2>&1 ||
    { tail -n 30 "$scratch/log" >&2; fail "RUN failed: $1"; }
  say "  $SECONDS s  $stage: ${1:0:80}"
}
# Without the command's own environment: what the image gives it, and where the test wants to listen.
as_user() {
  exec chroot "$root" setpriv --reuid "$user" --regid "$user" --init-groups \
    env -i "${environment[@]}" MACROSTEP_LISTEN="127.0.0.1:$port" "$@"
}

while read -r instruction rest; do
  case $instruction in
    '' | '#'*) continue ;;
    ARG | EXPOSE | VOLUME) ;;
    FROM) # shellcheck disable=SC2086  # its words
      from $rest ;;
    WORKDIR) directory=$rest; mkdir -p "$root$rest" ;;
    COPY) # shellcheck disable=SC2086
      left_out || copy $rest ;;
    RUN) run "$rest" ;;
    ENV) environment+=("$rest") ;;
    USER) user=$rest ;;
    HEALTHCHECK) health=${rest#*CMD } ;;
    ENTRYPOINT) entry=$rest ;;
    CMD) command=$rest ;;
    *) fail "the Dockerfile has '$instruction', which is not known here" ;;
  esac
done <"$context/docker/Dockerfile"
[ "$user" != root ] || fail "the image runs as root"

# --- the server in it -------------------------------------------------------------------------------------------
mapfile -t words < <(jq -r '.[]' <<<"$entry" && jq -r '.[]' <<<"$command")
mapfile -t check < <(jq -r '.[]' <<<"$health")
healthy() { (as_user "${check[@]}") >/dev/null 2>&1; }
get() { curl -fsS --noproxy '*' --max-time 30 "$url$1"; }
if healthy; then fail "port $port answers before the server has started"; fi
(as_user "${words[@]}") >"$scratch/serve.log" 2>&1 &
server=$!
for ((tenths = 0; ; tenths++)); do
  ! healthy || break
  if ! kill -0 "$server" 2>/dev/null || [ "$tenths" -ge $((10 * healthy_wait_s)) ]; then
    tail -n 20 "$scratch/serve.log" >&2
    fail "the health check does not succeed"
  fi
  sleep 0.1
done
say "Healthy, as the user $user."
grep -q '<html' <<<"$(get /)" || fail "the page is not served"
id=$(curl -fsS --noproxy '*' --max-time 30 -H 'Content-Type: application/json' \
  --data '{"problem": "linear_oscillator"}' "$url/api/v1/searches" | jq -r .id)
for ((tenths = 0; tenths < 10 * search_wait_s; tenths++)); do
  [ "$(get "/api/v1/searches/$id" | jq -r .status)" != succeeded ] || break
  sleep 0.1
done
get "/api/v1/searches/$id" | jq -e '.recommendation.macro_step_s > 0' >/dev/null ||
  fail "the search recommends nothing"
say "A search over REST: $(get "/api/v1/searches/$id" | jq -r .sentence)"
[ -s "$root/var/lib/macrostep/macrostep.db" ] || fail "the database is not in the volume"
status=0
stop || status=$?
[ "$status" = 0 ] || fail "the server ended with status $status after SIGTERM"
if healthy; then fail "the health check succeeds without a server"; fi
size() { du -smx --exclude="$1/dev" --exclude="$1/proc" "$1" | cut -f 1; }
say "Image: $(size "$root") MB, of which the base is $(size "$base") MB."
