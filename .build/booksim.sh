#!/bin/sh
# Prints the table of docs/simulator-booksim.md between its marks "measured": the speed of turnproof beside
# BookSim 2, which is built in a temporary folder from BOOKSIM_SOURCE, its folder src. Both
# programs run alternately, RUNS times. The table has the median user time of the whole processes,
# as flit hops per second, with the slowest and the fastest run. Needs bin/turnproof on the PATH,
# a C++ compiler, flex, bison, awk and time. Takes five minutes on an idle machine.
# shellcheck disable=SC2086 # $ours is words
set -eu
: "${BOOKSIM_SOURCE:?the folder src of BookSim 2}" "${RUNS:=5}"
for tool in turnproof c++ flex bison awk; do
	command -v "$tool" >/dev/null || { echo "$tool is missing" >&2; exit 77; }
done
[ -x /usr/bin/time ] || { echo "/usr/bin/time is missing (Debian: time)" >&2; exit 77; }
source=$(cd "$BOOKSIM_SOURCE" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp -R "$source" src
make -C src CPPFLAGS="-O3 -I. -Iarbiters -Iallocators -Irouters -Inetworks -Ipower -w" >make.log 2>&1 || { tail -n 5 make.log >&2; exit 1; }

# user COMMAND... prints the user seconds, for any exit status: BookSim 2 ends with 255 or 0.
user() { /usr/bin/time -q -o cost -f %U "$@" >out 2>err || :; tail -n 1 cost; }

# number FIELD prints a number of the JSON in out.
number() { sed -n "s/^ *\"$1\": *\\([0-9.]*\\),*\$/\\1/p" out | head -n 1; }

# spread HOPS prints the median, least and largest million hops per second of the times in a file.
spread() { sort -n "$2" | awk -v h="$1" '{ t[NR] = $1 } END { print h / t[int((NR + 1) / 2)] / 1e6, h / t[NR] / 1e6, h / t[1] / 1e6 }'; }

echo '| network | routing | flits per packet | load | turnproof, million/s | BookSim 2, million/s | ratio |'
echo '|---|---|---:|---:|---:|---:|---:|'
while read -r topology k vcs flits load clocks times routing; do
	ours=$routing theirs=$routing
	case $topology-$routing in
	torus-dor) theirs=dim_order ;;
	mesh-duato) theirs=min_adapt ;;
	esac
	: >a && : >b
	for _ in $(seq "$RUNS"); do
		printf '%s;\n' sim_type=throughput warmup_periods=3 max_samples=5 warmup_thres=0.0 stopping_thres=0.0 acc_warmup_thres=0.0 \
			acc_stopping_thres=0.0 latency_thres=1e6 injection_rate_uses_flits=1 use_noc_latency=0 seed=1 traffic=uniform n=2 \
			vc_buf_size=8 "topology=$topology" "k=$k" "num_vcs=$vcs" "packet_size=$flits" "injection_rate=$load" \
			"routing_function=$theirs" "sample_period=$((clocks / 5))" >config
		user src/booksim config >>a
		grep -q "Total run time" out || { cat out err >&2; exit 1; }
		user turnproof sim "$topology:${k}x$k,vcs=$vcs" -r "$ours" --packet "$flits" --load "$load" --clocks "$((clocks * times))" \
			--warmup 1000 --json >>b
		hops=$(number flit_hops)
		share=$(awk -v a="$(number accepted)" -v h="$(number mean_hops)" -v k="$k" -v c="$clocks" 'BEGIN { print a * h * k * k * c }')
	done
	echo "$topology ${k}x$k, $vcs VC|$routing|$flits|$load|$(spread "$share" a) $(spread "$hops" b)"
done <<'LIST' | awk -F '|' '{ split($5, x, " "); r = x[4] / x[1]; sum += log(r); n++; if (least == 0 || r < least) least = r
	printf "| %s | %s | %s | %s | %.2f (%.2f to %.2f) | %.3f (%.3f to %.3f) | %.1f |\n", $1, $2, $3, $4, x[4], x[5], x[6], x[1], x[2], x[3], r }
	END { printf "\nThe geometric mean of the ratios is %.1f, the smallest is %.1f.\n", exp(sum / n), least }'
torus 8 2 8 0.1945 40000 8 dor
torus 8 2 1 0.157 40000 4 dor
mesh 8 4 8 0.225 40000 5 dor
mesh 8 4 1 0.2484 20000 4 dor
mesh 8 1 8 0.1336 50000 8 dor
mesh 8 1 1 0.0844 50000 7 dor
torus 16 2 8 0.1102 12000 8 dor
torus 16 2 1 0.082 10000 8 dor
torus 32 2 8 0.055 4000 6 dor
torus 32 2 1 0.036 3000 8 dor
torus 8 2 8 0.2916 30000 8 dor
torus 8 2 1 0.2358 25000 5 dor
mesh 8 4 8 0.3375 30000 6 dor
mesh 8 4 1 0.3727 15000 5 dor
mesh 8 4 8 0.1992 40000 6 duato
mesh 8 4 1 0.2 25000 5 duato
LIST
