#!/bin/sh
# Collects from a live InfiniBand fabric every file that turnproof check reads.
#
#	collect.sh FOLDER
#
# Run it on a machine of the fabric, as root. It reads only. In FOLDER it leaves
#	topology.ibnetdiscover   nodes, cables, LIDs, LMC       ibnetdiscover
#	lfts.dump                forwarding tables              dump_fts
#	mfts.dump                multicast tables               dump_fts -M
#	path-records.txt         service levels of the paths    saquery PR --slid LID of each host
#	opensm-sl2vl.dump        SL-to-VL tables                written by OpenSM (-D 0x43); copied
#	                                                        from LOGS if it is there
# The path records are asked for with SLS=1 only: they are needed if the routing engine gives
# service levels to paths (dfsssp, lash, torus-2QoS, nue), and there is one for each pair of hosts.
# LOGS is the folder of OpenSM's dumps (default: /var/log). Then: turnproof check FOLDER.
# Needs infiniband-diags. Exit status: 0 all files are there, 1 some are missing (it names
# them), 2 wrong usage.
set -u
[ $# = 1 ] || { echo "usage: collect.sh FOLDER" >&2; exit 2; }
mkdir -p "$1" || exit 2
cd "$1" || exit 2
PATH=$PATH:/usr/sbin:/sbin
missing=''

# collect FILE COMMAND... writes what the command prints to FILE, whole or not at all.
collect() {
	file=$1
	shift
	if "$@" >"$file.part" 2>"$file.err" && [ -s "$file.part" ]; then
		mv "$file.part" "$file"
		rm -f "$file.err"
	else
		rm -f "$file.part"
		missing="$missing $file"
		echo "$file: $* failed, see $file.err" >&2
	fi
}

# path_records asks for the paths from each host, whose LIDs the topology tells.
path_records() {
	sed -n 's/^\[[0-9]*\](.*# lid \([0-9]*\) lmc .*/\1/p' topology.ibnetdiscover | sort -nu | while read -r lid; do
		saquery PR --slid "$lid" </dev/null || exit 1
	done
}

collect topology.ibnetdiscover ibnetdiscover
collect lfts.dump dump_fts
collect mfts.dump dump_fts -M
[ "${SLS:-0}" = 0 ] || collect path-records.txt path_records
if [ -f "${LOGS:-/var/log}/opensm-sl2vl.dump" ]; then
	collect opensm-sl2vl.dump cat "${LOGS:-/var/log}/opensm-sl2vl.dump"
else
	echo "no opensm-sl2vl.dump in ${LOGS:-/var/log}: if OpenSM runs with QoS (-Q), let it write the file with -D 0x43" >&2
fi
[ -z "$missing" ] || { echo "missing:$missing" >&2; exit 1; }
