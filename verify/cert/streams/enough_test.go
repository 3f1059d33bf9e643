package streams

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/verify/cert"
)

// drawnPlan draws a problem: agents that send packets along chains of buffers and links that they share, and agents that take their words.
func drawnPlan(rng *rand.Rand) *cert.Streams {
	s := &cert.Streams{}
	for i := range 4 + rng.IntN(3) {
		words := int32(0)
		if i < 2 || rng.IntN(2) == 0 {
			words = 1 + rng.Int32N(2)
		}
		s.Resources, s.Words = append(s.Resources, fmt.Sprintf("r%d", i)), append(s.Words, words)
	}
	var ends []int32
	for k := range 2 + rng.IntN(2) {
		var buffers, links []int32
		for _, i := range rng.Perm(len(s.Words)) {
			if s.Words[i] > 0 {
				buffers = append(buffers, int32(i))
			} else {
				links = append(links, int32(i))
			}
		}
		chain := []int32{buffers[0]}
		chain = append(chain, links[:min(len(links), rng.IntN(2))]...)
		chain = append(chain, buffers[1:2+rng.IntN(len(buffers)-1)]...)
		nodes := cert.Ints{}
		for i, at := range chain {
			nodes = append(nodes, at, int32(i-1), 0)
		}
		s.Routes = append(s.Routes, cert.Stream{Name: fmt.Sprintf("p%d", k), Nodes: nodes})
		ends = append(ends, chain[len(chain)-1])
	}
	program := func(actions ...int32) cert.Ints { return actions }
	for k := range s.Routes {
		size := 1 + rng.Int32N(3)
		s.Agents = append(s.Agents, cert.Agent{Name: fmt.Sprintf("s%d", k), Program: program(0, int32(k), size, -1)},
			cert.Agent{Name: fmt.Sprintf("t%d", k), Required: true, Program: program(1, ends[k], size, int32(k))})
	}
	if rng.IntN(2) == 0 { // one agent sends on two routes, one after the other
		s.Agents[0].Program = append(s.Agents[0].Program, s.Agents[2].Program...)
		s.Agents = append(s.Agents[:2], s.Agents[3:]...)
	}
	if rng.IntN(2) == 0 { // one agent takes two routes, one after the other
		last := len(s.Agents) - 1
		s.Agents[1].Program = append(s.Agents[1].Program, s.Agents[last].Program...)
		s.Agents = s.Agents[:last]
	}
	return s
}

// hangs is the result of an exhaustive search from the settled states of a plan.
type hangs struct {
	p     *plan
	known map[string]bool
	less  int // states in which fewer decisions suffice
}

// from reports whether a schedule from a settled state hangs, and fails if the decisions that are said to suffice do not show it.
func (h *hangs) from(t *testing.T, s *place, text string) bool {
	key := string(h.p.key(s))
	if known, ok := h.known[key]; ok {
		return known
	}
	all := h.p.decisions(s)
	if len(all) == 0 {
		h.known[key] = h.p.waiting(s)
		return h.known[key]
	}
	of := map[decision]bool{}
	any := false
	for _, d := range all {
		next := s.copy()
		h.p.decide(next, d)
		if !h.p.settle(next, 1<<20) {
			t.Fatalf("no end\n%s", text)
		}
		of[d] = h.from(t, next, text)
		any = any || of[d]
	}
	some, shown := h.p.enough(s, all), false
	for _, d := range some {
		shown = shown || of[d]
	}
	if len(some) < len(all) {
		h.less++
	}
	if shown != any {
		t.Fatalf("of %d decisions %v hang, %d are said to suffice and show %v\n%s", len(all), any, len(some), shown, text)
	}
	h.known[key] = any
	return any
}

// TestEnoughAgainstAll compares the decisions that suffice with all decisions, in each state that any decisions reach.
func TestEnoughAgainstAll(t *testing.T) {
	cases := longtest.Cases[uint64](400, 40_000)
	count, less := map[bool]int{}, 0
	for seed := range cases {
		s := drawnPlan(rand.New(rand.NewPCG(seed, 3)))
		p, err := open(s)
		if err != nil {
			continue
		}
		first := p.start()
		if !p.settle(first, 1<<20) {
			t.Fatal("no end")
		}
		h := &hangs{p: p, known: map[string]bool{}}
		count[h.from(t, first, fmt.Sprintf("seed %d: %+v", seed, s))]++
		less += h.less
	}
	t.Logf("hang or not: %v, fewer decisions in %d states", count, less)
	if count[true] < 20 || count[false] < 20 || less < 500 {
		t.Error("the test is too weak")
	}
}
