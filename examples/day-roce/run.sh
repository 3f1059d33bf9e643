#!/bin/sh
# The day of an engineer of a RoCE fabric: two spines and four leaves, routed by BGP (FRR). On Monday all is well. On Tuesday two cables have
# failed, all hosts still reach each other, and PFC can freeze the fabric.
# Usage: run.sh [FOLDER FOR OUTPUT], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
rm -rf "$out/monday" "$out/tuesday" "$out/cured" "$out/bounces" && cp -r "$here/monday" "$here/tuesday" "$out"
cd "$out"

short='/^PROVED  /p;/^REFUTED  /p;/^UNDECIDED  /p' # verdicts

say "Monday: the routes and neighbours of all switches (collect-ethernet.sh) are proved"
expect_part "$short;/^Valley/p" 0 turnproof check monday

say "Tuesday: two cables have failed. All pairs are connected, and four buffers can wait for each other"
expect_part "$short;/^Credit/,/^$/p;/^Valley/,\$p" 1 turnproof check tuesday --figure loop.svg --certificate loop.cert
expect_part '/^claim/p' 0 turnproof-check loop.cert

say "Does it really freeze? The flows of the loop, at full rate, with PFC"
expect_part '/^frames/p;/^FROZEN/,$p' 1 turnproof sim tuesday --ethernet pfc --traffic cycle

say "A watchdog ends each freeze, and loses half of the frames"
expect_part '/^all/p;/^watchdog/p' 0 turnproof sim tuesday --ethernet pfc,watchdog=200 --traffic cycle

say "The cure: one more lossless priority, and the fewest rules. config_db.json of SONiC is written, read back and proved"
expect_part '1,/^Premises/p' 0 turnproof priorities tuesday --sonic cured
cp cured/l1/config_db.json l1-config_db.json
expect_part "$short" 0 turnproof check cured --certificate cured.cert
expect_part '/^claim/p' 0 turnproof-check cured.cert

say "The same fabric with the rules: 16 flows of each pair, eight servers at each port"
expect_part '/^all/p;/^frames/p' 0 turnproof sim cured --ethernet pfc,flows=16,servers=8

say "Before the next failure: rules for all paths that bounce once, on the whole fabric"
expect_part '1,/^$/p;/^priorities/p;/^Tagger/p;/^rules/p;/^PROVED/p' 0 turnproof priorities monday --bounces 1 --sonic bounces
