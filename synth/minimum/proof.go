package minimum

import "slices"

// This file stores the steps of a proof, and drops those that the last step does not need.

// The kinds of steps.
const (
	kindCycle   = iota // the turns of a cycle: at least one is prohibited
	kindWay            // turns that separate one switch from another: at least one is allowed
	kindBudget         // turns that together exceed the limit: at least one is allowed
	kindDerived        // follows from the named steps by unit propagation in their order
)

// proof stores the steps one after the other: kind, literals, hints.
type proof struct {
	data  []int32
	at    []int // by step: its index in data
	known map[string]int32
	key   []byte
}

func newProof() *proof { return &proof{known: map[string]int32{}} }

// mostNumbers is the largest number of stored numbers, of 4 bytes each.
const mostNumbers = 1 << 29

func (p *proof) full() bool { return len(p.data) > mostNumbers }

func (p *proof) push(kind int32, lits, hints []int32) int32 {
	p.at = append(p.at, len(p.data))
	p.data = append(append(p.data, kind, int32(len(lits))), lits...)
	p.data = append(append(p.data, int32(len(hints))), hints...)
	return int32(len(p.at) - 1)
}

// axiom returns the number of a clause of a cycle or of the limit. It adds the clause if it is
// new.
func (p *proof) axiom(kind int32, lits []literal) int32 {
	p.key = append(p.key[:0], byte(kind))
	for _, l := range lits {
		p.key = append(p.key, byte(l), byte(l>>8), byte(l>>16))
	}
	if n, ok := p.known[string(p.key)]; ok {
		return n
	}
	n := p.push(kind, lits, nil)
	p.known[string(p.key)] = n
	return n
}

// way adds a clause for a cut between two switches.
func (p *proof) way(lits []literal, from, to int32) int32 {
	return p.push(kindWay, lits, []int32{from, to})
}

// derive adds a clause that follows from the steps in hints.
func (p *proof) derive(lits []literal, hints []int32) int32 { return p.push(kindDerived, lits, hints) }

// step returns the parts of a step.
func (p *proof) step(i int) (kind int32, lits, hints []int32) {
	at := p.at[i]
	n := int(p.data[at+1])
	lits = p.data[at+2 : at+2+n]
	m := int(p.data[at+2+n])
	return p.data[at], lits, p.data[at+3+n : at+3+n+m]
}

// needed reports for each step whether the last step depends on it.
func (p *proof) needed() []bool {
	used := make([]bool, len(p.at))
	used[len(used)-1] = true
	for i := len(used) - 1; i >= 0; i-- {
		if kind, _, hints := p.step(i); used[i] && kind == kindDerived {
			for _, h := range hints {
				used[h] = true
			}
		}
	}
	return used
}

// representative returns the number that represents variable v in a proof: the least number of its turns.
func (d *decider) representative(v int32) int32 {
	least := d.number[d.of[v][0]]
	for _, t := range d.of[v][1:] {
		least = min(least, d.number[t])
	}
	return least
}

// written returns the needed steps in the format of cert.Claim.
func (p *proof) written(d *decider) (list []int32) {
	place := make([]int32, len(p.at)) // by step: its index among the written steps
	next := int32(0)
	for i, used := range p.needed() {
		if !used {
			continue
		}
		kind, lits, hints := p.step(i)
		place[i] = next
		list = append(list, kind, int32(len(lits)))
		from := len(list)
		for _, l := range lits {
			list = append(list, 2*d.representative(l>>1)+l&1)
		}
		slices.Sort(list[from:])
		switch kind {
		case kindWay:
			list = append(list, hints...)
		case kindDerived:
			list = append(list, int32(len(hints)))
			for _, h := range hints {
				list = append(list, next-place[h])
			}
		}
		next++
	}
	return list
}
