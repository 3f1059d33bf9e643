package streams

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the two kinds of evidence: it follows one schedule, or searches all schedules.

// The limits of a search. A certificate beyond them is rejected.
const (
	mostStates = 2_000_000
	mostSteps  = 400_000_000 // of all states together
)

// decision gives an object to what asks for it at a place.
type decision struct{ object, from int }

// decisions returns the choices of a settled state.
func (p *plan) decisions(s *place) (list []decision) {
	for a := range p.programs {
		if x, ok := p.current(s, a); ok && x.kind == acquire && p.open[len(p.words)+x.object] && s.values[x.object] >= x.amount {
			list = append(list, decision{len(p.words) + x.object, len(p.words) + a})
		}
		for _, x := range s.parcels[a] {
			for node, at := range p.trees[x.tree].resource {
				if p.open[at] && p.wants(s, x, node) {
					list = append(list, decision{at, p.origin(x, node)})
				}
			}
		}
	}
	return list
}

// origin returns the place from which a packet asks for a node.
func (p *plan) origin(x *parcel, node int) int {
	if node == 0 {
		return len(p.words) + x.agent
	}
	t := &p.trees[x.tree]
	return t.resource[t.source[node]]
}

// decide makes a choice. It returns false if that is no choice of the state.
func (p *plan) decide(s *place, d decision) bool {
	if d.object >= len(p.words) {
		a := d.from - len(p.words)
		if a < 0 || a >= len(p.programs) {
			return false
		}
		x, ok := p.current(s, a)
		if !ok || x.kind != acquire || len(p.words)+x.object != d.object || s.values[x.object] < x.amount {
			return false
		}
		s.values[x.object] -= x.amount
		p.next(s, a)
		return true
	}
	for _, list := range s.parcels {
		for _, x := range list {
			for node, at := range p.trees[x.tree].resource {
				if at == d.object && p.origin(x, node) == d.from && p.wants(s, x, node) {
					p.grant(s, x, node)
					return true
				}
			}
		}
	}
	return false
}

// waiting reports whether a required agent has not ended.
func (p *plan) waiting(s *place) bool {
	for a, required := range p.required {
		if _, ok := p.current(s, a); ok && required {
			return true
		}
	}
	return false
}

// once judges a schedule.
func once(p *plan, claim *cert.Claim) error {
	steps := *claim.Steps
	if len(steps)%2 > 0 {
		return cert.Reject(claim.Claim, "%d numbers of steps, which are pairs", len(steps))
	}
	s := p.start()
	for i := 0; ; i += 2 {
		if !p.settle(s, mostSteps) {
			return cert.Reject(claim.Claim, "after %d choices the run goes on for more than %d steps", i/2, mostSteps)
		}
		if i == len(steps) {
			break
		}
		d := decision{int(steps[i]), int(steps[i+1])}
		if d.object < 0 || d.object >= len(p.open) || !p.open[d.object] || !p.decide(s, d) {
			return cert.Reject(claim.Claim, "choice %d, object %d for place %d, is not possible there", i/2, d.object, d.from)
		}
	}
	switch {
	case len(p.decisions(s)) > 0:
		return cert.Reject(claim.Claim, "something can happen after the schedule")
	case !p.waiting(s):
		return cert.Reject(claim.Claim, "every required agent has ended after the schedule")
	}
	return nil
}

// never judges that no schedule hangs: it searches all of them in depth. A schedule that comes back to a state has no end, and is
// rejected as well.
func never(p *plan, claim *cert.Claim) error {
	type entry struct {
		s    *place
		key  [sha256.Size]byte
		todo []decision
	}
	onPath := map[[sha256.Size]byte]bool{}
	steps := 0
	var path []entry
	visit := func(s *place) error {
		if !p.settle(s, mostSteps-steps) {
			return cert.Reject(claim.Claim, "some schedules have more than %d steps", mostSteps)
		}
		steps += s.steps
		s.steps = 0
		key := sha256.Sum256(p.key(s))
		if open, known := onPath[key]; known {
			if open {
				return cert.Reject(claim.Claim, "a schedule comes back to a state")
			}
			return nil
		}
		if len(onPath) == mostStates {
			return cert.Reject(claim.Claim, "more than %d states", mostStates)
		}
		onPath[key] = true
		var todo []decision
		if p.waiting(s) {
			if todo = p.decisions(s); len(todo) == 0 {
				return cert.Reject(claim.Claim, "a schedule of %d choices hangs", len(path))
			}
		}
		path = append(path, entry{s, key, p.enough(s, todo)})
		return nil
	}
	if err := visit(p.start()); err != nil {
		return err
	}
	for len(path) > 0 {
		top := &path[len(path)-1]
		if len(top.todo) == 0 {
			onPath[top.key] = false
			path = path[:len(path)-1]
			continue
		}
		d := top.todo[0]
		top.todo = top.todo[1:]
		s := top.s.copy()
		p.decide(s, d)
		if err := visit(s); err != nil {
			return err
		}
	}
	return nil
}

func (s *place) copy() *place {
	c := &place{at: slices.Clone(s.at), done: slices.Clone(s.done), loops: make([][]loop, len(s.loops)), values: slices.Clone(s.values),
		parcels: make([][]*parcel, len(s.parcels)), owner: slices.Clone(s.owner), contents: make([][]run, len(s.contents))}
	twin := map[*parcel]*parcel{}
	for a, list := range s.parcels {
		c.loops[a] = slices.Clone(s.loops[a])
		for _, x := range list {
			y := *x
			y.passed, y.holds = slices.Clone(x.passed), slices.Clone(x.holds)
			twin[x] = &y
			c.parcels[a] = append(c.parcels[a], &y)
		}
	}
	for i := range s.owner {
		c.owner[i] = twin[s.owner[i]]
		c.contents[i] = slices.Clone(s.contents[i])
		for k := range c.contents[i] {
			c.contents[i][k].of = twin[c.contents[i][k].of]
		}
	}
	return c
}

// key returns bytes that only equal states have. Packets are numbered by agent, then by age.
func (p *plan) key(s *place) []byte {
	var b []byte
	put := func(list ...int) {
		for _, v := range list {
			b = binary.AppendVarint(b, int64(v))
		}
	}
	number := map[*parcel]int{}
	for a := range p.programs {
		put(s.at[a], s.done[a], len(s.loops[a]), len(s.parcels[a]))
		for _, l := range s.loops[a] {
			put(l.begin, l.left)
		}
		for _, x := range s.parcels[a] {
			number[x] = len(number)
			put(x.tree, x.size)
			put(x.passed...)
			for _, holds := range x.holds {
				put(map[bool]int{true: 1}[holds])
			}
		}
	}
	put(s.values...)
	for _, list := range s.contents {
		put(len(list))
		for _, r := range list {
			put(number[r.of], r.node, r.n)
		}
	}
	return b
}
