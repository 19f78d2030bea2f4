#!/usr/bin/env bash
# Runs a command in a directory that holds a system, as a container engine would: that directory is the root of mounts
# of its own, not only of the command (bubblewrap refuses to run in a mere chroot), and its processes are numbered from
# 1 and end with the first of them. The network is that of this machine. Nothing stays mounted. Run as root.
#
#   docker/in_root.sh ROOT COMMAND [ARGUMENT…]
set -euo pipefail

[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { printf 'in_root.sh: mounts want root\n' >&2; exit 1; }
root=$(realpath "$1")
shift
# The first mount makes a mount point of the directory, as pivot_root wants it.
# shellcheck disable=SC2016  # its own words
exec unshare --mount --propagation private --pid --fork --kill-child sh -ec '
  mount --bind "$0" "$0"
  cd "$0"
  mount --rbind /dev dev
  mount --make-rprivate dev
  mount -t proc proc proc
  mount -t sysfs -o ro sysfs sys
  pivot_root . .
  umount -l .
  cd /
  exec "$@"' "$root" "$@"
