#!/usr/bin/env bash
# Runs a command in a directory that holds a system, as a container engine would: that directory is the root of mounts
# of its own, not only of the command (bubblewrap refuses to run in a mere chroot), and its processes are numbered from
# 1 and end with the first of them. The network is that of this machine. Nothing stays mounted. Run as root.
#
# A signal to end goes to the first process; after half a minute, or a second signal, all of them are killed.
#
#   docker/in_root.sh ROOT COMMAND [ARGUMENT…]
set -euo pipefail

[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { printf 'in_root.sh: mounts want root\n' >&2; exit 1; }
root=$(realpath "$1")
shift
readonly stop_wait_s=30

# The first mount makes a mount point of the directory, as pivot_root wants it.
# Job control, since what runs beside a script would ignore interrupts otherwise, and all that it starts.
set -m
# shellcheck disable=SC2016  # its own words
unshare --mount --propagation private --pid --fork --kill-child sh -ec '
  mount --bind "$0" "$0"
  cd "$0"
  mount --rbind /dev dev
  mount --make-rprivate dev
  mount -t proc proc proc
  mount -t sysfs -o ro sysfs sys
  pivot_root . .
  umount -l .
  cd /
  exec "$@"' "$root" "$@" <&0 &
inside=$!
set +m

stopping=0
end() {
  local first tenths
  trap 'kill -KILL "$inside" 2>/dev/null' INT TERM HUP
  stopping=1
  first=$(pgrep -P "$inside") || return 0
  kill -TERM "$first" 2>/dev/null || return 0
  for ((tenths = 0; tenths < 10 * stop_wait_s; tenths++)); do
    kill -0 "$inside" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "$inside" 2>/dev/null || true
}
trap end INT TERM HUP
status=0
wait "$inside" || status=$?
# A wait that a signal has cut short says nothing of the command.
if [ "$stopping" = 1 ]; then
  status=0
  wait "$inside" || status=$?
fi
exit "$status"
