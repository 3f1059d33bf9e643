#!/bin/sh
# The ring of four switches of the VLAN Ethernet paper: two ways to use the same two
# VLANs, one of which freezes under PAUSE; then VLANs for an irregular network, as far as
# the switches' configuration.
# Usage: run.sh [FOLDER FOR FIGURES], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cd "$here"
flows=h1:h6,h3:h4,h5:h2,h7:h0

say "Two VLANs on a ring, and who sends in which: free of deadlock"
expect 0 turnproof check ring.yaml --routing acyclic.json --switching saf

say "The same VLANs, other assignments: four channels wait for each other"
expect 1 turnproof check ring.yaml --routing cyclic.json --switching saf --figure "$out/cycle.svg"

say "Four hosts at 820 Mbit/s: PAUSE loses nothing, but freezes the second"
expect 0 turnproof sim ring.yaml --routing acyclic.json --ethernet pause,host=820 --flows $flows
expect 1 turnproof sim ring.yaml --routing cyclic.json --ethernet pause,host=820 --flows $flows

say "At half the rate no link is full, and the cycle does no harm yet"
expect 0 turnproof sim ring.yaml --routing cyclic.json --ethernet pause,host=400 --flows $flows

say "A mesh: one VLAN for each line, the fewest that there can be"
expect 0 turnproof vlan mesh:4x4 --figure "$out/mesh.svg"

say "An irregular network: L-turn in few trees, as configuration"
rm -rf "$out/linux" "$out/sonic"
expect 0 turnproof vlan irregular.edges --routing lturn-alpha --priorities 3 --simulate --output "$out/vlans.json" --linux "$out/linux" --sonic "$out/sonic" --figure "$out/irregular.svg"
expect 0 turnproof check irregular.edges --routing "$out/vlans.json" --switching saf

say "What one switch is told"
cat "$out/linux/switch0.sh"
