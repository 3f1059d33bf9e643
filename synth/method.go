package synth

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/lists"
	"github.com/turnproof/turnproof/model/hv"
)

// This file is the table of the methods. Help texts and docs are made from it. The table of their
// options is in options.go.

// Method is an entry of the table.
type Method struct {
	Name    string
	Text    string // one line for help
	Source  string
	Tree    bool     // whether the method needs a spanning tree
	Options []Option // the options that the method reads
	// Searches is true for a method that searches until its time is over. Published methods do
	// not.
	Searches bool

	run func(*work) (*model.TurnSet, error)
}

// Methods returns the table.
func Methods() []Method { return slices.Clone(methods) }

// Find returns the method of a name.
func Find(name string) (Method, error) {
	return registry.Find("method", name, methods, func(m Method) string { return m.Name })
}

// Reads reports whether the method has the option of this name.
func (m Method) Reads(name string) bool { return option.Has(m.Options, name) }

var methods []Method

// The table is filled here, since minimum runs the other methods.
func init() {
	methods = []Method{
		{"updown", "no channel up after one down",
			"Schroeder et al., IEEE JSAC, 1991; depth first: Sancho, Robles and Duato, CANPC, 2000", true, upDownOptions, false, upDown},
		{"lturn-alpha", "left-up first, left-down last where a cycle asks for it", jouraku, true, turnModelOptions, false, turnModel},
		{"lturn-beta", "left-up first, right-up last where a cycle asks for it", jouraku, true, turnModelOptions, false, turnModel},
		{"rturn-alpha", "right-down last, right-up first where a cycle asks for it", jouraku, true, turnModelOptions, false, turnModel},
		{"rturn-beta", "right-down last, left-down first where a cycle asks for it", jouraku, true, turnModelOptions, false, turnModel},
		{"tp", "turn prohibition: all turns at one switch after another, which is then taken out",
			"Starobinski, Karpovsky and Zakrevski, IEEE/ACM ToN, 2003; Nakashima et al., IPSJ Trans. ACS, 2011, section 2.3.2",
			false, prohibitionOptions, false, turnProhibition},
		{"turn-addition", "one turn after another, heaviest traffic first, where it closes no cycle",
			"Nakashima, Naruse, Sumimoto and Kumon, IPSJ Trans. ACS 4(4), 2011", false, additionOptions, false, turnAddition},
		{"minimum", "as few turns as can be found, with a bound below which there is no set",
			"annealing (Kirkpatrick et al., Science 220, 1983) against a packing of cycles (Baharev et al., ACM JEA 26, 2021)",
			false, minimumOptions, true, fewestTurns},
	}
	for i := range methods {
		methods[i].Options = slices.Concat(methods[i].Options, releaseOptions, []Option{seedOption})
	}
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

// Each calls run for each of the named methods, several at once unless one of them searches: a search uses the processors
// alone. It returns the results in the order of names, or the error of the first that fails.
func Each[T any](ctx context.Context, names []string, run func(name string) (T, error)) ([]T, error) {
	workers := parallel.Workers(len(names))
	for _, name := range names {
		if m, err := Find(name); err != nil || m.Searches {
			workers = 1
		}
	}
	results := make([]T, len(names))
	err := parallel.Do(ctx, workers, len(names), func(_, i int) (err error) {
		results[i], err = run(names[i])
		return err
	})
	return results, err
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
	// Removed has the switches in the order in which turn prohibition removed them. For other methods it is nil.
	Removed []model.SwitchID
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
	m, err := Find(name)
	if err != nil {
		return nil, err
	}
	if foreign := option.Foreign(&o, m.Options, AllOptions()); foreign != "" {
		return nil, fmt.Errorf("method %s has no option %s", name, foreign)
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
	if w.o.TreeFile != "" {
		given, err := lists.ReadTree(w.o.TreeFile, w.net, format.Options{})
		if err != nil {
			return err
		}
		w.o.Tree.Given = given
	}
	if w.o.Tree.Given != nil {
		return w.growGiven()
	}
	if grown, err := w.growBest(m); grown || err != nil {
		return err
	}
	root, err := w.root(m)
	if err != nil {
		return err
	}
	return w.growFrom(root)
}

// growGiven builds the tree that is given. It fails if another option says how to build the tree.
func (w *work) growGiven() error {
	for _, x := range slices.Concat([]Option{rootOption}, growOptions) {
		if x.Kind == option.Word && x.IsSet(&w.o) || x.Name == rootOption.Name && x.IsSet(&w.o) {
			return fmt.Errorf("option %s does not apply to a tree that is given", x.Name)
		}
	}
	return w.growFrom(0)
}

func (w *work) growFrom(root model.SwitchID) error {
	tree, err := hv.NewTree(w.net, root, w.o.Tree)
	if err != nil {
		return err
	}
	return w.growOn(tree)
}

// growOn makes tree the tree of the method.
func (w *work) growOn(tree *hv.Tree) (err error) {
	w.res.Tree, w.res.Graph = tree, nil
	if tree.Options.Search == hv.BFS {
		w.res.Graph, err = hv.New(tree)
	}
	return err
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
