package cert_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	. "github.com/turnproof/turnproof/verify/cert"
)

// This file compares the steps of a proof about worms with their definitions, on random relations.

// wormRelation is the states between switches of a relation, as the evidence no-worms numbers them.
type wormRelation struct {
	vcs    int
	dest   []int // by state: the first destination with it
	states []state
	starts []bool
	next   [][]int32
	edges  [][2]int32
}

// numberWorms numbers the states and edges of a relation that lists its states.
func numberWorms(s *Subject) *wormRelation {
	n := explore(s)
	links, _ := n.channels()
	w := &wormRelation{vcs: int(links) * s.Network.VCs}
	known := map[string]bool{}
	for d := range s.Relation.Destinations {
		var at []state
		var text []string
		starts := map[state]bool{}
		for list := s.Relation.States; len(list) > 0; list = list[4+2*list[3]:] {
			from := state{list[1], list[2]}
			if int(list[0]) != d {
				continue
			}
			if n.isLink(from.vc) {
				at = append(at, from)
				leaves := list[3] == 0 || slices.ContainsFunc(n.next(d, from), func(to state) bool { return !n.isLink(to.vc) })
				text = append(text, fmt.Sprint(from, n.commits(d, from) && list[3] > 1, leaves, linksOf(n, d, from)))
				continue
			}
			for _, to := range n.next(d, from) {
				starts[to] = true
			}
		}
		for _, from := range at {
			text = append(text, fmt.Sprint(starts[from]))
		}
		if key := strings.Join(text, ";"); known[key] {
			continue
		} else {
			known[key] = true
		}
		first := int32(len(w.states))
		for i, from := range at {
			var next []int32
			for _, to := range linksOf(n, d, from) {
				k := first + int32(slices.Index(at, to))
				next = append(next, k)
				w.edges = append(w.edges, [2]int32{first + int32(i), k})
			}
			w.states, w.starts, w.next, w.dest = append(w.states, from), append(w.starts, starts[from]), append(w.next, next), append(w.dest, d)
		}
	}
	return w
}

// linksOf returns the next hops of a state between switches, ascending.
func linksOf(n *naive, d int, from state) (list []state) {
	for _, to := range n.next(d, from) {
		if n.isLink(to.vc) {
			list = append(list, to)
		}
	}
	slices.SortFunc(list, func(a, b state) int { return slices.Compare([]int32{a.vc, a.class}, []int32{b.vc, b.class}) })
	return slices.Compact(list)
}

func (w *wormRelation) lies(i int32) int32 { return int32(w.vcs) + i + 1 }
func (w *wormRelation) goes(e int) int32   { return int32(w.vcs+len(w.states)+e) + 1 }

// meet moves worms from the empty network on, in all ways. It reports whether all reach their places at one time, and
// whether the search ended within a limit.
func (w *wormRelation) meet(places ...[]int32) (meet, ends bool) {
	begin := make([][]int32, len(places))
	seen := map[string]bool{fmt.Sprint(begin): true}
	for todo := [][][]int32{begin}; len(todo) > 0; todo = todo[1:] {
		now := todo[0]
		if slices.EqualFunc(now, places, slices.Equal) {
			return true, true
		}
		if len(seen) > 3000 {
			return false, false
		}
		held := map[int32]bool{}
		for _, worm := range now {
			for _, i := range worm {
				held[w.states[i].vc] = true
			}
		}
		for k, worm := range now {
			var heads []int32
			if len(worm) > 0 {
				heads = w.next[worm[len(worm)-1]]
			} else {
				for i, is := range w.starts {
					if is {
						heads = append(heads, int32(i))
					}
				}
			}
			for _, head := range heads {
				if held[w.states[head].vc] {
					continue
				}
				moved := append(slices.Clone(worm), head)
				after := slices.Clone(now)
				after[k] = moved[max(0, len(moved)-len(places[k])):]
				if key := fmt.Sprint(after); !seen[key] {
					seen[key] = true
					todo = append(todo, after)
				}
			}
		}
	}
	return false, true
}

// stepIsShown reports whether the judge accepts a first step. The proof must then fail at the second step, the empty clause,
// unless the first one suffices.
func stepIsShown(t *testing.T, s *Subject, evidence string, kind int32, literals ...int32) bool {
	t.Helper()
	err := Check(provedBySteps(s, evidence, slices.Concat([]int32{kind, int32(len(literals))}, literals, []int32{0, 0})...))
	var no *Rejection
	switch {
	case err == nil:
		return true
	case !errors.As(err, &no):
		t.Fatal(err)
	case strings.HasPrefix(no.Reason, "step 0, "):
		return false
	case !strings.HasPrefix(no.Reason, "step 1, "):
		t.Fatal(err)
	}
	return true
}

// TestWormSteps compares the steps of kinds 1, 2 and 3 with their definitions.
func TestWormSteps(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for seed := range longtest.Share[uint64](600, 20) {
		rng := rand.New(rand.NewPCG(seed, 30))
		s := randomRelation(rng, seed%2 == 0)
		s.Switching = "wormhole"
		w := numberWorms(&s)
		if len(w.edges) == 0 {
			continue
		}
		try := func(kind int32, want bool, literals ...int32) {
			t.Helper()
			if got := stepIsShown(t, &s, EvidenceNoWorms, kind, literals...); got != want {
				t.Errorf("seed %d: kind %d, %v: shown %v, want %v", seed, kind, literals, got, want)
			}
			count[fmt.Sprint(kind, want)]++
		}
		for range 12 {
			i, k := int32(rng.IntN(len(w.states))), int32(rng.IntN(len(w.states)))
			if i != k {
				try(1, w.states[i].vc == w.states[k].vc, -w.lies(i), -w.lies(k))
			}
			e, f := rng.IntN(len(w.edges)), rng.IntN(len(w.edges))
			if e != f {
				try(1, w.edges[e][1] == w.edges[f][1], -w.goes(e), -w.goes(f))
				try(3, w.edges[e] == [2]int32{w.edges[f][1], w.edges[f][0]}, -w.goes(e), -w.goes(f))
			}
			from, to := w.edges[e][0], w.edges[e][1]
			if w.states[from].vc == w.states[to].vc {
				continue
			}
			if meet, ends := w.meet([]int32{from, to}); ends {
				try(2, !meet, -w.goes(e))
			}
			if i == from || i == to || w.states[i].vc == w.states[from].vc || w.states[i].vc == w.states[to].vc {
				continue
			}
			if meet, ends := w.meet([]int32{i}, []int32{from, to}); ends {
				try(2, !meet, -w.lies(i), -w.goes(e))
			}
		}
	}
	for _, name := range []string{"1 true", "1 false", "2 true", "2 false", "3 false"} {
		if count[name] < 5 {
			t.Errorf("%d steps with %s: %v", count[name], name, count)
		}
	}
}

// canBlock marks the states that a worm of a deadlock may lie on, as far as propagation alone says: its head can wait, or it
// can go on to such a state. waits is the same for heads: all next VCs, or one if the state commits, have such states.
func (w *wormRelation) canBlock(waits func(i int, held map[int32]bool) bool) []bool {
	may := slices.Repeat([]bool{true}, len(w.states))
	for more := true; more; {
		more = false
		held := map[int32]bool{}
		for i, is := range may {
			if is {
				held[w.states[i].vc] = true
			}
		}
		for i := range may {
			if may[i] && !waits(i, held) && !slices.ContainsFunc(w.next[i], func(k int32) bool { return may[k] }) {
				may[i], more = false, true
			}
		}
	}
	return may
}

// TestWormsByPropagation gives the judge proofs without lemmas. They are accepted if naive propagation leaves no state, and
// rejected if packets of one VC each block each other.
func TestWormsByPropagation(t *testing.T) {
	t.Parallel()
	var count [3]int
	for seed := range longtest.Share[uint64](1500, 3) {
		rng := rand.New(rand.NewPCG(seed, 31))
		s := randomRelation(rng, seed%2 == 0)
		if s.Switching = "wormhole"; seed%3 == 0 {
			s.Waiting = WaitingOne
		}
		if s.Waiting != "" && !hasChoice(&s) {
			s.Waiting = ""
		}
		free := s
		free.Switching = "vct"
		refuted, accepted := isBlocked(free), Check(provedBySteps(&s, EvidenceNoWorms, 0, 0)) == nil
		n, w := explore(&s), numberWorms(&s)
		may := w.canBlock(func(i int, held map[int32]bool) bool {
			d, at := w.dest[i], w.states[i]
			next := n.next(d, at)
			if n.commits(d, at) && len(next) > 1 {
				return slices.ContainsFunc(next, func(to state) bool { return n.isLink(to.vc) && held[to.vc] })
			}
			return len(next) > 0 && !slices.ContainsFunc(next, func(to state) bool { return !n.isLink(to.vc) || !held[to.vc] })
		})
		switch left := slices.Contains(may, true); {
		case refuted && accepted:
			t.Errorf("seed %d: packets block each other, and no worms is accepted", seed)
		case !left && !accepted:
			t.Errorf("seed %d: no state is left, and no worms is rejected", seed)
		case refuted:
			count[0]++
		case accepted:
			count[1]++
		default:
			count[2]++
		}
	}
	if count[0] < longtest.Share(100, 3) || count[1] < longtest.Share(100, 3) {
		t.Errorf("%d refuted, %d accepted, %d others", count[0], count[1], count[2])
	}
}

// hasChoice reports whether some state has several next hops.
func hasChoice(s *Subject) bool {
	for list := s.Relation.States; len(list) > 0; list = list[4+2*list[3]:] {
		if list[3] > 1 {
			return true
		}
	}
	return false
}

// TestWormRejects changes what a proof about worms rests on.
func TestWormRejects(t *testing.T) {
	changedSteps(t, "no-worms", EvidenceNoWorms, map[string]func(c *Certificate, steps *Ints){
		"":                             func(*Certificate, *Ints) {},
		"worms block each other under": func(c *Certificate, _ *Ints) { c.Subject.Switching, c.Subject.Premises = "vct", nil },
		"is cut off":                   func(_ *Certificate, steps *Ints) { *steps = (*steps)[:len(*steps)-2] },
		"is not shown":                 func(_ *Certificate, steps *Ints) { *steps = Ints{0, 0} },
		"after the empty clause":       func(_ *Certificate, steps *Ints) { *steps = append(*steps, 0, 0) },
		"variable twice":               func(_ *Certificate, steps *Ints) { (*steps)[3] = (*steps)[2] },
		"literal 0":                    func(_ *Certificate, steps *Ints) { (*steps)[2] = 0 },
		"1 literals of kind 4":         func(_ *Certificate, steps *Ints) { *steps = append(Ints{4, 1, -1}, *steps...) },
		"1 literals of kind 0":         func(_ *Certificate, steps *Ints) { *steps = append(Ints{0, 1, 1}, *steps...) },
		"0 literals of kind 2":         func(_ *Certificate, steps *Ints) { *steps = append(Ints{2, 0}, *steps...) },
		"0 literals of kind 3":         func(_ *Certificate, steps *Ints) { *steps = append(Ints{3, 0}, *steps...) },
		"nothing about multicast packe": func(c *Certificate, _ *Ints) {
			c.Subject.Multicast = &Multicast{Groups: []Group{{49152, 0, Ints{0, 1, 1}}}}
		},
	})
}

// changedSteps changes a kept certificate, of which it takes the claim with the evidence. Each change has the text of the error
// that it causes, or "" if the certificate stays right.
func changedSteps(t *testing.T, file, evidence string, changes map[string]func(c *Certificate, steps *Ints)) {
	t.Helper()
	for reason, change := range changes {
		c := kept(t, file)
		i := slices.IndexFunc(c.Claims, func(c Claim) bool { return c.Evidence == evidence })
		c.Claims = c.Claims[i : i+1]
		change(c, c.Claims[0].Steps)
		err := Check(c)
		if reason == "" && err != nil || reason != "" && (err == nil || !strings.Contains(err.Error(), reason)) {
			t.Errorf("%q: %v", reason, err)
		}
	}
}

// provedBySteps is a certificate with the claim that a subject is free of deadlocks, by evidence with steps.
func provedBySteps(s *Subject, evidence string, steps ...int32) *Certificate {
	list := Ints(steps)
	return &Certificate{Schema: Schema, Subject: *s, Claims: []Claim{{Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: evidence, Steps: &list}}}
}

// isBlocked reports whether certify refutes that a subject is free of deadlocks.
func isBlocked(s Subject) bool {
	return slices.ContainsFunc(certify(s).Claims, func(c Claim) bool { return c.Claim == ClaimDeadlockFree && c.Verdict == Refuted })
}
