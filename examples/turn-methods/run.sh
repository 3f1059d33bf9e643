#!/bin/sh
# A fabric without a sound routing gets one: turn sets by every published
# method side by side, the best one as a file, proved, and as forwarding tables
# that OpenSM loads, proved again.
# Usage: run.sh [FOLDER FOR FIGURES AND CERTIFICATES], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cd "$here/../fabrics/random16-d4-s2"

say "All methods side by side"
turnproof turns topology.ibnetdiscover --compare | sed 's/  *[0-9]*\.[0-9]*$//'

say "Turn addition, as a file, proved"
expect 0 turnproof turns topology.ibnetdiscover --method turn-addition -o "$out/set.json" --certificate "$out/set.cert" --figure "$out/prohibited.svg"
expect 0 turnproof-check "$out/set.cert" topology.ibnetdiscover
expect 0 turnproof check topology.ibnetdiscover --routing "$out/set.json"

say "As forwarding tables for OpenSM (opensm -R file -U lfts.dump), read back and proved"
expect 0 turnproof convert topology.ibnetdiscover --routing "$out/set.json" --paths table --to lfts -o "$out/lfts.dump"
expect 0 turnproof check topology.ibnetdiscover --routing "$out/lfts.dump" --certificate "$out/lfts.cert"
expect 0 turnproof-check "$out/lfts.cert" topology.ibnetdiscover "$out/lfts.dump"

say "Written: $(cd "$out" && ls | tr '\n' ' ')"
[ -n "${1:-}" ] || echo "in examples/turn-methods/out"
