#!/bin/sh
# The day of an operator of an InfiniBand fabric: from a running fabric, whose dumps are collected, to
# tables without a credit loop in the switches, the effect of a failed cable, and back.
# Usage: run.sh [FOLDER FOR OUTPUT], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
PATH=$PATH:/usr/sbin:/sbin
for tool in ibsim ibsim-run opensm ibnetdiscover dump_fts saquery timeout; do
	command -v "$tool" >/dev/null || { echo "no $tool here: Debian packages opensm, ibsim-utils, infiniband-diags"; exit 77; }
done

# The fabric in service, in ibsim: OpenSM has loaded the tables of its engine updn. The tools that
# collect.sh calls ask the simulator.
. "$here/../day-maintenance/fabric.sh"
cp "$here/../fabrics/random16-d4-s2/topology.ibnetdiscover" "$work/fabric.topo"
gunzip -c "$here/../fabrics/random16-d4-s2/updn/opensm-lfts.dump.gz" > "$work/updn.lfts"
start "$work/fabric.topo"
load "$work/updn.lfts" "$work/loaded"
mkdir "$work/bin"
for tool in ibnetdiscover dump_fts saquery; do
	printf '#!/bin/sh\ncd "%s" && exec timeout 60 ibsim-run %s "$@"\n' "$work" "$(command -v "$tool")" > "$work/bin/$tool"
	chmod +x "$work/bin/$tool"
done
# collect FOLDER reads the running fabric. A message says that OpenSM runs without QoS, and names a folder.
collect() {
	printf '$ collect.sh %s\n' "$1"
	PATH=$work/bin:$PATH LOGS=$work sh "$here/../collect/collect.sh" "$1" 2>"$work/collect.err" || { cat "$work/collect.err" >&2; exit 1; }
}
cd "$out"

say "8:50, the dumps of the running fabric"
collect dumps
expect 0 ls dumps

say "9:00, is the fabric free of credit loops? No: these cables, this traffic"
expect 1 turnproof check dumps --figure loop.svg --certificate loop.cert
expect_part '/^claim/p;/^file/p' 0 turnproof-check loop.cert dumps/topology.ibnetdiscover dumps/lfts.dump

say "9:05, the smallest change of table entries that removes the loop"
expect_part '/^Mended/,$p' 1 turnproof check dumps --mend mended.lfts --sarif findings.sarif --junit findings.xml
expect 0 turnproof compare dumps/lfts.dump mended.lfts --network dumps/topology.ibnetdiscover

say "9:10, loaded by OpenSM into the switches, collected from them, and proved"
load mended.lfts switches
collect now
expect 0 turnproof check now --certificate now.cert
expect_part /^claim/p 0 turnproof-check now.cert now/topology.ibnetdiscover now/lfts.dump

say "9:15, does another routing survive the loss of any cable? Of any switch?"
expect_part '/^Each of/,$p' 0 turnproof check dumps --routing turn-addition --fail links:1
expect_part '/^Each of/,$p' 0 turnproof check dumps --routing turn-addition --fail switches:1

say "9:17, or another engine of OpenSM, routed over ibsim and proved, until a cable fails and after the next sweep?"
echo 0x000000000020000d > roots.txt
expect_part '/^engine/,/^$/p' 0 turnproof whatif dumps --engines updn,lash,nue --roots roots.txt --fail links:1 -q

say "9:20, a report for the operators, before and after the change"
expect 1 turnproof report dumps --routing dumps/lfts.dump --routing mended.lfts -o fabric.html

say "9:30, the way back: the tables of the morning are loaded again, collected, and are what they were"
expect 0 turnproof convert dumps --routing dumps/lfts.dump --to lfts -o before.lfts
load before.lfts "$work/back"
collect back
expect_part '/entries differ/p' 1 turnproof compare dumps back
