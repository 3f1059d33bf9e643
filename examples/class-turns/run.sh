#!/bin/sh
# Sets of class turns for all networks of a family at once: the turn model's twelve, the
# published sets of H/V graphs, North-First+1 on the torus; proofs and refutations
# judged by the other program, refutations tried on their networks.
# Usage: run.sh [FOLDER FOR FIGURES AND CERTIFICATES], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"

say "The turn model: one turn of each cycle prohibited"
expect 0 turnproof enumerate mesh:2 --choices one-per-cycle --files "$out/mesh" --figure "$out/mesh.svg"

say "The evidence, judged by the other program; a refuted set on its network"
expect 0 turnproof-check "$out/mesh/set-004.cert"
expect 1 turnproof check "$out/mesh/set-004.network.json" --routing "$out/mesh/set-004.turns.json"
expect 0 turnproof-check "$out/mesh/west-first.cert"

say "H/V graphs: what the paper claims"
expect 0 turnproof enumerate hv --limit 0

say "North-First and North-First+1 on every torus"
expect 0 turnproof enumerate torus:2,vcs=2,rule=nf+1 --limit 0
