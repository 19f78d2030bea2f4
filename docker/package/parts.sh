#!/usr/bin/env bash
# What a built program is made of: a line for each package whose headers it was compiled with, whose library it loads,
# or that is compiled into its page, in columns parted by tabs:
#
#   USE  KIND  NAME  VERSION  ARCHITECTURE  LICENCE  SOURCE
#
# USE is compiled-in, linked (by the program itself) or loaded (by what it links), KIND deb or npm, SOURCE the Debian
# source package. Fails for a part that LICENCES.md does not have with its licence.
#
#   docker/package/parts.sh BUILD_DIRECTORY
set -euo pipefail

fail() { printf 'parts.sh: %s\n' "$*" >&2; exit 1; }
[ $# = 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly build=$1 program=$1/server/macrostep web=$here/../../web
[ -x "$program" ] || fail "there is no program $program"
[ -f "$build/.ninja_deps" ] || fail "$build was not built by ninja, which notes the headers"

# KEY → licence. Keys with a * are patterns.
declare -A licences=()
while IFS='|' read -r _ key licence _; do
  key=${key//[ \`]/}
  licence=${licence# }
  licences[$key]=${licence% }
done < <(grep -E '^\| `' "$here/LICENCES.md")
licence_of() {
  local key
  for key in "${!licences[@]}"; do
    # shellcheck disable=SC2053  # a pattern
    if [[ $1 == $key ]]; then printf '%s' "${licences[$key]}"; return; fi
  done
  fail "LICENCES.md does not have '$1'"
}

# Files on stdin → their packages. Where /lib is a link to /usr/lib, packages may own either name.
packages_of() {
  local files
  mapfile -t files
  { dpkg-query -S "${files[@]}" 2>/dev/null || true
    dpkg-query -S "${files[@]#/usr}" 2>/dev/null || true; } |
    awk -v files="$(printf '%s\n' "${files[@]}")" '
      match($0, /: \//) && !/^diversion / {
        path = substr($0, RSTART + 2)
        sub(/^\/usr/, "", path)
        sub(/[,:].*/, "")
        owner[path] = $0
      }
      END {
        count = split(files, wanted, "\n")
        for (i = 1; i <= count; ++i) {
          path = wanted[i]
          sub(/^\/usr/, "", path)
          if (path == "") continue
          if (!(path in owner)) { print wanted[i] > "/dev/stderr"; missing = 1; continue }
          if (!(owner[path] in told)) { told[owner[path]] = 1; print owner[path] }
        }
        exit missing
      }' | sort || fail "these files belong to no Debian package"
}
# Paths as they are without links, of what the dynamic loader finds.
libraries() { awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }' | xargs -r -n 1 realpath | sort -u; }

# -n: the build that asks may be under way, and nothing of its notes is to be tidied up. Tests are no part, nor is what
# newer versions of CMake note of linking.
headers() {
  ninja -n -C "$build" -t deps |
    awk '/^[^ ].*: #deps/ { part = $1 !~ /^tests\// && $1 ~ /\.(o|gch):$/ } /^    / && part { print $1 }' | grep '^/' |
    xargs -r realpath -e | grep -v -e "^$(realpath "$here/../..")/" -e "^$(realpath "$build")/" | sort -u
}
all=$(ldd "$program" | libraries)
needed=$(LC_ALL=C objdump -p "$program" | awk '$1 == "NEEDED" { print $2 }')
direct=$(ldd "$program" | awk '$2 == "=>" { print $1 " " $3 }' | grep -wFf <(printf '%s\n' "$needed") |
  cut -d ' ' -f 2 | xargs -r -n 1 realpath | sort -u)
deb() { # USE; packages on stdin
  local package source version architecture licence
  while read -r package; do
    IFS=$'\t' read -r source version architecture < <(
      dpkg-query -W -f '${source:Package}\t${Version}\t${Architecture}\n' "$package" | head -n 1)
    licence=$(licence_of "$source")
    printf '%s\tdeb\t%s\t%s\t%s\t%s\t%s\n' "$1" "$package" "$version" "$architecture" "$licence" "$source"
  done
}
headers | packages_of | deb compiled-in
linked=$(packages_of <<<"$direct")
deb linked <<<"$linked"
packages_of <<<"$all" | { grep -vxF "$linked" || true; } | deb loaded

# The page has what the lock file does not keep for development, if it is compiled in at all.
if [ -f "$build/web/dist/index.html" ]; then
  jq -r '.packages | to_entries[] | select(.key != "" and (.value.dev or .value.devOptional | not)) |
    [(.key | sub(".*node_modules/"; "")), .value.version, .value.license] | @tsv' "$web/package-lock.json" |
    while IFS=$'\t' read -r name version said; do
      licence=$(licence_of "npm:$name")
      [ "$licence" = "$said" ] || fail "$name says that its licence is $said, LICENCES.md says $licence"
      printf 'compiled-in\tnpm\t%s\t%s\t\t%s\t\n' "$name" "$version" "$licence"
    done
fi
