#!/usr/bin/env bash
# Makes what the Debian package holds beside the program: manual page, completions, configuration file, changelog and
# licences. The build runs it.
#
#   docker/package/files.sh MACROSTEP OUTPUT_DIRECTORY MAINTAINER
set -euo pipefail

[ $# = 3 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
readonly macrostep=$1 out=$2 maintainer=$3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly root
# Libraries that are compiled into the program; the others are packages that it depends on.
readonly compiled_in=(libboost1.81-dev libboost-dev libeigen3-dev nlohmann-json3-dev libcli11-dev libspdlog-dev)

mkdir -p "$out"
"$macrostep" manual man | gzip -9n >"$out/macrostep.1.gz"
"$macrostep" manual bash >"$out/macrostep.bash"
"$macrostep" manual zsh >"$out/_macrostep"
"$macrostep" manual config >"$out/config.toml"

# CHANGELOG.md in the form of Debian: "## 0.1.0 (2026-11-24)" begins an entry, "- " an item in it.
while IFS= read -r line; do
  case $line in
    '## '*)
      read -r _ version date <<<"$line"
      [ -z "${signature:-}" ] || printf '\n%s\n\n' "$signature"
      signature=" -- $maintainer  $(LC_ALL=C date -u -R -d "${date//[()]/}")"
      printf 'macrostep (%s) unstable; urgency=medium\n\n' "$version" ;;
    '- '*) printf '  * %s\n' "${line#- }" ;;
    '  '*) printf '    %s\n' "${line#  }" ;;
  esac
done <"$root/CHANGELOG.md" >"$out/changelog"
[ -z "${signature:-}" ] || printf '\n%s\n' "$signature" >>"$out/changelog"
gzip -9nf "$out/changelog"

# Name, version, file with the licence: of what is in the program.
parts() {
  local package directory
  for package in "${compiled_in[@]}"; do
    [ ! -f "/usr/share/doc/$package/copyright" ] ||
      printf '%s\t%s\n' "$package" "/usr/share/doc/$package/copyright"
  done
  [ ! -d "$root/web/node_modules" ] || (cd "$root/web" && npm ls --omit=dev --all --parseable) | tail -n +2 |
    while read -r directory; do
      printf '%s\t%s\n' "${directory##*/node_modules/}" \
        "$(find "$directory" -maxdepth 1 -iname 'licen[sc]e*' | head -n 1)"
    done
}
{
  printf 'macrostep\n\nCopyright: the owner of macrostep, who has not said under which licence others may use it.\n'
  printf '\nThe program contains parts of the following works. Other libraries are packages of their own,\n'
  printf 'with their licences in /usr/share/doc.\n'
  parts | while IFS=$'\t' read -r name licence; do
    [ -f "$licence" ] || { printf 'files.sh: no licence of %s\n' "$name" >&2; exit 1; }
    printf '\n%s\n%s\n\n' '--------------------------------------------------------------------' "$name"
    case $name in
      # Debian lists the authors of every file of Boost, two megabytes; the licence is one.
      libboost*) printf 'Copyright: the contributors of Boost\n\n'
        sed -n '/^ Boost Software License - Version 1.0/,/^ OTHER DEALINGS IN/p' "$licence" ;;
      *) cat "$licence" ;;
    esac
  done
} >"$out/copyright"
