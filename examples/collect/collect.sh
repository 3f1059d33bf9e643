#!/bin/sh
# Collects from a live InfiniBand fabric every file that turnproof check reads.
#
#	collect.sh FOLDER
#
# Run it on a machine of the fabric, as root. It reads only. In FOLDER it leaves
#	topology.ibnetdiscover   nodes, cables, LIDs, LMC       ibnetdiscover
#	lfts.dump                forwarding tables              dump_fts, or OpenSM's opensm-lfts.dump
#	mfts.dump                multicast tables               dump_fts -M
#	groups.txt               service levels of the groups   saquery -g, if there are any
#	path-records.txt         service levels of the paths    saquery -p
#	opensm-sl2vl.dump        SL-to-VL tables                written by OpenSM (-D 0x43); copied
#	                                                        from LOGS if it is there
#	ibdiagnet2.far           adaptive forwarding tables     ibdiagnet --routing, if it is installed
# The path records are asked for with SLS=1 only: they are needed if the routing engine gives
# service levels to paths (dfsssp, lash, torus-2QoS, nue), and there is one for each pair of LIDs.
# Where saquery -p lacks pairs, each of them is queried: saquery PR --slid LID --dlid LID. First come
# the pairs of hosts, then those with the LID of a switch, which management packets use.
# SLS=hosts asks for pairs of hosts only.
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

# lids KIND prints the LID and the LMC of each port of a host in the topology, or of each switch.
lids() {
	case $1 in
	host) sed -n 's/^\[[0-9]*\](.*# lid \([0-9]*\) lmc \([0-9]*\).*/\1 \2 host/p' topology.ibnetdiscover ;;
	switch) sed -n 's/^Switch.* port 0 lid \([0-9]*\) lmc \([0-9]*\).*/\1 \2 switch/p' topology.ibnetdiscover ;;
	esac | sort -nu
}

# missing_pairs FILE KIND... prints the pairs of LIDs without a record in FILE: source and
# destination, of two ports of these kinds.
missing_pairs() {
	records=$1
	shift
	for kind; do lids "$kind"; done | awk '
		function number(text,   i, n) {
			if (text !~ /^0x/) return text + 0
			for (i = 3; i <= length(text); i++) n = 16 * n + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
			return n
		}
		function add() { has[slid, dlid] = 1; slid = dlid = 0 }
		FILENAME == "-" || FILENAME == "" { for (i = 0; i < 2 ^ $2; i++) port[$1 + i] = $1; next }
		/^PathRecord dump:/ { add() }
		/^[ \t]*[sd]lid\./ { value = $1; sub(/^.*\./, "", value); if ($1 ~ /^s/) slid = number(value); else dlid = number(value) }
		END {
			add()
			for (s in port) for (d in port) if (port[d] != port[s] && !((s, d) in has)) print s, d
		}' - "$records"
}

# ask prints the path record of each pair of LIDs in its input. It ends with the fourth query that
# fails, since each may wait for minutes.
ask() {
	failed=0
	while [ "$failed" -lt 4 ] && read -r slid dlid; do
		saquery PR --slid "$slid" --dlid "$dlid" </dev/null || failed=$((failed + 1))
	done
}

# all_but_last_record prints the records of its input except the last one.
all_but_last_record() {
	awk '/^PathRecord dump:/ { printf "%s", record; record = "" } { record = record $0 "\n" }'
}

# path_records prints a path record for each pair of LIDs. If the answer to saquery -p lacks
# pairs, its last record may be cut short. path_records fails if a pair of hosts has no record.
path_records() {
	[ -s topology.ibnetdiscover ] || { echo "no topology.ibnetdiscover to take the LIDs from" >&2; return 1; }
	saquery -p </dev/null >records.tmp || : >records.tmp
	missing_pairs records.tmp host >pairs.tmp
	if [ -s pairs.tmp ]; then
		all_but_last_record <records.tmp >whole.tmp && mv whole.tmp records.tmp
		missing_pairs records.tmp host >pairs.tmp
	fi
	ask <pairs.tmp >>records.tmp
	missing_pairs records.tmp host >pairs.tmp
	if ! [ -s pairs.tmp ] && [ "$SLS" != hosts ]; then
		missing_pairs records.tmp host switch >switches.tmp
		ask <switches.tmp >>records.tmp
		missing_pairs records.tmp host switch >switches.tmp
	fi
	cat records.tmp
	! [ -s pairs.tmp ] || { echo "no path record from LID to LID:" >&2; cat pairs.tmp >&2; false; }
}

# last_lid prints the highest LID in the topology.
last_lid() {
	sed -n 's/^\(\[.*\](.*#\|Switch.* port 0\) lid \([0-9]*\) lmc \([0-9]*\).*/\2 \3/p' topology.ibnetdiscover |
		awk '{ lid = $1 + 2 ^ $2 - 1; if (lid > last) last = lid } END { print last + 0 }'
}

# forwarding_tables prints the forwarding tables. dump_fts and ibroute leave out the last LID
# if it is a multiple of 64. OpenSM writes it, with -D 0x43.
forwarding_tables() {
	if [ -s topology.ibnetdiscover ] && [ $(($(last_lid) % 64)) = 0 ]; then
		cat "${LOGS:-/var/log}/opensm-lfts.dump" && return
		echo "dump_fts leaves out LID $(last_lid); let OpenSM write opensm-lfts.dump with -D 0x43" >&2
	fi
	dump_fts
}

collect topology.ibnetdiscover ibnetdiscover
collect lfts.dump forwarding_tables
collect mfts.dump dump_fts -M
saquery -g </dev/null >groups.part 2>/dev/null && [ -s groups.part ] && mv groups.part groups.txt
rm -f groups.part
if [ "${SLS:-0}" != 0 ]; then
	collect path-records.txt path_records
	if [ -s switches.tmp ]; then
		echo "path-records.txt: no path record of $(wc -l <switches.tmp) pairs of LIDs with a switch, such as $(head -n 1 switches.tmp)" >&2
		missing="$missing path-records.txt(switches)"
	fi
	rm -f records.tmp pairs.tmp switches.tmp
fi

# adaptive_tables prints the adaptive forwarding tables that ibdiagnet writes.
adaptive_tables() {
	ibdiagnet --routing -o ibdiagnet.tmp >&2
	cat ibdiagnet.tmp/ibdiagnet2.far
}
if ibdiagnet --help 2>&1 | grep -q -e --routing; then # ibutils has an older one, without
	collect ibdiagnet2.far adaptive_tables
	rm -rf ibdiagnet.tmp
fi
if [ -f "${LOGS:-/var/log}/opensm-sl2vl.dump" ]; then
	collect opensm-sl2vl.dump cat "${LOGS:-/var/log}/opensm-sl2vl.dump"
else
	echo "no opensm-sl2vl.dump in ${LOGS:-/var/log}: if OpenSM runs with QoS (-Q), let it write the file with -D 0x43" >&2
fi
[ -z "$missing" ] || { echo "missing:$missing" >&2; exit 1; }
