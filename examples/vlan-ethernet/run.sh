#!/bin/sh
# The ring of four switches of the VLAN Ethernet paper, with two assignments of hosts to the
# same two VLANs; one of them freezes with PAUSE. Then VLANs for an irregular network, and
# the configuration of its switches.
# Usage: run.sh [FOLDER FOR FIGURES], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cd "$here"
flows=h1:h6,h3:h4,h5:h2,h7:h0

say "Two VLANs on a ring, with one assignment of hosts to VLANs: deadlock-free"
expect 0 turnproof check ring.yaml --routing acyclic.json --switching saf

say "The same VLANs with another assignment: four channels wait for each other"
expect 1 turnproof check ring.yaml --routing cyclic.json --switching saf --figure "$out/cycle.svg"

say "Four hosts at 820 Mbit/s: PAUSE loses nothing, but freezes the second"
expect 0 turnproof sim ring.yaml --routing acyclic.json --ethernet pause,host=820 --flows $flows
expect 1 turnproof sim ring.yaml --routing cyclic.json --ethernet pause,host=820 --flows $flows

say "At half the rate no link is full, and the cycle does not freeze yet"
expect 0 turnproof sim ring.yaml --routing cyclic.json --ethernet pause,host=400 --flows $flows

say "A mesh: one VLAN for each line, which is the smallest possible number"
expect 0 turnproof vlan mesh:4x4 --figure "$out/mesh.svg"

say "An irregular network: L-turn in few trees, and the configuration of switches"
rm -rf "$out/linux" "$out/sonic"
expect 0 turnproof vlan irregular.edges --routing lturn-alpha --priorities 3 --simulate --output "$out/vlans.json" --linux "$out/linux" --sonic "$out/sonic" --figure "$out/irregular.svg"
expect 0 turnproof check irregular.edges --routing "$out/vlans.json" --switching saf

say "The configuration of one switch"
cat "$out/linux/switch0.sh"
