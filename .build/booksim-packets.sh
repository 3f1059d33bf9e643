#!/bin/sh
# Prints the table of docs/simulator-booksim.md between its marks "packets": packets that arrive in turnproof
# in another clock than in BookSim 2, which is built in a temporary folder from BOOKSIM_SOURCE, its
# folder src, with two lines that print packets and arrivals. Each configuration offers a flit in every
# clock and host, far above saturation, until PACKETS packets have arrived. turnproof reads the same file
# and sends the same packets. Rings have an odd length: at half of an even one BookSim draws the
# direction. Needs bin/turnproof on the PATH, a C++ compiler, flex, bison and awk. Takes three minutes.
set -eu
: "${BOOKSIM_SOURCE:?the folder src of BookSim 2}" "${PACKETS:=50000}"
for tool in turnproof c++ flex bison awk; do
	command -v "$tool" >/dev/null || { echo "$tool is missing" >&2; exit 77; }
done
source=$(cd "$BOOKSIM_SOURCE" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp -R "$source" src
awk -v n="$PACKETS" '
	/if \(\(packet_destination <0\)/ { print "fprintf(stderr, \"%d %d %d %d\\n\", pid, time, source, packet_destination);" }
	/if\(f != head\)/ { print "static int arrived = 0; fprintf(stderr, \"A %d %d\\n\", f->pid, f->atime); if (++arrived == " n ") _exit(0);" }
	BEGIN { print "#include <cstdio>\n#include <unistd.h>" } { print }' "$source/trafficmanager.cpp" >src/trafficmanager.cpp
make -C src CPPFLAGS="-O3 -I. -Iarbiters -Iallocators -Irouters -Inetworks -Ipower -w" >make.log 2>&1 || { tail -n 5 make.log >&2; exit 1; }

# compare VCS KEY=VALUE... prints the cell of a configuration: the packets that both have, those that differ, and
# the clock of a deadlock, which ends the run of turnproof, not that of BookSim.
compare() {
	vcs=$1
	shift
	printf '%s;\n' sim_type=throughput sample_period=100000000 latency_thres=1e9 traffic=uniform injection_rate=1.0 \
		injection_rate_uses_flits=1 use_noc_latency=0 "seed=$vcs" "num_vcs=$vcs" "$@" >file.cfg
	src/booksim file.cfg 2>dump >out || :
	grep -v '^A' dump >trace
	clocks=$(awk '/^A/ { last = $3 } END { print last + 1 }' dump)
	turnproof sim file.cfg --traffic trace:trace --clocks "$clocks" --packets-out packets >ours 2>err || [ $? -eq 1 ] || { cat err >&2; exit 1; }
	awk -v until="$(awk '/^work:/ { gsub(",", "", $2); print $2 }' ours)" -v frozen="$(sed -n 's/^DEADLOCK: closed in clock \(.*\)\.$/\1/p' ours)" '
		FNR == NR { if ($1 == "A" && $3 < until) { theirs[$2] = $3; last = $3 }; next }
		/^#/ { next }
		$1 in theirs { both++; bad += theirs[$1] != $NF; delete theirs[$1]; next }
		$NF < last { bad++ }
		END { for (i in theirs) bad++; printf " %d: %d%s |", both, bad, frozen ? ", frozen in " frozen : "" }' dump packets
}

echo '| configuration | 1 VC | 2 VCs | 3 VCs | 4 VCs | 5 VCs | 6 VCs | 7 VCs | 8 VCs |'
echo '|---|---|---|---|---|---|---|---|---|'
while read -r least keys; do
	printf '| %s |' "$(echo "$keys" | sed 's/ /, /g; s/=/ = /g')"
	for vcs in 1 2 3 4 5 6 7 8; do
		# shellcheck disable=SC2086 # $keys is words
		if [ "$vcs" -lt "$least" ]; then printf ' |'; else compare "$vcs" $keys; fi
	done
	echo
done <<'LIST'
1 topology=mesh k=8 n=2 routing_function=dim_order packet_size=4 vc_buf_size=8
1 topology=mesh k=3 n=3 routing_function=dim_order packet_size=1 vc_buf_size=3
2 topology=mesh k=8 n=2 routing_function=min_adapt packet_size=4 vc_buf_size=8
2 topology=mesh k=5 n=2 routing_function=min_adapt packet_size=1 vc_buf_size=4 vc_busy_when_full=1
2 topology=torus k=7 n=2 routing_function=dim_order packet_size=5 vc_buf_size=8
2 topology=torus k=5 n=2 routing_function=dim_order packet_size=1 vc_buf_size=5
2 topology=torus k=9 n=1 routing_function=dim_order packet_size=3 vc_buf_size=4 wait_for_tail_credit=1
1 topology=cmesh k=4 n=2 c=4 x=4 y=4 xr=2 yr=2 routing_function=dor packet_size=4 vc_buf_size=8
1 topology=cmesh k=4 n=2 c=4 x=4 y=4 xr=2 yr=2 routing_function=dor_no_express packet_size=1 vc_buf_size=4
1 topology=flatfly k=4 n=1 c=4 x=2 y=2 xr=2 yr=2 routing_function=ran_min packet_size=3 vc_buf_size=8
1 topology=flatfly k=4 n=2 c=4 x=4 y=4 xr=2 yr=2 routing_function=ran_min packet_size=3 vc_buf_size=8
1 topology=flatfly k=3 n=2 c=1 x=3 y=3 xr=1 yr=1 routing_function=ran_min packet_size=5 vc_buf_size=5 wait_for_tail_credit=1
1 topology=flatfly k=4 n=3 c=1 x=8 y=8 xr=1 yr=1 routing_function=ran_min packet_size=1 vc_buf_size=4
1 topology=qtree k=4 n=3 routing_function=nca packet_size=4 vc_buf_size=8
1 topology=fly k=10 n=1 routing_function=dest_tag packet_size=3 vc_buf_size=4
LIST
