#!/bin/sh
# Draws the figures of this example. Called by make figures.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fabric=$here/../fabrics/random16-d4-s2
out=$here/figures
mkdir -p "$out"
draw() { what=$1; table=$2; shift 2; turnproof draw "$what" "$fabric/topology.ibnetdiscover" --routing "$fabric/$table/opensm-lfts.dump.gz" "$@"; }
draw network updn -o "$out/network.svg"
draw cycle updn -o "$out/credit-loop.svg"
draw cdg updn -o "$out/dependencies.svg"
draw paths file-synth-updown --from H35 --to H19 -o "$out/paths.svg"
