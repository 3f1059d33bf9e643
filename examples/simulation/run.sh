#!/bin/sh
# Simulates a refuted routing until it deadlocks, and a proved one at saturation. Then it
# measures both kinds of turn sets over the load.
# Usage: run.sh [FOLDER FOR FIGURES], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cd "$here/../fabrics/random16-d4-s2"

say "OpenSM's DFSSSP without its service levels: refuted, and the simulation reaches the deadlock"
expect 1 turnproof replay topology.ibnetdiscover --routing dfsssp/opensm-lfts.dump.gz --figure "$out/frozen.svg"

say "A turn set for the same fabric: computed, proved, simulated at saturation"
expect 0 turnproof turns topology.ibnetdiscover --method lturn-alpha --simulate

say "One load, with the load of each channel"
expect 0 turnproof sim topology.ibnetdiscover --routing lturn-alpha --model paper --packet 64 --load 0.05 --figure "$out/load.svg"

say "Several loads, from an experiment file; a second run reads all results from the journal"
rm -f "$out/experiment.journal"
expect 0 turnproof sweep "$here/experiment.yaml" --journal "$out/experiment.journal" --latency "$out/latency.svg" --throughput "$out/throughput.svg"
turnproof sweep "$here/experiment.yaml" --journal "$out/experiment.journal" --csv "$out/results.csv" > "$log"

say "Written: $(cd "$out" && ls | tr '\n' ' ')"
[ -n "${1:-}" ] || echo "in examples/simulation/out"
