#!/bin/sh
# Computes a deadlock-free routing for a fabric: compares the turn sets of all
# published methods, proves the best one, and writes it as forwarding tables for
# OpenSM, which are proved again.
# Usage: run.sh [FOLDER FOR FIGURES AND CERTIFICATES], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cd "$here/../fabrics/random16-d4-s2"

say "Comparison of all methods"
turnproof turns topology.ibnetdiscover --compare | sed 's/  *[0-9]*\.[0-9]*$//'

say "The turn set of turn addition as a file: proved"
expect 0 turnproof turns topology.ibnetdiscover --method turn-addition -o "$out/set.json" --certificate "$out/set.cert" --figure "$out/prohibited.svg"
expect 0 turnproof-check "$out/set.cert" topology.ibnetdiscover
expect 0 turnproof check topology.ibnetdiscover --routing "$out/set.json"

say "Its forwarding tables for OpenSM (opensm -R file -U lfts.dump): read back and proved"
expect 0 turnproof convert topology.ibnetdiscover --routing "$out/set.json" --paths table --to lfts -o "$out/lfts.dump"
expect 0 turnproof check topology.ibnetdiscover --routing "$out/lfts.dump" --certificate "$out/lfts.cert"
expect 0 turnproof-check "$out/lfts.cert" topology.ibnetdiscover "$out/lfts.dump"

say "Written: $(cd "$out" && ls | tr '\n' ' ')"
[ -n "${1:-}" ] || echo "in examples/turn-methods/out"
