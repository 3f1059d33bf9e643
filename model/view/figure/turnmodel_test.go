package figure

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// H/V graphs, turn sets and drawings for the tests of the 2-D turn model.

func mustHV(n *model.Network, root model.SwitchID) *hv.Graph {
	t, err := hv.NewTree(n, root, hv.Options{})
	if err != nil {
		panic(err)
	}
	g, err := hv.New(t)
	if err != nil {
		panic(err)
	}
	return g
}

func classTurns(names ...string) hv.ClassTurns {
	var s hv.ClassTurns
	for _, name := range names {
		t, err := hv.ParseClassTurn(name)
		if err != nil {
			panic(err)
		}
		s |= hv.Classes(t)
	}
	return s
}

// The sets P1 and P1' of the paper, section 3.2.3.
var (
	p1     = classTurns("LD>LU", "RU>LU", "RD>LU")
	p1more = classTurns("LD>RU", "LD>RD")
)

// ofClasses returns all turns of the given classes.
func ofClasses(g *hv.Graph, classes hv.ClassTurns) *model.TurnSet {
	return turnsWhere(g.Net, func(in, out model.ChannelID) bool {
		t, ok := g.ClassTurn(in, out)
		return ok && classes.Has(t)
	})
}

// downUp returns the turns that up*/down* prohibits.
func downUp(g *hv.Graph) *model.TurnSet {
	up, err := g.UpChannels("")
	if err != nil {
		panic(err)
	}
	return turnsWhere(g.Net, func(in, out model.ChannelID) bool { return !up[in] && up[out] })
}

func turnsWhere(n *model.Network, prohibits func(in, out model.ChannelID) bool) *model.TurnSet {
	s := model.NewTurnSet(n)
	for t := range model.Turns(n, false) {
		in, _ := n.Channel(t.In)
		out, _ := n.Channel(t.Out)
		if prohibits(in, out) {
			s.Add(t)
		}
	}
	return s
}

// cycleOf returns a cycle of channels through a switch, and its first turn.
func cycleOf(n *model.Network, from int) ([]model.ChannelID, model.Turn) {
	walk := shortestWalk(n, from)
	var cycle []model.ChannelID
	for i, u := range walk {
		c, _ := n.Channel(vcAt(n, u, walk[(i+1)%len(walk)]))
		cycle = append(cycle, c)
	}
	return cycle, model.Turn{In: n.VC(cycle[0], 0), Out: n.VC(cycle[1], 0)}
}

// shortestPaths returns the shortest paths between two hosts that use no turn of without.
func shortestPaths(n *model.Network, from, to model.HostID, without *model.TurnSet) []Path {
	queue := [][]model.VCID{{n.VC(n.InjectChannel(from), 0)}}
	var found []Path
	for ; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if len(p) > 12 || len(found) > 0 && len(p) >= len(found[0].VCs) {
			break
		}
		last, _ := n.Channel(p[len(p)-1])
		if n.Head(last) == n.Host(to).Switch {
			found = append(found, arriving(n, to, append([]model.VCID(nil), p...)))
			continue
		}
		for _, c := range n.Out(n.Head(last)) {
			if n.Kind(c) != model.SwitchToSwitch || len(p) > 1 && (c == n.Reverse(last) || without.Has(model.Turn{In: p[len(p)-1], Out: n.VC(c, 0)})) {
				continue
			}
			queue = append(queue, append(append([]model.VCID(nil), p...), n.VC(c, 0)))
		}
	}
	return found
}

// someLoad returns loads that differ between channels.
func someLoad(n *model.Network) []float64 {
	load := make([]float64, n.NumLinkChannels())
	for c := range load {
		load[c] = float64(c*c%37) / 40
	}
	return load
}

// turnModel returns the drawings of the 2-D turn model.
func turnModel() []drawing {
	i9, i16, r8, t4 := irregular(9, 4, 1, 7), irregular(16, 4, 1, 2), ring(8, 1, 1), grid(4, 4, true)
	g9, g16, g8, gt := mustHV(i9, 0), mustHV(i16, 3), mustHV(r8, 0), mustHV(t4, 0)
	cycle, turn := cycleOf(i16, 1)
	q1 := hv.AllClassTurns() &^ p1 &^ classTurns("LU>LD", "LU>RU", "LU>RD")
	return []drawing{
		{"hv-irregular9", HV(g9, Options{Title: "H/V graph of 9 switches"})},
		{"hv-irregular16", HV(g16, Options{Title: "H/V graph of 16 switches"})},
		{"hv-ring8", HV(g8, Options{Title: "H/V graph of a ring"})},
		{"prohibited-irregular9", ProhibitedTurns(ofClasses(g9, p1), g9, Options{Title: "P1 on 9 switches"})},
		{"prohibited-irregular16", ProhibitedTurns(ofClasses(g16, p1|p1more), g16, Options{Title: "P1 and P1' on 16 switches"})},
		{"prohibited-updown16", ProhibitedTurns(downUp(g16), g16, Options{Title: "up*/down* on 16 switches"})},
		{"prohibited-irregular16-free", ProhibitedTurns(ofClasses(g16, p1|p1more), nil, Options{Title: "P1 and P1' on 16 switches"})},
		{"prohibited-ring8", ProhibitedTurns(ofClasses(g8, p1|p1more), nil, Options{Title: "P1 and P1' on a ring"})},
		{"prohibited-torus4x4", ProhibitedTurns(downUp(gt), nil, Options{Title: "up*/down* on a 4×4 torus", Position: gridPosition(4)})},
		{"prohibited-counts", ProhibitedTurns(downUp(gt), nil, Options{Title: "up*/down*, counted", Position: gridPosition(4), MaxSwitches: 8})},
		{"class-turns", ClassTurns(p1, p1more, Options{Title: "L-turn/α"})},
		{"basic-cycles", BasicCycles(p1, p1more, Options{Title: "L-turn/α and the basic cycles"})},
		{"tdg-q1", TurnDependencies(q1, Options{Title: "Turn dependency graph of Q1'"})},
		{"tdg-all", TurnDependencies(hv.AllClassTurns(), Options{Title: "Turn dependency graph of all class turns"})},
		{"tdg-lturn", TurnDependencies(hv.AllClassTurns()&^p1&^p1more, Options{Title: "Turn dependency graph of L-turn"})},
		{"detected-irregular16", DetectedCycle(g16, cycle, turn, nil, Options{Title: "A detected cycle"})},
		{"sides-irregular16", PathsSideBySide(i16, 12, 9, Ways{"up*/down*", shortestPaths(i16, 12, 9, downUp(g16))},
			Ways{"L-turn", shortestPaths(i16, 12, 9, ofClasses(g16, p1|p1more))}, g16, Options{Title: "Paths of a pair"})},
		{"sides-torus4x4", PathsSideBySide(t4, 0, 10, Ways{"up*/down*", shortestPaths(t4, 0, 10, downUp(gt))},
			Ways{"all turns", shortestPaths(t4, 0, 10, model.NewTurnSet(t4))}, nil, Options{Title: "Paths of a pair", Position: gridPosition(4)})},
		{"load-ring8", Load(r8, someLoad(r8), Options{Title: "Load of a ring"})},
		{"load-torus4x4", Load(t4, someLoad(t4), Options{Title: "Load of a 4×4 torus", Position: gridPosition(4)})},
		{"load-irregular16", Load(i16, someLoad(i16), Options{Title: "Load of 16 switches"})},
	}
}

// turnModelLarge returns drawings of the sizes of the paper's evaluation.
func turnModelLarge() []drawing {
	t8, i64 := grid(8, 8, true), irregular(64, 4, 4, 3)
	g8, g64 := mustHV(t8, 0), mustHV(i64, 5)
	i300 := irregular(300, 4, 1, 3)
	g300 := mustHV(i300, 0)
	cycle, turn := cycleOf(i64, 5)
	return []drawing{
		{"hv-torus8x8", HV(g8, Options{Title: "H/V graph of an 8×8 torus"})},
		{"hv-irregular64", HV(g64, Options{Title: "H/V graph of 64 switches"})},
		{"hv-irregular300", HV(g300, Options{Title: "H/V graph of 300 switches"})},
		{"prohibited-torus8x8", ProhibitedTurns(ofClasses(g8, p1|p1more), nil, Options{Title: "P1 and P1' on an 8×8 torus", Position: gridPosition(8)})},
		{"prohibited-torus8x8-updown", ProhibitedTurns(downUp(g8), nil, Options{Title: "up*/down* on an 8×8 torus", Position: gridPosition(8)})},
		{"prohibited-torus8x8-hv", ProhibitedTurns(ofClasses(g8, p1|p1more), g8, Options{Title: "P1 and P1' on an 8×8 torus"})},
		{"prohibited-irregular64", ProhibitedTurns(ofClasses(g64, p1|p1more), g64, Options{Title: "P1 and P1' on 64 switches"})},
		{"prohibited-irregular64-free", ProhibitedTurns(ofClasses(g64, p1|p1more), nil, Options{Title: "P1 and P1' on 64 switches"})},
		{"prohibited-irregular300", ProhibitedTurns(downUp(g300), g300, Options{Title: "up*/down* on 300 switches"})},
		{"prohibited-fattree4", ProhibitedTurns(downUp(mustHV(fatTree(4), 16)), nil, Options{Title: "up*/down* on a fat tree"})},
		{"detected-irregular64", DetectedCycle(g64, cycle, turn, nil, Options{Title: "A detected cycle"})},
		{"sides-irregular64", PathsSideBySide(i64, 56, 212, Ways{"up*/down*", shortestPaths(i64, 56, 212, downUp(g64))},
			Ways{"L-turn", shortestPaths(i64, 56, 212, ofClasses(g64, p1|p1more))}, g64, Options{Title: "Paths of a pair"})},
		{"load-torus8x8", Load(t8, someLoad(t8), Options{Title: "Load of an 8×8 torus", Position: gridPosition(8)})},
		{"load-irregular64", Load(i64, someLoad(i64), Options{Title: "Load of 64 switches"})},
		{"load-irregular300", Load(i300, someLoad(i300), Options{Title: "Load of 300 switches"})},
	}
}
