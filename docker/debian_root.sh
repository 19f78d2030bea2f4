#!/usr/bin/env bash
# Makes a bare Debian in a directory, which reaches packages as this machine does: from its mirror, with its settings
# of apt and npm and its certificate authorities. Does nothing where the directory has one already. Run as root.
#
#   docker/debian_root.sh SUITE DIRECTORY
#
#   SUITE       bookworm, trixie, sid, …: whatever the mirror has and debootstrap knows
set -euo pipefail

fail() { printf 'debian_root.sh: %s\n' "$*" >&2; exit 1; }

case ${1:-} in -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
[ $# = 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
readonly suite=$1 root=$2
[ "$(id -u)" = 0 ] || fail "debootstrap wants root"
for tool in debootstrap curl; do command -v "$tool" >/dev/null || fail "$tool is not installed"; done
if [ -f "$root/etc/debian_version" ] && [ ! -d "$root/debootstrap" ]; then exit 0; fi
[ ! -e "$root" ] || fail "'$root' is something else than a Debian root"

# Where apt here has its packages from; the last column is the label of the archive.
archive() { # LABEL OTHERWISE
  local uri
  # shellcheck disable=SC2016  # apt's words
  uri=$(apt-get indextargets --format '$(REPO_URI) $(LABEL)' 'Created-By: Packages' |
    awk -v label="$1" '$2 == label { print $1; exit }')
  uri=${uri:-$2}
  printf '%s' "${uri%/}"
}
mirror=$(archive Debian http://deb.debian.org/debian)
security=$(archive Debian-Security http://deb.debian.org/debian-security)
readonly mirror security

readonly unfinished=$root.unfinished
rm -rf --one-file-system "$unfinished"
mkdir -p "$(dirname "$root")"
debootstrap --variant=minbase "$suite" "$unfinished" "$mirror" >"$unfinished.log" 2>&1 ||
  { tail -n 20 "$unfinished.log" >&2; fail "debootstrap failed"; }
rm "$unfinished.log"

# What images of Debian have, too: corrections. A suite in the making has none.
{
  printf 'deb %s %s main\n' "$mirror" "$suite"
  for updates in "$mirror $suite-updates" "$security $suite-security"; do
    ! curl -fsIL --max-time 30 "${updates% *}/dists/${updates#* }/Release" >/dev/null 2>&1 ||
      printf 'deb %s main\n' "$updates"
  done
} >"$unfinished/etc/apt/sources.list"

# Proxies and certificates.
apt-config dump | grep -E '^Acquire::(https?::|Check-)' >"$unfinished/etc/apt/apt.conf.d/99machine" || true
readonly bundle=/etc/ssl/certs/ca-certificates.crt own=/usr/local/share/ca-certificates
if [ -f "$bundle" ]; then install -D -m 644 "$bundle" "$unfinished$bundle"; fi
if [ -d "$own" ]; then
  mkdir -p "$unfinished$own"
  find "$own" -name '*.crt' -exec install -m 644 -t "$unfinished$own" {} +
fi
if command -v npm >/dev/null; then
  for setting in registry proxy https-proxy; do
    value=$(cd / && npm config get "$setting")
    case $value in null | undefined | '' | https://registry.npmjs.org/) ;; *) printf '%s=%s\n' "$setting" "$value" ;; esac
  done >"$unfinished/etc/npmrc"
fi
# npm asks authorities of its own otherwise.
[ ! -f "$bundle" ] || printf 'cafile=%s\n' "$bundle" >>"$unfinished/etc/npmrc"
cp "$unfinished/etc/npmrc" "$unfinished$(awk -F: '$1 == "root" { print $6 }' "$unfinished/etc/passwd")/.npmrc"
mv "$unfinished" "$root"
