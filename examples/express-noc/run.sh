#!/bin/sh
# A chip of 100 routers with express links: an adaptive routing with an escape, proved under wormhole switching, compared
# with turn sets in the simulator, and written as SystemVerilog that is checked against the proved routing.
# Usage: run.sh [FOLDER FOR OUTPUT], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
for tool in iverilog vvp verilator; do
	command -v $tool >/dev/null || { echo "no $tool here: Debian packages iverilog, verilator"; exit 77; }
done
routing=escape,adaptive=minimal,on=updown,root=54

say "Any shortest path deadlocks, also with four virtual channels"
{ cat "$here/chip.edges"; echo "vcs 4"; } > "$out/chip4.edges"
cd "$out"
expect_part '1,2p;/^REFUTED\|^PROVED  /p' 1 turnproof check chip4.edges --routing minimal --switching wormhole

say "With up*/down* as the escape on the last one it is proved, and an independent checker accepts the proof"
expect_part '1,2p;/^PROVED  /p' 0 turnproof check chip4.edges --routing $routing --switching wormhole --certificate chip.cert
expect_part '/^claim/p' 0 turnproof-check chip.cert

say "Against up*/down*, L-turn and turn addition on the same four channels"
expect 0 turnproof sweep "$here/sweep.yaml" --journal sweep.journal --latency latency.svg --throughput throughput.svg

say "What routers store: the whole routing, and its two parts, minimal paths and the escape"
expect 0 turnproof table chip4.edges --routing $routing --kind area --format markdown
cd "$here"
expect 0 turnproof table chip.edges --routing minimal --kind area --format markdown
expect 0 turnproof table chip.edges --routing updown,root=54 --kind area --format markdown

say "The parts as SystemVerilog, joined in router.sv"
expect 0 turnproof table chip.edges --routing minimal --kind ranges --format verilog -o "$out/adaptive_pkg.sv"
expect 0 turnproof table chip.edges --routing updown,root=54 --kind input-hops --format verilog -o "$out/escape_pkg.sv"
cd "$out"
sources="adaptive_pkg.sv escape_pkg.sv $here/router.sv"
expect 0 verilator --lint-only -Wall -Wno-DECLFILENAME $sources --top-module router

say "The router in simulation, against the proved routing, in every state of every packet"
turnproof table chip4.edges --routing $routing --kind input-hops --format csv | awk -f "$here/states.awk" > states.hex
if [ -n "${TURNPROOF_LONG:-}" ]; then # a quarter of a minute
	verilator --binary -CFLAGS -O0 -Wno-DECLFILENAME --top-module check -o sim $sources "$here/check.sv" > verilator.log
	obj_dir/sim | sed '/finish/d'
else
	iverilog -g2012 -o sim $sources "$here/check.sv"
	vvp -n sim
fi
