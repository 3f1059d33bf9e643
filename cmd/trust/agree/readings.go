package agree

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/synth"
)

// This file lists the trees of a graph, and the options of a method.

// promises says what the sets of a reading are, by the description of the method.
type promises struct{ acyclic, connected bool }

// reading is options of a method, with its promises.
type reading struct {
	o synth.Options
	promises
}

// treesOf returns options that give different trees, for each root.
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
		for _, search := range hv.Searches() {
			for _, near := range hv.NeighbourOrders() {
				for _, children := range hv.ChildOrders() {
					for _, parent := range hv.ParentRules() {
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

// readings returns all options of a method on some trees. The readings of DA are tried on every tree if
// every is true, else on one for each root.
func readings(m synth.Method, trees []synth.Options, every bool) (list []reading) {
	begin := []synth.Options{{}}
	if m.Tree {
		begin = nil
		for _, r := range synth.RootRules() {
			begin = append(begin, synth.Options{Root: r.Name})
		}
		for _, o := range trees {
			if m.Reads("tree") || o.Tree.Search != hv.DFS {
				begin = append(begin, o)
			}
		}
	}
	all := promises{true, true}
	for _, o := range begin {
		switch {
		case m.Reads("ties"):
			list = append(list, reading{o, all})
			if o.Tree.Search != hv.DFS {
				for _, o.Ties = range hv.TieRules()[1:] {
					list = append(list, reading{o, all})
				}
			}
		case m.Reads("marks"):
			if !every && o.Tree != (hv.Options{}) {
				list = append(list, reading{o, all})
				break
			}
			for _, marks := range synth.MarkRules() {
				for _, starts := range synth.StartOrders() {
					o.DA = synth.DAOptions{Marks: marks, Starts: starts}
					list = append(list, reading{o, promises{marks == synth.MarkRules()[0], true}})
				}
			}
			o.DA = synth.DAOptions{StopAtStart: true}
			list = append(list, reading{o, promises{false, true}})
			o.DA = synth.DAOptions{Off: true}
			list = append(list, reading{o, all})
		case m.Reads("select"):
			for _, o.Select = range synth.Selections() {
				for _, o.Totals = range synth.TotalRules() {
					list = append(list, reading{o, promises{true, o.Select != synth.SelectAnywhere}})
				}
			}
		case m.Reads("form"):
			for _, o.Form = range synth.Forms() {
				for _, o.Equal = range synth.EqualRules() {
					sound := o.Form == synth.FormSafe || o.Form == synth.FormTree
					list = append(list, reading{o, promises{sound || o.Form == synth.FormBoth, sound}})
				}
			}
		default:
			panic("agree: method " + m.Name + " has no reading; add a case to readings in cmd/trust/agree/readings.go")
		}
	}
	return list
}
