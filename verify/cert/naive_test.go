package cert_test

import (
	"maps"
	"slices"

	. "github.com/turnproof/turnproof/verify/cert"
)

// This file finds verdicts and evidence by brute force, for tests: slow, by
// the words of format.go, and with nothing from the checker but state.

// naive is a small subject, and what is found of it.
type naive struct {
	s       *Subject
	w       *Network
	sources int
	ends    []int32
	paths   []map[state][]int32 // by destination: a shortest path to each reachable state, its own injection state first
	who     []map[state]Packet  // by destination and state: the packet of that path
	deps    map[[2]int32]Packet // between VCs of links, each with a packet that has it
	pairs   int64
	lost    int64
	lostBy  *Claim // End and Packets of the first packet found lost
	hops    int64
	loop    *Packet
	chosen  *Ints // of the configuration, nil where the subject says nothing of waiting
}

func explore(s *Subject) *naive {
	n := &naive{s: s, w: &s.Network, deps: map[[2]int32]Packet{}}
	if s.Table != nil {
		n.sources, n.ends = s.Table.Sources, s.Table.Destinations
	} else {
		n.sources, n.ends = s.Relation.Sources, s.Relation.Destinations
	}
	for d := range n.ends {
		n.paths = append(n.paths, map[state][]int32{})
		n.who = append(n.who, map[state]Packet{})
		for e := range n.sources {
			if int(n.ends[d]) != e {
				n.pair(e, d)
			}
		}
	}
	return n
}

func (n *naive) channels() (links, ends int32) {
	return int32(len(n.w.Links) / 2), int32(len(n.w.Endpoints))
}

func (n *naive) isLink(vc int32) bool { l, _ := n.channels(); return vc < l*int32(n.w.VCs) }
func (n *naive) eject(e int32) int32  { l, m := n.channels(); return l + m + e }

// enters gives the switch that a channel enters and the port there.
func enters(w *Network, c int32) (u, port int32) {
	if l := int32(len(w.Links) / 2); c >= l {
		return w.Attach[2*(c-l)], w.Attach[2*(c-l)+1]
	}
	if c%2 == 0 {
		return w.Links[4*(c/2)+2], w.Links[4*(c/2)+3]
	}
	return w.Links[4*(c/2)], w.Links[4*(c/2)+1]
}

// leaves gives the channel that leaves switch u by port p, or -1.
func leaves(w *Network, u, p int32) int32 {
	l, m := int32(len(w.Links)/2), int32(len(w.Endpoints))
	for c := range l {
		if x, q := enters(w, c); x == u && q == p {
			return c ^ 1
		}
	}
	for e := range m {
		if w.Attach[2*e] == u && w.Attach[2*e+1] == p {
			return l + m + e
		}
	}
	return -1
}

// portsOf gives the ports of switch u that hold cables, ascending.
func portsOf(w *Network, u int32) []int32 {
	var list []int32
	for i := 0; i < len(w.Links); i += 2 {
		if w.Links[i] == u {
			list = append(list, w.Links[i+1])
		}
	}
	for i := 0; i < len(w.Attach); i += 2 {
		if w.Attach[i] == u {
			list = append(list, w.Attach[i+1])
		}
	}
	slices.Sort(list)
	return list
}

func (n *naive) classes(e, d int) []int32 {
	if r := n.s.Relation; r != nil {
		var list []int32
		for i := 0; i < len(r.Inject); i += 3 {
			if int(r.Inject[i]) == e && int(r.Inject[i+1]) == d {
				list = append(list, r.Inject[i+2])
			}
		}
		return list
	}
	t := n.s.Table
	if t.Classes == nil || e >= n.w.Hosts || int(n.ends[d]) >= n.w.Hosts {
		return []int32{0}
	}
	var list []int32
	for k := range int32(16) {
		if (*t.Classes)[d*n.w.Hosts+e]&(1<<k) != 0 {
			list = append(list, k)
		}
	}
	return list
}

func (n *naive) next(d int, at state) []state {
	if r := n.s.Relation; r != nil {
		for i := 0; i < len(r.States); i += 4 + 2*int(r.States[i+3]) {
			if int(r.States[i]) == d && r.States[i+1] == at.vc && r.States[i+2] == at.class {
				var list []state
				for j := range int(r.States[i+3]) {
					list = append(list, state{r.States[i+4+2*j], r.States[i+5+2*j]})
				}
				return list
			}
		}
		return nil
	}
	t, l, vcs := n.s.Table, int32(len(n.w.Links)/2), int32(n.w.VCs)
	if at.vc/vcs >= n.eject(0) {
		return nil
	}
	u, in := enters(n.w, at.vc/vcs)
	p := t.Ports[d*len(n.w.Switches)+int(u)]
	if p < 0 {
		return nil
	}
	b := leaves(n.w, u, p)
	if b < 0 {
		return nil
	}
	v := at.class
	if t.VCRows != nil {
		from := 0
		for x := range u {
			from += len(portsOf(n.w, x)) * len(portsOf(n.w, x))
		}
		list := portsOf(n.w, u)
		row := (*t.VCRowOf)[from+slices.Index(list, in)*len(list)+slices.Index(list, p)]
		v = (*t.VCRows)[16*row+at.class]
	}
	if v == 15 {
		return nil
	}
	if b >= l {
		v = 0
	}
	return []state{{b*vcs + v, at.class}}
}

// pair follows all packets from endpoint e to destination d.
func (n *naive) pair(e, d int) {
	n.pairs++
	bad := true
	for i, k := range n.classes(e, d) {
		p := Packet{Source: e, Destination: d, Class: int(k)}
		l, _ := n.channels()
		at := state{(l + int32(e)) * int32(n.w.VCs), k}
		if i == 0 {
			bad = false
		}
		reached := n.spread(d, at, p)
		for _, s := range reached {
			if end := n.fate(d, s); end != "" {
				bad = true
				if n.lostBy == nil {
					p.Path = n.paths[d][s]
					n.lostBy = &Claim{End: end, Packets: []Packet{n.packet(d, s)}}
				}
			}
		}
		n.longest(d, []state{at})
	}
	if len(n.classes(e, d)) == 0 && n.lostBy == nil {
		n.lostBy = &Claim{End: EndNoClass, Packets: []Packet{{Source: e, Destination: d, Class: -1, Path: []int32{}}}}
	}
	if bad {
		n.lost++
	}
}

func (n *naive) packet(d int, s state) Packet {
	p := n.who[d][s]
	p.Path = n.paths[d][s]
	return p
}

// spread gives all states reached from at, and notes paths and dependencies.
func (n *naive) spread(d int, at state, p Packet) []state {
	list, here := []state{at}, map[state][]int32{at: {at.vc, at.class}}
	for i := 0; i < len(list); i++ {
		s := list[i]
		if _, ok := n.paths[d][s]; !ok {
			n.paths[d][s], n.who[d][s] = here[s], p
		}
		for _, to := range n.next(d, s) {
			path := append(slices.Clone(here[s]), to.vc, to.class)
			if key := [2]int32{s.vc, to.vc}; n.isLink(s.vc) && n.isLink(to.vc) {
				if _, ok := n.deps[key]; !ok {
					q := p
					q.Path = path
					n.deps[key] = q
				}
			}
			if _, ok := here[to]; !ok {
				here[to] = path
				list = append(list, to)
			}
		}
	}
	return list
}

// fate says how a packet in a state is lost, "" if there is a way on.
func (n *naive) fate(d int, s state) string {
	vcs, end := int32(n.w.VCs), n.eject(n.ends[d])
	list, seen := []state{s}, map[state]bool{s: true}
	for i := 0; i < len(list); i++ {
		if list[i].vc/vcs == end {
			return ""
		}
		for _, to := range n.next(d, list[i]) {
			if !seen[to] {
				seen[to] = true
				list = append(list, to)
			}
		}
	}
	switch {
	case s.vc/vcs >= n.eject(0):
		return EndWrongHost
	case len(n.next(d, s)) == 0:
		return EndDropped
	}
	return EndLooping
}

// longest tries every way on from the last state of way (small networks only).
func (n *naive) longest(d int, way []state) {
	s := way[len(way)-1]
	if n.loop != nil || s.vc/int32(n.w.VCs) >= n.eject(0) {
		return
	}
	n.hops = max(n.hops, int64(len(way)))
	for _, to := range n.next(d, s) {
		on := append(way[:len(way):len(way)], to)
		if slices.Contains(way, to) && n.loop == nil {
			l, _ := n.channels()
			p := Packet{Source: int(way[0].vc/int32(n.w.VCs) - l), Destination: d, Class: int(way[0].class)}
			for _, s := range on {
				p.Path = append(p.Path, s.vc, s.class)
			}
			n.loop = &p
		}
		if n.loop == nil {
			n.longest(d, on)
		}
	}
}

// claims gives a full set of claims with evidence.
func (n *naive) claims() []Claim {
	list := []Claim{n.acyclic()}
	if free, ok := n.deadlockFree(list[0]); ok {
		list = append(list, free)
	}
	connected := Claim{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceWalk, Pairs: &n.pairs}
	if n.lost > 0 {
		connected.Verdict, connected.Evidence, connected.Unreachable = Refuted, EvidenceLostPacket, &n.lost
		connected.End, connected.Packets = n.lostBy.End, n.lostBy.Packets
	}
	live := Claim{Claim: ClaimLivelockFree, Verdict: Proved, Evidence: EvidenceLongest, Hops: &n.hops}
	if n.loop != nil {
		live.Verdict, live.Evidence, live.Hops, live.Packets = Refuted, EvidenceLoop, nil, []Packet{*n.loop}
	}
	list = append(list, connected, live)
	if p := n.farther(); p != nil {
		list = append(list, Claim{Claim: ClaimMinimal, Verdict: Refuted, Evidence: EvidenceFarther, Packets: []Packet{*p}})
	}
	list = append(list, n.choices()...)
	if m, ok := n.messages(list[1]); ok {
		list = append(list, m)
	}
	return list
}

// farther returns a packet whose last hop leads no nearer to its destination, or nil.
func (n *naive) farther() (found *Packet) {
	if n.s.Gates != nil || n.s.Bubbles != nil {
		return nil
	}
	n.lastHops(func(p Packet, before, after int) {
		if found == nil && before < len(n.w.Switches) && after >= before {
			found = &p
		}
	})
	return found
}

// lastHops visits a packet for each reachable state on a VC between switches, with the distances before and after its last hop.
func (n *naive) lastHops(visit func(p Packet, before, after int)) {
	vcs, far := int32(n.w.VCs), n.allDistances()
	for d, end := range n.ends {
		for _, s := range slices.SortedFunc(maps.Keys(n.paths[d]), func(a, b state) int { return int(a.vc-b.vc)*1000 + int(a.class-b.class) }) {
			path := n.paths[d][s]
			if n.isLink(s.vc) && len(path) >= 4 {
				from, _ := enters(n.w, path[len(path)-4]/vcs)
				to, _ := enters(n.w, s.vc/vcs)
				visit(n.packet(d, s), far[from][n.w.Attach[2*end]], far[to][n.w.Attach[2*end]])
			}
		}
	}
}

// messages is about two classes of messages, in one virtual network for an even number of endpoints.
func (n *naive) messages(free Claim) (Claim, bool) {
	if n.s.Gates != nil {
		return Claim{}, false
	}
	if len(n.w.Endpoints)%2 == 0 {
		for d, a := range n.ends {
			for e, b := range n.ends {
				there, back := n.whole(int(a), e), n.whole(int(b), d)
				if a < b && there != nil && back != nil && !n.loses(there) && !n.loses(back) {
					return Claim{Claim: ClaimMessages, Verdict: Refuted, Evidence: EvidenceSharedNetwork, Messages: &Ints{0, 0}, Packets: []Packet{*there, *back}}, true
				}
			}
		}
	}
	switch {
	case free.Claim != ClaimDeadlockFree:
		return Claim{}, false
	case free.Verdict == Proved:
		return Claim{Claim: ClaimMessages, Verdict: Proved, Evidence: EvidenceNetworks, Messages: &Ints{0, 1}}, true
	}
	return Claim{Claim: ClaimMessages, Verdict: Refuted, Evidence: EvidenceDeadlocked, Messages: &Ints{0, 1}}, true
}

// loses reports whether some packet that begins like p can miss its destination.
func (n *naive) loses(p *Packet) bool {
	l, m := n.channels()
	seen := map[state]bool{}
	var from func(at state) bool
	from = func(at state) bool {
		if seen[at] {
			return false
		}
		seen[at] = true
		if c := at.vc / int32(n.w.VCs); c >= l+m {
			return c != n.eject(n.ends[p.Destination])
		}
		next := n.next(p.Destination, at)
		return len(next) == 0 || slices.ContainsFunc(next, from)
	}
	return from(state{p.Path[0], p.Path[1]})
}

// whole returns a packet from endpoint e that has arrived at destination d, or nil if there is none.
func (n *naive) whole(e, d int) *Packet {
	sources := n.s.Network.Hosts
	if n.s.Table != nil {
		sources = n.s.Table.Sources
	} else if n.s.Relation != nil {
		sources = n.s.Relation.Sources
	}
	if e >= sources || int(n.ends[d]) == e {
		return nil
	}
	l, _ := n.channels()
	for _, k := range n.classes(e, d) {
		at := state{(l + int32(e)) * int32(n.w.VCs), k}
		list, paths := []state{at}, map[state][]int32{at: {at.vc, at.class}}
		for i := 0; i < len(list); i++ {
			s := list[i]
			if s.vc/int32(n.w.VCs) == n.eject(n.ends[d]) {
				return &Packet{Source: e, Destination: d, Class: int(k), Path: paths[s]}
			}
			for _, to := range n.next(d, s) {
				if paths[to] == nil {
					paths[to] = append(slices.Clone(paths[s]), to.vc, to.class)
					list = append(list, to)
				}
			}
		}
	}
	return nil
}

// acyclic takes VCs off that depend on none left, the last rank first.
func (n *naive) acyclic() Claim {
	size := len(n.w.Links) / 2 * n.w.VCs
	ranks, rank := make(Ints, size), size
	done := make([]bool, size)
	for again := true; again; {
		again = false
		for x := range int32(size) {
			free := !done[x]
			for key := range n.deps {
				free = free && !(key[0] == x && !done[key[1]])
			}
			if free {
				rank--
				done[x], ranks[x], again = true, int32(rank), true
			}
		}
	}
	if rank == 0 {
		return Claim{Claim: ClaimAcyclic, Verdict: Proved, Evidence: EvidenceNumbering, Ranks: &ranks}
	}
	return Claim{Claim: ClaimAcyclic, Verdict: Refuted, Evidence: EvidenceCycle, Packets: n.cycle(done)}
}

// cycle walks among VCs that are not done, from each to its least next, until
// it closes.
func (n *naive) cycle(done []bool) []Packet {
	way := []int32{int32(slices.Index(done, false))}
	for {
		x, least := way[len(way)-1], int32(-1)
		for key := range n.deps {
			if key[0] == x && !done[key[1]] && (least < 0 || key[1] < least) {
				least = key[1]
			}
		}
		if i := slices.Index(way, least); i >= 0 {
			var list []Packet
			way = way[i:]
			first := slices.Index(way, slices.Min(way))
			way = slices.Concat(way[first:], way[:first+1])
			for ; len(way) > 1; way = way[1:] {
				list = append(list, n.deps[[2]int32{way[0], way[1]}])
			}
			return list
		}
		way = append(way, least)
	}
}

// deadlockFree is the greatest fixpoint, by rounds.
func (n *naive) deadlockFree(acyclic Claim) (Claim, bool) {
	if acyclic.Verdict == Proved && (n.s.Switching == "wormhole" || n.w.VCs == 1) {
		return Claim{Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceAcyclic}, true
	}
	if n.s.Switching == "wormhole" {
		if claim, ok := n.escape(); ok {
			return claim, true
		}
	}
	size := len(n.w.Links) / 2 * n.w.VCs
	ranks, rank := make(Ints, size), size
	done := make([]bool, size)
	for again := true; again; {
		again = false
		for x := range int32(size) {
			if _, next := n.stuckOn(x, done); !done[x] && next == nil {
				rank--
				done[x], ranks[x], again = true, int32(rank), true
			}
		}
	}
	if rank == 0 && n.s.Switching == "wormhole" {
		return Claim{}, false
	}
	if rank == 0 {
		return Claim{Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceElimination, Ranks: &ranks}, true
	}
	list := n.configuration(done)
	return Claim{Claim: ClaimDeadlockFree, Verdict: Refuted, Evidence: EvidenceConfiguration, Packets: list, Chosen: n.chosen}, true
}

// escape tries each VC index as the escape of a relation: every next hop to a
// VC of that index is an escape hop.
func (n *naive) escape() (Claim, bool) {
	for index := range int32(n.w.VCs) {
		if n.s.Relation == nil {
			break
		}
		isEscape := func(_, to state) bool { return n.isLink(to.vc) && to.vc%int32(n.w.VCs) == index }
		flags, after, stuck := Ints{}, map[int32]map[int32]bool{}, false
		r := n.s.Relation
		for i := 0; i < len(r.States); i += 4 + 2*int(r.States[i+3]) {
			at, out := state{r.States[i+1], r.States[i+2]}, false
			for _, to := range n.next(int(r.States[i]), at) {
				flag := int32(0)
				if isEscape(at, to) {
					flag = 1
					if after[to.vc] == nil {
						after[to.vc] = map[int32]bool{}
					}
				}
				out = out || flag == 1 || !n.isLink(to.vc)
				stuck = stuck || n.commits(int(r.States[i]), at) && flag == 0 && n.isLink(to.vc)
				flags = append(flags, flag)
			}
			stuck = stuck || !out
		}
		for d := range n.ends {
			for at := range n.paths[d] {
				if after[at.vc] != nil {
					n.asks(d, at, isEscape, after[at.vc], map[state]bool{})
				}
			}
		}
		if ranks, ok := numbered(after, len(n.w.Links)/2*n.w.VCs); ok && !stuck {
			return Claim{Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceEscape, Ranks: &ranks, Escape: &flags}, true
		}
	}
	return Claim{}, false
}

// asks adds to found the VCs that a packet in a state may request as its escape.
func (n *naive) asks(d int, at state, isEscape func(at, to state) bool, found map[int32]bool, seen map[state]bool) {
	if seen[at] {
		return
	}
	seen[at] = true
	for _, to := range n.next(d, at) {
		if isEscape(at, to) {
			found[to.vc] = true
		} else if n.isLink(to.vc) {
			n.asks(d, to, isEscape, found, seen)
		}
	}
}

// numbered numbers the VCs that have an entry, each below those in its entry.
func numbered(after map[int32]map[int32]bool, size int) (Ints, bool) {
	ranks := slices.Repeat(Ints{-1}, size)
	for rank := len(after) - 1; rank >= 0; rank-- {
		last := int32(-1) // one all of whose entries are numbered
		for x := range int32(size) {
			ready := after[x] != nil && ranks[x] < 0
			for y := range after[x] {
				ready = ready && ranks[y] >= 0
			}
			if ready {
				last = x
			}
		}
		if last < 0 {
			return nil, false
		}
		ranks[last] = int32(rank)
	}
	return ranks, true
}

// commits looks up whether a packet in a state waits for one next hop.
func (n *naive) commits(d int, at state) bool {
	r, number := n.s.Relation, 0
	if r == nil || r.Commits == nil {
		return n.s.Waiting == WaitingOne
	}
	for i := 0; i < len(r.States); i += 4 + 2*int(r.States[i+3]) {
		if int(r.States[i]) == d && r.States[i+1] == at.vc && r.States[i+2] == at.class {
			return (*r.Commits)[number] == 1
		}
		number++
	}
	return false
}

// waitsFor gives what a packet may wait for: all its next hops, or each alone.
func (n *naive) waitsFor(d int, at state) (list [][]state) {
	next := n.next(d, at)
	if !n.commits(d, at) {
		return [][]state{next}
	}
	for _, to := range next {
		list = append(list, []state{to})
	}
	return list
}

// stuckOn gives a packet on VC x that waits for VCs only that are not done, and for which.
func (n *naive) stuckOn(x int32, done []bool) (Packet, []state) {
	for d := range n.paths {
		var states []state
		for s := range n.paths[d] {
			if s.vc == x {
				states = append(states, s)
			}
		}
		slices.SortFunc(states, func(a, b state) int { return int(a.class - b.class) })
		for _, s := range states {
			for _, next := range n.waitsFor(d, s) {
				stuck := len(next) > 0
				for _, to := range next {
					stuck = stuck && n.isLink(to.vc) && !done[to.vc]
				}
				if stuck {
					return n.packet(d, s), next
				}
			}
		}
	}
	return Packet{}, nil
}

// configuration leaves out the VCs that no packet left waits for, so that
// every packet is needed.
func (n *naive) configuration(done []bool) []Packet {
	for {
		var list []Packet
		awaited, chosen := map[int32]bool{}, Ints{}
		for x := range done {
			if !done[x] {
				p, next := n.stuckOn(int32(x), done)
				list, chosen = append(list, p), append(chosen, -1)
				if n.commits(p.Destination, state{p.Path[len(p.Path)-2], p.Path[len(p.Path)-1]}) {
					chosen[len(chosen)-1] = next[0].vc
				}
				for _, to := range next {
					awaited[to.vc] = true
				}
			}
		}
		again := false
		for x := range done {
			if !done[x] && !awaited[int32(x)] {
				done[x], again = true, true
			}
		}
		if !again {
			if n.s.Waiting != "" {
				n.chosen = &chosen
			}
			return list
		}
	}
}

// certify builds the certificate of a subject.
func certify(s Subject) *Certificate {
	if s.Turns != nil {
		return &Certificate{Schema: Schema, Subject: s, Claims: turnClaims(&s)}
	}
	return &Certificate{Schema: Schema, Subject: s, Claims: explore(&s).claims()}
}

// allDistances returns the fewest links between each pair of switches.
func (n *naive) allDistances() [][]int {
	size := len(n.w.Switches)
	far := make([][]int, size) // by pair of switches: the links between them, by Floyd and Warshall
	for u := range far {
		far[u] = slices.Repeat([]int{size}, size)
		far[u][u] = 0
	}
	for i := 0; i < len(n.w.Links); i += 4 {
		a, b := n.w.Links[i], n.w.Links[i+2]
		far[a][b], far[b][a] = 1, 1
	}
	for k := range far {
		for u := range far {
			for v := range far {
				far[u][v] = min(far[u][v], far[u][k]+far[k][v])
			}
		}
	}
	return far
}
