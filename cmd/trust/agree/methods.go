package agree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"turnproof/model"
	"turnproof/model/hv"
	"turnproof/synth"
	"turnproof/verify"
	"turnproof/verify/cert"
)

// This file makes the turn sets of all methods on every connected graph of few switches, by
// all of their readings, from each root and on all trees that the orders give, and has each
// judged: by verify.CheckTurns, by its certificate, written and read back, and by brute force.

// promises are what a method promises of the sets of a reading.
type promises struct{ acyclic, connected bool }

// reading is options of a method, with what it promises under them.
type reading struct {
	o synth.Options
	promises
}

// graphTally counts what was made and found on graphs.
type graphTally struct {
	graphs    int
	trees     int            // different ones: roots, parents, order of children
	made      map[string]int // sets, by method
	different int            // sets judged: of those of a graph that are alike one
	minimal   int            // those after a last pass that releases turns
	minimums  int            // graphs on which minimum was asked
	optimal   int            // of these: its bound is its set
	exact     int            // of these: exhaustive search found how few it takes
	wrong     []string
}

// effort is how much is tried on a graph.
type effort struct {
	shuffles int     // random orders of neighbours and children, besides the others
	readings int     // up to how many switches all readings of DA are tried on every tree
	seconds  float64 // for minimum
	steps    int     // of the exhaustive search
}

// judgeGraph makes and judges all sets on a graph.
func judgeGraph(ctx context.Context, g graph, e effort) (*graphTally, error) {
	t := &graphTally{graphs: 1, made: map[string]int{}}
	n := g.network()
	known := map[string]*setVerdict{}
	trees := treesOf(n, e.shuffles)
	t.trees = len(trees)
	for _, m := range synth.Methods() {
		if m.Searches {
			continue
		}
		for _, r := range readings(m, trees, g.vertices <= e.readings) {
			for _, last := range []struct{ release, both bool }{{false, false}, {true, false}, {true, true}} {
				r.o.Release, r.o.BothDirections = last.release, last.both
				made, err := synth.New(ctx, m.Name, n, r.o)
				if err != nil {
					return nil, fmt.Errorf("%v, %s %+v: %w", g, m.Name, r.o, err)
				}
				t.made[m.Name]++
				v, err := judgeSet(ctx, known, made)
				if err == nil {
					err = v.keeps(r)
				}
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if err != nil {
					t.wrong = append(t.wrong, fmt.Sprintf("graph %v, %s %+v: %v", g.edges, m.Name, r.o, err))
				} else if r.o.Release && v.acyclic {
					t.minimal++
				}
			}
		}
	}
	t.different = len(known)
	if err := t.fewest(ctx, g, n, e); err != nil {
		return nil, err
	}
	return t, nil
}

// treesOf lists options that give different trees, from each root.
func treesOf(n *model.Network, shuffles int) (list []synth.Options) {
	known := map[string]bool{}
	add := func(root int, o hv.Options) {
		tree, err := hv.NewTree(n, model.SwitchID(root), o)
		if err != nil {
			panic(err)
		}
		key := fmt.Sprint(tree.Options.Search, tree.Up, tree.Preorder)
		if !known[key] {
			known[key] = true
			list = append(list, synth.Options{Root: strconv.Itoa(root), Tree: o})
		}
	}
	for root := range n.NumSwitches() {
		add(root, hv.Options{})
		for _, search := range hv.Searches {
			for _, near := range hv.NeighbourOrders {
				for _, children := range hv.ChildOrders {
					for _, parent := range hv.ParentRules {
						if search == hv.BFS || parent == hv.FirstSeen {
							add(root, hv.Options{Search: search, Neighbours: near, Children: children, Parent: parent})
						}
					}
				}
			}
			for seed := range shuffles {
				add(root, hv.Options{Search: search, Neighbours: hv.ByRandom, Children: hv.ByRandom, Seed: uint64(seed)})
			}
		}
	}
	return list
}

// readings lists all options of a method on some trees; the readings of DA on every tree, or
// on one for each root.
func readings(m synth.Method, trees []synth.Options, every bool) (list []reading) {
	reads := func(field string) bool { return slices.Contains(m.Options, field) }
	begin := []synth.Options{{}}
	if m.Tree {
		begin = nil
		for _, r := range synth.RootRules() {
			begin = append(begin, synth.Options{Root: r.Name})
		}
		for _, o := range trees {
			if reads("Search") || o.Tree.Search != hv.DFS {
				begin = append(begin, o)
			}
		}
	}
	all := promises{true, true}
	for _, o := range begin {
		switch {
		case reads("Ties"):
			list = append(list, reading{o, all})
			if o.Tree.Search != hv.DFS {
				for _, o.Ties = range hv.TieRules[1:] {
					list = append(list, reading{o, all})
				}
			}
		case reads("DA"):
			if !every && o.Tree != (hv.Options{}) {
				list = append(list, reading{o, all})
				break
			}
			for _, marks := range synth.MarkRules {
				for _, starts := range synth.StartOrders {
					o.DA = synth.DAOptions{Marks: marks, Starts: starts}
					list = append(list, reading{o, promises{marks == synth.MarkRules[0], true}})
				}
			}
			o.DA = synth.DAOptions{StopAtStart: true}
			list = append(list, reading{o, promises{false, true}})
			o.DA = synth.DAOptions{Off: true}
			list = append(list, reading{o, all})
		case reads("Select"):
			for _, o.Select = range synth.Selections {
				for _, o.Totals = range synth.TotalRules {
					list = append(list, reading{o, promises{true, o.Select != synth.SelectAnywhere}})
				}
			}
		case reads("Form"):
			for _, o.Form = range synth.Forms {
				for _, o.Equal = range synth.EqualRules {
					sound := o.Form == synth.FormSafe || o.Form == synth.FormTree
					list = append(list, reading{o, promises{sound || o.Form == synth.FormBoth, sound}})
				}
			}
		}
	}
	return list
}

// setVerdict is what is known of a set of turns.
type setVerdict struct {
	table              *turnTable
	acyclic, connected bool
	minimal            map[bool]bool // by BothDirections, once asked
}

// judgeSet judges a set, if none like it has been judged.
func judgeSet(ctx context.Context, known map[string]*setVerdict, made *synth.Result) (*setVerdict, error) {
	key := fmt.Sprint(slices.Collect(made.Allowed.All()))
	if v := known[key]; v != nil {
		return v, nil
	}
	table := newTurnTable(made.Allowed)
	v := &setVerdict{table, !table.cyclic(), table.lost() == 0, map[bool]bool{}}
	known[key] = v
	var o verify.TurnOptions
	if made.Tree != nil {
		o.Tree = made.Tree.Up
	}
	return v, v.checked(ctx, made.Allowed, o)
}

// checked has turnproof judge the set, with its certificate.
func (v *setVerdict) checked(ctx context.Context, set *model.TurnSet, o verify.TurnOptions) error {
	rep, err := verify.CheckTurns(ctx, set, o)
	if err != nil {
		return err
	}
	if a, c := rep.Acyclic.Verdict, rep.Connected.Verdict; verdict(a) != holds(v.acyclic) || verdict(c) != holds(v.connected) {
		return fmt.Errorf("acyclic %s, connected %s; by brute force %s, %s", a, c, holds(v.acyclic), holds(v.connected))
	}
	if lost := v.table.lost(); int64(lost) != rep.Unreachable {
		return fmt.Errorf("%d pairs not connected, by brute force %d", rep.Unreachable, lost)
	}
	var file bytes.Buffer
	if err := cert.Write(&file, rep.Certificate); err != nil {
		return err
	}
	read, err := cert.Read(&file)
	if err != nil {
		return err
	}
	return cert.Check(read)
}

// keeps reports a promise of the reading that the set does not keep.
func (v *setVerdict) keeps(r reading) error {
	switch {
	case r.acyclic && !v.acyclic:
		return errors.New("closes a cycle")
	case r.connected && !v.connected:
		return errors.New("leaves switches unconnected")
	case !r.o.Release || !v.acyclic:
		return nil
	}
	both := r.o.BothDirections
	if _, asked := v.minimal[both]; !asked {
		v.minimal[both] = !v.table.releasable(both)
	}
	if !v.minimal[both] {
		return errors.New("a turn could still be released")
	}
	return nil
}

// fewest holds what minimum finds against exhaustive search.
func (t *graphTally) fewest(ctx context.Context, g graph, n *model.Network, e effort) error {
	made, err := synth.New(ctx, "minimum", n, synth.Options{Seconds: e.seconds})
	if err != nil {
		return fmt.Errorf("%v, minimum: %w", g, err)
	}
	t.minimums++
	bad := func(format string, args ...any) {
		t.wrong = append(t.wrong, fmt.Sprintf("graph %v, minimum: ", g.edges)+fmt.Sprintf(format, args...))
	}
	v, err := judgeSet(ctx, map[string]*setVerdict{}, made)
	if err == nil {
		err = v.keeps(reading{promises: promises{true, true}})
	}
	b := made.Bound
	if err == nil {
		err = v.bounded(ctx, made.Allowed, b)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		bad("%v", err)
	}
	found := len(v.table.turns(false))
	if b.Least > found || b.Optimal != (b.Least == found) {
		bad("%d turns prohibited, a bound of %d, optimal %v", found, b.Least, b.Optimal)
	}
	if b.Optimal {
		t.optimal++
	}
	least, ok := fewestTurns(newTurnTable(made.Allowed), e.steps)
	if !ok {
		return nil
	}
	if t.exact++; least > found || least < b.Least {
		bad("%d turns prohibited, a bound of %d; by exhaustive search %d", found, b.Least, least)
	}
	return nil
}

// bounded has turnproof judge the set with its bound, and holds that it shows that one.
func (v *setVerdict) bounded(ctx context.Context, set *model.TurnSet, b *synth.Bound) error {
	o := verify.TurnOptions{Steps: b.Steps, Least: b.Least, Gossip: b.Gossip}
	if b.Packing != nil {
		o.Packing = b.Packing.Evidence()
	}
	rep, err := verify.CheckTurns(ctx, set, o)
	if err != nil {
		return err
	}
	if rep.Bound != b.Least {
		return fmt.Errorf("a bound of %d is shown, %d was claimed", rep.Bound, b.Least)
	}
	return v.checked(ctx, set, o)
}

// add adds what was found on another graph.
func (t *graphTally) add(o *graphTally) {
	t.graphs, t.trees, t.different, t.minimal = t.graphs+o.graphs, t.trees+o.trees, t.different+o.different, t.minimal+o.minimal
	t.minimums, t.optimal, t.exact = t.minimums+o.minimums, t.optimal+o.optimal, t.exact+o.exact
	for name, k := range o.made {
		t.made[name] += k
	}
	t.wrong = append(t.wrong, o.wrong...)
}
