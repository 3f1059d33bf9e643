package synth

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/names"
)

// This file chooses the root of the spanning tree.
//
// Sources: "least crossing paths, ties by mean distance": Jouraku, Koibuchi and Amano, IPSJ Trans.
// ACS 44(SIG 11), 2003, section 5.2. The paper does not define a crossing path; there are three
// readings. "Least traffic of prohibited turns": Nakashima et al., IPSJ Trans. ACS 4(4), 2011,
// section 5.1. Cost: center needs at most one search per switch; free and mean need one sweep per
// switch; the other rules run the method once for each switch.

// RootAuto is the default rule: the root for which up*/down* prohibits turns of the least traffic,
// under uniform traffic. If switches × turns exceeds rootBudget, only a sample of the switches is
// considered.
const RootAuto = "auto"

const rootBudget = 100_000_000

// RootRule is a rule to choose a root.
type RootRule struct {
	Name, Text string
	// cost is minimal at the root. If nil, the rule has its own code. It uses one processor, since
	// several roots are tried at once.
	cost func(w *work, set *model.TurnSet) (float64, error)
	// trees is set if the rule chooses parents and children, too, unless an option chooses these. See treesearch.go.
	trees bool
}

var rootRules = []RootRule{
	{Name: RootAuto, Text: "least traffic of turns that up*/down* prohibits"},
	{Name: "center", Text: "least distance to the farthest switch"},
	{Name: "mean", Text: "least mean distance to the switches that have hosts"},
	{Name: "crossing-free", Text: "fewest shortest paths through it if no turn is prohibited"},
	{Name: "crossing-root", Text: "fewest shortest legal paths through it", cost: func(w *work, set *model.TurnSet) (float64, error) {
		m, err := measurePaths(w.ctx, set, w.demand, 1)
		if err != nil {
			return 0, err
		}
		return m.Crossing[w.res.Tree.Root], nil
	}},
	{Name: "crossing-channel", Text: "fewest shortest legal paths over the most used channel", cost: func(w *work, set *model.TurnSet) (float64, error) {
		m, err := measurePaths(w.ctx, set, w.demand, 1)
		if err != nil {
			return 0, err
		}
		return slices.Max(append(m.Load[:w.net.NumLinkChannels():w.net.NumLinkChannels()], 0)), nil
	}},
	{Name: "traffic", Text: "least traffic of prohibited turns", cost: func(w *work, set *model.TurnSet) (float64, error) {
		weight, err := w.traffic()
		if err != nil {
			return 0, err
		}
		return weight.prohibited(set), nil
	}},
	{"best-pt", "tree with the fewest prohibited turns", countRule(func(p *Prohibitions) float64 { return p.PT }), true},
	{"best-sdpt", "tree with the least standard deviation of prohibited turns over the switches",
		countRule(func(p *Prohibitions) float64 { return p.SDPT }), true},
	{"best-ppt", "tree with the fewest prohibited pairs", countRule(func(p *Prohibitions) float64 { return float64(p.PPT) }), true},
	{"best-path", "tree with the shortest mean path", pathRule(func(m *PathStats) float64 { return m.MeanPath }), true},
	{"best-throughput", "tree with the highest throughput 1/M", pathRule(func(m *PathStats) float64 { return -m.Throughput() }), true},
}

// RootRules returns the rules, the default first.
func RootRules() []RootRule { return slices.Clone(rootRules) }

func countRule(value func(*Prohibitions) float64) func(*work, *model.TurnSet) (float64, error) {
	return func(_ *work, set *model.TurnSet) (float64, error) { return value(Count(set)), nil }
}

func pathRule(value func(*PathStats) float64) func(*work, *model.TurnSet) (float64, error) {
	return func(w *work, set *model.TurnSet) (float64, error) {
		m, err := measurePaths(w.ctx, set, w.demand, 1)
		if err != nil {
			return 0, err
		}
		return value(m), nil
	}
}

// RootSwitch returns the switch that a word names (see package names).
func RootSwitch(n *model.Network, word string) (model.SwitchID, error) {
	u, err := names.New(n).Switch(word)
	if err != nil {
		var rules []string
		for _, r := range rootRules {
			rules = append(rules, r.Name)
		}
		return 0, fmt.Errorf("%w; a rule for the root is one of %s", err, strings.Join(rules, ", "))
	}
	return u, nil
}

// prohibited returns the sum of the traffic of the turns that set prohibits.
func (t *TurnTraffic) prohibited(set *model.TurnSet) (sum float64) {
	for turn := range model.Turns(t.net, false) {
		if !set.Has(turn) {
			sum += t.Of(turn)
		}
	}
	return sum
}

// prohibitedByUpDown returns the sum of the traffic of the turns that up*/down* prohibits. It visits these turns only. At each
// switch they lead from one up channel, against its direction, to another.
func (t *TurnTraffic) prohibitedByUpDown(up []bool) (sum float64) {
	if up == nil {
		return 0
	}
	var ups []model.ChannelID
	for u := range model.SwitchID(t.net.NumSwitches()) {
		ups = ups[:0]
		for _, c := range t.net.Out(u) {
			if t.net.Kind(c) == model.SwitchToSwitch && up[c] {
				ups = append(ups, c)
			}
		}
		for _, a := range ups {
			in := model.VCID(t.net.Reverse(a))
			for _, b := range ups {
				if b != a {
					sum += t.Of(model.Turn{In: in, Out: model.VCID(b)})
				}
			}
		}
	}
	return sum
}

// growBest finds the tree for method m if the rule for the root chooses whole trees. It reports whether it does.
func (w *work) growBest(m Method) (bool, error) {
	i := slices.IndexFunc(rootRules, func(r RootRule) bool { return r.Name == w.o.Root && r.trees })
	if i < 0 {
		return false, nil
	}
	if err := w.growFrom(0); err != nil { // the network is not connected, or an option is unknown
		return false, err
	}
	more := 0
	if w.searchesTrees(m) {
		more = otherTrees(w.net.NumSwitches())
	}
	best, err := w.searchTree(m, func(own *work, set *model.TurnSet) ([]float64, error) {
		x, err := rootRules[i].cost(own, set)
		return []float64{x}, err
	}, w.allSwitches(), more)
	if err != nil {
		return false, err
	}
	if t := best.tree.Options; more > 0 && (t.Given != nil || t.Parent == hv.LastSeen) {
		w.note("%s chose the parents and the order of children, too", w.o.Root)
	}
	return true, w.growOn(best.tree)
}

// root chooses the root for method m by a rule that does not choose the rest of the tree.
func (w *work) root(m Method) (model.SwitchID, error) {
	name := w.o.Root
	if name == "" {
		name = RootAuto
	}
	i := slices.IndexFunc(rootRules, func(r RootRule) bool { return r.Name == name })
	if i < 0 {
		return RootSwitch(w.net, name)
	}
	if err := w.growFrom(0); err != nil { // the network is not connected, or the order is unknown
		return 0, err
	}
	switch name {
	case RootAuto:
		return w.autoRoot()
	case "center":
		return hv.Center(w.net, 0), nil
	case "mean":
		return w.least(func(model.SwitchID) (float64, error) { return 0, nil })
	case "crossing-free":
		free, err := MeasurePaths(w.ctx, allTurns(w.net), w.demand)
		if err != nil {
			return 0, err
		}
		return w.least(func(u model.SwitchID) (float64, error) { return free.Crossing[u], nil })
	}
	if name == "traffic" { // computed once, for all roots
		weight, err := w.traffic()
		if err != nil {
			return 0, err
		}
		if m.Name == "updown" {
			return w.least(func(u model.SwitchID) (float64, error) {
				tree, err := hv.NewTree(w.net, u, w.o.Tree)
				if err != nil {
					return 0, err
				}
				up, err := tree.UpChannels(w.o.Ties)
				return weight.prohibitedByUpDown(up), err
			})
		}
	}
	return w.least(func(u model.SwitchID) (float64, error) {
		own := *w
		own.res = &Result{Method: w.res.Method, Options: w.res.Options}
		if err := own.growFrom(u); err != nil {
			return 0, err
		}
		set, err := m.run(&own)
		if err != nil {
			return 0, err
		}
		return rootRules[i].cost(&own, set)
	})
}

// allSwitches returns all switches by ID.
func (w *work) allSwitches() []model.SwitchID {
	list := make([]model.SwitchID, w.net.NumSwitches())
	for u := range list {
		list[u] = model.SwitchID(u)
	}
	return list
}

// least returns the switch of least cost, then of least mean distance, then of the lowest ID. It calls cost for
// several switches at once.
func (w *work) least(cost func(model.SwitchID) (float64, error)) (model.SwitchID, error) {
	value := make([]float64, w.net.NumSwitches())
	err := parallel.Do(w.ctx, parallel.Workers(len(value)), len(value), func(_, u int) (err error) {
		value[u], err = cost(model.SwitchID(u))
		return err
	})
	if err != nil {
		return 0, err
	}
	low := slices.Min(value)
	var lowest []model.SwitchID
	for u, x := range value {
		if x > low+slack*math.Abs(low) {
			continue
		}
		lowest = append(lowest, model.SwitchID(u))
	}
	far := make([]uint64, len(lowest))
	if err := parallel.Do(w.ctx, parallel.Workers(len(far)), len(far), func(_, i int) error {
		far[i] = w.distances(lowest[i])
		return nil
	}); err != nil {
		return 0, err
	}
	return lowest[slices.Index(far, slices.Min(far))], nil
}

// distances returns the sum of the distances from u to the switches with hosts.
func (w *work) distances(u model.SwitchID) (sum uint64) {
	dist := hv.Hops(w.net, u)
	for _, v := range w.demand.Switches() {
		sum += uint64(dist[v]) * uint64(len(w.demand.Hosts(v)))
	}
	return sum
}

// AutoRoot returns the root that RootAuto chooses for n. The tree is grown with o. It fails if the
// network is not connected.
func AutoRoot(ctx context.Context, n *model.Network, o hv.Options) (model.SwitchID, error) {
	w := newWork(ctx, n, Options{Tree: o})
	if err := w.growFrom(0); err != nil {
		return 0, err
	}
	return w.autoRoot()
}

// autoRoot applies RootAuto.
func (w *work) autoRoot() (model.SwitchID, error) {
	weight, err := NewTurnTraffic(w.ctx, model.NewDemand(w.net, model.UniformTraffic(w.net)))
	if err != nil {
		return 0, err
	}
	turns := make([]model.Turn, 0)
	for t := range model.Turns(w.net, false) {
		if weight.Of(t) > 0 {
			turns = append(turns, t)
		}
	}
	candidates := sample(w.allSwitches(), max(rootBudget/(len(turns)+4*w.net.NumLinkChannels()+1), 1))
	sums := make([]float64, len(candidates))
	if err := parallel.Do(w.ctx, parallel.Workers(len(sums)), len(sums), func(_, i int) error {
		tree, err := hv.NewTree(w.net, candidates[i], w.o.Tree)
		if err != nil {
			return err
		}
		up, err := tree.UpChannels(w.o.Ties)
		if err != nil {
			return err
		}
		for _, t := range turns {
			if !up[t.In] && up[t.Out] {
				sums[i] += weight.Of(t)
			}
		}
		return nil
	}); err != nil {
		return 0, err
	}
	best := 0
	for i, sum := range sums {
		if sum < sums[best]-slack*sums[best] {
			best = i
		}
	}
	return candidates[best], nil
}
