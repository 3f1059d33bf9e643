#!/bin/sh
# The day of an engineer of a fabric of AI accelerators. A descriptor is refuted before the cluster is cabled, the loop is drawn, other
# settings are proved, and a folder of descriptors is checked as in CI. At the end seven public reports, each by one command.
# Usage: run.sh [FOLDER FOR OUTPUT], with turnproof on the PATH
set -eu
. "$(dirname "$0")/../story.sh"
if turnproof version | grep -q 'without Z3'; then
	echo 'this build has no Z3: nothing is proved for every size'
	exit 77
fi
cp "$here"/*.textproto "$here"/*.star "$out"
rm -rf "$out/reports" && cp -r "$here/reports" "$out/reports"
cd "$out"

short='/^PROVED  /p;/^REFUTED  /p;/^UNDECIDED  /p;/^Fabric/p;/^  [0-9]* of [0-9]* cables/p' # verdicts

say "9:00, the descriptor of a cluster: two pods, tori of 4x4, with eight cables"
expect_part "$short" 1 turnproof check pods.textproto --fabric FABRIC_2D_TORUS_XY --rules 2026-10 --certificate loop.cert --figure loop.svg
expect_part '/^claim/p' 0 turnproof-check loop.cert

say "9:10, is it this placement of the cables, or every one? Some are refuted; as meshes, every one is proved"
expect_part "/placements/s/[0-9]* of [0-9]* placements/some placements/p" 1 turnproof check pods.textproto --fabric FABRIC_2D_TORUS_XY --rules 2026-10 --cables any
expect_part "$short" 0 turnproof check pods.textproto --fabric FABRIC_2D --rules 2026-10 --cables any

say "9:20, the rings alone are free: traffic within the pods has the bubble rule"
cat > intra.json <<'END'
{"traffic": "intra"}
END
expect_part "$short" 0 turnproof check pods.textproto --fabric FABRIC_2D_TORUS_XY --rules 2026-10 --fabric-options intra.json

say "9:30, every size: a mesh of lines, and a torus with the bubble rule"
expect_part '1,6p' 0 turnproof prove rows-first.star
expect_part '1,6p' 0 turnproof prove rings.star --flow bubble --packet 1 --buffer 2

say "10:00, in CI: the whole folder, with JUnit and SARIF"
expect_part '/accepted/!p' 1 turnproof check reports --rules 2025-09,2026-10 --junit junit.xml --sarif findings.sarif

say "11:00, seven public reports: before the fix, and after it"
cd reports
expect_part "$short" 1 turnproof check 34366-loop.textproto --rules 2025-09 --fabric-options 34366-flows.json
expect_part "$short" 0 turnproof check 34366-loop.textproto --rules 2025-12 --fabric-options 34366-flows.json
expect_part "$short" 1 turnproof check 29213-two-galaxies.textproto --rules 2025-09
expect_part "$short" 0 turnproof check 29213-two-galaxies.textproto --rules 2025-12
expect_part "$short" 1 turnproof check 28207-closet.textproto --rules 2025-09 --flows 28207-recipes.json
expect_part "$short" 1 turnproof check 28207-closet.textproto --rules 2025-12 --flows 28207-recipes.json
expect_part "$short" 1 turnproof check 54650-stages.textproto --fabric FABRIC_2D_TORUS_Y --rules 2026-08
expect_part "$short" 0 turnproof check 54650-line.textproto --fabric FABRIC_2D_TORUS_Y --rules 2026-09
expect_part "$short" 0 turnproof check 54650-stages.textproto --fabric FABRIC_2D_TORUS_Y --rules 2026-10
expect_part "$short" 1 turnproof check 56298-mixed.textproto --fabric 0=FABRIC_2D_TORUS_XY,1=FABRIC_2D --rules 2026-09
expect_part "$short" 0 turnproof check 56298-mixed.textproto --fabric 0=FABRIC_2D_TORUS_XY,1=FABRIC_2D --rules 2026-10
expect_part "$short" 1 turnproof check 50946-quiet-box.textproto --fabric FABRIC_2D_TORUS_Y --rules 2026-06
expect_part "$short" 0 turnproof check 50946-quiet-box.textproto --fabric FABRIC_2D_TORUS_Y --rules 2026-08
expect_part "$short" 1 turnproof check 46375-pass-through.textproto --rules 2026-06
expect_part "$short" 0 turnproof check 46375-pass-through.textproto --rules 2026-06 --fabric-options 46375-one-sender.json
