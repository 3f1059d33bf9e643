#!/bin/sh
# The day of an operator of an InfiniBand fabric: from a folder of dumps to tables without a
# credit loop in the switches, and the effect of a failed cable.
# Usage: run.sh [FOLDER FOR OUTPUT], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
PATH=$PATH:/usr/sbin:/sbin
for tool in ibsim opensm ibnetdiscover; do
	command -v "$tool" >/dev/null || { echo "no $tool here: Debian packages opensm, ibsim-utils, infiniband-diags"; exit 77; }
done

# The files that ibnetdiscover and OpenSM write on such a machine.
mkdir -p "$out/dumps"
cp "$here/../fabrics/random16-d4-s2/topology.ibnetdiscover" "$here/../fabrics/random16-d4-s2/updn/opensm-lfts.dump.gz" "$out/dumps"
cd "$out"

say "9:00, is the fabric free of credit loops? No: these cables, this traffic"
expect 1 turnproof check dumps --figure loop.svg --certificate loop.cert
expect 0 turnproof-check loop.cert dumps/topology.ibnetdiscover dumps/opensm-lfts.dump.gz

say "9:05, the smallest change of table entries that removes the loop"
expect_part '/^Mended/,$p' 1 turnproof check dumps --mend mended.lfts --sarif findings.sarif --junit findings.xml
expect 0 turnproof compare dumps/opensm-lfts.dump.gz mended.lfts --network dumps/topology.ibnetdiscover

say "9:10, loaded by OpenSM into (simulated) switches, read back from them, and proved"
expect 0 sh "$here/../opensm-tables/load.sh" dumps/topology.ibnetdiscover mended.lfts switches
mkdir -p now
cp switches/topology.ibnetdiscover switches/lfts.dump now
expect 0 turnproof check now --certificate now.cert
expect_part /^claim/p 0 turnproof-check now.cert now/topology.ibnetdiscover now/lfts.dump

say "9:15, does another routing survive the loss of any cable? Of any switch?"
expect_part '/^Each of/,$p' 0 turnproof check dumps --routing turn-addition --fail links:1
expect_part '/^Each of/,$p' 0 turnproof check dumps --routing turn-addition --fail switches:1

say "9:17, or another engine of OpenSM, routed over ibsim and proved, until a cable fails and after the next sweep?"
echo 0x000000000020000d > roots.txt
expect_part '/^engine/,/^$/p' 0 turnproof whatif dumps --engines updn,lash,nue --roots roots.txt --fail links:1 -q

say "9:20, a report for the operators, before and after the change"
expect 1 turnproof report dumps --routing dumps/opensm-lfts.dump.gz --routing mended.lfts -o fabric.html

say "9:30, the way back: the tables of the morning are loaded again, and are what they were"
expect 0 turnproof convert dumps --routing dumps/opensm-lfts.dump.gz --to lfts -o before.lfts
expect 0 sh "$here/../opensm-tables/load.sh" dumps/topology.ibnetdiscover before.lfts back
expect_part '/entries differ/p' 1 turnproof compare before.lfts back/lfts.dump --network back/topology.ibnetdiscover
