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
# First saquery -p asks for all of them. Where it lacks pairs, saquery PR --slid LID asks for those
# from one LID, and saquery PR --slid LID --dlid LID for those of one pair, JOBS queries at a time
# (default 4). First come the pairs of hosts, then those with the LID of a switch, which management
# packets use. SLS=hosts asks for pairs of hosts only. A line each ten seconds tells how many there
# are. Records are kept in FOLDER/collect.tmp until none is missing: the same command goes on where
# an earlier one was interrupted, or queries failed. Remove the folder after a change of the fabric.
# Files of an earlier run are set aside as FILE.old, and removed when FILE is there again: turnproof
# check does not read them, and has a doubt while FILE is missing.
# LOGS is the folder of OpenSM's dumps (default: /var/log). Then: turnproof check FOLDER.
# Needs infiniband-diags. Exit status: 0 all files are there, 1 some are missing (it names
# them), 2 wrong usage.
set -u
[ $# = 1 ] || { echo "usage: collect.sh FOLDER" >&2; exit 2; }
mkdir -p "$1" || exit 2
cd "$1" || exit 2
PATH=$PATH:/usr/sbin:/sbin
missing=''
exec 3>&2 # progress goes here, also while messages go to a file

files='topology.ibnetdiscover lfts.dump mfts.dump groups.txt path-records.txt opensm-sl2vl.dump ibdiagnet2.far'
for file in $files; do
	[ ! -e "$file" ] || mv -f "$file" "$file.old" || exit 2
done

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

# missing_pairs KIND... prints the pairs of LIDs without a record: source and destination, of two
# ports of these kinds.
missing_pairs() {
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
		}' - "$kept/records"
}

# all_but_last_record prints the records of its input except the last one, which may be cut short.
all_but_last_record() {
	awk '/^PathRecord dump:/ { printf "%s", record; record = "" } { record = record $0 "\n" }'
}

# now prints the time in seconds.
now() { date +%s; }

# progress TODO ALL tells how many pairs have a record, each ten seconds.
progress() {
	[ $(($(now) - told)) -ge 10 ] || return 0
	told=$(now)
	done=$(($2 - $1))
	left=''
	[ "$done" -le 0 ] || left=", about $(((told - began) * $1 / done)) s left"
	echo "path records: $done of $2 pairs after $((told - began)) s$left" >&3
}

# ask FILE prints the path record of each pair of LIDs in FILE. It ends with the fourth query that
# fails, since each may wait for minutes.
ask() {
	cd /dev/shm 2>/dev/null || : # over ibsim each query writes a hundred files to its folder
	failed=0
	while [ "$failed" -lt 4 ] && read -r slid dlid; do
		saquery PR --slid "$slid" --dlid "$dlid" </dev/null || failed=$((failed + 1))
	done <"$1"
	[ "$failed" -lt 4 ]
}

# ask_source LID asks for all records from a LID. It fails if the answer has only a part of those in
# $kept/todo, as over ibsim, which cuts answers.
ask_source() {
	saquery PR --slid "$1" </dev/null >"$kept/answer" || return 1
	wanted=$(awk -v lid="$1" '$1 == lid' "$kept/todo" | wc -l)
	# An answer may end within a record: count those with as many lines as the first one.
	whole=$(awk '/^PathRecord dump:/ { n++ } { size[n]++ } END { for (i in size) if (i && size[i] == size[1]) k++; print k + 0 }' "$kept/answer")
	if [ "$whole" -lt "$wanted" ]; then
		all_but_last_record <"$kept/answer" >>"$kept/records"
		return 1
	fi
	cat "$kept/answer" >>"$kept/records"
}

# save adds what the queries of a batch have found to the records.
save() {
	for found in "$kept"/found.*; do
		[ ! -e "$found" ] || cat "$found" >>"$kept/records"
	done
	rm -f "$kept"/found.* "$kept"/pairs.*
}

# stop_asking keeps what has been found and ends the script after a signal.
stop_asking() {
	trap - INT TERM
	# shellcheck disable=SC2086
	[ -z "$running" ] || kill $running 2>/dev/null
	save
	rm -f path-records.txt.part
	echo "interrupted: the same command goes on with the records in $kept" >&3
	exit 130
}

# ask_all KIND... asks for the records of all pairs of these kinds that have none: by source, then by
# pair in batches. It ends after a batch in which queries failed four times in a row of one job.
ask_all() {
	missing_pairs "$@" | sort -n >"$kept/todo"
	all=$(wc -l <"$kept/todo") began=$(now) told=$(now)
	for lid in $(awk '$1 != last { print last = $1 }' "$kept/todo"); do
		ask_source "$lid" || break
		progress "$(awk -v lid="$lid" '$1 > lid' "$kept/todo" | wc -l)" "$all"
	done
	missing_pairs "$@" | sort -n >"$kept/todo"
	size=$((250 * jobs)) at=1 count=$(wc -l <"$kept/todo")
	while [ "$at" -le "$count" ]; do
		tail -n "+$at" "$kept/todo" | head -n "$size" | awk -v jobs="$jobs" -v file="$kept/pairs." '{ print > (file NR % jobs) }'
		for pairs in "$kept"/pairs.*; do
			ask "$pairs" >"$kept/found.${pairs##*.}" &
			running="$running $!"
		done
		stop=no
		for job in $running; do wait "$job" || stop=yes; done
		running=''
		save
		at=$((at + size))
		progress $((at > count ? 0 : count - at + 1)) "$all"
		[ $stop = no ] || break
	done
	missing_pairs "$@" | sort -n >"$kept/todo"
	! [ -s "$kept/todo" ]
}

# path_records prints a path record for each pair of LIDs. It fails if a pair of hosts has none.
path_records() {
	[ -s topology.ibnetdiscover ] || { echo "no topology.ibnetdiscover to take the LIDs from" >&2; return 1; }
	mkdir -p "$kept"
	save
	if ! [ -e "$kept/records" ]; then
		saquery -p </dev/null >"$kept/answer" || :
		cp "$kept/answer" "$kept/records"
		if [ -n "$(missing_pairs host | head -n 1)" ]; then
			all_but_last_record <"$kept/answer" >"$kept/records"
		fi
	fi
	if ! ask_all host; then
		echo "no path record from LID to LID of $(wc -l <"$kept/todo") pairs; the same command asks again for these only:" >&2
		cat "$kept/todo" >&2
		return 1
	fi
	[ "$SLS" = hosts ] || ask_all host switch || cp "$kept/todo" "$kept/switches"
	cat "$kept/records"
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
	kept=$PWD/collect.tmp jobs=${JOBS:-4} running=''
	rm -f "$kept/switches"
	trap stop_asking INT TERM
	collect path-records.txt path_records
	trap - INT TERM
	if [ -s "$kept/switches" ]; then
		echo "path-records.txt: no path record of $(wc -l <"$kept/switches") pairs of LIDs with a switch, such as $(head -n 1 "$kept/switches")" >&2
		missing="$missing path-records.txt(switches)"
	elif [ -s path-records.txt ]; then
		rm -rf "$kept"
	fi
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
for file in $files; do
	if [ -e "$file" ]; then
		rm -f "$file.old"
	elif [ -e "$file.old" ]; then
		echo "$file: not collected; that of an earlier run is now $file.old: remove it if the fabric has none any more" >&2
	fi
done
[ -z "$missing" ] || { echo "missing:$missing" >&2; exit 1; }
