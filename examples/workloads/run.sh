#!/bin/sh
# Four workloads on simulated networks: a collective, a GOAL file, messages in CSV
# and Chakra execution traces; and a workload that waits for itself.
# Usage: run.sh [FOLDER FOR THE TIMES OF MESSAGES], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cd "$here"

say "A ring all-reduce on a mesh: 2 x 15 steps of 4 flits take 500 + 30 x 4 clocks"
expect 0 turnproof sim mesh:4x4 -r dor --workload collective:kind=ring-all-reduce,bytes=1KiB

say "Halo exchange, in GOAL: rank 2 computes longest, and the others wait"
expect 0 turnproof sim mesh:2x2 -r dor --workload halo.goal --messages-out "$out/halo.csv"

say "Requests and answers, in CSV"
expect 0 turnproof sim mesh:2x2 -r dor --workload requests.csv --frequency 2 --flit-bytes 8

say "A training step of two ranks, Chakra execution traces"
expect 0 turnproof sim mesh:2x2 -r dor --workload step.0.json --mapping random --seed 3

say "A workload that waits for itself"
expect 2 turnproof sim mesh:2x2 -r dor --workload stuck.goal

say "Written: $(cd "$out" && ls | tr '\n' ' ')"
[ -n "${1:-}" ] || echo "in examples/workloads/out"
