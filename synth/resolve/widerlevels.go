package resolve

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband/levels"
)

// This file compares the service levels of a folder with those of further files in it.

// widerLevels adds a doubt if further files of the folder state more service levels for the same pairs, to choose from, and the verdict of all of
// them may be another one: their dependencies have a cycle, multicast or management packets add to them, or a level is dropped. It fails if the
// files contradict each other.
//
// Cost: O(destinations × levels × channels) for such files.
func (s *Subject) widerLevels(t *model.Table, further []string) error {
	if len(further) == 0 {
		return nil
	}
	wide, o := *t, s.format
	o.Findings, o.Premise = &format.Findings{File: s.found.File, NoLIDPorts: map[uint64]string{}}, nil
	notes, err := levels.ReadFurther(s.From.SL, s.From.SL2VL, &wide, o, further)
	s.Notes = append(s.Notes, notes...)
	if err != nil || slices.Equal(wide.ClassSets(), t.ClassSets()) {
		return err
	}
	isCyclic, drops := dependencies(&wide)
	hasMulticast := s.asked.Multicast != NoMulticast && (s.asked.Multicast != "" || s.From.Multicast != "")
	var claims []string
	if isManaged := s.asked.Management != "" && s.asked.Management != "none"; isCyclic || hasMulticast || isManaged {
		claims = append(claims, model.ClaimDeadlockFree)
	}
	if drops {
		claims = append(claims, model.ClaimConnected)
	}
	if len(claims) > 0 {
		s.doubt(model.Doubt{Premise: model.PremiseLevels, Against: model.AgainstProof, Claims: claims,
			Next: "name the right file with --sl",
			Reason: fmt.Sprintf("%s states fewer service levels for some pairs than %s, and only these are judged",
				filepath.Base(s.From.SL), baseNames(further))})
	}
	return nil
}

func baseNames(files []string) string {
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	return strings.Join(names, ", ")
}

// dependencies reports whether the dependencies of a table between switches have a cycle, and whether a packet is dropped for its service level.
func dependencies(t *model.Table) (isCyclic, drops bool) {
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
			if out == model.NoChannel || int(out) >= n.NumChannels() {
				continue
			}
			vc := t.HopVC(s.in, out, s.k)
			if drops = drops || vc == model.DropVC; vc == model.DropVC || int(out) >= n.NumLinkChannels() {
				continue
			}
			add(state{out, s.k})
			after := row[n.Head(out)]
			if after == model.NoChannel || int(after) >= n.NumLinkChannels() {
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
	return hasCycle(next, degree), drops
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
