#!/usr/bin/env bash
# Tries the Debian package in a copy of a bare Debian 12: install, search, upgrade, remove, purge.
# Run as root; curl and jq must be here, and the copy must reach its mirror by apt.
#
#   docker/package/test.sh --base ROOT [--package FILE] [--port N]
#
#   --base ROOT      directory that debootstrap --variant=minbase made; it is copied, not changed
#   --package FILE   the newest in build/package unless told
#   --port N         for the server, 18463 unless told
set -euo pipefail

readonly ready_wait_s=30 search_wait_s=120 stop_wait_s=30

usage() { sed -n '2,9s/^# \{0,1\}//p' "$0"; }
fail() { printf 'test.sh: %s\n' "$*" >&2; exit 1; }

base=
port=18463
package=$(find "$(dirname "${BASH_SOURCE[0]}")/../../build/package" -maxdepth 1 -name 'macrostep_*.deb' \
  -printf '%T@ %p\n' 2>/dev/null | sort -n | tail -n 1 | cut -d ' ' -f 2-)
while [ $# -gt 0 ]; do
  case $1 in
    --base) base=${2:-} ;;
    --package) package=${2:-} ;;
    --port) port=${2:-} ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown option '$1'" ;;
  esac
  shift 2 || fail "$1 needs a value"
done
[ -d "$base/var/lib/dpkg" ] || { usage >&2; fail "--base: '$base' is no Debian root"; }
[ -f "$package" ] || fail "there is no package '$package': cpack makes it, see docker/package/README.md"
[ "$(id -u)" = 0 ] || fail "chroot wants root"

scratch=$(mktemp -d)
readonly scratch root=$scratch/root url=http://127.0.0.1:$port
server=
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
  umount -R "$root/dev" "$root/proc" 2>/dev/null || true
  if ! mountpoint -q "$root/proc" && ! mountpoint -q "$root/dev"; then rm -rf --one-file-system "$scratch"; fi
}
trap clean_up EXIT

checks=0
check() { # WHAT COMMAND…
  local what=$1
  shift
  "$@" || fail "not so: $what"
  checks=$((checks + 1))
  printf '  ok  %s\n' "$what"
}
absent() { [ ! -e "$1" ] && [ ! -L "$1" ]; }
in_root() { DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$root" "$@"; }
quietly() { "$@" >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log" >&2; fail "'$*' failed"; }; }
get() { curl -fsS --noproxy '*' --max-time 30 "$url$1"; }
version() { in_root /usr/bin/macrostep --version; }

# As the unit starts it, without systemd: its command, its user, its state directory.
serve() {
  local command tenths
  command=$(sed -n 's/^ExecStart=//p' "$root/lib/systemd/system/macrostep.service")
  in_root install -d -o macrostep -g macrostep -m 700 /var/lib/macrostep
  # shellcheck disable=SC2086  # the words of the command
  chroot "$root" setpriv --reuid macrostep --regid macrostep --init-groups env \
    STATE_DIRECTORY=/var/lib/macrostep $command >>"$scratch/serve.log" 2>&1 &
  server=$!
  for ((tenths = 0; tenths < 10 * ready_wait_s; tenths++)); do
    get /readyz >/dev/null 2>&1 && return 0
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  tail -n 20 "$scratch/serve.log" >&2
  return 1
}
finished() { # SEARCH
  local tenths
  for ((tenths = 0; tenths < 10 * search_wait_s; tenths++)); do
    [ "$(get "/api/v1/searches/$1" | jq -r .status)" != succeeded ] || return 0
    sleep 0.1
  done
  return 1
}
# Every file that is there, but for logs, caches, and dpkg's and apt's own books.
files() {
  (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./sys -o -path ./run -o -path ./tmp -o -path ./var/log \
    -o -path ./var/cache -o -path ./var/lib/dpkg -o -path ./var/lib/apt \) -prune -o -print | sort |
    grep -vxF -e ./etc/passwd- -e ./etc/group- -e ./etc/shadow- -e ./etc/gshadow-)
  (cd "$root/etc" && cat passwd group)
}

printf 'Preparing a copy of %s.\n' "$base"
cp -a "$base" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
cp "$package" "$root/var/cache/first.deb"
mapfile -t needs < <(dpkg-deb -f "$package" Depends | tr ',' '\n' | sed 's/^ *//; s/[ (|].*//')
quietly in_root apt-get -q update
quietly in_root apt-get -q -y --no-install-recommends install "${needs[@]}"
files >"$scratch/before"

# The same package under a later version.
first=$(dpkg-deb -f "$package" Version)
dpkg-deb -R "$package" "$scratch/later"
sed -i "s/^Version: .*/Version: $first+later/" "$scratch/later/DEBIAN/control"
quietly dpkg-deb --root-owner-group -b "$scratch/later" "$root/var/cache/later.deb"

printf 'Install\n'
quietly in_root dpkg -i /var/cache/first.deb
check 'the program runs, and says the version of the package' [ "$(version)" = "macrostep $first" ]
check 'there is a user macrostep' grep -q '^macrostep:' "$root/etc/passwd"
check 'the unit is enabled' \
  [ -L "$root/etc/systemd/system/multi-user.target.wants/macrostep.service" ]
for file in man/man1/macrostep.1.gz bash-completion/completions/macrostep zsh/vendor-completions/_macrostep \
  doc/macrostep/copyright doc/macrostep/changelog.gz doc/macrostep/README.md; do
  check "there is $file" [ -s "$root/usr/share/$file" ]
done
check 'bash reads the completions' in_root bash -n /usr/share/bash-completion/completions/macrostep
check 'the configuration is read' quietly in_root macrostep config show --config /etc/macrostep/config.toml
printf '\nlisten = "127.0.0.1:%s"\n' "$port" >>"$root/etc/macrostep/config.toml"

printf 'Search\n'
check 'the server starts as its user' serve
check 'the page is served' grep -q '<html' <<<"$(get /)"
id=$(curl -fsS --noproxy '*' --max-time 30 -H 'Content-Type: application/json' \
  --data '{"problem": "linear_oscillator", "name": "before"}' "$url/api/v1/searches" | jq -r .id)
check 'a search succeeds' finished "$id"
get "/api/v1/searches/$id" | jq -S .recommendation >"$scratch/recommended"
check 'it recommends a macro-step' quietly jq -e '.macro_step_s > 0' "$scratch/recommended"
check 'the server ends in order' stop

printf 'Upgrade\n'
quietly in_root dpkg -i /var/cache/later.deb
check 'the later version is installed' \
  [ "$(in_root dpkg-query -W -f '${Version}' macrostep)" = "$first+later" ]
check 'changes of the configuration are kept' grep -q "$port" "$root/etc/macrostep/config.toml"
check 'the server starts again' serve
check 'the search is still there, with what it recommends' \
  cmp "$scratch/recommended" <(get "/api/v1/searches/$id" | jq -S .recommendation)
check 'the server ends in order' stop

printf 'Remove\n'
quietly in_root dpkg -r macrostep
check 'the program is gone' absent "$root/usr/bin/macrostep"
check 'the database is kept' [ -s "$root/var/lib/macrostep/macrostep.db" ]
check 'the configuration is kept' [ -s "$root/etc/macrostep/config.toml" ]

printf 'Purge\n'
quietly in_root dpkg --purge macrostep
files >"$scratch/after"
check 'nothing is left' diff "$scratch/before" "$scratch/after"
printf '%s checks passed.\n' "$checks"
