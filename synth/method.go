package synth

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file is the table of the methods. Help texts and docs are made from it.

// Options are the options of all methods. The zero value is the default. A method fails if an
// option is set that it does not read.
type Options struct {
	// Root names a switch or one of RootRules. Defaults to RootAuto.
	Root string
	// Tree says how the spanning tree is grown. Only updown accepts depth-first trees (Search).
	Tree hv.Options
	// Ties says which of two switches at the same depth is up, one of hv.TieRules. For updown
	// only.
	Ties string
	// DA selects a reading of the cycle-detection algorithm of L-turn and R-turn.
	DA DAOptions
	// Select says which switch turn prohibition removes next, one of Selections.
	Select string
	// Totals says which turns count for Select, one of TotalRules.
	Totals string
	// Form is the variant of turn addition, one of Forms.
	Form string
	// Equal is the order of turns of equal traffic in turn addition, one of EqualRules.
	Equal string
	// Release adds a last pass that releases every prohibited turn that closes no cycle, heaviest
	// traffic first. With BothDirections a turn is released only together with its reverse.
	Release        bool
	BothDirections bool
	// Objective says what minimum minimizes, see ParseObjective. Defaults to "turns". Pareto names
	// two sums; minimum then returns all sets that are optimal in both (Result.Front).
	Objective, Pareto string
	// Keep and Prohibit are turns of the network with one VC that minimum always allows or always
	// prohibits. If nil, there are none. KeepTree keeps the turns of a spanning tree.
	Keep, Prohibit *model.TurnSet
	KeepTree       bool
	// Cyclefree lets minimum leave hosts unconnected: the set must only be acyclic.
	Cyclefree bool
	// Stretch bounds the ratio of a shortest legal path to a shortest path of the network, for
	// minimum. If 0, there is no bound. If 1, all legal paths are shortest.
	Stretch float64
	// Seconds bounds the search of minimum. Defaults to 10.
	Seconds float64
	// Journal names a file in which minimum stores its results. A later run continues from them.
	Journal string
	// Watcher, if not nil, receives the steps of minimum.
	Watcher Watcher
	// Seed seeds all random orders.
	Seed uint64
	// Traffic is what the hosts send. It weighs the turns. If nil, traffic is uniform.
	Traffic *model.Traffic
}

// Method is an entry of the table.
type Method struct {
	Name    string
	Text    string // one line for help
	Source  string
	Tree    bool     // whether the method needs a spanning tree
	Options []string // fields of Options and of Options.Tree that the method reads, except those that all methods read
	// Searches is true for a method that searches until its time is over. Published methods do
	// not.
	Searches bool

	run func(*work) (*model.TurnSet, error)
}

// Methods returns the table.
func Methods() []Method { return slices.Clone(methods) }

var methods = []Method{
	{"updown", "no channel up after one down", "Schroeder et al., IEEE JSAC, 1991; depth first: Sancho, Robles and Duato, CANPC, 2000",
		true, []string{"Root", "Tree", "Search", "Ties"}, false, upDown},
	{"lturn-alpha", "left-up first, left-down last where a cycle asks for it", jouraku, true, []string{"Root", "Tree", "DA"}, false, turnModel},
	{"lturn-beta", "left-up first, right-up last where a cycle asks for it", jouraku, true, []string{"Root", "Tree", "DA"}, false, turnModel},
	{"rturn-alpha", "right-down last, right-up first where a cycle asks for it", jouraku, true, []string{"Root", "Tree", "DA"}, false, turnModel},
	{"rturn-beta", "right-down last, left-down first where a cycle asks for it", jouraku, true, []string{"Root", "Tree", "DA"}, false, turnModel},
	{"tp", "turn prohibition: all turns at one switch after another, which is then taken out",
		"Starobinski, Karpovsky and Zakrevski, IEEE/ACM ToN, 2003; Nakashima et al., IPSJ Trans. ACS, 2011, section 2.3.2",
		false, []string{"Select", "Totals"}, false, turnProhibition},
	{"turn-addition", "one turn after another, heaviest traffic first, where it closes no cycle",
		"Nakashima, Naruse, Sumimoto and Kumon, IPSJ Trans. ACS 4(4), 2011",
		false, []string{"Form", "Equal"}, false, turnAddition},
}

func init() { // in init, since minimum runs the other methods
	methods = append(methods, Method{"minimum", "as few turns as can be found, with a bound below which there is no set",
		"annealing (Kirkpatrick et al., Science 220, 1983) against a packing of cycles (Baharev et al., ACM JEA 26, 2021)",
		false, []string{"Seconds", "Journal", "Objective", "Keep", "Cyclefree", "Stretch"}, true, fewestTurns})
}

const jouraku = "Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003"

// Names returns the names of the methods.
func Names() []string {
	var names []string
	for _, m := range methods {
		names = append(names, m.Name)
	}
	return names
}

// Published returns the names of the methods that do not search.
func Published() (names []string) {
	for _, m := range methods {
		if !m.Searches {
			names = append(names, m.Name)
		}
	}
	return names
}

// Result is a turn set and how a method made it.
type Result struct {
	Method  string
	Options Options
	Allowed *model.TurnSet // of the network with one VC; see Lift
	// Tree is the spanning tree of the method, or nil. Graph is the H/V graph on Tree, or nil for
	// depth-first trees.
	Tree  *hv.Tree
	Graph *hv.Graph
	// Bound is the lower bound that minimum proved. For other methods it is nil.
	Bound *Bound
	// Objective is the objective of minimum, Values are its sums, Front is the Pareto front.
	Objective string
	Values    []float64
	Front     []Front
	// Notes describe deviations from the published method.
	Notes []string
}

// work is the input of a method and the data that its steps share.
type work struct {
	ctx    context.Context
	net    *model.Network // with one VC
	o      Options
	res    *Result
	demand *model.Demand
	loads  *TurnTraffic // nil until first needed
}

// New makes the turn set of the named method for n. The set is of channels: all virtual channels
// of a channel have the same turns. New fails for an unknown name, an option that the method does
// not read, an unknown root, and a network that is not connected (*hv.DisconnectedError).
func New(ctx context.Context, name string, n *model.Network, o Options) (*Result, error) {
	i := slices.IndexFunc(methods, func(m Method) bool { return m.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("no method %q, known are %s", name, strings.Join(Names(), ", "))
	}
	m := methods[i]
	for _, field := range o.given() {
		if !slices.Contains(m.Options, field) {
			return nil, fmt.Errorf("method %s has no option %s", name, field)
		}
	}
	w := newWork(ctx, n, o)
	w.res.Method = name
	if m.Tree {
		if err := w.grow(m); err != nil {
			return nil, err
		}
	} else if _, err := hv.NewTree(w.net, 0, hv.Options{}); err != nil {
		return nil, err // not connected
	}
	set, err := m.run(w)
	if err != nil {
		return nil, err
	}
	if o.Release {
		if err := w.release(set); err != nil {
			return nil, err
		}
	}
	w.res.Allowed = set
	return w.res, nil
}

func newWork(ctx context.Context, n *model.Network, o Options) *work {
	n = n.WithVCs(1)
	t := o.Traffic
	if t == nil {
		t = model.UniformTraffic(n)
	}
	return &work{ctx: ctx, net: n, o: o, res: &Result{Options: o}, demand: model.NewDemand(n, t)}
}

// grow finds the root and grows the tree from it.
func (w *work) grow(m Method) error {
	root, err := w.root(m)
	if err != nil {
		return err
	}
	return w.growFrom(root)
}

func (w *work) growFrom(root model.SwitchID) (err error) {
	if w.res.Tree, err = hv.NewTree(w.net, root, w.o.Tree); err != nil {
		return err
	}
	if w.res.Tree.Options.Search == hv.BFS {
		w.res.Graph, err = hv.New(w.res.Tree)
	}
	return err
}

// given lists the options of single methods that differ from the default.
func (o Options) given() (list []string) {
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"Root", o.Root != "" && o.Root != RootAuto}, {"Tree", o.Tree != hv.Options{Seed: o.Tree.Seed, Search: o.Tree.Search}}, {"Search",
			o.Tree.Search != "" && o.Tree.Search != hv.BFS}, {"Ties", o.Ties != ""}, {"DA", o.DA != DAOptions{}},
		{"Select", o.Select != ""}, {"Totals", o.Totals != ""}, {"Form", o.Form != ""}, {"Equal", o.Equal != ""}, {"Seconds",
			o.Seconds != 0}, {"Journal", o.Journal != ""},
		{"Objective", o.Objective != "" || o.Pareto != ""}, {"Keep", o.Keep != nil || o.Prohibit != nil || o.KeepTree}, {"Cyclefree",
			o.Cyclefree}, {"Stretch", o.Stretch != 0},
	} {
		if f.set {
			list = append(list, f.name)
		}
	}
	return list
}

// choose returns value, or the first of known if value is "". It fails for an unknown value.
func choose(what, value string, known []string) (string, error) {
	if value == "" {
		return known[0], nil
	}
	if !slices.Contains(known, value) {
		return "", fmt.Errorf("no %s %q, known are %s", what, value, strings.Join(known, ", "))
	}
	return value, nil
}

// allTurns returns every turn of n except U-turns.
func allTurns(n *model.Network) *model.TurnSet {
	s := model.NewTurnSet(n)
	for t := range model.Turns(n, false) {
		s.Add(t)
	}
	return s
}

// reverse returns the opposite turn: from the reverse of t's output channel to the reverse of its
// input channel. The network has one VC.
func reverse(n *model.Network, t model.Turn) model.Turn {
	return model.Turn{In: model.VCID(n.Reverse(model.ChannelID(t.Out))), Out: model.VCID(n.Reverse(model.ChannelID(t.In)))}
}

// Lift returns the turns of set, which is of a network with one VC, for the same network with more
// VCs. A turn is allowed between any VCs of its two channels. An acyclic set stays acyclic.
func Lift(set *model.TurnSet, n *model.Network) *model.TurnSet {
	if n.VCs() == set.Network().VCs() {
		return set
	}
	lifted := model.NewTurnSet(n)
	for t := range set.All() {
		for i := range n.VCs() {
			for j := range n.VCs() {
				lifted.Add(model.Turn{In: n.VC(model.ChannelID(t.In), i), Out: n.VC(model.ChannelID(t.Out), j)})
			}
		}
	}
	return lifted
}

// note records a deviation from the published method.
func (w *work) note(format string, args ...any) {
	w.res.Notes = append(w.res.Notes, fmt.Sprintf(format, args...))
}
