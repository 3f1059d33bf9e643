package flowlimiting

import (
	"github.com/turnproof/turnproof/examples/papers/paper"
)

// simulations names the points that the items share.
const simulations = "flow-limiting/simulations"

// Paper returns the paper with its items.
func Paper() paper.Paper {
	return paper.Paper{
		Name:   "flow-limiting",
		Title:  "Limiting the flow of packets to improve the performance of interconnection networks",
		Source: "T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, Utsunomiya University",
		Notes: []string{"The paper gives its results as charts without values; its text describes them. Names: do dimension order, sa simple " +
			"adaptive, cl Cross-Line, dp and df Duato's protocol (minimal, non-minimal); BA base, TE entropy throttling, GT(n) gating at " +
			"occupancy level n. Packets have 8 flits, buffers 15 slots. [The manual](../../flow-limiting.md) explains all rules and readings.",
			"Words of the readings: a closed gate by packet stops heads (section 3.3.2). Section 4.1.7 stops flits, but such gates can freeze under " +
				"every routing (see deadlock); all verdicts of figures 5 to 9 rest on gates by packet. Bits of own VCs: only the bit of the VC " +
				"that the packet takes closes its gate. Slots stored: a stored flit takes a slot. 17 bits: the printed sums run from 0 to 16. " +
				"vct: virtual cut-through, a VC is given only with room for the whole packet. First-come: an output serves the oldest request."},
		Items: []paper.Item{
			{Name: "flow-limiting/figure-1", Section: "section 2.2", About: "Virtual control channels of entropy throttling on an 8x8 torus",
				Differs: "We show how our simulator sends them: sums to the highest coordinate and back.",
				Drawing: []string{`draw sums torus:8x8 --title "Control channels, 8x8"`}},
			{Name: "flow-limiting/measures", Section: "section 2.4", About: "The network performance measure of made-up ramps",
				Evidence: paper.Sample, Compute: npm, Claims: npmClaims()},
			{Name: "flow-limiting/figure-2", Section: "section 3.3.1", About: "Ramp metering on a motorway", None: "it is a sketch of a road"},
			{Name: "flow-limiting/figure-3", Section: "section 3.3.2", About: "Gates in a switch, where packets join a straight path",
				Drawing: []string{`draw gates mesh:3x3 -r dor --gate both --at 4 --title "Gates before a channel to the east"`}},
			{Name: "flow-limiting/figure-4", Section: "section 4.2", About: "Clocks of one-shot collectives, routing alone", Readings: true,
				Evidence: paper.Sample, Points: simulations, Differs: lengths, Compute: withStudy(base), Charts: byPattern, Claims: baseClaims()},
			{Name: "flow-limiting/figure-5", Section: "section 4.2", About: "Clocks of one-shot collectives, the best of the parameters of each group",
				Evidence: paper.Sample, Readings: true, Points: simulations, Differs: lengths, Compute: withStudy(best), Charts: groupPanels,
				Wide: true, Claims: bestClaims()},
			{Name: "flow-limiting/figure-6", Section: "section 4.2", About: "Clocks of one-shot collectives, the best of all parameters", Readings: true,
				Evidence: paper.Sample, Points: simulations, Differs: lengths, Compute: withStudy(bestOfAll), Charts: byPattern, Claims: bestOfAllClaims()},
			{Name: "flow-limiting/figure-7", Section: "section 4.2", About: "Virtual control channels against a dedicated control network", Readings: true,
				Evidence: paper.Sample, Points: simulations, Differs: lengths, Compute: withStudy(control), Charts: paper.Drawn, Claims: controlClaims()},
			{Name: "flow-limiting/figure-8", Section: "section 4.2", About: "Packets sent and received over time", Readings: true, Wide: true,
				Differs: "One round. Windows of 10 clocks, of 100 for all-to-all. The text does not say which parameters the figure shows; we show " +
					"the strongest throttling (Rth 1, Pn 0.6) and " +
					"gates of turns (f4, level 8).",
				Evidence: paper.Sample, Compute: withStudy(courses), Charts: paper.Drawn, Claims: courseClaims()},
			{Name: "flow-limiting/all-to-all", Section: "section 4.2", About: "All-to-all under dimension order, the best of each group", Readings: true,
				Evidence: paper.Sample, Points: simulations, Differs: "One round.", Compute: withStudy(allToAll), Claims: allToAllClaims()},
			{Name: "flow-limiting/figure-9", Section: "section 4.3", About: "Steady traffic: critical load and network performance measure", Readings: true,
				Evidence: paper.Sample, Points: simulations, Wide: true,
				Differs: "The load rises to 0.6 within 30,000 clocks; the text does not give these. A window " +
					"of the measurement is a step of 0.012 of the load. The definitions of both measures are ours, from their description in section 2.4.",
				Compute: withStudy(ramp), Charts: paper.Drawn, Claims: rampClaims()},
			{Name: "flow-limiting/deadlock", Section: "section 4.4", About: "Which gates can freeze, on a 6x6 torus with bits of half a ring under f1",
				Evidence: paper.Check, Beside: gateNames(), Differs: "Section 4.1.7 stops single flits, section 3.3.2 packets. The paper does not say whose " +
					"bits close the gate of a VC. Occupancy level 8. The paper found its deadlocks by simulation. We prove and refute.",
				Compute: deadlocks, Claims: deadlockClaims()},
		},
	}
}

const lengths = "Ten rounds for random pairs, as in the paper; three for the other patterns, whose rounds differ little."
