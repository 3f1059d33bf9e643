package resolve

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband/levels"
)

// This file compares the service levels of a folder with those of further files in it.

// widerLevels adds a doubt if another file of the folder states more service levels for the same pairs, to choose from, and the dependencies of
// all of them have a cycle. It fails if the files contradict each other.
//
// Cost: O(destinations × levels × channels) for such a file.
func (s *Subject) widerLevels(t *model.Table, further []string) error {
	for _, file := range further {
		wide, o := *t, s.format
		o.Findings, o.Premise = &format.Findings{File: s.found.File, NoLIDPorts: map[uint64]string{}}, nil
		if err := levels.Read(s.From.SL, s.From.SL2VL, &wide, o, file); err != nil {
			return err
		}
		if slices.Equal(wide.ClassSets(), t.ClassSets()) || !isCyclic(&wide) {
			continue
		}
		s.doubt(model.Doubt{Premise: model.PremiseLevels, Against: model.AgainstProof, Claims: []string{model.ClaimDeadlockFree},
			Next: "judge all levels: --sl " + file,
			Reason: fmt.Sprintf("%s states more service levels than %s for some pairs, and the dependencies of all of them "+
				"have a cycle", filepath.Base(file), filepath.Base(s.From.SL))})
	}
	return nil
}

// isCyclic reports whether the dependencies of a table between switches have a cycle.
func isCyclic(t *model.Table) bool {
	n := t.Network()
	next, degree := map[[2]int]bool{}, map[int]int{}
	type state struct {
		in model.ChannelID
		k  model.Class
	}
	for d := range model.DestID(t.Destinations()) {
		row := t.Row(d)
		seen := map[state]bool{}
		var todo []state
		add := func(s state) {
			if !seen[s] {
				seen[s] = true
				todo = append(todo, s)
			}
		}
		for h := range model.HostID(n.NumHosts()) {
			for k := range model.Class(model.MaxClasses) {
				if t.ClassesOf(h, d)>>k&1 != 0 && h != t.DestinationHost(d) {
					add(state{n.InjectChannel(h), k})
				}
			}
		}
		for len(todo) > 0 {
			s := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			out := row[n.Head(s.in)]
			if out == model.NoChannel || int(out) >= n.NumLinkChannels() {
				continue
			}
			add(state{out, s.k})
			vc := t.HopVC(s.in, out, s.k)
			after := row[n.Head(out)]
			if vc == model.DropVC || after == model.NoChannel || int(after) >= n.NumLinkChannels() {
				continue
			}
			if to := t.HopVC(out, after, s.k); to != model.DropVC {
				e := [2]int{int(out)*model.MaxClasses + vc, int(after)*model.MaxClasses + to}
				if !next[e] {
					next[e] = true
					degree[e[0]]++
				}
			}
		}
	}
	return hasCycle(next, degree)
}

// hasCycle reports whether a graph has a cycle, given its edges and the number of those from each vertex. It removes vertices without successors.
func hasCycle(edges map[[2]int]bool, degree map[int]int) bool {
	before := map[int][]int{}
	var todo []int
	for e := range edges {
		if before[e[1]] = append(before[e[1]], e[0]); degree[e[1]] == 0 && len(before[e[1]]) == 1 {
			todo = append(todo, e[1])
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, u := range before[v] {
			if degree[u]--; degree[u] == 0 {
				delete(degree, u)
				todo = append(todo, u)
			}
		}
	}
	return len(degree) > 0
}
