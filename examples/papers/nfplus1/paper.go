package nfplus1

import (
	"embed"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

//go:embed files
var files embed.FS

const curvePoints = "nf1/curves" // points that figures 12 to 15 share

// Paper returns the paper with its items.
func Paper() paper.Paper {
	return paper.Paper{
		Name:   "nf1",
		Title:  "Adaptive routing of the 2-D torus network (North-First+1)",
		Source: "K. Matoyama, Y. Miura and S. Watanabe, Shonan Institute of Technology, RC-005",
		Notes: []string{"The paper describes its curves in words, without values. It gives no packet length, no kind of switching and no clocks " +
			"of a hop. We judge eight readings side by side."},
		Files: files,
		Items: append(routingItems(), measuredItems()...),
	}
}

// routingItems are the items of sections 2 to 4: turn models, and the proof of NF+1.
func routingItems() []paper.Item {
	return []paper.Item{
		{Name: "nf1/figure-1", Section: "section 2.1", About: "A torus of two dimensions",
			Drawing: []string{`draw network torus:4x4 --hosts hidden --title "4x4 torus"`}},
		{Name: "nf1/two-turn-models", Section: "section 3.1", About: "Turn models of the 2-D mesh: shortest paths on 6x6, throughput on 8x8",
			Differs: "The simulations have reading (a) of figure 12.", Beside: []string{byPaths, byRandom, byTranspose}, Compute: meshes,
			Evidence: paper.Proof, Claims: meshClaims()},
		{Name: "nf1/figure-2", Section: "section 3.2", About: "The turn model of dimension order",
			Drawing: []string{`draw classes torus:2,vcs=2,rule=nf+1 -r dimension-order --title "Dimension order, y first"`}},
		{Name: "nf1/figure-3", Section: "section 3.2", About: "The turn model of North-First",
			Drawing: []string{`draw classes torus:2,vcs=2,rule=nf+1 -r nf --title "North-First"`}},
		{Name: "nf1/figure-4", Section: "section 4.1", About: "The cycle of dependencies that North-First leaves on a torus",
			Differs:  "We show a shortest cycle on the 4x4 torus, with the packets that hold it.",
			Drawing:  []string{`draw cycle torus:4x4,vcs=2 -r nf --hosts hidden --title "North-First on a torus: a cycle"`},
			Evidence: paper.Check, Compute: cycles([]routing{{"North-First", "nf", 2}}), Claims: northFirstClaims()},
		{Name: "nf1/figure-5", Section: "section 4.1", About: "The turn model of North-First+1",
			Drawing: []string{`draw classes torus:2,vcs=2,rule=nf+1 -r nf+1 --title "North-First+1"`}},
		{Name: "nf1/every-size", Section: "section 4.3, section 6", About: "The published sets of class turns on the torus of every size",
			Evidence: paper.Proof, Compute: everySizeSets, Claims: everySizeClaims()},
		{Name: "nf1/figure-6", Section: "section 4.1", About: "Dimension order as a program: channels of a shortest cycle, 0 for none",
			Differs:  "The program is dor.torus.star in examples/routing-programs/published.",
			Evidence: paper.Check, Compute: cycles([]routing{{"without virtual channels", "dor,order=yx", 1}, {"2 VCs", "dor,order=yx", 2}}),
			Claims: dimensionOrderClaims()},
		{Name: "nf1/figure-7", Section: "section 4.1, section 4.2",
			About:    "NF+1 as a program: channels of a shortest cycle with rules left out, 0 for none",
			Differs:  "The program is nf+1.torus.star in examples/routing-programs/published; a test compares its hops with the built-in, in order.",
			Evidence: paper.Check, Compute: cycles([]routing{{"NF+1", "nf+1", 2}, {"without state 2", "nf+1,reading=without-state-2", 2},
				{"without state 3",
					"nf+1,reading=without-state-3", 2},
				{"without state 4", "nf+1,reading=without-state-4", 2}}), Claims: stateClaims()},
		{Name: "nf1/shortest-paths", Section: "section 4.1", About: "Hops of NF+1 that do not come nearer to the destination", Compute: shortest,
			Evidence: paper.Check, Claims: shortestClaims()},
		{Name: "nf1/channel-numbers", Section: "section 4.3", About: "Dependencies on which the channel numbers of section 4.3 do not increase",
			Compute: numbers, Evidence: paper.Check, Claims: numberClaims()},
		{Name: "nf1/figure-8", Section: "section 4.3", About: "Channel numbers on a 4x4 torus that increase along every path, VC 0",
			Differs: "The numbers are computed from the formula of section 4.3.",
			Drawing: []string{`draw ranks torus:4x4,vcs=2 -r files/nf+1-as-printed.torus.star --stated --vc 0 ` +
				`--hosts hidden --title "Channel numbers, VC 0"`}},
		{Name: "nf1/figure-9", Section: "section 4.3", About: "Channel numbers on a 4x4 torus that increase along every path, VC 1",
			Differs: "Only channels of VC 1 that packets use have a number.",
			Drawing: []string{`draw ranks torus:4x4,vcs=2 -r files/nf+1-as-printed.torus.star --stated --vc 1 ` +
				`--hosts hidden --title "Channel numbers, VC 1"`}},
	}
}

// measuredItems are the items of sections 5 and 6: simulations, and failed links.
func measuredItems() []paper.Item {
	return []paper.Item{
		{Name: "nf1/figure-10", Section: "section 5.1", About: "A matrix transpose",
			None: "it is a sketch. sim --traffic anti-transpose is the matrix with PE(0) at the bottom left. Mirrored at the other diagonal " +
				"every packet " +
				"goes up or to the right, and both routings do the same"},
		{Name: "nf1/figure-11", Section: "section 5.2", About: "A processing element",
			None: "it is a block diagram of hardware; docs/simulator.md describes our switch"},
		{Name: "nf1/figure-12", Section: "section 5.4", About: "Mean transfer time over throughput, random traffic", Differs: leftOpen,
			Readings: true, Beside: readingNames(),
			Evidence: paper.Sample, Points: curvePoints, Compute: figure(random, false), Charts: paper.ByReading(timeCharts), Claims: randomClaims()},
		{Name: "nf1/figure-13", Section: "section 5.5", About: "Mean transfer time over throughput, random traffic with 10 % of the packets to PE(0)",
			Readings: true, Beside: readingNames(), Points: curvePoints, Compute: figure(hotSpot, false),
			Evidence: paper.Sample, Charts: paper.ByReading(timeCharts), Claims: hotSpotClaims()},
		{Name: "nf1/figure-14", Section: "section 5.6", About: "Mean transfer time over throughput, matrix transpose", Differs: mirrored + bothOrders,
			Readings: true, Beside: readingNames(),
			Evidence: paper.Sample, Points: curvePoints, Compute: figure(transpose, true), Charts: paper.ByReading(timeCharts), Claims: transposeClaims()},
		{Name: "nf1/figure-15", Section: "section 5.6", About: "Throughput over requested load, matrix transpose",
			Differs: mirrored + " Numbers: the throughput of NF+1 divided by that of dimension order.", Readings: true, Beside: readingNames(),
			Evidence: paper.Sample, Points: curvePoints, Compute: requests, Charts: paper.ByReading(requestCharts), Claims: requestClaims()},
		{Name: "nf1/fault-tolerance", Section: "section 6", About: "Pairs of PEs that one failed link of an 8x8 torus cuts", Compute: faults,
			Evidence: paper.Check, Claims: faultClaims()},
		{Name: "nf1/without-virtual-channels", Section: "section 6",
			About:   "Highest throughput, with routings of the torus that need no virtual channels",
			Differs: "The paper leaves this comparison as future work. The reading is (a) of figure 12.", Points: curvePoints, Compute: withoutRows},
	}
}

const (
	leftOpen = "The paper states none of these. Readings other than (a) have one seed, (a) has three. Numbers: the highest throughput of NF+1 " +
		"divided by that of dimension order; the throughput at load 1 divided by the highest, dimension order in parentheses."
	mirrored   = "We mirror at the diagonal from the top left, PE(0) being at the bottom left (see nf1/figure-10)."
	bothOrders = " Numbers: the highest throughput of NF+1 divided by that of dimension order; the throughput from which on dimension order is " +
		"slower; of dimension order and NF+1 the time at load 1 divided by the longest, and the mean distance at load 1 (8.5 at load 0.01)."
)
