#!/usr/bin/env bash
# Finds the README and all that it links to in this project, and what that links to, and fails where a link leads
# nowhere. The package installs them; test.sh looks at what was installed.
#
#   docker/package/documents.sh FROM [TO]
#
#   FROM   the folder of the README
#   TO     where to copy them, each at its place below FROM
set -euo pipefail

[ $# = 1 ] || [ $# = 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
readonly from=$1 to=${2:-}

# Targets of links outside code.
links_of() {
  awk '/^ *```/ { code = !code; next } !code' "$1" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//; s/#.*//' || true
}

declare -A known=([README.md]=1)
waiting=(README.md)
dead=0
while [ ${#waiting[@]} -gt 0 ]; do
  file=${waiting[0]}
  waiting=("${waiting[@]:1}")
  [ -z "$to" ] || install -D -m 644 "$from/$file" "$to/$file"
  [[ $file == *.md ]] || continue
  while IFS= read -r link; do
    case $link in '' | *:*) continue ;; esac
    target=$(realpath -m --relative-to "$from" "$from/$(dirname "$file")/$link")
    if [ ! -f "$from/$target" ] || [[ $target == ../* ]]; then
      printf 'documents.sh: %s links to %s, which is no file\n' "$file" "$link" >&2
      dead=1
    elif [ -z "${known[$target]:-}" ]; then
      known[$target]=1
      waiting+=("$target")
    fi
  done < <(links_of "$from/$file")
done
exit "$dead"
