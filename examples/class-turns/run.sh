#!/bin/sh
# Proves or refutes sets of class turns for all networks of a family: those of the turn
# model, the published sets of H/V graphs, and North-First+1 on the torus. turnproof-check
# judges the certificates, and check tests the refutations on their networks.
# Usage: run.sh [FOLDER FOR FIGURES AND CERTIFICATES], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"

say "The turn model: prohibit one turn of each cycle"
expect 0 turnproof enumerate mesh:2 --choices one-per-cycle --files "$out/mesh" --figure "$out/mesh.svg"

say "turnproof-check judges the certificates; check refutes a set on its network"
expect 0 turnproof-check "$out/mesh/set-004.cert"
expect 1 turnproof check "$out/mesh/set-004.network.json" --routing "$out/mesh/set-004.turns.json"
expect 0 turnproof-check "$out/mesh/west-first.cert"

say "H/V graphs: the claims of the paper"
expect 0 turnproof enumerate hv --limit 0

say "North-First and North-First+1 on every torus"
expect 0 turnproof enumerate torus:2,vcs=2,rule=nf+1 --limit 0
