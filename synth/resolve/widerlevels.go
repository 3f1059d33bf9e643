package resolve

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband/levels"
)

// This file compares the service levels of a folder with those of further files in it.

// moreLevels are the service levels of further files of a folder together with those of the first one.
type moreLevels struct {
	judged, all *model.Table // with the levels of the first file, and of all
	files       []string
}

// readFurther reads the further files of service levels of a folder. It fails if the files contradict each other.
func (s *Subject) readFurther(t *model.Table, further []string) error {
	if len(further) == 0 {
		return nil
	}
	all, o := *t, s.format
	o.Findings, o.Premise = &format.Findings{File: s.found.File, NoLIDPorts: map[uint64]string{}}, nil
	notes, err := levels.ReadFurther(s.From.SL, s.From.SL2VL, &all, o, further)
	s.Notes = append(s.Notes, notes...)
	s.more = &moreLevels{t, &all, further}
	return err
}

// doubtFewerLevels adds a doubt if further files of the folder state more service levels for pairs that talk, to choose from, and the verdict of all
// of them may be another one: their dependencies have a cycle, the tables are adaptive, multicast packets add to them, or a level is dropped.
// With management traffic it always does.
//
// Cost: O(destinations × levels × channels) for such files.
func (s *Subject) doubtFewerLevels() {
	m := s.more
	if m == nil {
		return
	}
	pairs := talkingPairs(m.judged, s.Flows)
	if m.isMoreFor(pairs) {
		isCyclic, drops := dependencies(m.all, pairs)
		isAdaptive := s.far.table != nil // m.all has one port of each group
		hasMulticast := s.asked.Multicast != NoMulticast && (s.asked.Multicast != "" || s.From.Multicast != "")
		var claims []string
		if isCyclic || isAdaptive || hasMulticast {
			claims = append(claims, model.ClaimDeadlockFree)
		}
		if drops || isAdaptive {
			claims = append(claims, model.ClaimConnected)
		}
		if len(claims) > 0 {
			s.doubtLevels(model.NoManagement, claims...)
		}
	}
	if m.isMoreFor(func(model.HostID, model.DestID) bool { return true }) {
		s.doubtLevels(model.HostManagement, model.ClaimDeadlockFree, model.ClaimConnected)
	}
}

// doubtLevels adds the doubt about verdicts with some management traffic that the levels of the first file are not all.
func (s *Subject) doubtLevels(traffic model.Management, claims ...string) {
	s.doubt(model.Doubt{Premise: model.PremiseLevels, Against: model.AgainstProof, Managed: traffic, Claims: claims,
		Next: "name the right file with --sl",
		Reason: fmt.Sprintf("%s states fewer service levels for some pairs than %s, and only these are judged",
			filepath.Base(s.From.SL), baseNames(s.more.files))})
}

// pairsOf reports whether packets from a host to a destination belong to a set.
type pairsOf func(model.HostID, model.DestID) bool

// talkingPairs returns the pairs of hosts of the flows, all if there are none.
func talkingPairs(t *model.Table, flows []model.Flow) pairsOf {
	talks := map[[2]model.HostID]bool{}
	for _, x := range flows {
		talks[[2]model.HostID{x.Source, x.Dest}] = true
	}
	return func(h model.HostID, d model.DestID) bool {
		isHosts := int(h) < t.Network().NumHosts() && int(d) < t.HostDestinations()
		return isHosts && h != t.DestinationHost(d) && (flows == nil || talks[[2]model.HostID{h, t.DestinationHost(d)}])
	}
}

// isMoreFor reports whether all files state another set of levels than the first one for a pair of a set.
func (m *moreLevels) isMoreFor(pairs pairsOf) bool {
	for d := range model.DestID(m.all.AllDestinations()) {
		for h := range model.HostID(m.all.Network().NumEndpoints()) {
			if pairs(h, d) && m.all.ClassesOf(h, d) != m.judged.ClassesOf(h, d) {
				return true
			}
		}
	}
	return false
}

func baseNames(files []string) string {
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	return strings.Join(names, ", ")
}

// dependencies reports whether the dependencies that packets of some pairs of hosts cause between switches have a cycle, and whether one of these
// packets is dropped for its service level.
func dependencies(t *model.Table, pairs pairsOf) (isCyclic, drops bool) {
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
				if pairs(h, d) && t.ClassesOf(h, d)>>k&1 != 0 {
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
