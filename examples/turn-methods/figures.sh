#!/bin/sh
# Draws the figures of this example. Called by make figures.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/figures
mkdir -p "$out"
small=random:switches=16,degree=4,seed=3
draw() { turnproof draw "$@"; }
draw hv $small -o "$out/hv.svg"
draw turns $small -r updown,ties=id,root=8,release=false,neighbours=port -o "$out/updown.svg"
draw turns $small -r lturn-alpha,root=8 -o "$out/lturn.svg"
draw turns torus:8x8 -r lturn-alpha -o "$out/lturn-torus.svg"
draw classes $small -r lturn-alpha -o "$out/classes.svg"
draw basic $small -r lturn-alpha -o "$out/basic-cycles.svg"
draw tdg $small -r lturn-alpha -o "$out/turn-dependencies.svg"
draw detected $small -r lturn-alpha,root=8 -o "$out/detected.svg"
draw paths $small -r updown,root=8 --against lturn-alpha,root=8 --from h5 --to h7 -o "$out/paths.svg"
draw load torus:8x8 -r lturn-alpha -o "$out/load.svg"
