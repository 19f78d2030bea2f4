#!/usr/bin/env bash
# Measures what chunks of a search cost beside their trials, on a Slurm of this machine (tests/slurm/cluster.sh), and
# prints the constants and tables of README.md, "Past this machine".
#
#   tests/bench/throughput.sh [--install]
#
# Program: $MACROSTEP_BINARY, else the release build.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/slurm/cluster.sh
. "$root/tests/slurm/cluster.sh"
install=0
if [ "${1:-}" = --install ]; then install=1; fi
need_slurm "$install"
start_cluster
MACROSTEP_BINARY=${MACROSTEP_BINARY:-$root/build/release/server/macrostep} \
  node "$root/tests/bench/throughput.mjs" "$scratch" "${daemon[slurmctld]}"
