#!/bin/sh
# A routing that deadlocks is driven into its deadlock; one that is proved runs at
# saturation; then both kinds of turn sets over the load.
# Usage: run.sh [FOLDER FOR FIGURES], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cd "$here/../fabrics/random16-d4-s2"

say "OpenSM's DFSSSP without its service levels: refuted, and the deadlock is reached"
expect 1 turnproof replay topology.ibnetdiscover --routing dfsssp/opensm-lfts.dump.gz --figure "$out/frozen.svg"

say "A turn set for the same fabric: made, proved, run at saturation"
expect 0 turnproof turns topology.ibnetdiscover --method lturn-alpha --simulate

say "One load, with what each channel carries"
expect 0 turnproof sim topology.ibnetdiscover --routing lturn-alpha --model paper --packet 64 --load 0.05 --figure "$out/load.svg"

say "Over the load, from an experiment file; started again, it takes all from its journal"
rm -f "$out/experiment.journal"
expect 0 turnproof sweep "$here/experiment.yaml" --journal "$out/experiment.journal" --latency "$out/latency.svg" --throughput "$out/throughput.svg"
turnproof sweep "$here/experiment.yaml" --journal "$out/experiment.journal" --csv "$out/results.csv" > "$log"

say "Written: $(cd "$out" && ls | tr '\n' ' ')"
[ -n "${1:-}" ] || echo "in examples/simulation/out"
