# A Slurm of one machine for bash scripts to source: munged, slurmctld and slurmd without systemd, on 127.0.0.1 with
# ports of its own, one node with two processors, everything below the temporary folder $scratch. Ended with the script.
#
#   need_slurm INSTALL    ends the script with 77 where Slurm or root is missing; INSTALL 1: first installs it
#   start_cluster         sets scratch and SLURM_CONF
# shellcheck shell=bash
readonly slurm_packages='slurm-wlm munge sqlite3 curl procps'
readonly wait_limit_s=90 slurmctld_port=16817 slurmd_port=16818
export PATH=$PATH:/usr/sbin

skip() { printf 'skipped: Slurm: %s\n' "$*"; exit 77; }
missing_tool() {
  local tool
  for tool in munged slurmctld slurmd sbatch sqlite3 curl pgrep; do
    command -v "$tool" >/dev/null || { printf '%s' "$tool"; return; }
  done
}
need_slurm() {
  [ "$(id -u)" = 0 ] || skip 'needs root'
  if [ "$1" = 1 ] && [ -n "$(missing_tool)" ] && command -v apt-get >/dev/null; then
    # shellcheck disable=SC2086  # a list
    apt-get update -q &&
      DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $slurm_packages
  fi
  [ -z "$(missing_tool)" ] ||
    skip "no $(missing_tool) here: apt-get install --no-install-recommends $slurm_packages, or this with --install"
}

declare -A daemon=()
stop_all() {
  local name
  for name in server slurmd slurmctld munged; do
    [ -z "${daemon[$name]:-}" ] || kill -9 "${daemon[$name]}" 2>/dev/null
  done
  wait 2>/dev/null
  rm -rf "$scratch"
}
# until_true LIMIT_S COMMAND…
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    if [ "$SECONDS" -ge "$end" ]; then return 1; fi
    sleep 0.1
  done
}
start() {
  local name=$1
  shift
  "$@" >"$scratch/$name.out" 2>&1 &
  daemon[$name]=$!
}
start_slurmctld() { start slurmctld slurmctld -D; }
# In order: one that has not saved its state runs tasks twice afterwards, and drains the node.
stop_slurmctld() {
  kill "${daemon[slurmctld]}"
  wait "${daemon[slurmctld]}" 2>/dev/null
}
start_slurmd() { start slurmd slurmd -D; }
is_idle() { [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ]; }

start_cluster() {
  scratch=$(mktemp -d) || exit 1
  trap stop_all EXIT
  trap 'exit 130' INT TERM
  chmod 755 "$scratch"
  mkdir "$scratch"/{munge,state,spool}
  dd if=/dev/urandom of="$scratch/munge/key" bs=1024 count=1 status=none
  chown -R munge "$scratch/munge"
  chmod 755 "$scratch/munge"
  chmod 400 "$scratch/munge/key"
  local socket=$scratch/munge/socket
  export SLURM_CONF=$scratch/slurm.conf
  cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$slurmctld_port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
SlurmdTimeout=10
ReturnToService=2
KillWait=2
MpiDefault=none
NodeName=$(hostname -s) NodeAddr=127.0.0.1 Port=$slurmd_port CPUs=2 State=UNKNOWN
PartitionName=short Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  start munged setpriv --reuid=munge --regid=munge --clear-groups \
    munged --foreground --key-file="$scratch/munge/key" --socket="$socket" \
    --pid-file="$scratch/munge/pid" --log-file="$scratch/munge/log" --seed-file="$scratch/munge/seed"
  until_true "$wait_limit_s" test -S "$socket" || { cat "$scratch/munged.out"; skip 'munged does not start here'; }
  start_slurmctld
  start_slurmd
  if ! until_true "$wait_limit_s" is_idle; then
    tail -n 20 "$scratch"/slurm*.log "$scratch"/slurm*.out
    skip 'Slurm does not start here'
  fi
}
