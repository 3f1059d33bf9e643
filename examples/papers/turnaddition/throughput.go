package turnaddition

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// This file computes figures 21, 22 and 25 and tables 1 and 2.

const updown = "updown"

// methods are the three methods that the paper compares, with its settings.
var methods = []struct {
	name string
	o    synth.Options
}{
	{updown, synth.Options{Root: "traffic"}},
	{"tp", synth.Options{}},
	{"turn-addition", synth.Options{}},
}

// throughput returns 1/M, where M is the load of the busiest channel, with one path per pair.
func throughput(ctx context.Context, allowed *model.TurnSet, t *model.Traffic, rule string) (float64, error) {
	p, err := synth.NewOnePaths(ctx, allowed, model.NewDemand(allowed.Network(), t), rule)
	if err != nil {
		return 0, err
	}
	return p.Throughput(), nil
}

// pathRules are the readings of how one path per pair is chosen on random networks, and of the traffic that weighs turns.
var pathRules = []struct{ name, rule, turns string }{
	{"paths balanced", synth.PathsBalanced, ""},
	{"paths greedy", synth.PathsGreedy, ""},
	{"paths balanced, turns weighed by one path per pair", synth.PathsBalanced, synth.TurnTrafficOne},
	{"paths greedy, turns weighed by one path per pair", synth.PathsGreedy, synth.TurnTrafficOne},
}

func randomThroughput(ctx context.Context, r *paper.Result) error {
	sizes := []int{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	if r.Quick {
		sizes = []int{10, 20, 50}
	}
	for k, rule := range pathRules {
		if !r.Wants(k, rule.name) {
			continue
		}
		for _, size := range sizes {
			for _, m := range methods {
				v, err := r.Points(ctx, r.Seeds, func(i int) string { return fmt.Sprintf("%d switches, seed %d, %s, %s", size, i+1, m.name, rule.name) },
					func(ctx context.Context, i int) ([]float64, error) {
						o := m.o
						if m.name != updown {
							o.TurnTraffic = rule.turns
						}
						x, err := randomNetwork(ctx, size, i+1, m.name, o, rule.rule)
						return []float64{x}, err
					})
				if err != nil {
					return err
				}
				r.AddRow(fmt.Sprintf("%d switches", size), m.name, rule.name, math.NaN(), firsts(v)...)
			}
		}
	}
	return nil
}

// firsts returns the first value of each point.
func firsts(v [][]float64) (list []float64) {
	for _, x := range v {
		list = append(list, x[0])
	}
	return list
}

// randomSpec is a random network of the paper. Ports are paired at random, so that parallel links arise.
func randomSpec(size, seed int) string {
	return fmt.Sprintf("random:switches=%d,degree=10,hosts=10,parallel=true,seed=%d", size, seed)
}

func randomNetwork(ctx context.Context, size, seed int, method string, o synth.Options, rule string) (float64, error) {
	n, err := topo.Parse(randomSpec(size, seed))
	if err != nil {
		return 0, err
	}
	set, err := synth.New(ctx, method, n, o)
	if err != nil {
		return 0, err
	}
	return throughput(ctx, set.Allowed, model.UniformTraffic(n), rule)
}

// paperWeight is the traffic between the trees that orders the turns, for 1 inside.
const paperWeight = 0.01

// joined has the measurements of two joined trees.
type joined struct {
	inside, between float64
	prohibited, all int // pairs of turns at joining links: prohibited, and all
	set             *model.TurnSet
}

// joinBy computes a method's turn set for two joined trees under the paper's weights, and measures the
// throughput: inside, as if no host sent to the other tree, and between, as if no host sent to its own tree.
// The rules choose the paths inside a tree and between the trees.
func joinBy(ctx context.Context, n *model.Network, links int, method string, o synth.Options, insideBy, betweenBy string,
	weight float64) (j joined, err error) {
	if o.Traffic, err = model.HalvesTraffic(n, 1, weight); err != nil {
		return j, err
	}
	set, err := synth.New(ctx, method, n, o)
	if err != nil {
		return j, err
	}
	j.set = set.Allowed
	j.prohibited, j.all = atJoints(set.Allowed)
	inside, err := model.HalvesTraffic(n, 1, 0)
	if err != nil {
		return j, err
	}
	if j.inside, err = throughput(ctx, j.set, inside, insideBy); err != nil {
		return j, err
	}
	between, err := model.HalvesTraffic(n, 0, 1)
	if err != nil {
		return j, err
	}
	if j.between, err = throughput(ctx, j.set, between, betweenBy); err != nil {
		return j, err
	}
	j.between *= float64(n.NumHosts()/2) / float64(links) // each host sends links/hosts
	j.between = min(j.between, 1)
	return j, nil
}

// atJoints counts the pairs of turns from or to links between the trees, the prohibited ones and
// all.
func atJoints(allowed *model.TurnSet) (prohibited, all int) {
	n := allowed.Network()
	half := n.NumSwitches() / 2
	joins := func(c model.ChannelID) bool { return (int(n.Tail(c)) < half) != (int(n.Head(c)) < half) }
	for t := range model.Turns(n, false) {
		if joins(model.ChannelID(t.In)) || joins(model.ChannelID(t.Out)) {
			all++
			if !allowed.Has(t) {
				prohibited++
			}
		}
	}
	return prohibited / 2, all / 2
}

func joinedByPlace(ctx context.Context, r *paper.Result) error {
	for i, x := range []struct {
		reading string
		more    map[string]string // options of the network, by place
	}{{"wires crossed at the middle, straight elsewhere", map[string]string{"top": "wires=straight", "middle": "wires=crossed", "bottom": "wires=straight"}},
		{"the same, 8 links at the top", map[string]string{"top": "wires=straight,links=8", "middle": "wires=crossed", "bottom": "wires=straight"}},
		{"wires crossed", map[string]string{"top": "wires=crossed", "middle": "wires=crossed", "bottom": "wires=crossed"}}} {
		if !r.Wants(i, x.reading) {
			continue
		}
		for _, place := range places {
			links := 16
			if strings.Contains(x.more[place], "links=8") {
				links = 8
			}
			if err := joinedRow(ctx, r, place, "fattree-pair:k=8,join="+place+","+x.more[place], links,
				joinedReading{name: x.reading, between: synth.PathsBalanced, weight: paperWeight}); err != nil {
				return err
			}
		}
	}
	return nil
}

var places = []string{"top", "middle", "bottom"}

// joinedRow adds the throughputs of all methods inside and between two trees.
func joinedRow(ctx context.Context, r *paper.Result, item, spec string, links int, x joinedReading) error {
	n, err := topo.Parse(spec)
	if err != nil {
		return err
	}
	v, err := r.Points(ctx, len(methods), func(i int) string {
		return fmt.Sprintf("%s, %s, %s", spec, methods[i].name, x.key())
	},
		func(ctx context.Context, i int) ([]float64, error) {
			o := methods[i].o
			if n.NumSwitches() > 160 && o.Root != "" {
				o.Root = synth.RootAuto // the rule of the paper tries every root
			}
			switch methods[i].name {
			case "tp":
				o.Select, o.Totals, o.TurnTraffic = x.selection, x.totals, x.turns
			case "turn-addition":
				o.TurnTraffic = x.turns
			}
			j, err := joinBy(ctx, n, links, methods[i].name, o, synth.PathsDestination, x.between, x.weight)
			return []float64{j.inside, j.between}, err
		})
	if err != nil {
		return err
	}
	for k, where := range []string{"inside", "between"} {
		for i, m := range methods {
			full := math.NaN()
			if where == "inside" && m.name != "updown" {
				full = 1 // "full bisection bandwidth"
			}
			r.AddRow(item, m.name+" "+where, x.name, full, v[i][k])
		}
	}
	return nil
}

// treeSizes returns the values of k of the paper's trees, which have k-port switches.
func treeSizes(quick bool) []int {
	if quick {
		return []int{4, 8}
	}
	return []int{4, 8, 16, 32}
}

// joinedReading is a reading of the measurements of two joined trees.
type joinedReading struct {
	name, wires       string
	between           string  // rule of the paths between the trees
	weight            float64 // of traffic between the trees, which orders the turns; 1 inside
	turns             string  // synth.Options.TurnTraffic
	selection, totals string  // options of turn prohibition
}

// key names the settings in the keys of points.
func (x *joinedReading) key() string {
	key := "between " + x.between
	if x.weight != paperWeight {
		key += fmt.Sprintf(", weight %g", x.weight)
	}
	for _, word := range []string{x.turns, x.selection, x.totals} {
		if word != "" {
			key += ", " + word
		}
	}
	return key
}

// sizeReadings are the readings of figure 25: the wires, how paths between the trees share the joining
// links, and the weights of turns and switches. The paper shares links out by destination (section 5.3.2).
var sizeReadings = []joinedReading{
	{name: "wires straight, by destination", wires: topo.WiresStraight, between: synth.PathsDestination, weight: paperWeight},
	{name: "wires straight, by destination, weight 1/10000", wires: topo.WiresStraight, between: synth.PathsDestination, weight: 0.0001},
	{name: "wires straight, by destination, turns weighed by one path per pair", wires: topo.WiresStraight, between: synth.PathsDestination,
		weight: paperWeight, turns: synth.TurnTrafficOne},
	{name: "wires straight, by destination, TP by all turns", wires: topo.WiresStraight, between: synth.PathsDestination, weight: paperWeight,
		totals: synth.TotalsFirst},
	{name: "wires straight, by destination, TP by degree", wires: topo.WiresStraight, between: synth.PathsDestination, weight: paperWeight,
		selection: synth.SelectDegree},
	{name: "wires crossed, by destination", wires: topo.WiresCrossed, between: synth.PathsDestination, weight: paperWeight},
	{name: "wires straight, balanced", wires: topo.WiresStraight, between: synth.PathsBalanced, weight: paperWeight},
	{name: "wires crossed, balanced", wires: topo.WiresCrossed, between: synth.PathsBalanced, weight: paperWeight},
}

func joinedBySize(ctx context.Context, r *paper.Result) error {
	for i, x := range sizeReadings {
		if !r.Wants(i, x.name) {
			continue
		}
		for _, k := range treeSizes(r.Quick) {
			spec := fmt.Sprintf("fattree-pair:k=%d,join=middle,wires=%s", k, x.wires)
			if err := joinedRow(ctx, r, servers(k), spec, k*k/4, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// servers names a size of trees.
func servers(k int) string { return fmt.Sprintf("%d servers a tree", k*k*k/4) }

// shareReadings are the readings of table 2: the wires, and the order of turns of equal traffic.
var shareReadings = []struct{ name, wires, equal string }{
	{"wires crossed, equal turns rotate over the far ends", topo.WiresCrossed, synth.EqualRotate},
	{"wires crossed, equal turns spread", topo.WiresCrossed, ""}, {"wires crossed, equal turns by number", topo.WiresCrossed, synth.EqualByID},
	{"wires straight, equal turns rotate", topo.WiresStraight, synth.EqualRotate}, {"wires straight, equal turns spread", topo.WiresStraight, ""}}

func joiningTurns(ctx context.Context, r *paper.Result) error {
	published := map[int]float64{4: 6.25, 8: 15.23, 16: 19.78, 32: 23.43}
	sizes := treeSizes(r.Quick)
	for k, x := range shareReadings {
		if !r.Wants(k, x.name) {
			continue
		}
		v, err := r.Points(ctx, len(sizes), func(i int) string { return fmt.Sprintf("k=%d, %s", sizes[i], x.name) }, func(ctx context.Context,
			i int) ([]float64, error) {
			return share(ctx, sizes[i], x.wires, x.equal)
		})
		if err != nil {
			return err
		}
		for i, size := range sizes {
			r.AddRow(servers(size), "prohibited, %", x.name, published[size], 100*v[i][0]/v[i][1])
			r.AddRow(servers(size), "pairs of turns", x.name, math.NaN(), v[i][0])
			r.AddRow(servers(size), "of", x.name, math.NaN(), v[i][1])
			r.AddRow(servers(size), "joining links", x.name, map[int]float64{4: 4, 8: 16, 16: 64, 32: 256}[size], float64(size*size/4))
			r.AddRow(servers(size), "nodes", x.name, map[int]float64{4: 32, 8: 256, 16: 2048, 32: 8192}[size], float64(size*size*size/2))
		}
	}
	return nil
}

// share returns the prohibited pairs of turns at joining links, and all.
func share(ctx context.Context, k int, wires, equal string) ([]float64, error) {
	n, err := topo.Parse(fmt.Sprintf("fattree-pair:k=%d,join=middle,wires=%s", k, wires))
	if err != nil {
		return nil, err
	}
	o := synth.Options{Equal: equal}
	if o.Traffic, err = model.HalvesTraffic(n, 1, 0.01); err != nil {
		return nil, err
	}
	set, err := synth.New(ctx, "turn-addition", n, o)
	if err != nil {
		return nil, err
	}
	bad, all := atJoints(set.Allowed)
	return []float64{float64(bad), float64(all)}, nil
}

func joinedAndFailed(ctx context.Context, r *paper.Result) error {
	for _, place := range places {
		wires := map[string]string{"top": "straight", "middle": "crossed", "bottom": "straight"}[place]
		if err := joinedRow(ctx, r, place, "fattree-pair:k=8,join="+place+",wires="+wires, 16,
			joinedReading{between: synth.PathsBalanced, weight: paperWeight}); err != nil {
			return err
		}
	}
	for _, failures := range []int{1, 4} {
		for k, where := range []string{"inside", "between"} {
			for _, m := range methods {
				v, err := r.Points(ctx, r.Seeds, func(seed int) string { return fmt.Sprintf("top, %d failures, seed %d, %s", failures, seed, m.name) },
					func(ctx context.Context, seed int) ([]float64, error) {
						n, links, err := failedTop(8, failures, seed)
						if err != nil {
							return nil, err
						}
						j, err := joinBy(ctx, n, links, m.name, m.o, synth.PathsBalanced, synth.PathsBalanced, paperWeight)
						return []float64{j.inside, j.between}, err
					})
				if err != nil {
					return err
				}
				var list []float64
				for _, x := range v {
					list = append(list, x[k])
				}
				r.AddRow(fmt.Sprintf("top, %d of 16 links failed", failures), m.name+" "+where, "", math.NaN(), list...)
			}
		}
	}
	return nil
}

// failedTop builds two trees of k-port switches joined at the top. In each subtree, the given
// number of links between middle and top switches is missing.
func failedTop(k, failures, seed int) (*model.Network, int, error) {
	half := k / 2
	leaves, size := k*half, 5*k*k/4
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	var fail []string
	for tree := range 2 {
		for pod := range k {
			for _, i := range random.Perm(half * half)[:failures] {
				middle, top := tree*size+leaves+pod*half+i/half, tree*size+2*leaves+i
				fail = append(fail, fmt.Sprintf("%d-%d", middle, top))
			}
		}
	}
	n, err := topo.Parse(fmt.Sprintf("fattree-pair:k=%d,join=top,fail=%s", k, strings.Join(fail, "+")))
	return n, half * half, err
}
