#!/bin/sh
# A Slurm cluster of one node on the loopback interface, for trials of "turnproof sweep
# --slurm". All its files are in one folder. It listens on free ports of 127.0.0.1 only, and
# runs as the user who starts it, root or not.
#
#	cluster.sh start FOLDER [CPUS]   # then: . FOLDER/env
#	cluster.sh stop FOLDER
#
# Needs munged, slurmctld, slurmd and their clients (Debian: munge slurmctld slurmd
# slurm-client). It creates FOLDER, whose path must be short, because it contains a socket.
set -eu
PATH=$PATH:/usr/sbin:/sbin

fail() {
	echo "cluster.sh: $*" >&2
	exit 1
}

# wait_for SECONDS COMMAND... waits until the command succeeds.
wait_for() {
	tries=$(($1 * 10))
	shift
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}

# listening lists the TCP ports that are in use, in hexadecimal.
listening() { cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '{ sub(/.*:/, "", $2); print $2 }'; }

# free_port PORT prints the first free port from PORT on.
free_port() {
	port=$1
	while listening | grep -qi "^$(printf %04X "$port")\$"; do port=$((port + 1)); done
	echo "$port"
}

configuration() {
	host=$(hostname -s)
	controller=$(free_port $((20000 + $$ % 5000)))
	cat <<CONF
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CryptoType=crypto/munge
SlurmctldPort=$controller
SlurmdPort=$(free_port $((controller + 1)))
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ReturnToService=2
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

start() {
	for program in munged slurmctld slurmd sbatch squeue; do
		command -v $program >/dev/null || fail "no $program here (Debian: apt-get install munge slurmctld slurmd slurm-client)"
	done
	mkdir -p "$dir/state" "$dir/spool"
	chmod 0755 "$dir"
	(umask 077 && dd if=/dev/urandom of="$dir/munge.key" bs=128 count=1 2>/dev/null)
	configuration >"$dir/slurm.conf"
	cat >"$dir/env" <<ENV
export SLURM_CONF='$dir/slurm.conf'
ENV
	# shellcheck disable=SC1091
	. "$dir/env"
	trap 'stop' EXIT
	munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
		--log-file="$dir/munged.log" --seed-file="$dir/munge.seed" 2>>"$dir/start.log" || fail "munged did not start, see $dir/munged.log"
	wait_for 5 munge --no-input --socket="$dir/munge.socket" || fail "munged does not answer, see $dir/munged.log"
	slurmctld 2>>"$dir/start.log" || fail "slurmctld did not start, see $dir/slurmctld.log"
	slurmd 2>>"$dir/start.log" || fail "slurmd did not start, see $dir/slurmd.log"
	wait_for 15 idle || fail "the node does not come up, see $dir/slurmctld.log and $dir/slurmd.log"
	trap - EXIT
	echo "Slurm runs on one node with $cpus CPUs: . $dir/env"
}

idle() { sinfo --noheader --format=%T | grep -q '^idle$'; }

# stop ends the three daemons of this folder.
stop() {
	for daemon in slurmd slurmctld munged; do
		pid=$(cat "$dir/$daemon.pid" 2>/dev/null) || continue
		if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$daemon" ]; then
			kill "$pid" 2>/dev/null || true
			wait_for 5 gone "$pid" || kill -9 "$pid" 2>/dev/null || true
		fi
		rm -f "$dir/$daemon.pid"
	done
}

gone() { ! kill -0 "$1"; }

[ $# -ge 2 ] || fail 'usage: cluster.sh start FOLDER [CPUS] | stop FOLDER'
case $2 in /*) dir=$2 ;; *) dir=$PWD/$2 ;; esac
cpus=${3:-2}
case $1 in
start) start ;;
stop) stop ;;
*) fail "no command $1: start or stop" ;;
esac
