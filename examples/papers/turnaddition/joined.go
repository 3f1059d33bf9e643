package turnaddition

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// This file measures two joined fat trees. Tables 1 and 2 and figures 22 and 25 are one experiment: they share the networks, the
// turn sets and the readings.

// joinedPoints is the first part of the keys of the experiment.
const joinedPoints = "turn-addition/joined"

// paperWeight is the traffic between the trees that orders the turns, for 1 inside.
const paperWeight = 0.01

// joinedReading is a reading of what the paper leaves open: how the joining links are wired, how paths between the trees share
// them, and how the turns are weighed and ordered.
type joinedReading struct {
	name, wires, paths string
	setting
}

// setting says how turn sets are made.
type setting struct {
	weight            float64 // of traffic between the trees, which orders the turns; 1 inside; defaults to paperWeight
	turns             string  // synth.Options.TurnTraffic of turn prohibition and turn addition
	selection, totals string  // options of turn prohibition
	small             bool    // whether trees of 8,192 servers are left out
	equal             string  // the order of equal turns in turn addition; defaults to that of section 4.1.3, EqualRotate
}

// joinedReadings are judged side by side: the wires, and how paths between the trees are chosen. The wires are those in the middle;
// at the top and at the bottom they are straight. Crossed wires agree with the numbers of table 2. Section 4.1.2 chooses paths
// between the trees pair by pair, such that the loads of links are equal; section 5.3.2 speaks of destinations.
var joinedReadings = []joinedReading{
	{name: "crossed wires, by destination", wires: topo.WiresCrossed, paths: synth.PathsDestination},
	{name: "straight wires, by destination", wires: topo.WiresStraight, paths: synth.PathsDestination},
	{name: "crossed wires, balanced", wires: topo.WiresCrossed, paths: synth.PathsBalanced},
	{name: "straight wires, balanced", wires: topo.WiresStraight, paths: synth.PathsBalanced},
}

// besideNames are the readings of Item.Beside.
func besideNames() (list []string) {
	for _, x := range joinedReadings {
		list = append(list, x.name)
	}
	return list
}

// moreReadings are further readings of figure 25. The paper gives the weight 1/100. Readings with one path per pair, and those of
// TP, stop at 1,024 servers a tree.
func moreReadings() (list []joinedReading) {
	for _, more := range []struct {
		name string
		set  setting
	}{{"weight 1/10000", setting{weight: 0.0001}}, {"equal turns spread", setting{equal: synth.EqualSpread}},
		{"turns weighed by one path per pair", setting{turns: synth.TurnTrafficOne, small: true}},
		{"TP by all turns", setting{totals: synth.TotalsFirst, small: true}}, {"TP by degree", setting{selection: synth.SelectDegree, small: true}}} {
		for _, x := range joinedReadings[:2] {
			list = append(list, joinedReading{x.name + ", " + more.name, x.wires, x.paths, more.set})
		}
	}
	return list
}

// options returns the options of a method, and a text that names them in the keys of points.
func (x setting) options(method string) (o synth.Options, key string) {
	var words []string
	switch method {
	case updown:
		o.Root = "traffic"
	case "tp":
		o.Select, o.Totals, o.TurnTraffic = x.selection, x.totals, x.turns
		words = []string{x.turns, x.selection, x.totals}
	case "turn-addition":
		o.TurnTraffic, o.Equal = x.turns, synth.EqualRotate
		if x.equal != "" {
			o.Equal = x.equal
		}
		words = []string{x.turns, "equal turns " + o.Equal}
	}
	key = method
	if x.weight != 0 {
		key += fmt.Sprintf(", weight %g", x.weight)
	}
	for _, word := range words {
		if word != "" {
			key += ", " + word
		}
	}
	return o, key
}

// turnSet makes the turn set of a method on two joined trees.
func (x setting) turnSet(ctx context.Context, n *model.Network, method string) (*model.TurnSet, error) {
	o, _ := x.options(method)
	weight := paperWeight
	if x.weight != 0 {
		weight = x.weight
	}
	traffic, err := model.HalvesTraffic(n, 1, weight)
	if err != nil {
		return nil, err
	}
	o.Traffic = traffic
	set, err := synth.New(ctx, method, n, o)
	if err != nil {
		return nil, err
	}
	return set.Allowed, nil
}

// throughputs returns the throughput inside the trees and that between them, with rules for the paths of each.
func throughputs(ctx context.Context, set *model.TurnSet, insideBy, betweenBy string) (inside, between float64, err error) {
	if inside, err = halves(ctx, set, 1, 0, insideBy); err != nil {
		return 0, 0, err
	}
	if between, err = halves(ctx, set, 0, 1, betweenBy); err != nil {
		return 0, 0, err
	}
	n := set.Network()
	between *= float64(n.NumHosts()/2) / float64(joiningLinks(n)) // each host sends links/hosts
	return inside, min(between, 1), nil
}

// halves returns the throughput of traffic inside and between the trees.
func halves(ctx context.Context, set *model.TurnSet, inside, between float64, paths string) (float64, error) {
	t, err := model.HalvesTraffic(set.Network(), inside, between)
	if err != nil {
		return 0, err
	}
	return throughput(ctx, set, t, paths)
}

// atJoints counts the pairs of turns from or to links between the trees, the prohibited ones and
// all.
func atJoints(allowed *model.TurnSet) (prohibited, all int) {
	n := allowed.Network()
	joins := joinsTrees(n)
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

// pair is two joined trees: the name in the keys of points, the network, and the rule of the paths inside a tree. The standard rule
// is by destination (section 4.1.2).
type pair struct{ name, spec, inside string }

// points measures a method on networks of two joined trees. A point has the throughput inside the trees, as if no host sent to the
// other tree, that between the trees, as if none sent to its own, and the pairs of turns at joining links: prohibited ones, and all.
func (x *joinedReading) points(ctx context.Context, r *paper.Result, networks []pair, method string) ([][]float64, error) {
	_, key := x.options(method)
	return r.Points(ctx, len(networks), func(i int) string { return fmt.Sprintf("%s, %s, paths %s", networks[i].name, key, x.paths) },
		func(ctx context.Context, i int) ([]float64, error) {
			n, err := topo.Parse(networks[i].spec)
			if err != nil {
				return nil, err
			}
			set, err := x.turnSet(ctx, n, method)
			if err != nil {
				return nil, err
			}
			inside, between, err := throughputs(ctx, set, networks[i].inside, x.paths)
			prohibited, all := atJoints(set)
			return []float64{inside, between, float64(prohibited), float64(all)}, err
		})
}

// joiningLinks counts the links between the trees.
func joiningLinks(n *model.Network) (links int) {
	half := n.NumSwitches() / 2
	for c := range model.ChannelID(n.NumLinkChannels()) {
		if int(n.Tail(c)) < half && int(n.Head(c)) >= half {
			links++
		}
	}
	return links
}

// allMethods measures all methods on networks, and returns the points of each method.
func (x *joinedReading) allMethods(ctx context.Context, r *paper.Result, networks []pair) (points [][][]float64, err error) {
	for _, m := range methods {
		v, err := x.points(ctx, r, networks, m.name)
		if err != nil {
			return nil, err
		}
		points = append(points, v)
	}
	return points, nil
}

// addPairs adds rows with the throughputs inside and between trees, averaged over networks.
func addPairs(ctx context.Context, r *paper.Result, item string, networks []pair, x *joinedReading) error {
	points, err := x.allMethods(ctx, r, networks)
	if err == nil {
		addColumn(r, item, "inside", x.name, points, 0)
		addColumn(r, item, "between", x.name, points, 1)
	}
	return err
}

// addColumn adds rows with value k of the points of each method.
func addColumn(r *paper.Result, item, where, reading string, points [][][]float64, k int) {
	for i, m := range methods {
		full := nan
		if where == "inside" && m.name != updown && len(points[i]) == 1 {
			full = 1 // "full bisection bandwidth"
		}
		r.AddRow(item, m.name+" "+where, reading, full, column(points[i], k)...)
	}
}

func column(points [][]float64, k int) (list []float64) {
	for _, p := range points {
		list = append(list, p[k])
	}
	return list
}

var places = []string{"top", "middle", "bottom"}

// joinedAt is a network of figure 22: 128 servers a tree.
func joinedAt(place, wires string) pair {
	if place != "middle" {
		wires = topo.WiresStraight
	}
	return pairOf(fmt.Sprintf("fattree-pair:k=8,join=%s,wires=%s", place, wires))
}

func pairOf(spec string) pair { return pair{spec, spec, synth.PathsDestination} }

// fewTop is reading (a) with half as many links at the top. The paper does not give their number.
var fewTop = joinedReading{name: "as (a), 8 links at the top", wires: joinedReadings[0].wires, paths: joinedReadings[0].paths}

func joinedByPlace(ctx context.Context, r *paper.Result) error {
	for i, x := range append(slices.Clone(joinedReadings), fewTop) {
		if !r.Wants(i, x.name) {
			continue
		}
		for _, place := range places {
			network := joinedAt(place, x.wires)
			if place == "top" && x.name == fewTop.name {
				network = pairOf(network.spec + ",links=8")
			}
			if err := addPairs(ctx, r, place, []pair{network}, &x); err != nil {
				return err
			}
		}
	}
	if x := joinedReadings[0]; r.Wants(len(joinedReadings)+1, bottomCrossed) {
		x.name = bottomCrossed
		return addPairs(ctx, r, "bottom", []pair{pairOf("fattree-pair:k=8,join=bottom,wires=crossed")}, &x)
	}
	return nil
}

const bottomCrossed = "crossed wires also at the bottom, by destination"

// joinedOf is a network of figure 25.
func joinedOf(k int, wires string) pair {
	return pairOf(fmt.Sprintf("fattree-pair:k=%d,join=middle,wires=%s", k, wires))
}

func joinedBySize(ctx context.Context, r *paper.Result) error {
	for i, x := range append(append([]joinedReading{}, joinedReadings...), moreReadings()...) {
		if !r.Wants(i, x.name) {
			continue
		}
		for _, k := range treeSizes(r.Quick) {
			if k == 32 && x.small {
				continue
			}
			if err := addSize(ctx, r, k, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// addSize adds the rows of trees of k-port switches. Balanced paths between trees of 8,192 servers take too long; what does not
// depend on them is that of paths by destination.
func addSize(ctx context.Context, r *paper.Result, k int, x joinedReading) error {
	networks, long := []pair{joinedOf(k, x.wires)}, k == 32 && x.paths == synth.PathsBalanced
	if long {
		x.paths = synth.PathsDestination
	}
	points, err := x.allMethods(ctx, r, networks)
	if err != nil {
		return err
	}
	addColumn(r, servers(k), "inside", x.name, points, 0)
	if !long {
		addColumn(r, servers(k), "between", x.name, points, 1)
	}
	for i, m := range methods {
		r.AddRow(servers(k), m.name+" joining turns, %", x.name, nan, 100*points[i][0][2]/points[i][0][3])
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

// servers names a size of trees.
func servers(k int) string { return fmt.Sprintf("%d servers a tree", k*k*k/4) }

func joinedAndFailed(ctx context.Context, r *paper.Result) error {
	for i := range joinedReadings {
		x := &joinedReadings[i]
		if !r.Wants(i, x.name) {
			continue
		}
		for _, place := range places {
			if err := addPairs(ctx, r, place, []pair{joinedAt(place, x.wires)}, x); err != nil {
				return err
			}
		}
		for _, failures := range failedLinks {
			var networks []pair
			for seed := range r.Seeds {
				networks = append(networks, failedTop(8, failures, seed))
			}
			if err := addPairs(ctx, r, failedItem(failures), networks, x); err != nil {
				return err
			}
		}
		gradeRows(r, x.name)
	}
	return nil
}

// failedTop is two trees of k-port switches joined at the top. In each subtree, the given number of links between middle and
// top switches is missing. The standard paths inside do not fit such trees; they are balanced, too.
func failedTop(k, failures, seed int) pair {
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
	whole := joinedAt("top", "").spec
	return pair{fmt.Sprintf("%s, %d failures, seed %d", whole, failures, seed), whole + ",fail=" + strings.Join(fail, "+"), synth.PathsBalanced}
}
