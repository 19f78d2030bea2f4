# shellcheck shell=bash
# rehearse.sh without an engine: every step of the Dockerfile in a copy of the base, by in_root.sh. What it does not
# know it refuses.

stage= root= directory=/ user=root
environment=() started=() # variables of the file, and of the last start
health= entry= command= volume=
server=

left_out() { [ "$stage" = build ] && [ -n "$package" ]; }
home_of() { awk -F: -v user="$1" '$1 == user { print $6 }' "$root/etc/passwd"; }
# Leaves in `line` how to run a command in the image. As an engine: with nothing of this machine's environment.
in_image() { # USER COMMAND…
  local user=$1 as=()
  shift
  [ "$user" = root ] || as=(setpriv --reuid "$user" --regid "$user" --init-groups)
  line=("$here/in_root.sh" "$root" env -i "HOME=$(home_of "$user")" "${environment[@]}" "${started[@]}" "${as[@]}" "$@")
}

from() { # IMAGE [AS NAME]
  # shellcheck disable=SC2016  # the words of the file
  [ "$1" = '${BASE}' ] || fail "FROM $1: only \${BASE} is known here"
  case $# in
    1) ;;
    3) [ "$2" = AS ] || fail "FROM $*" ;;
    *) fail "FROM $*" ;;
  esac
  stage=${3:-run} root=$scratch/stage-${3:-run} directory=/ user=root
  environment=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
  [ ! -e "$root" ] || fail "two stages '$stage'"
  cp -a "$base" "$root"
  if left_out; then install -D -t "$root/src/build/package" "$package"; fi
}
copy() { # [--from=STAGE] SOURCE TARGET
  case $1 in
    --from=*)
      [ $# = 3 ] && [ -d "$scratch/stage-${1#--from=}" ] || fail "COPY $*"
      case $2$3 in /*/*/) ;; *) fail "COPY $*: whole directories are known here" ;; esac
      mkdir -p "$root$3"
      cp -a "$scratch/stage-${1#--from=}$2." "$root$3" ;;
    .)
      [ "$*" = '. .' ] || fail "COPY $*"
      left_out || (cd "$context" && git ls-files -z --cached --others --exclude-standard |
        tar -c --null -T - | tar -x -C "$root$directory") ;;
    *) fail "COPY $1: only the whole context and other stages are known here" ;;
  esac
}
run() {
  local line
  case $1 in --* | '['*) fail "RUN $1: only a command of the shell is known here" ;; esac
  left_out && { say "  left out  $stage: ${1:0:80}"; return; }
  SECONDS=0
  in_image "$user" sh -c "cd '$directory' && $1"
  "${line[@]}" >"$scratch/log" 2>&1 </dev/null ||
    { tail -n 30 "$scratch/log" >&2; fail "RUN failed: $1"; }
  say "  $SECONDS s  $stage: ${1:0:80}"
}
list() { jq -e 'type == "array"' <<<"$1" >/dev/null 2>&1 || fail "'$1' is no list of words"; }

build() {
  local text instruction rest
  # Lines that end in \ go on in the next one.
  while read -r text; do
    while [[ $text == *\\ ]]; do
      read -r rest || fail "the Dockerfile ends in the middle of a line"
      text=${text%\\}$rest
    done
    read -r instruction rest <<<"$text"
    case $instruction in
      '' | '#'*) continue ;;
      ARG) [[ $rest == BASE=* ]] && [ -z "$stage" ] || fail "ARG $rest: only BASE, before FROM, is known here" ;;
      FROM) # shellcheck disable=SC2086  # its words
        from $rest ;;
      *) [ -n "$stage" ] || fail "$instruction before FROM" ;;
    esac
    case $instruction in
      ARG | FROM | EXPOSE) ;;
      WORKDIR) directory=$rest; mkdir -p "$root$rest" ;;
      COPY) # shellcheck disable=SC2086
        copy $rest ;;
      RUN) run "$rest" ;;
      ENV) [[ $rest =~ ^[A-Z_]+=[^\ ]*$ ]] || fail "ENV $rest: only NAME=VALUE is known here"; environment+=("$rest") ;;
      USER) user=$rest ;;
      VOLUME) volume=$rest ;;
      HEALTHCHECK) health=${rest#*CMD }; list "$health" ;;
      ENTRYPOINT) entry=$rest; list "$entry" ;;
      CMD) command=$rest; list "$command" ;;
      *) fail "the Dockerfile has '$instruction', which is not known here" ;;
    esac
  done <"$context/docker/Dockerfile"
  image_user=$user image_size=$(size "$root") base_size=$(size "$base")
  rm -rf --one-file-system "$scratch"/stage-build
}
size() { du -sx --block-size=1000000 "$1" | cut -f 1; }

start() { # [NAME=VALUE…]
  local words line
  mapfile -t words < <(jq -r '.[]' <<<"$entry" && jq -r '.[]' <<<"$command")
  started=("MACROSTEP_LISTEN=127.0.0.1:$port" "$@")
  in_image "$user" "${words[@]}"
  "${line[@]}" >"$scratch/serve.log" 2>&1 &
  server=$!
}
ended() { ! kill -0 "$server" 2>/dev/null; }
server_log() { tail -n 20 "$scratch/serve.log" >&2; }
healthy() {
  local check line
  mapfile -t check < <(jq -r '.[]' <<<"$health")
  in_image "$user" "${check[@]}"
  "${line[@]}" >/dev/null 2>&1
}
stop() {
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
data() { printf '%s\n' "$root$volume"; }

shell() {
  local line
  case $1 in
    as-it-is) ;; # nothing is forbidden here but what the user may not do
    *) return 77 ;;
  esac
  in_image "$user" /bin/sh -c "$2"
  "${line[@]}"
}

clean_up() { [ -z "$server" ] || stop || true; }
