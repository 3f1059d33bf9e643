#!/bin/sh
# Prints the table of docs/simulator-booksim.md between its marks "examples": the configurations that come with BookSim 2, with the mean
# latency of packets and the accepted flits per clock and host of both programs. BookSim 2 is built in a temporary folder from
# BOOKSIM_SOURCE, its folder src, whose neighbour is runfiles. Each run has LIMIT seconds; then BookSim's last sample counts. Needs
# bin/turnproof on the PATH, a C++ compiler, flex, bison, awk and timeout. Takes ten minutes.
set -eu
: "${BOOKSIM_SOURCE:?the folder src of BookSim 2}" "${LIMIT:=120}"
for tool in turnproof c++ flex bison awk timeout; do
	command -v "$tool" >/dev/null || { echo "$tool is missing" >&2; exit 77; }
done
source=$(cd "$BOOKSIM_SOURCE" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$source" "$work/src"
make -C "$work/src" CPPFLAGS="-O3 -I. -Iarbiters -Iallocators -Irouters -Inetworks -Ipower -w" >"$work/make.log" 2>&1 ||
	{ tail -n 5 "$work/make.log" >&2; exit 1; }

# theirs PATTERN prints the last number that BookSim 2 printed after a text.
theirs() { sed -n "s/.*$1 *= *\\([0-9.]*\\).*/\\1/p" "$work/out" | tail -n 1; }

# ours FIELD prints a number of the JSON of sim.
ours() { sed -n "s/^ *\"$1\": *\\([0-9.]*\\),*\$/\\1/p" "$work/json" | head -n 1; }

echo '| configuration | latency, BookSim 2 | latency, turnproof | accepted, BookSim 2 | accepted, turnproof | |'
echo '|---|---:|---:|---:|---:|---|'
for file in "$source"/examples/anynet/anynet_config "$source"/examples/[!a]* "$source"/../runfiles/*; do
	[ -f "$file" ] || continue
	cd "$(dirname "$file")"
	name=$(basename "$(dirname "$file")")/$(basename "$file")
	status=0
	timeout "$LIMIT" "$work/src/booksim" "$(basename "$file")" >"$work/out" 2>&1 || status=$?
	timeout "$LIMIT" turnproof sim "$(basename "$file")" --json >"$work/json" 2>"$work/err" || :
	why=
	if grep -q 'Parse error\|Invalid routing' "$work/out"; then
		why='BookSim 2 refuses the file'
	elif [ "$status" = 124 ]; then
		why="BookSim 2 had $LIMIT s"
	fi
	if grep -q 'NOT CONVERGED\|speedup' "$work/err"; then
		why="${why:+$why; }$(sed -n 's/.*: \([a-z]*_speedup = [0-9.]*\) has no effect.*/\1 is not modelled/p' "$work/err" | head -n 1)"
	fi
	echo "$name|$(theirs 'Packet latency average')|$(ours mean_latency)|$(ours latency_error)|$(theirs 'Accepted flit rate average')|$(ours accepted)|$why"
done | awk -F '|' '{ printf "| `%s` | %s | %s%s | %s | %s | %s |\n", $1, $2 == "" ? "" : sprintf("%.2f", $2), $3 == "" ? "" : sprintf("%.2f", $3),
	$4 == "" ? "" : sprintf(" (± %.2f)", $4), $5 == "" ? "" : sprintf("%.4f", $5), $6 == "" ? "" : sprintf("%.4f", $6), $7 }'
