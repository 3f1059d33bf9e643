#!/bin/sh
# The day of maintenance: a cable of a fabric in service is taken out, and put back. Each state of the tables on the way is proved before
# OpenSM loads it, and read back from the switches after that.
# Usage: run.sh [FOLDER FOR OUTPUT], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
PATH=$PATH:/usr/sbin:/sbin
for tool in ibsim ibsim-run opensm ibnetdiscover dump_fts timeout; do
	command -v "$tool" >/dev/null || { echo "no $tool here: Debian packages opensm, ibsim-utils, infiniband-diags"; exit 77; }
done
. "$here/fabric.sh"
cd "$out"

# steps FOLDER loads the tables after each step, and compares them with what the switches then have.
steps() {
	for table in "$1"/step-*.lfts; do
		name=${1}-$(basename "$table" .lfts)
		load "$table" "$name"
		expect_part '/entries differ/p' 0 turnproof compare "$table" "$name/lfts.dump" --network "$name/topology.ibnetdiscover"
		expect_part '/ deadlock-free  /p' 0 turnproof check "$name"
	done
}

say "8:00, the fabric in service: 16 switches, dimension order"
expect 0 turnproof convert mesh:4x4 --to ibnetdiscover -o whole.topo
expect 0 turnproof table mesh:4x4 -r dor --kind next-hops --format opensm -o dor.lfts
start whole.topo
load dor.lfts now
expect_part '/ deadlock-free  /p' 0 turnproof check now

say "8:10, tables that do without the cable from switch 5, port 1, to switch 6, port 2"
sed '/^switchguid=0x200005(/,/^$/{/^\[1\]/d}
/^switchguid=0x200006(/,/^$/{/^\[2\]/d}' whole.topo > without.topo
expect 0 turnproof table without.topo -r 'updown,root=#0' --paths table --kind next-hops --format opensm -o around.lfts
expect_part '/ deadlock-free  /p' 0 turnproof check without.topo --routing around.lfts

say "8:15, may OpenSM just load them? No. In three steps? Yes, and packets flow all the time"
expect_part '/differ/p;/^REFUTED/p;/^PROVED/,/^$/p' 0 turnproof reroute whole.topo --old dor.lfts --new around.lfts -o out
expect_part /^claim/p 0 turnproof-check out/mixture.cert
expect_part /^claim/p 0 turnproof-check out/order.cert
steps out

say "8:30, the cable is taken out. The tables stay as they are; no packet misses the cable"
pull S-0000000000200005 1
load around.lfts pulled
expect_part '/cable gone/p;/entries differ/p;/pairs of hosts take/p' 0 turnproof compare out-step-03 pulled
expect_part /^PROVED/p 0 turnproof check pulled

say "11:00, the cable is back, and so is dimension order: the steps in the other direction"
plug S-0000000000200005 1
expect_part '/differ/p;/^REFUTED/p;/^PROVED/,/^$/p' 0 turnproof reroute whole.topo --old around.lfts --new dor.lfts -o back
expect_part /^claim/p 0 turnproof-check back/order.cert
steps back
