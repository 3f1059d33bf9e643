#!/bin/sh
# Two streams of packets share one channel before they enter a ring, after L. Schwiebert (SPAA 1997).
# The dependency graph has a cycle. If packets never pause, no deadlock is reached. If one access path
# is longer by a channel, a deadlock is reached.
# Usage: run.sh [FOLDER FOR CERTIFICATES], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cd "$here"

say "Access paths of the same length, no pauses: proved"
expect 0 turnproof check same.csv --routing same-paths.csv --flows p:r3,q:r1 --switching wormhole --pauses none --certificate "$out/same.cert"
expect 0 turnproof-check "$out/same.cert" same.csv same-paths.csv

say "One access path is longer by a channel, no pauses: refuted, by a run"
expect 1 turnproof check longer.csv --routing longer-paths.csv --flows p:r3,q:r1 --switching wormhole --pauses none --certificate "$out/longer.cert"
expect 0 turnproof-check "$out/longer.cert" longer.csv longer-paths.csv

say "If packets may pause, both are refuted and reached"
expect_part '/REFUTED  /p;/^Reached/p' 1 turnproof check same.csv --routing same-paths.csv --flows p:r3,q:r1 --switching wormhole
expect_part '/REFUTED  /p;/^Reached/p' 1 turnproof check longer.csv --routing longer-paths.csv --flows p:r3,q:r1 --switching wormhole

say "The simulator with one flit per buffer: the first network does not freeze, the second one does"
for seed in 1 2 3; do
  for name in same longer; do
    status=0
    [ $name = same ] || status=1
    expect_part '/delivered/p;/DEADLOCK/p' $status turnproof sim $name.csv -r $name-paths.csv --flows p:r3,q:r1 --switching wormhole \
      --load 1 --length 1 --length 2 --length 3 --length 4 --length 6 --buffer 1 --clocks 20000 --seed $seed
  done
done
