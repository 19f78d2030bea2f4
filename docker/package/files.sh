#!/usr/bin/env bash
# Makes what the Debian package holds beside the program: manual page, completions, configuration file, changelog,
# list of parts and licences. The build runs it.
#
#   docker/package/files.sh BUILD_DIRECTORY OUTPUT_DIRECTORY MAINTAINER
set -euo pipefail

[ $# = 3 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
readonly macrostep=$1/server/macrostep out=$2 maintainer=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
readonly here root

mkdir -p "$out"
"$macrostep" manual man | gzip -9n >"$out/macrostep.1.gz"
"$macrostep" manual bash >"$out/macrostep.bash"
"$macrostep" manual zsh >"$out/_macrostep"
"$macrostep" manual config >"$out/config.toml"

# .github/CHANGELOG.md in the form of Debian: "## 0.1.0 (2026-11-24)" begins an entry, "- " an item in it.
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
done <"$root/.github/CHANGELOG.md" >"$out/changelog"
[ -z "${signature:-}" ] || printf '\n%s\n' "$signature" >>"$out/changelog"
gzip -9nf "$out/changelog"

# What it is made of, for tools.
"$here/parts.sh" "$1" >"$out/parts"
version=$("$macrostep" --version)
"$here/sbom.sh" "${version##* }" <"$out/parts" >"$out/sbom.cdx.json"

# And the licences of what is in the program and the worker's executable: a line for each, its name and the file with the
# text. The source packages of the libraries that are packages of their own have theirs where these are installed; of
# those the worker's executable contains SUNDIALS, pugixml and the C++ library. Of the kernel only numbers and structures
# are used, which its licence allows by its note on system calls.
compiled_in() {
  local use kind name licence source
  # Not parted by tabs, of which read takes several for one.
  while IFS='|' read -r use kind name _ _ licence source; do
    case $use:$kind in
      compiled-in:npm)
        printf '%s\t%s\n' "$name" "$(find "$root/web/node_modules/$name" -maxdepth 1 -iname 'licen[sc]e*' | head -n 1)" ;;
      compiled-in:deb)
        [[ $licence == *Linux-syscall-note ]] || { [[ $source != sundials && $source != pugixml && $source != gcc-* ]] && awk -F '\t' -v source="$source" \
          '$1 != "compiled-in" && $7 == source { found = 1 } END { exit !found }' "$out/parts"; } ||
          printf '%s\t%s\n' "$name" "/usr/share/doc/$name/copyright" ;;
    esac
  done < <(tr '\t' '|' <"$out/parts")
}
{
  printf 'macrostep\n\nCopyright: the owner of macrostep, who has not said under which licence others may use it.\n'
  printf '\nThe programs contain parts of the following works. Other libraries are packages of their own,\n'
  printf 'with their licences in /usr/share/doc. sbom.cdx.json beside this file names all of them.\n'
  compiled_in | while IFS=$'\t' read -r name licence; do
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
