#!/bin/sh
# Draws the figures of this example. Called by make figures.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/figures
mkdir -p "$out"
turnproof enumerate mesh:2 --choices maximal --figure "$out/mesh.svg" > /dev/null
turnproof enumerate mesh:3 --choices maximal --limit 188 --figure "$out/mesh3.svg" > /dev/null
turnproof enumerate hv --figure "$out/hv.svg" > /dev/null
