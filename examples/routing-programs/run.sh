#!/bin/sh
# A routing program is refuted, changed, refuted again, corrected and proved for every size.
# Then the same file is checked and simulated on a network, and written as a table. At the
# end, the channel numbering of a paper is checked.
# Usage: run.sh [FOLDER FOR OUTPUT], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
cd "$here"

if turnproof version | grep -q 'without Z3'; then
  echo 'this build has no Z3: nothing is proved for every size' >&2
  exit 77
fi

say "Any shortest path: four packets block each other on the smallest mesh"
expect 1 turnproof prove first-try.star
say "The same file, the same network, check"
expect 1 turnproof check mesh:2x2 --routing first-try.star --figure "$out/first-try.svg"

say "Less freedom, still wrong"
expect 1 turnproof prove still-wrong.star

say "Mended: proved for every mesh"
expect 0 turnproof prove mended.star --obligations "$out/mended.smt2"

say "The same file on one network: checked, simulated, written as a table"
expect 0 turnproof check mesh:8x8 --routing mended.star --simulate
expect 0 turnproof table mesh:2x2 --routing mended.star --kind turns --format markdown

say "North-First+1: the numbering printed in its paper, on every torus"
expect 0 turnproof prove nf+1-as-printed
