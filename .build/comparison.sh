#!/bin/sh
# Prints the part of docs/comparison.md between its marks "measured": turnproof compared with
# ibdmchk and OpenSM, on the fabrics of TURNPROOF_FABRICS, a folder like examples/fabrics, which
# is the default. Each figure is the minimum of RUNS runs; the programs run alternately. Needs
# bin/turnproof on the PATH, and Debian's ibutils and time. Without ibsim-utils and opensm, the
# table of OpenSM is left out. Takes two to five minutes: no run starts after LIMIT seconds.
# shellcheck disable=SC2086 # $theirs, $ours and $roots are words
set -eu
: "${TURNPROOF_FABRICS:=examples/fabrics}" "${RUNS:=3}" "${LIMIT:=240}"
PATH=$PATH:/usr/sbin:/sbin
for tool in ibdmchk turnproof gzip awk; do
	command -v "$tool" >/dev/null || { echo "$tool is missing (Debian: ibutils; make build)" >&2; exit 77; }
done
[ -x /usr/bin/time ] || { echo "/usr/bin/time is missing (Debian: time)" >&2; exit 77; }
fabrics=$(cd "$TURNPROOF_FABRICS" && pwd)
began=$(date +%s)
work=$(mktemp -d)
sim=''
finish() {
	[ -z "$sim" ] || kill "$sim" 2>/dev/null || :
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM
cd "$work"
: >empty.mcfdbs

late() { [ $(($(date +%s) - began)) -gt "$LIMIT" ]; }

# unpack FILE NAME copies a file that may be compressed. It fails if there is no such file.
unpack() {
	if [ -f "$1.gz" ]; then gzip -dc "$1.gz" >"$2"
	elif [ -f "$1" ]; then cp "$1" "$2"
	else return 1; fi
}

# prepare CASE unpacks the input files of both programs, and sets the two command lines.
prepare() {
	rm -f subnet.lst fdbs sl sl2vl
	at=$fabrics/$1
	unpack "${at%/*}/opensm-subnet.lst" subnet.lst || return 1
	unpack "$at/opensm.fdbs" fdbs || return 1
	theirs='-s subnet.lst -f fdbs -m empty.mcfdbs' ours='subnet.lst -r fdbs'
	if unpack "$at/path-sl.txt" sl; then theirs="$theirs -c sl" ours="$ours --sl sl"; fi
	if unpack "$at/opensm-sl2vl.dump" sl2vl; then theirs="$theirs -d sl2vl" ours="$ours --sl2vl sl2vl"; fi
}

# timed COMMAND... prints CPU seconds (user and system) and peak KB, for any exit status.
timed() { /usr/bin/time -q -o cost -f '%U %S %M' "$@" >out 2>err || :; tail -n 1 cost | awk '{ print $1 + $2, $3 }'; }

# least prints the minimum of each column.
least() { awk '{ for (i = 1; i <= NF; i++) if (NR == 1 || $i < m[i]) m[i] = $i } END { print m[1], m[2] }'; }

# fact NAME prints the first value of a field of truth.json.
fact() { sed -n "s/.*\"$1\": *\\([a-z0-9]*\\).*/\\1/p" "$at/truth.json" | head -n 1; }

cases=$(cd "$fabrics" && for f in */*/truth.json; do echo "${f%/truth.json}"; done)

# Verdicts: each case runs once.
for case in $cases; do
	prepare "$case" || continue
	if late; then echo 'the time is up: what follows is left out' >&2; break; fi
	code=0
	ibdmchk $theirs >out 2>err || code=$?
	their=none
	grep -q 'no credit loops found' out && their=false
	grep -q 'credit loops in routing' out && their=true
	turnproof check $ours --json >json 2>err || :
	our=$(sed -n 's/.*"deadlock_free": *\([a-z]*\).*/\1/p' json | head -n 1)
	lost=$(sed -n 's/.*"unreachable_pairs": *\([0-9]*\).*/\1/p' json | head -n 1)
	case $our in true) our=false ;; false) our=true ;; *) our=none ;; esac
	echo "$case $(fact cyclic) $(fact unreachable_pairs) $their $code $our $lost"
done >verdicts
echo '### Verdicts'
echo
awk '
	{ n++; loop += $2 == "true"; lost += $3 > 0
	  theirs += $4 == $2; silent += $4 == "none"; wrong += $4 != "none" && $4 != $2; crash += $5 >= 128
	  ours += $6 == $2; pairs += $7 == $3
	  if ($4 != $2) list = list "; `" $1 "` (" ($2 == "true" ? "a loop" : "no loop") ", " $3 " pairs not connected)" }
	END {
		print "| | ibdmchk | turnproof check |"
		print "|---|---:|---:|"
		printf "| cases, %d of them with a credit loop, %d with pairs that are not connected | %d | %d |\n", loop, lost, n, n
		printf "| correct verdict on loops | %d | %d |\n", theirs, ours
		printf "| wrong verdict | %d | %d |\n", wrong, n - ours
		printf "| no verdict | %d | 0 |\n", silent
		printf "| correct number of pairs not connected | - | %d |\n", pairs
		printf "| ends with a crash (segmentation fault) | %d | 0 |\n", crash
		if (list != "") print "\nibdmchk has no verdict, or another one, for: " substr(list, 3) "."
	}' verdicts | fold -s -w 120 | sed "s, \$,,"

echo
echo '### Time and memory'
echo
echo "CPU seconds (user and system) and peak memory of the whole process: the smallest of $RUNS alternating runs."
echo
echo '| fabric | switches, hosts | ibdmchk s | MB | turnproof s | MB | time, ibdmchk / turnproof | memory, turnproof / ibdmchk |'
echo '|---|---|---:|---:|---:|---:|---:|---:|'
for case in ring4/dor mesh3x3/torus-2QoS torus4x4/torus-2QoS random16-d4-s2/updn random16-d4-s2/dfsssp torus8x8/torus-2QoS \
	random64-d4-s1/updn random64-d4-s1/dfsssp ft3x2-k8-joined/updn ft3x2-k8-joined/dfsssp ft3-k16/updn ft3-k16/lash ft3-k24-h4/updn; do
	prepare "$case" || continue
	if late; then echo 'the time is up: what follows is left out' >&2; break; fi
	: >a && : >b
	for _ in $(seq "$RUNS"); do
		timed ibdmchk $theirs >>a
		timed turnproof check $ours >>b
	done
	echo "$case $(turnproof check $ours --json | sed -n 's/.*"switches": *\([0-9]*\).*/\1/p' | head -n 1) $(fact hosts) $(least <a) $(least <b)"
done | awk '{ printf "| %s | %d, %d | %.2f | %.0f | %.2f | %.0f | %s | %.1f |\n", $1, $2, $3, $4, $5 / 1024, $6, $7 / 1024, ($4 < 0.05 || $6 < 0.03) ? "too short" : sprintf("%.1f", $4 / $6), $7 / $5 }'

command -v ibsim >/dev/null && command -v opensm >/dev/null || exit 0

echo
echo '### Making tables'
echo
echo 'The time of OpenSM is that between two lines of its log, from the end of the sweep to "tables configured". It'
echo 'includes writing the tables into simulated switches. The time of turnproof is the CPU time of the whole command'
echo '`table NETWORK -r METHOD --kind next-hops --format opensm`. Both are the smallest of 3 runs. "Loop" says whether'
echo '`turnproof check` finds a credit loop in the table.'
echo
echo '| fabric | OpenSM engine | s | loop | turnproof method | s | loop |'
echo '|---|---|---:|---|---|---:|---|'
IBSIM_SOCKNAME=turnproof-$$ OSM_CACHE_DIR=$work OSM_TMP_DIR=$work
export IBSIM_SOCKNAME OSM_CACHE_DIR OSM_TMP_DIR
: >opensm.conf

# loop FILE prints the finding of check.
loop() { turnproof check topology -r "$1" --json 2>/dev/null | sed -n 's/.*"deadlock_free": *true.*/no/p; s/.*"deadlock_free": *false.*/yes/p' | head -n 1; }

# opensm_once ENGINE runs OpenSM on a separate simulated fabric, and prints the seconds according to its log.
opensm_once() {
	timeout 60 ibsim -s -n -S 4096 -N 32768 -P 262144 netlist >ibsim.log 2>&1 &
	sim=$!
	tries=0
	until grep -q "$IBSIM_SOCKNAME:ctl" /proc/net/unix || [ $tries -ge 100 ]; do tries=$((tries + 1)); sleep 0.05; done
	rm -f opensm.log opensm-lfts.dump
	timeout 60 ibsim-run opensm -F opensm.conf -R "$1,no_fallback" $roots -f opensm.log --dump_files_dir . -D 0x43 -o >/dev/null 2>&1 || :
	kill "$sim" 2>/dev/null || :
	wait "$sim" 2>/dev/null || :
	sim=''
	awk '{ split($3, t, ":"); now = t[1] * 3600 + t[2] * 60 + t[3] + $4 / 1000000 }
		/Entering MASTER state/ { from = now }
		/tables configured on all switches/ && from { printf "%.3f 0\n", now - from; exit }' opensm.log
}
while read -r fabric engine method; do
	if late; then echo 'the time is up: what follows is left out' >&2; break; fi
	unpack "$fabrics/$fabric/topology.ibsim" netlist || continue
	unpack "$fabrics/$fabric/topology.ibnetdiscover" topology || continue
	roots=''
	if unpack "$fabrics/$fabric/root_guids.txt" roots.txt && [ "$engine" = updn ]; then roots='-a roots.txt'; fi
	: >a && : >b
	for _ in 1 2 3; do
		opensm_once "$engine" >>a </dev/null
		timed turnproof table topology -r "$method" --kind next-hops --format opensm -o lfts >>b </dev/null
	done
	[ -s a ] || continue
	echo "$fabric $engine $(least <a) $(loop opensm-lfts.dump) $method $(least <b) $(loop lfts)"
done <<'LIST' | awk '{ printf "| %s | %s | %.2f | %s | %s | %.2f | %s |\n", $1, $2, $3, $5, $6, $7, $9 }'
random16-d4-s2 updn updown
random64-d4-s1 minhop turn-addition
random64-d4-s1 updn updown
torus8x8 updn turn-addition
ft3-k8 updn updown
ft3-k16 updn updown
LIST
