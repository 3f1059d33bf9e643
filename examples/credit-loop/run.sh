#!/bin/sh
# A fabric of 16 switches has a credit loop with the tables of OpenSM's up/down
# engine. This script finds and draws the loop, and proves that other tables are
# deadlock-free. The independent checker judges each verdict.
# Usage: run.sh [FOLDER FOR FIGURES AND CERTIFICATES], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cd "$here/../fabrics/random16-d4-s2"

say "OpenSM's up/down engine: refuted"
expect 1 turnproof check topology.ibnetdiscover --routing updn/opensm-lfts.dump.gz --figure "$out/loop.svg" --certificate "$out/loop.cert"
expect 0 turnproof draw cycle topology.ibnetdiscover --routing updn/opensm-lfts.dump.gz -o "$out/loop.png"

say "The same fabric with a sound table: proved"
expect 0 turnproof check topology.ibnetdiscover --routing file-synth-updown/opensm-lfts.dump.gz --certificate "$out/sound.cert"
expect 0 turnproof draw paths topology.ibnetdiscover --routing file-synth-updown/opensm-lfts.dump.gz --from H35 --to H19 -o "$out/paths.svg"

say "turnproof-check judges both certificates"
expect 0 turnproof-check "$out/loop.cert" topology.ibnetdiscover updn/opensm-lfts.dump.gz
expect 0 turnproof-check "$out/sound.cert" topology.ibnetdiscover file-synth-updown/opensm-lfts.dump.gz

say "A page with verdicts, loads and pictures of both tables"
expect 1 turnproof report topology.ibnetdiscover --routing updn/opensm-lfts.dump.gz --routing file-synth-updown/opensm-lfts.dump.gz -o "$out/report.html"

say "Written: $(cd "$out" && ls | tr '\n' ' ')"
[ -n "${1:-}" ] || echo "in examples/credit-loop/out; open report.html in a browser"
