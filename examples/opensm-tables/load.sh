#!/bin/sh
# Loads forwarding tables into a simulated InfiniBand fabric with a real OpenSM, and reads
# the tables of its switches back. It does not touch a real fabric, and leaves no
# process behind.
#
#	load.sh NETLIST LFTS FOLDER
#
# NETLIST is the network for ibsim: an ibsim netlist or ibnetdiscover output, as turnproof
# convert --to ibnetdiscover writes it. LFTS has the tables for opensm -R file -U, as turnproof
# table --format opensm writes them. It writes to FOLDER: topology.ibnetdiscover and lfts.dump,
# read from the switches by ibnetdiscover and dump_fts, and the logs.
# Needs Debian's opensm, ibsim-utils and infiniband-diags; exits with 77 if one is
# missing. SECONDS_EACH is the time limit of each step (default 60).
set -eu
[ $# = 3 ] || { echo "usage: load.sh NETLIST LFTS FOLDER" >&2; exit 2; }
PATH=$PATH:/usr/sbin:/sbin
for tool in ibsim ibsim-run opensm ibnetdiscover dump_fts smpdump timeout; do
	command -v "$tool" >/dev/null || { echo "no $tool here"; exit 77; }
done
full() { echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"; }
netlist=$(full "$1") lfts=$(full "$2")
mkdir -p "$3"
out=$(cd "$3" && pwd)
limit=${SECONDS_EACH:-60}

# Clients of the simulator keep files in their working directory, OpenSM in the folders of its options.
work=$(mktemp -d)
sim=''
finish() {
	[ -z "$sim" ] || kill "$sim" 2>/dev/null || :
	[ -z "$sim" ] || wait "$sim" 2>/dev/null || :
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM
cd "$work"
IBSIM_SOCKNAME=turnproof-$$ OSM_CACHE_DIR=$work OSM_TMP_DIR=$work
export IBSIM_SOCKNAME OSM_CACHE_DIR OSM_TMP_DIR
: >opensm.conf

timeout $((4 * limit)) ibsim -s -n -S 4096 -N 32768 -P 262144 "$netlist" >"$out/ibsim.log" 2>&1 &
sim=$!

# step LOG COMMAND... runs a client of the simulator.
step() {
	log=$1
	shift
	timeout "$limit" ibsim-run "$@" 2>"$log" || { echo "$1 failed:" >&2; tail -n 20 "$log" >&2; exit 1; }
}

tries=0
# A client that starts before the simulator listens waits for seconds, so wait for the socket first.
until grep -q "$IBSIM_SOCKNAME:ctl" /proc/net/unix && timeout 5 ibsim-run ibnetdiscover >/dev/null 2>&1; do
	tries=$((tries + 1))
	kill -0 "$sim" 2>/dev/null && [ "$tries" -lt 100 ] || { echo "ibsim does not come up:" >&2; tail -n 20 "$out/ibsim.log" >&2; exit 1; }
	sleep 0.05
done
step "$out/opensm.err" opensm -F "$work/opensm.conf" -R file -U "$lfts" -f "$out/opensm.log" -D 0x43 -o >"$out/opensm.out"
# If OpenSM cannot load the tables, it continues with another engine.
if ! grep -q ': file tables configured on all switches' "$out/opensm.log"; then
	echo "OpenSM did not load the tables:" >&2
	tail -n 20 "$out/opensm.log" >&2
	exit 1
fi
step "$out/ibnetdiscover.err" ibnetdiscover >"$out/topology.ibnetdiscover"
step "$out/dump.err" dump_fts >"$out/lfts.dump"

# dump_fts (infiniband-diags 44) omits the largest LID if it is a multiple of 64, because it does
# not read the block that begins with this LID. Ask each switch for that block.
top=$(sed -n '1s/^Unicast lids \[0x0-\(0x[0-9a-f]*\)\].*/\1/p' "$out/lfts.dump")
if [ -n "$top" ] && [ $((top % 64)) = 0 ]; then
	awk '/^switchguid=/ { sub(/^switchguid=/, ""); sub(/\(.*/, ""); guid = $0 }
		/^Switch/ { match($0, / lid [0-9]+ lmc/); split(substr($0, RSTART), word, " "); print guid, word[2] }' "$out/topology.ibnetdiscover" >switches
	while read -r guid lid; do
		step "$out/dump.err" smpdump "$lid" 0x19 $((top / 64)) >block
		printf '0x%016x %d\n' "$guid" "0x$(head -c 2 block)"
	done <switches >last
	awk -v lid="$(printf '0x%04x' "$top")" '
		FILENAME == "last" { if ($2 != 255) port[$1] = $2; next }
		/^Unicast lids/ { for (i = 1; i < NF; i++) if ($i == "guid") at = $(i + 1) }
		/ valid lids dumped/ && at in port { printf "%s %03d : (read by smpdump)\n", lid, port[at]; $1++ }
		{ print }' last "$out/lfts.dump" >whole
	cp whole "$out/lfts.dump"
fi
