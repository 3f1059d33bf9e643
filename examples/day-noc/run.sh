#!/bin/sh
# The day of a designer of a network on a chip: a routing that deadlocks, one that does
# not, message classes, a chip with failed parts, and tables for the hardware.
# Usage: run.sh [FOLDER FOR OUTPUT], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
for tool in iverilog vvp verilator; do
	command -v $tool >/dev/null || { echo "no $tool here: Debian packages iverilog, verilator"; exit 77; }
done
cd "$out"

say "9:00, any shortest path on a 4x4 mesh: refuted, and a simulation reaches the deadlock from the empty network"
expect 1 turnproof check mesh:4x4 --routing minimal --simulate --figure deadlock.svg

say "9:10, west-first: proved, and run at saturation"
expect 0 turnproof check mesh:4x4 --routing west-first --simulate --certificate west-first.cert
expect_part /^claim/p 0 turnproof-check west-first.cert

say "9:15, requests and replies block each other in one virtual network, and do not in two"
expect_part '/^REFUTED\|^Deadlock\|^  packet/p' 1 turnproof check mesh:4x4 --routing west-first --classes request+reply
expect_part '/^PROVED/p' 0 turnproof check mesh:4x4 --routing west-first --classes request,reply

say "9:20, the real chip lacks a switch and a link: the turn set with the fewest prohibited turns"
expect 0 turnproof turns mesh:4x4,fail=5+10-11 --method minimum --seconds 20 -o turns.json --figure turns.svg
expect_part '/^PROVED/p' 0 turnproof check mesh:4x4,fail=5+10-11 --routing turns.json

say "9:30, the routing as SystemVerilog, read by two tools, and as a C header for the model"
expect 0 turnproof table mesh:4x4,fail=5+10-11 --routing turns.json --kind input-hops --format verilog -o route_pkg.sv
expect 0 turnproof table mesh:4x4,fail=5+10-11 --routing turns.json --kind input-hops --format c -o route.h
expect 0 iverilog -g2012 -o router route_pkg.sv "$here/router.sv"
expect 0 vvp -n router
expect 0 verilator --lint-only -Wall -Wno-DECLFILENAME route_pkg.sv "$here/router.sv" --top-module router
expect_part '/switch\|^5,5,/p;/^"(2,1)",5,/p' 0 turnproof table mesh:4x4,fail=5+10-11 --routing turns.json --kind input-hops

say "9:40, throughput compared with other routings of the same chip"
cat > experiment.yaml <<'END'
networks: ["mesh:4x4,fail=5+10-11"]
routings: [lturn-beta, rturn-beta, turns.json]
traffics: [uniform]
loads: [0.02, 0.06, 0.10, 0.14, 0.18, 0.22]
model: booksim
packet: 4
buffer: 8
clocks: 5000
END
expect 0 turnproof sweep experiment.yaml --latency latency.svg

say "9:50, a report for the design review"
expect 0 turnproof report mesh:4x4,fail=5+10-11 --routing turns.json --routing lturn-beta -o review.html
