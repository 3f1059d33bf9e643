package turnaddition

import (
	"embed"
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

//go:embed files
var files embed.FS

// Paper returns the paper with its items.
func Paper() paper.Paper {
	p := paper.Paper{
		Name: "turn-addition", Title: "A deadlock avoidance routing method to improve traffic balance", Files: files,
		Source: "K. Nakashima, A. Naruse, S. Sumimoto and K. Kumon, IPSJ Transactions on Advanced Computing Systems 4(4), 2011",
		Notes: []string{"TP is turn prohibition. Throughput is 1/M, M being the load of the busiest link (§5.1.2). " +
			"Figures 8 to 15, 23 and 24 have our own trees."},
	}
	p.Items = append(p.Items, drawings()...)
	p.Items = append(p.Items,
		paper.Item{Name: "turn-addition/concentration", Section: "section 2.3, section 4.1.1",
			About: "Where the methods prohibit turns, on random networks of 50 switches", Seeds: 10, Evidence: paper.Sample, Compute: concentration,
			Claims: concentrationClaims()},
		paper.Item{Name: "turn-addition/table-1", Section: "section 3.2.3", About: "Traffic balance by the place of the joint, and with failed links",
			Seeds: 10, Points: joinedPoints, Beside: besideNames(), Differs: "They name wires, and paths between the trees. 128 servers a " +
				"tree. Numbers beside grades: throughput inside and between. Links to top switches fail at random.",
			Evidence: paper.Check, Compute: joinedAndFailed, Claims: table1Claims()},
		paper.Item{Name: "turn-addition/figure-16", Section: "section 4.1.3",
			About:    "The program of turn addition, on the 7-switch network where it leaves a cycle",
			Compute:  printedProgram,
			Evidence: paper.Check, Claims: programClaims()},
		paper.Item{Name: "turn-addition/figure-17", Section: "section 4.1.3",
			About:    "A turn as a data structure: turns in a random order that the program visits, on a network of 10, 30, 50, 70 switches",
			Evidence: paper.Sample, Compute: cost, Claims: costClaims()},
		paper.Item{Name: "turn-addition/figure-18", Section: "section 4.1.4", About: "Turn addition on six switches",
			Differs: "A to C are our (0,0) to (2,0), D to F (0,1) to (2,1).",
			Drawing: []string{`turns mesh:3x2 --method turn-addition --form paper --order-file files/example.order -o set.json`,
				`draw turns mesh:3x2 -r set.json --hosts hidden --title "Turn addition on six switches"`}, Compute: workedExample,
			Evidence: paper.Check, Claims: exampleClaims()},
		paper.Item{Name: "turn-addition/figure-19", Section: "section 4.1.4", About: "The dependencies in which turn addition searches for a loop",
			Drawing: []string{`draw cdg mesh:3x2 -r turn-addition --title "Dependencies after turn addition"`}},
		paper.Item{Name: "turn-addition/figure-20", Section: "section 4.2",
			About:    "Reachability: pairs without a path on random networks",
			Evidence: paper.Sample, Seeds: 10, Compute: reachable, Claims: reachableClaims()},
		paper.Item{Name: "turn-addition/single-tree", Section: "section 5.3, section 6", About: "Prohibited turns on fat trees",
			Readings: true, Beside: treeNames(), Differs: "They are of the turn model's tree.",
			Evidence: paper.Check, Compute: singleTree, Claims: singleTreeClaims()},
		paper.Item{Name: "turn-addition/figure-21", Section: "section 5.2",
			About: "Throughput of random networks, 10 to 100 switches of 10 links and 10 servers",
			Seeds: 10, Readings: true, Differs: "Each pair takes the least loaded channels, three times in turn.",
			Evidence: paper.Sample, Compute: randomThroughput, Charts: sizeCharts, Claims: randomClaims()},
		paper.Item{Name: "turn-addition/figure-22", Section: "section 5.3.1", About: "Throughput of two joined fat trees, by where they are joined",
			Readings: true, Points: joinedPoints, Beside: append(besideNames(), fewTop.name), Wide: true,
			Differs:  "128 servers a tree. Wires at the top and bottom are straight.",
			Evidence: paper.Check, Compute: joinedByPlace, Charts: joinCharts, Claims: placeClaims()},
		paper.Item{Name: "turn-addition/figure-23", Section: "section 5.3.1", About: "Joined at middle switches, turn addition",
			Drawing: set("pair-middle", "turn-addition", "Joined in the middle, turn addition")},
		paper.Item{Name: "turn-addition/figure-24", Section: "section 5.3.1", About: "Joined at bottom switches, turn addition",
			Drawing: set("pair-bottom", "turn-addition", "Joined at the bottom, turn addition")},
		paper.Item{Name: "turn-addition/closed-joints", Section: "section 5.3", About: "Ends of joining links without an allowed turn, of 32",
			Readings: true, Beside: wireNames(), Differs: "128 servers a tree.", Evidence: paper.Check, Compute: closedJoints, Claims: closedClaims()},
		paper.Item{Name: "turn-addition/figure-25", Section: "section 5.3.2", About: "Throughput of two fat trees joined at middle switches, by size",
			Readings: true, Points: joinedPoints, Beside: besideNames(),
			Wide: true, Differs: "No reading gives all statements. We do not balance paths of 8,192 servers.",
			Evidence: paper.Check, Compute: joinedBySize, Charts: joinCharts, Claims: sizeClaims()},
		paper.Item{Name: "turn-addition/table-2", Section: "section 5.3.2", About: "Share of prohibited turns at joining links", Readings: true,
			Evidence: paper.Check, Points: joinedPoints, Beside: wireNames(), Compute: joiningTurns, Claims: shareClaims()},
	)
	return p
}

// set returns the commands that draw the turns which a method prohibits on a pair of trees.
func set(network, method, title string) []string {
	return []string{fmt.Sprintf("turns files/%s.yaml --method %s -o set.json", network, method),
		fmt.Sprintf(`draw turns files/%s.yaml -r set.json --hosts hidden --title "%s"`, network, title)}
}

// drawings are figures 1 to 15, which explain existing methods.
func drawings() []paper.Item {
	const updown = "updown --root t1 --ties id"
	item := func(name, section, about, differs string, drawing ...string) paper.Item {
		return paper.Item{Name: "turn-addition/figure-" + name, Section: section, About: about, Differs: differs, Drawing: drawing}
	}
	return []paper.Item{
		item("1", "section 2.1", "Deadlock: four packets on a ring, each to the opposite server", "",
			`draw deadlock ring:4 -r dor --hosts hidden --title "Deadlock on a ring"`),
		item("2a", "section 2.1", "The cycle of dependencies between buffers", "", `draw cdg ring:4 -r dor --title "Channel dependencies on a ring"`),
		item("2b", "section 2.1", "The same cycle as a loop of turns", "", `draw cycle ring:4 -r dor --hosts hidden --title "Loop of turns on a ring"`),
		item("3", "section 2.2", "Additional virtual channels, so that no loop of turns is closed", "",
			`draw ranks ring:4,vcs=2 -r dor --hosts hidden --title "Two VCs on a ring"`),
		item("4", "section 2.2", "The same by prohibited turns", "",
			`draw turns ring:4 -r turn-addition --title "Turns prohibited on a ring"`),
		item("5a", "section 3.1.1", "A fat tree of two levels, built from large switches",
			"",
			`draw network fattree:k=4,levels=2 --title "Two levels"`),
		item("5b", "section 3.1.1", "The same with three levels, built from small switches", "",
			`draw network files/tree.yaml --title "Three levels"`),
		item("6", "section 3.1.2", "The turns that up*/down* prohibits on a fat tree", "",
			`draw turns files/tree.yaml -r updown,root=t1,ties=id,release=false --title "Fat tree, up*/down*"`),
		item("7", "section 3.1.2", "The turns that TP prohibits on a fat tree", "",
			`draw turns files/tree.yaml -r tp,release=false --title "Fat tree, turn prohibition"`),
		item("8", "section 3.2.2", "Two fat trees joined at top switches, up*/down*", "", set("pair-top", updown, "Joined at the top, up*/down*")...),
		item("9", "section 3.2.2", "The same with links missing", "", set("pair-top-cut", updown,
			"Two links missing, up*/down*")...),
		item("10", "section 3.2.2", "Joined at top switches, TP", "", set("pair-top", "tp", "Joined at the top, turn prohibition")...),
		item("11", "section 3.2.2", "Joined at middle switches, up*/down*", "", set("pair-middle", updown,
			"Joined in the middle, up*/down*")...),
		item("12", "section 3.2.2", "Joined at middle switches, TP", "", set("pair-middle", "tp", "Joined in the middle, turn prohibition")...),
		item("13", "section 3.2.2", "The same without some switches, up*/down*", "The second tree has no top switches.",
			set("pair-middle-part", updown, "A part left out, up*/down*")...),
		item("14", "section 3.2.2", "Joined at bottom switches, up*/down*", "", set("pair-bottom", updown,
			"Joined at the bottom, up*/down*")...),
		item("15", "section 3.2.2", "Joined at bottom switches, TP", "", set("pair-bottom", "tp", "Joined at the bottom, turn prohibition")...),
	}
}
