#!/bin/sh
# Replaces the tables of a fabric that have a credit loop. The new tables come from turn
# addition. A real OpenSM loads them into simulated switches; they are read back and proved.
# Usage: run.sh [FOLDER FOR OUTPUT], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
PATH=$PATH:/usr/sbin:/sbin
for tool in ibsim opensm ibnetdiscover; do
	command -v "$tool" >/dev/null || { echo "no $tool here: Debian packages opensm, ibsim-utils, infiniband-diags"; exit 77; }
done
cd "$here/../fabrics/random16-d4-s2"

say "OpenSM's up/down engine: refuted"
expect 1 turnproof check topology.ibnetdiscover --routing updn/opensm-lfts.dump.gz

say "Tables of turn addition, as opensm -R file -U loads them"
expect 0 turnproof table topology.ibnetdiscover --routing turn-addition --kind next-hops --format opensm -o "$out/lfts"
head -n 4 "$out/lfts"

say "OpenSM loads them into simulated switches; they are read back from there"
expect 0 sh "$here/load.sh" topology.ibnetdiscover "$out/lfts" "$out/read-back"
head -n 4 "$out/read-back/lfts.dump" | sed 's/path slid .* guid/path ... guid/'

say "The tables in the switches: proved"
expect 0 turnproof check "$out/read-back/topology.ibnetdiscover" --routing "$out/read-back/lfts.dump"
