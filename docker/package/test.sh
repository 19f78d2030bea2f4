#!/usr/bin/env bash
# Tries the Debian package in a bare Debian of the same release: lintian, list of parts, install, search, upgrade,
# remove, purge. Run as root, with debootstrap, curl, jq and sqlite3.
#
#   docker/package/test.sh [--base ROOT] [--package FILE] [--port N]
#
#   --base ROOT      directory that debootstrap --variant=minbase made; it is copied, not changed.
#                    Unless told, debian_root.sh makes one of this machine's release below build/roots
#   --package FILE   the newest in build/package unless told
#   --port N         for the server, a free one unless told
#
# Exit 77 where something is missing for it.
set -euo pipefail

readonly ready_wait_s=30 search_wait_s=120 stop_wait_s=30

usage() { sed -n '2,12s/^# \{0,1\}//p' "$0"; }
fail() { printf 'test.sh: %s\n' "$*" >&2; exit 1; }
skip() { printf 'skipped: Debian package: %s\n' "$*"; exit 77; }

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
readonly here project
base=
port=$((20000 + RANDOM % 20000))
package=$(find "$project/build/package" -maxdepth 1 -name 'macrostep_*.deb' -printf '%T@ %p\n' 2>/dev/null |
  sort -n | tail -n 1 | cut -d ' ' -f 2-) || true
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
[ -f "$package" ] || fail "there is no package '$package': cpack makes it, see docker/package/README.md"
[ "$(id -u)" = 0 ] || skip "mounts want root"
for tool in curl jq sqlite3 debootstrap; do command -v "$tool" >/dev/null || skip "no $tool here"; done
if [ -z "$base" ]; then
  # The package wants the libraries of the release that it was made on.
  suite=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-bookworm}")
  base=$project/build/roots/$suite
  "$here/../debian_root.sh" "$suite" "$base" || skip "debootstrap made no base, see above"
fi
[ -d "$base/var/lib/dpkg" ] || fail "--base: '$base' is no Debian root"

mkdir -p "$project/build"
scratch=$(mktemp -d "$project/build/package-test.XXXXXX")
readonly scratch root=$scratch/root url=http://127.0.0.1:$port
server=
stop() {
  [ -n "$server" ] || return 0
  local pid=$server tenths
  server=
  kill -TERM "$pid" 2>/dev/null || true
  for ((tenths = 0; tenths < 10 * stop_wait_s + 50; tenths++)); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid"
}
trap 'stop || true; rm -rf --one-file-system "$scratch"' EXIT

checks=0
check() { # WHAT COMMAND…
  local what=$1
  shift
  "$@" || fail "not so: $what"
  checks=$((checks + 1))
  printf '  ok  %s\n' "$what"
}
absent() { [ ! -e "$1" ] && [ ! -L "$1" ]; }
in_root() { "$here/../in_root.sh" "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@" </dev/null; }
quietly() { "$@" >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log" >&2; fail "'$*' failed"; }; }
get() { curl -fsS --noproxy '*' --max-time 30 "$url$1"; }
version() { in_root /usr/bin/macrostep --version; }

# As the unit starts it, without systemd: its command, its user, its state directory.
service=()
as_service() {
  local words
  read -ra words < <(sed -n 's/^ExecStart=//p' "$root/lib/systemd/system/macrostep.service")
  in_root install -d -o macrostep -g macrostep -m 700 /var/lib/macrostep
  service=("$here/../in_root.sh" "$root" setpriv --reuid macrostep --regid macrostep --init-groups
    env STATE_DIRECTORY=/var/lib/macrostep "${words[@]}")
}
serve() {
  local tenths
  as_service
  "${service[@]}" >>"$scratch/serve.log" 2>&1 </dev/null &
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

printf 'Lintian\n'
lint() {
  cp "$package" "$scratch/macrostep.deb"
  if command -v lintian >/dev/null; then
    lintian --fail-on error,warning --allow-root "$scratch/macrostep.deb"
    return
  fi
  # It brings a hundred packages, which are no part of what is installed below.
  cp -a "$base" "$root"
  mv "$scratch/macrostep.deb" "$root/var/cache"
  quietly in_root apt-get -q update
  quietly in_root apt-get -q -y --no-install-recommends install lintian
  in_root lintian --fail-on error,warning --allow-root /var/cache/macrostep.deb
  rm -rf --one-file-system "$root"
}
check 'lintian has no error and no warning' lint

printf 'Preparing a copy of %s.\n' "$base"
cp -a "$base" "$root"
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
check 'there is the executable of the workers' [ -x "$root/usr/libexec/macrostep/macrostep-worker" ]
check 'there is a user macrostep' grep -q '^macrostep:' "$root/etc/passwd"
check 'the unit is enabled' \
  [ -L "$root/etc/systemd/system/multi-user.target.wants/macrostep.service" ]
for file in man/man1/macrostep.1.gz bash-completion/completions/macrostep zsh/vendor-completions/_macrostep \
  doc/macrostep/copyright doc/macrostep/changelog.gz doc/macrostep/README.md; do
  check "there is $file" [ -s "$root/usr/share/$file" ]
done
check 'bash reads the completions' in_root bash -n /usr/share/bash-completion/completions/macrostep
check "no link of the documents leads nowhere" "$here/documents.sh" "$root/usr/share/doc/macrostep"
parts=$root/usr/share/doc/macrostep/sbom.cdx.json
check 'the list of parts is CycloneDX, and every part has a version and a licence' \
  [ "$(jq '.bomFormat == "CycloneDX" and .specVersion == "1.5" and .metadata.component.version == "'"${first%%[-+]*}"'"
    and (.components | length > 20) and all(.components[]; .version != "" and (.purl | startswith("pkg:"))
      and (.licenses[0] | (.license.id // .expression) | length > 0))' "$parts")" = true ]
names() { jq -r '.components[] | select(.purl | startswith("pkg:'"$1"'/")) | .name + " " + .version' "$parts" | sort; }
check 'it has every package of the page' diff <(names npm) <(jq -r '.packages | to_entries[] |
  select(.key != "" and (.value.dev or .value.devOptional | not)) |
  (.key | sub(".*node_modules/"; "")) + " " + .value.version' "$project/web/package-lock.json" | sort)
# Which package each library is of is asked of the machine that it is installed on, not of the one that made the list.
loaded() {
  in_root ldd /usr/bin/macrostep | awk '$2 == "=>" { print $3 }' | while read -r library; do
    library=$(in_root realpath "$library")
    in_root dpkg-query -S "$library" 2>/dev/null || in_root dpkg-query -S "${library#/usr}"
  done | sed 's/:.*//' | sort -u
}
check 'it has every library that is loaded' [ -z "$(loaded | grep -vxF "$(names deb | cut -d ' ' -f 1)")" ]
check 'no MPI is loaded, though SUNDIALS may be made with it' [ -z "$(loaded | grep mpi)" ]
check 'it has what is only headers' [ "$(names deb | grep -cE '^(libboost|libeigen3|nlohmann-json3|libcli11)')" = 4 ]
for name in libeigen3-dev libcli11-dev nlohmann-json3-dev preact uplot d3-scale; do
  check "the licence of $name is told" grep -qx "$name" "$root/usr/share/doc/macrostep/copyright"
done
check 'the configuration is read' quietly in_root macrostep config show --config /etc/macrostep/config.toml
printf '\nlisten = "127.0.0.1:%s"\n' "$port" >>"$root/etc/macrostep/config.toml"

printf 'Search\n'
check 'the server starts as its user' serve
check 'the page is served' grep -q '<html' <<<"$(get /)"
id=$(curl -fsS --noproxy '*' --max-time 30 -H 'Content-Type: application/json' \
  --data '{"problem": "linear_oscillator", "name": "before"}' "$url/api/v1/searches" | jq -r .id)
check 'a search succeeds' finished "$id"
get "/api/v1/searches/$id" | jq -S .recommendation >"$scratch/recommended"
check 'it recommends a macro-step' [ "$(jq '.macro_step_s > 0' "$scratch/recommended")" = true ]
check 'the server ends in order' stop
check 'an FMU is written' quietly in_root macrostep fmu export linear_oscillator m2 --fmi 2 --out /var/cache/m2.fmu
check 'it runs in the installed worker' quietly in_root macrostep fmu validate /var/cache/m2.fmu --fmu-sandbox none
rm "$root/var/cache/m2.fmu"

printf 'Upgrade\n'
quietly in_root dpkg -i /var/cache/later.deb
check 'the later version is installed' \
  [ "$(in_root dpkg-query -W -f '${Version}' macrostep)" = "$first+later" ]
check 'changes of the configuration are kept' grep -q "$port" "$root/etc/macrostep/config.toml"
check 'the server starts again' serve
check 'the search is still there, with what it recommends' \
  cmp "$scratch/recommended" <(get "/api/v1/searches/$id" | jq -S .recommendation)
check 'the server ends in order' stop

printf 'A database of another version\n'
database=$root/var/lib/macrostep/macrostep.db
mv "$database" "$scratch/today.db"
sqlite3 "$database" <"$project/tests/db/version_8.sql"
chown --reference="$root/var/lib/macrostep" "$database"
check 'the server starts with a database of the oldest version' serve
check 'what that had is there' \
  [ "$(get /api/v1/searches/7f9f51076628d42d | jq -r '.name + " " + .status')" = 'kept succeeded' ]
check 'SQL finds it' [ "$(sqlite3 -readonly "$database" "SELECT macro_step_s FROM v_recommendations
  WHERE search_id = '7f9f51076628d42d' AND rule = 'max_min'")" = 0.0015 ]
check 'the server ends in order' stop
refused() { as_service; ! timeout "$ready_wait_s" "${service[@]}" >"$scratch/log" 2>&1 </dev/null; }
sqlite3 "$database" 'PRAGMA user_version = 7'
check 'a database of a development version is refused' refused
check 'and what to do is said' grep -q 'name another file with --db to start a new one' "$scratch/log"
sqlite3 "$database" 'PRAGMA user_version = 999'
check 'a database of a newer version is refused' refused
check 'and what to do is said' grep -q 'install the newer one again, or name with --db' "$scratch/log"
mv "$scratch/today.db" "$database"
check 'the server starts with its own again' serve
check 'the search is still there' [ "$(get "/api/v1/searches/$id" | jq -r .name)" = before ]
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
