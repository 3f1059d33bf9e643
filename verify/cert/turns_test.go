package cert_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// This file finds verdicts on sets of turns, and evidence, by brute force, and
// holds messages against changes.

// turnsOf allows the turns that are between two VCs and that allowed allows.
func turnsOf(w Network, allowed func(in, out int32) bool) Subject {
	t := &Turns{Next: Ints{}}
	n := linkVCs(&w)
	for v := range n {
		var list Ints
		for x := range n {
			if meet(&w, v, x) && allowed(v, x) {
				list = append(list, x)
			}
		}
		t.Next = append(append(t.Next, int32(len(list))), list...)
	}
	return Subject{Switching: "wormhole", Network: w, Turns: t}
}

func linkVCs(w *Network) int32 { return int32(len(w.Links) / 2 * w.VCs) }

// meet reports whether VC x leaves the switch that VC v enters.
func meet(w *Network, v, x int32) bool {
	u, _ := enters(w, v/int32(w.VCs))
	from, _ := enters(w, x/int32(w.VCs)^1)
	return u == from
}

// randomTurns is a part of all turns, or of those that go up an order of the
// switches before they go down.
func randomTurns(rng *rand.Rand) Subject {
	w := randomNetwork(rng)
	w.VCs = min(w.VCs, 2)
	if rng.IntN(2) == 0 {
		w.Hosts = rng.IntN(w.Hosts + 1) // the others are management endpoints
	}
	order := rng.Perm(len(w.Switches))
	up := func(v int32) bool {
		to, _ := enters(&w, v/int32(w.VCs))
		from, _ := enters(&w, v/int32(w.VCs)^1)
		return order[to] < order[from]
	}
	ordered, share, uTurns := rng.IntN(2) == 0, []int{2, 5, 9, 10, 10}[rng.IntN(5)], rng.IntN(4) == 0
	return turnsOf(w, func(in, out int32) bool {
		if ordered && !up(in) && up(out) || !uTurns && in/int32(w.VCs)^1 == out/int32(w.VCs) {
			return false
		}
		return rng.IntN(10) < share
	})
}

// naiveTurns gives, by VC, those that may follow it.
func naiveTurns(s *Subject) [][]int32 {
	var rows [][]int32
	for list := s.Turns.Next; len(list) > 0; list = list[1+list[0]:] {
		rows = append(rows, list[1:1+list[0]])
	}
	return rows
}

// turnClaims gives both claims with evidence.
func turnClaims(s *Subject) []Claim {
	next := naiveTurns(s)
	list := []Claim{{Claim: ClaimAcyclic, Verdict: Proved, Evidence: EvidenceNumbering}}
	ranks, left := Ints(make([]int32, len(next))), len(next)
	for again := true; again; {
		again = false
		for v := range next {
			if ranks[v] == 0 && !slices.ContainsFunc(next[v], func(w int32) bool { return ranks[w] == 0 }) {
				ranks[v], left, again = int32(left), left-1, true // one more than the rank
			}
		}
	}
	if left > 0 {
		cycle := naiveCycle(next, slices.Index(ranks, 0), func(v int32) bool { return ranks[v] == 0 })
		list[0] = Claim{Claim: ClaimAcyclic, Verdict: Refuted, Evidence: EvidenceTurnCycle, Cycle: &cycle}
	} else {
		for v := range ranks {
			ranks[v]--
		}
		list[0].Ranks = &ranks
	}
	return append(list, turnsConnect(s))
}

// naiveCycle walks from a VC among those on or before cycles until it has closed one.
func naiveCycle(next [][]int32, v int, cyclic func(int32) bool) Ints {
	way := Ints{int32(v)}
	for {
		row := next[way[len(way)-1]]
		w := row[slices.IndexFunc(row, cyclic)]
		if i := slices.Index(way, w); i >= 0 {
			way = way[i:]
			first := slices.Index(way, slices.Min(way))
			return slices.Concat(way[first:], way[:first])
		}
		way = append(way, w)
	}
}

// turnsConnect walks from every switch, and looks for a tree now and then.
func turnsConnect(s *Subject) Claim {
	w := &s.Network
	pairs, lost := int64(0), int64(0)
	claim := Claim{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceTurnSearch, Pairs: &pairs}
	for a := range w.Hosts {
		reached := naiveReach(s, w.Attach[2*a])
		for b := range w.Hosts {
			if a == b {
				continue
			}
			pairs++
			if !reached[w.Attach[2*b]] {
				if lost == 0 {
					claim.Packets = []Packet{{Source: a, Destination: b, Class: -1, Path: []int32{}}}
				}
				lost++
			}
		}
	}
	if lost > 0 {
		claim.Verdict, claim.Evidence, claim.Unreachable, claim.End = Refuted, EvidenceTurnUnreached, &lost, EndNoPath
	} else if tree, ok := anyTree(s); ok && len(s.Turns.Next)%3 != 0 { // so that there are searches too
		claim.Evidence, claim.Tree = EvidenceTurnTree, &tree
	}
	return claim
}

// naiveReach adds VCs until there are no more.
func naiveReach(s *Subject, u int32) map[int32]bool {
	next, on, reached := naiveTurns(s), map[int32]bool{}, map[int32]bool{u: true}
	for v := range linkVCs(&s.Network) {
		if from, _ := enters(&s.Network, v/int32(s.Network.VCs)^1); from == u {
			on[v] = true
		}
	}
	for size := -1; size < len(on); {
		size = len(on)
		for v := range next {
			if on[int32(v)] {
				for _, x := range next[v] {
					on[x] = true
				}
			}
		}
	}
	for v := range on {
		to, _ := enters(&s.Network, v/int32(s.Network.VCs))
		reached[to] = true
	}
	return reached
}

// anyTree tries the trees of shortest paths from each root, on each VC index.
func anyTree(s *Subject) (Ints, bool) {
	w := &s.Network
	for root := range int32(len(w.Switches)) {
		for index := range int32(w.VCs) {
			far := distances(w, root)
			tree := slices.Repeat(Ints{TreeOutside}, len(w.Switches))
			for c := range int32(len(w.Links) / 2) {
				to, _ := enters(w, c)
				if from, _ := enters(w, c^1); far[to] < far[from] {
					tree[from] = c*int32(w.VCs) + index
				}
			}
			tree[root] = TreeRoot
			for range tree {
				prune(w, tree)
			}
			if treeHolds(s, tree) {
				return tree, true
			}
		}
	}
	return nil, false
}

// prune takes leaves without hosts off a tree.
func prune(w *Network, tree Ints) {
	for u := range tree {
		needed := slices.Contains(hostSwitches(w), int32(u))
		for _, v := range tree {
			if v >= 0 {
				to, _ := enters(w, v/int32(w.VCs))
				needed = needed || to == int32(u)
			}
		}
		if !needed {
			tree[u] = TreeOutside
		}
	}
}

func hostSwitches(w *Network) []int32 {
	var list []int32
	for e := range w.Hosts {
		list = append(list, w.Attach[2*e])
	}
	return list
}

// treeHolds goes along the tree from each of its switches to each other.
func treeHolds(s *Subject, tree Ints) bool {
	w, next := &s.Network, naiveTurns(s)
	if len(tree) != len(w.Switches) {
		return false
	}
	pruned, ups := slices.Clone(tree), make([]Ints, len(tree))
	roots := 0
	for u, v := range tree {
		if v == TreeRoot {
			roots++
		}
		if v == TreeOutside && slices.Contains(hostSwitches(w), int32(u)) || v < TreeOutside || v >= linkVCs(w) {
			return false
		}
	}
	for u := range tree {
		at := int32(u)
		for tree[at] >= 0 {
			if from, _ := enters(w, tree[at]/int32(w.VCs)^1); from != at || len(ups[u]) > len(tree) {
				return false
			}
			ups[u] = append(ups[u], tree[at])
			at, _ = enters(w, tree[at]/int32(w.VCs))
		}
		if tree[at] == TreeOutside && at != int32(u) {
			return false
		}
	}
	if prune(w, pruned); roots != 1 || !slices.Equal(pruned, tree) {
		return false
	}
	for a := range tree {
		for b := range tree {
			if tree[a] == TreeOutside || tree[b] == TreeOutside {
				continue
			}
			way := along(w, ups[a], ups[b])
			for i := 1; i < len(way); i++ {
				if !slices.Contains(next[way[i-1]], way[i]) {
					return false
				}
			}
		}
	}
	return true
}

// along joins a way up to the root and another, turned round, without what they
// have in common.
func along(w *Network, a, b Ints) Ints {
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	way := slices.Clone(a)
	for i := len(b) - 1; i >= 0; i-- {
		way = append(way, (b[i]/int32(w.VCs)^1)*int32(w.VCs)+b[i]%int32(w.VCs))
	}
	return way
}

func cycleHolds(s *Subject, cycle Ints) bool {
	next := naiveTurns(s)
	for i, v := range cycle {
		if v < 0 || int(v) >= len(next) || v < cycle[0] || slices.Index(cycle, v) < i ||
			!slices.Contains(next[v], cycle[(i+1)%len(cycle)]) {
			return false
		}
	}
	return len(cycle) > 0
}

// TestTurnsReject holds messages against changes of a set of turns or of
// evidence.
func TestTurnsReject(t *testing.T) {
	story := func(name string) *Certificate {
		for _, s := range stories {
			if s.name == name {
				return certify(s.subject())
			}
		}
		t.Fatal(name)
		return nil
	}
	all, some, none := story("turns: ring 4, all"), story("turns: ring 4, none at switch 0"), story("turns: ring 4, 2 VCs, none")
	// A line of four switches, hosts at the outer ones.
	w := ring(4, 1)
	w.Links = w.Links[:12]
	w.Hosts, w.Attach = 2, Ints{0, 3, 3, 3}
	w.Endpoints = w.Endpoints[:2]
	line := certify(turnsOf(w, func(in, out int32) bool { return in^out != 1 }))
	tree := func(c *Certificate, list ...int32) {
		c.Claims[1].Evidence, c.Claims[1].Tree = EvidenceTurnTree, (*Ints)(&list)
	}
	table, product := certify(stories[0].subject()), mesh(3, 1)
	for _, bad := range []struct {
		of     *Certificate
		change func(c *Certificate)
		claim  string
		why    string
	}{
		{all, func(c *Certificate) { c.Subject.Table = table.Subject.Table }, "subject", "both a table and a set of turns"},
		{all, func(c *Certificate) { c.Subject.Relation = &Relation{} }, "subject", "both a relation and a set of turns"},
		{all, func(c *Certificate) { c.Subject.Product = &Product{} }, "subject", "both a set of turns and a product"},
		{table, func(c *Certificate) { c.Subject.Turns = all.Subject.Turns }, "subject", "both a table and a set of turns"},
		{all, func(c *Certificate) { c.Subject.Turns = nil }, "subject", "neither"},
		{all, func(c *Certificate) { c.Subject.Network.VCs = 1 << 26 }, "subject", "16 numbers for 536870912 VCs"},
		{all, func(c *Certificate) { c.Subject.Network.VCs = 2 }, "subject", "VC 7 does not leave switch 1, which VC 1 enters"},
		{all, func(c *Certificate) { c.Subject.Network.Hosts = 9 }, "subject", "9 hosts"},
		{all, func(c *Certificate) { c.Subject.Turns.Next = nil }, "subject", "0 numbers for 8"},
		{all, func(c *Certificate) { c.Subject.Turns.Next[0] = -1 }, "subject", "cut off at VC 0"},
		{all, func(c *Certificate) { c.Subject.Turns.Next[0] = math.MaxInt32 }, "subject", "cut off at VC 0"},
		{all, func(c *Certificate) { c.Subject.Turns.Next[14]++ }, "subject", "cut off at VC 7"},
		{all, func(c *Certificate) { c.Subject.Turns.Next = append(c.Subject.Turns.Next, 0, 0) }, "subject", "2 numbers behind the last VC"},
		{all, func(c *Certificate) { c.Subject.Turns.Next[1] = 4 }, "subject", "VC 4 does not leave switch 1, which VC 0 enters"},
		{all, func(c *Certificate) { c.Subject.Turns.Next[1] = 8 }, "subject", "not between switches"},
		{all, func(c *Certificate) { c.Subject.Turns.Next[1] = -1 }, "subject", "not between switches"},
		{all, func(c *Certificate) {
			c.Subject.Turns.Next = slices.Concat(Ints{2, 2, 2}, c.Subject.Turns.Next[2:])
		}, "subject", "VC 2 after VC 2: not ascending"},
		{all, func(c *Certificate) { c.Subject.Turns.Next = slices.Concat(Ints{0}, c.Subject.Turns.Next[2:]) }, "acyclic-cdg", "VC 2 may not follow VC 0"},
		{all, func(c *Certificate) { (*c.Claims[0].Cycle)[0] = 1 }, "acyclic-cdg", "may not follow"},
		{all, func(c *Certificate) { *c.Claims[0].Cycle = Ints{2, 4, 6, 0} }, "acyclic-cdg", "begins at VC 2, though it visits VC 0"},
		{all, func(c *Certificate) { *c.Claims[0].Cycle = Ints{0, 2, 4, 6, 0, 2, 4, 6} }, "acyclic-cdg", "visits VC 0 twice"},
		{all, func(c *Certificate) { *c.Claims[0].Cycle = Ints{0, 8} }, "acyclic-cdg", "VC 8 on the cycle is not between switches"},
		{all, func(c *Certificate) { *c.Claims[0].Cycle = Ints{} }, "acyclic-cdg", "a cycle of no VCs"},
		{all, func(c *Certificate) { *c.Claims[0].Cycle = Ints{0} }, "acyclic-cdg", "VC 0 may not follow VC 0"},
		{some, func(c *Certificate) { r := *c.Claims[0].Ranks; r[0], r[2] = r[2], r[0] }, "acyclic-cdg", "the rank of VC 0 is not below that of VC 2, which may follow it"},
		{some, func(c *Certificate) { *c.Claims[0].Ranks = (*c.Claims[0].Ranks)[1:] }, "acyclic-cdg", "7 ranks for 8"},
		{some, func(c *Certificate) { c.Claims = append(c.Claims[:1:1], table.Claims[1]) }, "deadlock-free", "not for a set of turns"},
		{some, func(c *Certificate) { c.Claims[1].Evidence, c.Claims[1].Tree = EvidenceWalk, nil }, "connected", "not for a set of turns"},
		{none, func(c *Certificate) { *c.Claims[1].Unreachable = 3 }, "connected", "4 pairs are not connected, not 3"},
		{none, func(c *Certificate) { *c.Claims[1].Pairs = 11 }, "connected", "12 pairs of source and destination, not 11"},
		{none, func(c *Certificate) { c.Claims[1].Packets[0] = Packet{Source: 2, Class: -1} }, "connected", "host 0 to host 2, not 2 to 0"},
		{none, func(c *Certificate) { c.Claims[1].Packets[0].Class = 0 }, "connected", "want class -1 and an empty path, got class 0"},
		{none, func(c *Certificate) { c.Claims[1].Packets = slices.Repeat(c.Claims[1].Packets, 2) }, "connected", "2 packets"},
		{none, func(c *Certificate) { c.Claims[1].End = EndNoClass }, "connected", "no-legal-path, not \"no-class\""},
		{none, func(c *Certificate) {
			p := c.Claims[1].Pairs
			c.Claims[1] = Claim{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceTurnSearch, Pairs: p}
		}, "connected", "from host 0 to host 2; 4 pairs are not connected"},
		{some, func(c *Certificate) {
			c.Claims[1] = none.Claims[1]
		}, "connected", "0 pairs are not connected, not 4"},
		{some, func(c *Certificate) {
			c.Claims[1] = none.Claims[1]
			c.Claims[1].Unreachable, c.Claims[1].Packets = new(int64), []Packet{{Class: -1}}
		}, "connected", "no pair is unreachable"},

		{line, func(c *Certificate) { tree(c, 0, 2, 4) }, "connected", "3 entries for 4 switches"},
		{line, func(c *Certificate) { tree(c, 0, 2, -2, -1) }, "connected", "the parent of some switch is switch 2"},
		{line, func(c *Certificate) { tree(c, 0, 2, 4, -2) }, "connected", "switch 3 has hosts"},
		{line, func(c *Certificate) { tree(c, 0, 2, -1, -1) }, "connected", "2 roots"},
		{line, func(c *Certificate) { tree(c, 0, 1, 3, 5) }, "connected", "0 roots"},
		{line, func(c *Certificate) { tree(c, 0, 1, -1, 5) }, "connected", "the path up from switch 0 returns to switch 0"},
		{line, func(c *Certificate) { tree(c, 0, 0, 4, -1) }, "connected", "VC 0 does not leave switch 1"},
		{line, func(c *Certificate) { tree(c, 0, -3, 4, -1) }, "connected", "VC -3 does not leave switch 1"},
		{line, func(c *Certificate) { tree(c, 6, 2, 4, -1) }, "connected", "VC 6 does not leave switch 0"},
		{line, func(c *Certificate) {
			c.Subject.Network.Attach[2] = 2 // host 1
			tree(c, 0, 2, 4, -1)
		}, "", ""},
		{line, func(c *Certificate) {
			c.Subject.Network.Attach[2] = 2
			tree(c, 0, 2, -1, 5)
		}, "connected", "switch 3 is in the tree, though it has no hosts and no children"},
		{some, func(c *Certificate) { tree(c, -1, 1, 3, 6) }, "connected", "of 1 VCs of the tree that lead on from VC 1 at switch 0, 0 may follow it"},

		{table, func(c *Certificate) { c.Claims[0] = all.Claims[0] }, "acyclic-cdg", "is not for a table"},
		{product, func(c *Certificate) { c.Claims[2].Evidence = EvidenceTurnSearch }, "connected", "is not for a table"},
	} {
		m := clone(bad.of)
		bad.change(m)
		err := Check(m)
		var rejection *Rejection
		switch {
		case bad.why == "" && err == nil:
		case !errors.As(err, &rejection):
			t.Errorf("want %q, error %v", bad.why, err)
		case rejection.Claim != bad.claim || !strings.Contains(rejection.Reason, bad.why):
			t.Errorf("error %q about %s, want %q about %s", err, rejection.Claim, bad.why, bad.claim)
		}
	}
}

// TestWideSwitch uses a switch whose row of turns has several machine words, with tree channels in
// each word.
func TestWideSwitch(t *testing.T) {
	const leaves = 150
	w := Network{VCs: 1, Switches: []string{"hub"}, Hosts: leaves}
	for u := range int32(leaves) {
		w.Switches = append(w.Switches, fmt.Sprint(u))
		w.Links = append(w.Links, 0, u, u+1, 1)
		w.Endpoints = append(w.Endpoints, fmt.Sprint(u))
		w.Attach = append(w.Attach, u+1, 2)
	}
	pairs := int64(leaves * (leaves - 1))
	tree := Ints{TreeRoot}
	for u := range int32(leaves) {
		tree = append(tree, 2*u+1)
	}
	missing := [2]int32{-1, -1}
	subject := func() Subject {
		return turnsOf(w, func(in, out int32) bool { return in^out != 1 && [2]int32{in, out} != missing })
	}
	claim := Claim{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceTurnTree, Pairs: &pairs, Tree: &tree}
	accepted(t, &Certificate{Schema: Schema, Subject: subject(), Claims: []Claim{claim}})
	missing = [2]int32{2*70 + 1, 2 * 140}
	refused(t, "a turn of the tree missing", &Certificate{Schema: Schema, Subject: subject(), Claims: []Claim{claim}})
	lost := int64(1)
	claim = Claim{Claim: ClaimConnected, Verdict: Refuted, Evidence: EvidenceTurnUnreached, Pairs: &pairs, Unreachable: &lost,
		Packets: []Packet{{Source: 70, Destination: 140, Class: -1, Path: []int32{}}}, End: EndNoPath}
	accepted(t, &Certificate{Schema: Schema, Subject: subject(), Claims: []Claim{claim}})
}
