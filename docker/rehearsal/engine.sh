# shellcheck shell=bash
# rehearse.sh by buildah and podman, with images and containers in a directory of their own.

readonly storage=(--root "$scratch/images" --runroot "$scratch/run")
readonly image=localhost/macrostep base_image=localhost/base container=macrostep-rehearsal-$port
running=0

builder() { TMPDIR=$scratch buildah "${storage[@]}" "$@"; }
# An engine asks for more files and processes than a machine may allow; the machine's limits serve, too.
engine() { TMPDIR=$scratch podman "${storage[@]}" --runtime runc --cgroup-manager cgroupfs "$@"; }
megabytes() { engine image inspect --format '{{.Size}}' "$1" | awk '{ printf "%.0f", $1 / 1e6 }'; }

build() {
  local working file=$context/docker/Dockerfile stage=()
  working=$(builder from scratch)
  builder add -q "$working" "$base" / >/dev/null
  builder commit -q "$working" "$base_image" >/dev/null
  builder rm "$working" >/dev/null
  if [ -n "$package" ]; then
    # The last stage alone, to which the package is what the stage before it would have made.
    file=$scratch/Dockerfile
    awk '/^FROM/ { ++stages } stages != 1' "$context/docker/Dockerfile" >"$file"
    install -D -t "$scratch/made/src/build/package" "$package"
    stage=(--build-context "build=$scratch/made")
  fi
  SECONDS=0
  # Of the two formats the one that has a health check.
  builder bud --format docker --isolation chroot --build-arg "BASE=$base_image" "${stage[@]}" \
    --file "$file" --ignorefile "$context/.dockerignore" --tag "$image" "$context" >"$scratch/build.log" 2>&1 ||
    { tail -n 40 "$scratch/build.log" >&2; fail "the image cannot be built"; }
  say "Built in $SECONDS s by $(buildah --version)${package:+, without the stage \"build\"}."
  image_user=$(engine image inspect --format '{{.Config.User}}' "$image")
  image_size=$(megabytes "$image") base_size=$(megabytes "$base_image")
}

limits() { printf '%s\n' --ulimit "nofile=$(($(ulimit -Hn) / 2))" --ulimit nproc=4096; }

start() { # [NAME=VALUE…]
  local limit
  mapfile -t limit < <(limits)
  engine run --detach --name "$container" --replace --network host --read-only --tmpfs /tmp --cap-drop ALL \
    "${limit[@]}" --volume data:/var/lib/macrostep --env "MACROSTEP_LISTEN=127.0.0.1:$port" "${@/#/--env=}" "$image" \
    >"$scratch/start.log" 2>&1 || { tail -n 20 "$scratch/start.log" >&2; fail "podman cannot run the image"; }
  running=1
}
ended() { [ "$(engine container inspect --format '{{.State.Running}}' "$container")" != true ]; }
server_log() { engine logs "$container" 2>&1 | tail -n 20 >&2; }
healthy() { engine healthcheck run "$container" >/dev/null 2>&1; }
stop() {
  running=0
  engine stop --time "$stop_wait_s" "$container" >/dev/null 2>&1 || return 1
  return "$(engine container inspect --format '{{.State.ExitCode}}' "$container")"
}
data() { engine volume inspect --format '{{.Mountpoint}}' data; }

# What Docker's default profile forbids to those without CAP_SYS_ADMIN and podman's does not.
profile_without_namespaces() {
  jq '.syscalls |= (map(.names -= ["clone", "clone3", "mount", "umount", "umount2", "unshare", "setns", "move_mount",
      "fsopen", "fsmount", "fsconfig", "fspick", "open_tree", "mount_setattr"]) + [
    {names: ["clone"], action: "SCMP_ACT_ALLOW", args: [{index: 0, value: 2114060288, op: "SCMP_CMP_MASKED_EQ"}]},
    {names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: 38}])' "$1"
}
shell() {
  local rights=() limit
  case $1 in
    as-it-is) ;;
    no-namespaces)
      profile_without_namespaces /usr/share/containers/seccomp.json >"$scratch/seccomp.json" || return 77
      rights=(--security-opt "seccomp=$scratch/seccomp.json") ;;
    no-seccomp) rights=(--security-opt seccomp=unconfined) ;;
    *) fail "shell: '$1' is unknown" ;;
  esac
  mapfile -t limit < <(limits)
  engine run --rm --no-healthcheck --network none --read-only --tmpfs /tmp --cap-drop ALL "${limit[@]}" \
    "${rights[@]}" --entrypoint /bin/sh "$image" -c "$2"
}

clean_up() {
  [ "$running" = 0 ] || stop || true
  engine rm --all --force >/dev/null 2>&1 || true
  engine rmi --all --force >/dev/null 2>&1 || true
  umount -R "$scratch/images/overlay" 2>/dev/null || true
}
