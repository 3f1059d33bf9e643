#!/bin/sh
# The day of an operator of lossless Ethernet (PAUSE, PFC) in an office building: shortest
# paths would freeze, one spanning tree wastes the cables; a few VLANs do neither.
# Usage: run.sh [FOLDER FOR WHAT IS WRITTEN], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cp "$here/../vlan-ethernet/irregular.edges" "$out/building.edges"
cd "$out"

say "9:00, shortest paths over lossless links: refuted, this is the loop"
expect_part '/^[PR][RE][OF]/p;/^Credit/,/^$/p' 1 turnproof check building.edges --routing minimal --switching saf --figure loop.svg

say "9:05, driven into it: does it freeze?"
expect 1 turnproof replay building.edges --routing minimal --switching saf

say "9:10, L-turn paths in as few VLANs as there can be, and what the switches are told"
rm -rf linux sonic
expect 0 turnproof vlan building.edges --routing lturn-alpha --output vlans.json --linux linux --sonic sonic --figure vlans.svg
cat linux/switch4.sh

say "9:20, what was written is read back and proved; the certificate is judged again"
expect_part '/^[PR][RE][OF]/p' 0 turnproof check building.edges --routing vlans.json --switching saf --certificate vlans.cert
expect_part /^claim/p 0 turnproof-check vlans.cert building.edges vlans.json

say "9:25, every host sends to another at full rate, with PAUSE: nothing is lost, nothing freezes"
expect 0 turnproof sim building.edges --routing vlans.json --ethernet pause --flows h0:h9,h1:h8,h2:h7,h3:h6,h4:h5,h5:h0,h6:h1,h7:h2,h8:h3,h9:h4

say "9:30, any cable may fail, if the paths are then made anew"
expect_part '/^Each of/,/^  proved/p' 0 turnproof check building.edges --routing lturn-alpha --switching saf --fail links:1

say "9:35, a page for the colleagues"
expect 0 turnproof report building.edges --routing vlans.json --switching saf -o building.html
