package transition

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges that no order exists: the sets of parts that an order can reach do not include the set of all parts.

// maxWork bounds the steps from listed sets that are judged, so that a certificate cannot keep the checker busy for hours.
const maxWork = 1 << 26

// parts is what noOrder asks about sets of parts that have changed.
type parts interface {
	// move sets the parts that have changed.
	move(set []int32)
	// safe reports whether the dependencies of the state have no cycle.
	safe() bool
	// leads reports whether the part p, which has not changed, can change next. The state stays as it is.
	leads(p int32) bool
	// blocked reports whether the parts that have not changed block each other.
	blocked() bool
}

// noOrder judges the evidence transition-sets.
func (x *change) noOrder(claim *cert.Claim) error {
	if len(x.steps) > 0 || x.t.Parts == "entry" {
		return cert.Reject(claim.Claim, "the evidence %s is for single destinations or switches without steps", claim.Evidence)
	}
	if err := x.exact(claim, x.t.Drained); err != nil {
		return err
	}
	sets, err := x.readSets(claim)
	if err != nil {
		return err
	}
	var p parts = newDestinations(x, x.changed)
	if x.t.Parts == "switch" {
		p = newSwitches(x)
	}
	p.move(nil)
	begins := p.safe()
	p.move(x.changed)
	if ends := p.safe(); len(sets) == 0 {
		if begins && ends {
			return cert.Reject(claim.Claim, "the tables are acyclic before and after the transition, and no sets are listed")
		}
		return nil
	}
	return closed(claim, p, x.changed, sets)
}

// closed judges that the listed sets are all sets that an order of the given parts can reach, without the set of all.
func closed(claim *cert.Claim, p parts, all []int32, sets [][]int32) error {
	listed := map[string]bool{}
	for _, s := range sets {
		listed[fmt.Sprint(s)] = true
	}
	if !listed[fmt.Sprint([]int32{})] || listed[fmt.Sprint(all)] {
		return cert.Reject(claim.Claim, "the empty set is missing, or the set of all parts is listed")
	}
	if len(sets)*len(all) > maxWork {
		return cert.Reject(claim.Claim, "%d sets of %d parts are more than this program judges", len(sets), len(all))
	}
	for _, s := range sets {
		p.move(s)
		if p.blocked() {
			continue
		}
		for _, part := range all {
			if slices.Contains(s, part) || !p.leads(part) {
				continue
			}
			next := append(slices.Clone(s), part)
			if slices.Sort(next); !listed[fmt.Sprint(next)] {
				return cert.Reject(claim.Claim, "part %d can change after %d others, and the set is not listed", part, len(s))
			}
		}
	}
	return nil
}

// readSets reads the listed sets. Each part of a set is a changed one.
func (x *change) readSets(claim *cert.Claim) (sets [][]int32, err error) {
	for list := []int32(*claim.Steps); len(list) > 0; {
		s, rest, err := readSet(claim, list, x.changed)
		if err != nil {
			return nil, err
		}
		sets, list = append(sets, s), rest
	}
	return sets, nil
}

// readSet reads a set of the given parts, which are ascending, from the beginning of a list.
func readSet(claim *cert.Claim, list, of []int32) (s, rest []int32, err error) {
	if len(list) == 0 || list[0] < 0 || int(list[0]) > len(list)-1 {
		return nil, nil, cert.Reject(claim.Claim, "a set is cut off")
	}
	s = append([]int32{}, list[1:1+list[0]]...)
	for i, p := range s {
		if _, ok := slices.BinarySearch(of, p); !ok || i > 0 && p <= s[i-1] {
			return nil, nil, cert.Reject(claim.Claim, "a set has part %d, which does not change or is out of order", p)
		}
	}
	return s, list[1+list[0]:], nil
}

// destinations are parts. Destinations that change and are not among them get no packets.
type destinations struct {
	x             *change
	all           []int32
	g             *graph
	old, now, mix map[int32][]int32 // by changed destination
	done          map[int32]bool
}

func newDestinations(x *change, parts []int32) *destinations {
	p := &destinations{x: x, all: parts, g: newGraph(x.old.LinkVCs()), old: map[int32][]int32{}, now: map[int32][]int32{}, mix: map[int32][]int32{},
		done: map[int32]bool{}}
	for i := range x.destinations {
		d := int32(i)
		_, is := slices.BinarySearch(parts, d)
		if _, changes := slices.BinarySearch(x.changed, d); changes && !is {
			continue
		}
		before := p.g.numbers(x.walk.dependencies(i, all(meetsOld)))
		p.g.add(1, before)
		if is {
			p.old[d], p.now[d] = before, p.g.numbers(x.walk.dependencies(i, all(meetsNew)))
			if p.mix[d] = p.now[d]; !x.t.Drained {
				p.mix[d] = p.g.numbers(x.walk.dependencies(i, all(both)))
			}
		}
	}
	return p
}

func (p *destinations) move(set []int32) {
	for _, d := range p.all {
		if wanted := slices.Contains(set, d); wanted != p.done[d] {
			from, to := p.old[d], p.now[d]
			if !wanted {
				from, to = to, from
			}
			p.g.add(-1, from)
			p.g.add(1, to)
			p.done[d] = wanted
		}
	}
}

func (p *destinations) safe() bool { return p.g.acyclic() }

func (p *destinations) leads(d int32) bool {
	// The new dependencies are among the mixed ones, so the state after the step needs no look of its own.
	p.g.add(-1, p.old[d])
	p.g.add(1, p.mix[d])
	ok := p.g.acyclic()
	p.g.add(-1, p.mix[d])
	p.g.add(1, p.old[d])
	return ok
}

// switches are parts.
type switches struct {
	x     *change
	table *table
}

func newSwitches(x *change) *switches {
	return &switches{x, newTable(x, newGraph(x.old.LinkVCs()))}
}

func (p *switches) move(set []int32) {
	var back, on []int32
	for _, u := range p.x.changed {
		switch wanted := slices.Contains(set, u); {
		case wanted && p.table.sets[u] == meetsOld:
			on = append(on, u)
		case !wanted && p.table.sets[u] == meetsNew:
			back = append(back, u)
		}
	}
	p.table.set(append([]int32{}, on...), meetsNew)
	p.table.set(append([]int32{}, back...), meetsOld)
}

func (p *switches) safe() bool { return p.table.g.acyclic() }

func (p *switches) leads(u int32) bool {
	meets := both
	if p.x.t.Drained {
		meets = meetsNew
	}
	p.table.set([]int32{u}, meets)
	ok := p.safe()
	if ok && meets == both { // a packet on the way may meet fewer entries, and then other ones
		p.table.set([]int32{u}, meetsNew)
		ok = p.safe()
	}
	p.table.set([]int32{u}, meetsOld)
	return ok
}

// blocked is false: no rule is known for switches.
func (p *switches) blocked() bool { return false }
