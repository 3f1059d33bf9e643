package turnmodel

import (
	"embed"
	"slices"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

//go:embed files
var files embed.FS

// Paper returns the paper with its items.
func Paper() paper.Paper {
	return paper.Paper{
		Name: "turn-model", Title: "Routing algorithms based on a 2-D turn model for irregular networks", Files: files,
		Notes:  []string{"Figures 1, 2, 11 and 12 have other networks, because the text does not give those of the paper."},
		Source: "A. Jouraku, M. Koibuchi and H. Amano, IPSJ Transactions on Advanced Computing Systems 44(SIG 11), 2003",
		Items:  slices.Concat(directionItems(), turnItems(), measuredItems()),
	}
}

// directionItems are the items of sections 2 to 3.2.2: directions on a tree, and cycles of them.
func directionItems() []paper.Item {
	return []paper.Item{
		{Name: "turn-model/figure-1", Section: "section 2", About: "The up directions of up*/down* on a breadth-first tree",
			Drawing: []string{`draw updown files/nine.yaml -r updown,ties=id,root=0 --title "Up directions, root 0"`}},
		{Name: "turn-model/figure-2", Section: "section 2", About: "The turns that up*/down* prohibits: always a turn and its reverse",
			Drawing:  []string{`draw turns files/nine.yaml -r updown,ties=id,root=0,release=false --title "up*/down*, root 0"`},
			Evidence: paper.Proof, Compute: updownPairs, Claims: pairClaims()},
		{Name: "turn-model/figure-3", Section: "section 3.1", About: "Depth and horizontal spread of every switch",
			Drawing:  []string{`draw hv files/nine.yaml -r updown,root=0 --directions=false --title "Depth and horizontal spread, root 0"`},
			Evidence: paper.Proof, Compute: spreads, Claims: spreadClaims()},
		{Name: "turn-model/table-1", Section: "section 3.1.3", About: "Direction of a channel by the coordinates of its ends",
			Evidence: paper.Check, Compute: directions, Claims: directionClaims()},
		{Name: "turn-model/figure-4", Section: "section 3.1.3", About: "The H/V graph: every channel has one of four directions",
			Drawing: []string{`draw hv files/nine.yaml -r updown,root=0 --title "H/V graph, root 0"`}},
		{Name: "turn-model/figure-5", Section: "section 3.2.2", About: "The twelve class turns between different directions",
			Drawing: []string{`draw classes files/nine.yaml --title "Class turns of an H/V graph"`}},
		{Name: "turn-model/figure-6", Section: "section 3.2.3", About: "The basic cycles that a link outside the tree closes",
			Differs: "Each cycle has its own picture. L3 is shown without its mirror image.",
			Drawing: []string{`draw basic files/nine.yaml --cycles L1,L2,L3 --title "Basic cycles L1 to L3"`}},
	}
}

// turnItems are the items of sections 3.2.3 and 3.2.4: the turns that L-turn and R-turn prohibit.
func turnItems() []paper.Item {
	return []paper.Item{
		{Name: "turn-model/figure-7a", Section: "section 3.2.3", About: "The class turns that L-turn prohibits: turns to the left and up",
			Differs: "The figure also shows conditional turns, which come later.",
			Drawing: []string{`draw classes files/nine.yaml -r lturn-alpha --title "Class turns, L-turn/α"`}},
		{Name: "turn-model/figure-7b", Section: "section 3.2.3", About: "The class turns that R-turn prohibits: turns from the right and down",
			Drawing: []string{`draw classes files/nine.yaml -r rturn-alpha --title "Class turns, R-turn/α"`}},
		{Name: "turn-model/figure-7c", Section: "section 3.2.3", About: "The prohibited turns on the network of figure 2",
			Drawing: []string{`draw turns files/nine.yaml -r lturn-alpha,root=0 --title "L-turn/α, root 0"`}},
		{Name: "turn-model/theorem-1", Section: "section 3.2.3", About: "Cycles of class turns and the sets P1 and P2",
			Evidence: paper.Proof, Compute: theorem1, Claims: theorem1Claims()},
		{Name: "turn-model/figure-8", Section: "section 3.2.3", About: "The turn dependency graph without the turns that P1 prohibits, and its " +
			"basic cycles",
			Drawing: []string{`draw tdg files/nine.yaml -r lturn-alpha --title "Turn dependency graph without P1"`}},
		{Name: "turn-model/figure-9a", Section: "section 3.2.3", About: "The basic cycles L4 to L7 with P1'",
			Drawing: []string{`draw basic files/nine.yaml -r lturn-alpha --cycles L4,L5,L6,L7 --title "Basic cycles L4 to L7, L-turn/α"`}},
		{Name: "turn-model/figure-9b", Section: "section 3.2.3", About: "The basic cycles L4 to L7 with P1''",
			Drawing: []string{`draw basic files/nine.yaml -r lturn-beta --cycles L4,L5,L6,L7 --title "Basic cycles L4 to L7, L-turn/β"`}},
		{Name: "turn-model/theorem-2", Section: "section 3.2", About: "The four sets of class turns on every H/V graph",
			Differs:  "Each entry is proved for every network, with all five class turns prohibited. Cycle detection is judged on its own.",
			Evidence: paper.Proof, Compute: fourSets, Claims: fourSetClaims()},
		{Name: "turn-model/figure-10", Section: "section 3.2.4", About: "A redundant prohibition: another one already breaks the cycle",
			Differs: "We show one of the two cycles.",
			Drawing: []string{`draw redundant files/nine.yaml -r lturn-alpha,root=0 --title "Redundant prohibition, L-turn/α"`}},
		{Name: "turn-model/figure-11", Section: "section 3.2.4", About: "A cycle that cycle detection finds",
			Drawing: []string{`draw detected random:switches=10,degree=3,seed=3 -r lturn-alpha,root=1 --title "Detected cycle, L-turn/α, root s1"`}},
		{Name: "turn-model/cycle-detection", Section: "section 3.2.4", About: "What the marks of cycle detection leave, and its cost",
			Evidence: paper.Proof, Differs: "The paper does not say when marks on channels are cleared.", Readings: true, Beside: markNames(),
			Compute: detection, Claims: detectionClaims()},
	}
}

// measuredItems are the items of sections 3.2.5 and 5, on given or random networks.
func measuredItems() []paper.Item {
	return []paper.Item{
		{Name: "turn-model/theorem-3", Section: "section 3.2.5", About: "Pairs of switches connected by L-turn and R-turn on random networks",
			Evidence: paper.Sample, Differs: "Theorem 2 has the proof for every network.", Seeds: 10, Compute: connected, Claims: connectedClaims()},
		{Name: "turn-model/figure-12", Section: "section 3.2.5", About: "All paths of a pair under up*/down* and under L-turn", Wide: true,
			Drawing: []string{`draw paths random:switches=16,degree=4,seed=87 -r updown,ties=id,root=10 --against lturn-alpha,root=10 --from h5 --to h11 ` +
				`--title "Paths from h5 to h11"`},
			Evidence: paper.Check, Compute: pathsOfPair, Claims: pathClaims()},
		{Name: "turn-model/fat-trees", Section: "section 5.2", About: "Throughput 1/M and prohibited turns on fat trees",
			Differs:  "M is the load of the busiest link.",
			Evidence: paper.Check, Readings: true, Beside: treeNames(), Compute: fatTrees, Claims: fatTreeClaims()},
		{Name: "turn-model/root-rule", Section: "section 5.2", About: "The root of fewest crossing paths, on the networks of table 2",
			Evidence: paper.Sample, Seeds: 10, Readings: true, Beside: crossingNames(),
			Compute: crossingRoots,
			Claims:  crossingClaims()},
		{Name: "turn-model/table-2", Section: "section 5.3", About: "Prohibited turns and throughput on random networks of 64 switches with 4 links",
			Seeds: 10, Readings: true, Beside: besides(irregularSetups()), Differs: "In (a) bit reversal moves switches with all their hosts. " +
				"Our ten networks are random, too; those of the paper are not given.",
			Evidence: paper.Sample, Compute: irregularTable, Claims: table2Claims()},
		{Name: "turn-model/root-load", Section: "section 5.3", About: "Traffic near the root on the networks of table 2, uniform traffic",
			Evidence: paper.Sample, Seeds: 10, Differs: "Simulated as in the paper. Parts of all flits between switches.",
			Compute: concentration, Claims: concentrationClaims()},
		{Name: "turn-model/table-3", Section: "section 5.4", About: "Prohibited turns and throughput on the 8x8 torus", Readings: true,
			Beside:   besides(torusSetups()),
			Evidence: paper.Sample, Compute: torusTable, Claims: table3Claims()},
	}
}
