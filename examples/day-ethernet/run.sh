#!/bin/sh
# The day of an operator of lossless Ethernet (PAUSE, PFC) in an office building. Shortest
# paths can freeze, and one spanning tree leaves cables unused. A few VLANs do neither.
# Usage: run.sh [FOLDER FOR OUTPUT], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cp "$here/../vlan-ethernet/irregular.edges" "$out/building.edges"
cd "$out"

say "9:00, shortest paths over lossless links: refuted, this is the loop"
expect_part '/^[PR][RE][OF]/p;/^Credit/,/^$/p' 1 turnproof check building.edges --routing minimal --switching saf --figure loop.svg

say "9:05, does the network really freeze? A simulation from the empty network"
expect 1 turnproof replay building.edges --routing minimal --switching saf

say "9:10, L-turn paths in the smallest number of VLANs, and the configuration of the switches"
rm -rf linux sonic
expect 0 turnproof vlan building.edges --routing lturn-alpha --output vlans.json --linux linux --sonic sonic --figure vlans.svg
cat linux/switch4.sh

say "9:20, the written file is read back and proved; turnproof-check judges the certificate"
expect_part '/^[PR][RE][OF]/p' 0 turnproof check building.edges --routing vlans.json --switching saf --certificate vlans.cert
expect_part /^claim/p 0 turnproof-check vlans.cert building.edges vlans.json

say "9:25, ten hosts send at full rate, with PAUSE: no frame is lost, no port freezes"
expect 0 turnproof sim building.edges --routing vlans.json --ethernet pause --flows h0:h9,h1:h8,h2:h7,h3:h6,h4:h5,h5:h0,h6:h1,h7:h2,h8:h3,h9:h4

say "9:30, any one cable may fail, if new paths are computed"
expect_part '/^Each of/,/^  proved/p' 0 turnproof check building.edges --routing lturn-alpha --switching saf --fail links:1

say "9:35, a report for the colleagues"
expect 0 turnproof report building.edges --routing vlans.json --switching saf -o building.html
