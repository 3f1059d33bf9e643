package seams

import (
	"slices"
	"strings"
)

// This file judges fabrics by a dependency graph of its own, which it makes from what was drawn, not from the files.

// channelVL is a virtual lane of the channel that leaves a switch by a port.
type channelVL struct{ at, port, vl int }

// fabricTraffic selects packets. With isStated, these are the packets whose service level a file states.
type fabricTraffic struct {
	management            string // none, hosts or all
	isMulticast, isStated bool
	pairs                 map[[2]int]bool // of hosts from 0; nil: all
}

// dependencies are the channels that packets use one after the other. isOpen says that a multicast table is missing.
type dependencies struct {
	next   map[channelVL][]channelVL
	isOpen bool
}

// graph returns the dependencies of some traffic.
func (f *fabric) graph(t fabricTraffic) *dependencies {
	g := &dependencies{next: map[channelVL][]channelVL{}}
	for a := 1; a < len(f.ends); a++ {
		for d := 1; d < len(f.ends); d++ {
			isHost, toHost := f.hostOf(a) >= 0, f.hostOf(d) >= 0
			switch {
			case f.ends[a] == f.ends[d] && f.port[a] == f.port[d]: // to itself
			case isHost && toHost:
				if t.pairs == nil || t.pairs[[2]int{f.hostOf(a), f.hostOf(d)}] {
					f.walk(g, a, d, t.isStated)
				}
			case t.management == "all" || t.management == "hosts" && (isHost || toHost):
				f.walk(g, a, d, t.isStated)
			}
		}
	}
	if t.isMulticast {
		for _, tree := range f.trees {
			f.spread(g, tree, t.management != "none")
		}
	}
	return g
}

// hostOf returns the host where a LID ends.
func (f *fabric) hostOf(lid int) int {
	for h := range f.hosts {
		if f.ends[h+1] == f.ends[lid] && f.port[h+1] == f.port[lid] {
			return h
		}
	}
	return -1
}

// levelsOf returns the possible service levels of a pair of LIDs: that of its record, 0 if no file is about levels, else any. A virtual
// port has no records. If isStated is set, a pair has no unknown level.
func (f *fabric) levelsOf(a, d int, isStated bool) []int {
	sl, ok := f.levels[[2]int{a, d}]
	switch {
	case ok:
		return []int{sl}
	case f.levels == nil && f.vls == nil:
		return []int{0}
	case isStated:
		return nil
	}
	var all []int
	for sl := range 15 {
		all = append(all, sl)
	}
	return all
}

// vl returns the VL on which a packet leaves a switch.
func (f *fabric) vl(u, in, out, sl int) int {
	if f.vls == nil {
		return sl
	}
	return f.vls[[3]int{u, in, out}][sl]
}

// walk adds the dependencies of the packets from LID a to LID d.
func (f *fabric) walk(g *dependencies, a, d int, isStated bool) {
	for _, sl := range f.levelsOf(a, d, isStated) {
		u, in := f.ends[a], f.port[a]
		var before *channelVL
		for seen := map[channelVL]bool{}; ; {
			out := f.out[u][d]
			v, at := f.across(u, out)
			if v < 0 {
				break // delivered or dropped
			}
			c := channelVL{u, out, f.vl(u, in, out, sl)}
			if before != nil {
				g.add(*before, c)
			}
			if seen[c] {
				break
			}
			seen[c] = true
			before, u, in = &c, v, at
		}
	}
}

// spread adds the dependencies of the copies of a multicast group, from every host at a switch of the tree, and from its switches if
// they send, too.
func (f *fabric) spread(g *dependencies, tree map[int][]int, switchesSend bool) {
	type arrival struct {
		u, in int
		from  channelVL
		isNew bool // from a host
	}
	var queue []arrival
	for h := range f.hosts {
		if _, ok := tree[f.ends[h+1]]; ok {
			queue = append(queue, arrival{f.ends[h+1], f.port[h+1], channelVL{}, true})
		}
	}
	for u := range tree {
		if switchesSend {
			queue = append(queue, arrival{u, 0, channelVL{}, true})
		}
	}
	seen := map[arrival]bool{}
	for ; len(queue) > 0; queue = queue[1:] {
		x := queue[0]
		if seen[x] {
			continue
		}
		seen[x] = true
		ports, ok := tree[x.u]
		if !ok {
			g.isOpen = true
			continue
		}
		for _, out := range ports {
			v, at := f.across(x.u, out)
			if out == x.in || v < 0 {
				continue
			}
			c := channelVL{x.u, out, f.vl(x.u, x.in, out, 0)}
			if !x.isNew {
				g.add(x.from, c)
			}
			queue = append(queue, arrival{v, at, c, false})
		}
	}
}

func (g *dependencies) add(a, b channelVL) {
	if !slices.Contains(g.next[a], b) {
		g.next[a] = append(g.next[a], b)
	}
}

// hasCycle reports whether the graph has a cycle, by a depth-first search.
func (g *dependencies) hasCycle() bool {
	const open, done = 1, 2
	state := map[channelVL]int{}
	var visit func(c channelVL) bool
	visit = func(c channelVL) bool {
		state[c] = open
		for _, d := range g.next[c] {
			if state[d] == open || state[d] == 0 && visit(d) {
				return true
			}
		}
		state[c] = done
		return false
	}
	for c := range g.next {
		if state[c] == 0 && visit(c) {
			return true
		}
	}
	return false
}

// judgesFabric are the flags of lines that judgeFabric judges.
var judgesFabric = []string{"management", "multicast", "sl", "sl2vl", "flows", "simulate", "check", "cross-check", "switching", "assume", "strict"}

// judgeFabric compares the verdict on a fabric with the graph. It returns "" if they agree, or if the line has flags that
// change the graph otherwise.
func judgeFabric(l *Line, a *answer) string {
	f := l.fabric
	if f == nil || a.claim("deadlock-free") == nil {
		return ""
	}
	for _, o := range l.Options {
		if !slices.Contains(judgesFabric, o.Flag) {
			return ""
		}
	}
	t := fabricTraffic{management: "none", isMulticast: true}
	if m, ok := l.value("management"); ok {
		t.management = m
	}
	if m, ok := l.value("multicast"); ok && m == "none" {
		t.isMulticast = false
	}
	if text, ok := l.value("flows"); ok {
		t.pairs = f.pairsOf(l, text)
	}
	return f.compare(l, t, a)
}

// compare compares a verdict with the graph of some traffic. A proof must hold for all levels that no file states. A refutation
// must hold without the packets of these levels, and does if they are not needed.
func (f *fabric) compare(l *Line, t fabricTraffic, a *answer) string {
	all := f.graph(t)
	t.isStated = true
	isCyclic, isStatedCyclic := all.hasCycle(), f.graph(t).hasCycle()
	t.isStated = false
	verdict := a.claim("deadlock-free").Verdict
	switch {
	case verdict == "proved" && a.isAcyclic() && isCyclic:
		return "PROVED without a cycle, the dumps have one"
	case verdict == "proved" && all.isOpen:
		return "PROVED, but a multicast table is not in the dumps"
	case verdict == "refuted" && !isStatedCyclic:
		return "REFUTED, the dumps have no cycle of stated service levels"
	case verdict != "undecided" || l.has("strict") || l.has("switching"):
	case isStatedCyclic:
		return "UNDECIDED, the dumps have a cycle of stated service levels"
	case !isCyclic && !all.isOpen:
		return "UNDECIDED, the dumps have no cycle for any service levels"
	}
	for _, p := range a.Premises {
		if p.Name != "management traffic" || verdict != "proved" || !strings.Contains(p.Value, "the verdict is the same") {
			continue
		}
		for _, m := range []string{"hosts", "all"} {
			t.management = m
			if g := f.graph(t); g.isOpen || g.hasCycle() {
				return "PROVED for management traffic of " + m + ", the dumps have a cycle"
			}
		}
	}
	return ""
}

// pairsOf returns the pairs of hosts of --flows.
func (f *fabric) pairsOf(l *Line, text string) map[[2]int]bool {
	pairs := map[[2]int]bool{}
	list := strings.Split(text, ",")
	if name, ok := strings.CutPrefix(text, folderMark); ok {
		list = strings.Split(strings.ReplaceAll(strings.TrimSpace(l.Files[name]), ",", ":"), "\n")[1:]
	}
	names := f.hostNames()
	for _, p := range list {
		a, b, _ := strings.Cut(p, ":")
		pairs[[2]int{slices.Index(names, a), slices.Index(names, b)}] = true
	}
	return pairs
}
