package resolve

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband/levels"
)

// This file reads the service levels of a folder, of which it may have several files.

// readLevels gives service levels to a table. If further files state more levels for the same pairs, to choose from, packets may have each of them.
// The levels of the first file are judged alone if those of all files have the same verdict: see Request.FewLevels.
//
// Cost: O(destinations × levels × channels) for such files.
func (s *Subject) readLevels(t *model.Table, further []string) error {
	if len(further) == 0 {
		return levels.Read(s.From.SL, s.From.SL2VL, t, s.format)
	}
	all, before := *t, *s.found
	found, err := levels.ReadFurther(s.From.SL, s.From.SL2VL, &all, s.format, further)
	s.Notes = append(s.Notes, found.Notes...)
	if err != nil {
		return err
	}
	if found.Hosts || found.Others {
		hasMulticast := s.asked.Multicast != NoMulticast && (s.asked.Multicast != "" || s.From.Multicast != "")
		isManaged := s.asked.Management != "" && s.asked.Management != "none"
		isCyclic, drops := dependencies(&all)
		if !s.asked.FewLevels || found.Others || hasMulticast || isManaged || s.far.table != nil || isCyclic || drops {
			s.Notes = append(s.Notes, fmt.Sprintf("packets may have the service levels of %s and of %s", filepath.Base(s.From.SL), baseNames(further)))
			*t = all
			return nil
		}
	}
	s.Notes = append(s.Notes, fmt.Sprintf("%s is used, %s left aside", filepath.Base(s.From.SL), baseNames(further)))
	*s.found = before
	return levels.Read(s.From.SL, s.From.SL2VL, t, s.format)
}

func baseNames(files []string) string {
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	return strings.Join(names, ", ")
}

// dependencies reports whether the dependencies that packets of hosts cause between switches have a cycle, and whether one of these packets is
// dropped for its service level.
func dependencies(t *model.Table) (isCyclic, drops bool) {
	n := t.Network()
	next, degree := map[[2]int]bool{}, map[int]int{}
	type state struct {
		in model.ChannelID
		k  model.Class
	}
	for d := range model.DestID(t.HostDestinations()) {
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
				if h != t.DestinationHost(d) && t.ClassesOf(h, d)>>k&1 != 0 {
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
