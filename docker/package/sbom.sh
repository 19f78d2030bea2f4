#!/usr/bin/env bash
# Writes the list of parts for tools, CycloneDX 1.5 as JSON: what parts.sh prints, which stands on stdin, and what the
# lock file of the page knows of its packages. The same parts give the same bytes.
#
#   docker/package/parts.sh BUILD_DIRECTORY | docker/package/sbom.sh VERSION
set -euo pipefail

[ $# = 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
distribution=$(. /etc/os-release && printf '%s-%s' "$ID" "${VERSION_ID:-${VERSION_CODENAME:-unknown}}")

jq --raw-input --slurp --arg version "$1" --arg distro "$distribution" \
  --slurpfile lock "$here/../../web/package-lock.json" '
  # base64 → hexadecimal, of which jq decodes only what is text.
  def hexadecimal:
    ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" | explode) as $letters
    | [gsub("="; "") | explode[] | . as $c | $letters | index($c)]
    | [range(0; length; 4) as $i | .[$i:$i + 4] | . as $four
       | (reduce .[] as $six (0; . * 64 + $six)) * ([1, 262144, 4096, 64, 1][$four | length])
       | [. / 65536, . / 256, .] | map(floor % 256) | .[0:($four | length) - 1][]]
    | map(. as $byte | "0123456789abcdef" | .[($byte / 16 | floor):($byte / 16 | floor) + 1] + .[$byte % 16:$byte % 16 + 1])
    | join("");
  # SPDX: an expression has more than one word.
  def licences: if test(" ") then [{expression: .}] else [{license: {id: .}}] end;
  split("\n") | map(select(. != "") | split("\t")
    | {use: .[0], kind: .[1], name: .[2], version: .[3], architecture: .[4], licence: .[5], source: .[6]}
    | .purl = if .kind == "deb"
        then "pkg:deb/debian/\(.name | @uri)@\(.version | @uri)?arch=\(.architecture)&distro=\($distro)"
        else "pkg:npm/\(.name | @uri)@\(.version | @uri)" end)
  | sort_by(.purl) as $parts
  | {
      bomFormat: "CycloneDX",
      specVersion: "1.5",
      version: 1,
      metadata: {component: {type: "application", "bom-ref": "macrostep", name: "macrostep", version: $version}},
      components: [$parts[] | {type: "library", "bom-ref": .purl, name, version, licenses: (.licence | licences), purl}
        + (if .kind == "npm" then $lock[0].packages["node_modules/" + .name].integrity as $integrity
            | {hashes: [{alg: "SHA-512", content: ($integrity | ltrimstr("sha512-") | hexadecimal)}]} else {} end)
        + {properties: ([{name: "macrostep:use", value: .use}]
            + if .source != "" then [{name: "macrostep:source-package", value: .source}] else [] end)}],
      dependencies: [{ref: "macrostep", dependsOn: [$parts[] | select(.use != "loaded") | .purl]}]
    }'
