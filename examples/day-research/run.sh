#!/bin/sh
# The day of an author of a paper on a routing algorithm. A first idea fails, the second is
# proved for every size. The tables, curves and pictures of the paper use the same file.
# Usage: run.sh [FOLDER FOR OUTPUT], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
if turnproof version | grep -q 'without Z3'; then
	echo 'this build has no Z3: nothing is proved for every size'
	exit 77
fi
cp "$here/../routing-programs/first-try.star" "$out/idea.star"
cp "$here/../routing-programs/mended.star" "$out/west-comes-first.star"
cd "$out"

say "9:00, known results: of the 16 choices of one prohibited turn of each cycle, 12 are deadlock-free, in 3 classes"
expect_part 1,8p 0 turnproof enumerate mesh:2 --choices one-per-cycle

say "9:10, an idea: refuted, on the smallest mesh"
expect 1 turnproof prove idea.star

say "9:20, the second idea: proved for every mesh; any solver can check the obligations"
expect 0 turnproof prove west-comes-first.star --obligations obligations.smt2

say "9:30, comparison with published methods: metrics as a table, latency under load as curves"
expect_part '/^ /s/ *[^ ]*$//p' 0 turnproof turns mesh:8x8 --compare # without the seconds
cat > experiment.yaml <<'END'
networks: ["mesh:8x8"]
routings: [west-comes-first.star, dor, odd-even]
traffics: [transpose]
loads: [0.05, 0.10, 0.15, 0.20]
model: booksim
packet: 5
buffer: 8
clocks: 6000
END
expect 0 turnproof sweep experiment.yaml --latency latency.svg --csv results.csv

say "10:00, the tables of the paper, for LaTeX and for pandas"
expect 0 turnproof table mesh:2x2 --routing west-comes-first.star --kind turns --format latex -o turns.tex
cat turns.tex
expect 0 turnproof table mesh:8x8 --routing west-comes-first.star --kind input-hops --format csv -o hops.csv

say "10:10, the pictures, for a column of 85 mm"
expect 0 turnproof draw cycle mesh:2x2 --routing idea.star --width 85 -o cycle.svg
expect 0 turnproof draw classes mesh:2 --routing west-first --width 85 -o prohibited.svg

say "10:20, a report for the supplement"
expect 0 turnproof report mesh:4x4 --routing west-comes-first.star --routing dor -o supplement.html
