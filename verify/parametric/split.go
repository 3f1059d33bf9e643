package parametric

import (
	"fmt"
	"maps"
	"slices"
)

// This file splits classes if no rank that is linear in the coordinates suffices: by parity of
// the column, by the first column, and so on. The conditions are those of the program
// that depend on the place alone, at the tail of a channel and one place to either side. They
// are tried on the dependencies of small networks, without invariants.

// maxSplitters bounds the number of splitters.
const maxSplitters = 6

// split finds splitters with which some rank of the template rises on the dependencies of
// small networks. Each splits the directions and VCs that have no rank yet, by the first condition
// that helps. If there are none, split returns nil.
func (p *prover) split(e *escape, open map[node]bool) ([]splitter, error) {
	conditions := p.conditions()
	p.splitters = nil
	for len(open) > 0 && len(p.splitters) < maxSplitters {
		base, helped := p.splitters, false
		for _, c := range conditions {
			p.splitters = append(base[:len(base):len(base)], splitter{c, open})
			p.relabel()
			left, err := p.unrankedNodes(e, open)
			if err != nil {
				return nil, err
			}
			if helped = len(left) < len(open); helped {
				of := maps.Clone(open) // nodes without a rank stay whole
				maps.DeleteFunc(of, func(n node, _ bool) bool { return left[n] })
				p.splitters[len(base)].of, open = of, left
				break
			}
		}
		if !helped {
			p.splitters = nil
			p.relabel()
			return nil, nil
		}
	}
	p.recompute()
	return p.splitters, nil
}

// relabel computes the regions of the channels of known dependencies again.
func (s *system) relabel() {
	for i := range s.facts.dependencies {
		d := &s.facts.dependencies[i]
		d.from.region = s.regionAt(d.from.whole(), d.fromTail)
		d.to.region = s.regionAt(d.to.whole(), d.toTail)
	}
}

// conditions returns the conditions that may split, parity first.
func (s *system) conditions() (all []atom) {
	seen := map[string]bool{}
	add := func(a atom) {
		contrary := atom{form: a.form.times(-1).add(-1)}
		if a.mod == 2 {
			contrary = atom{form: a.form.add(1), mod: 2}
		}
		for _, key := range []atom{a, contrary} {
			if key.mod != 0 {
				key.form = key.form.modulo(key.mod)
			}
			if seen[fmt.Sprint(key)] {
				return
			}
		}
		if a.mod != 0 {
			a.form = a.form.modulo(a.mod)
		}
		seen[fmt.Sprint(a)] = true
		all = append(all, a)
	}
	for d := range s.dims {
		if !s.pathsOnly {
			break
		}
		for _, x := range []form{s.there(d), s.there(d).add(-1)} {
			add(atom{form: x.plus(s.here(d), -1)})
		}
		for k := range s.faults {
			for _, x := range []form{s.failed(k, d), s.failed(k, d).add(-1)} {
				add(atom{form: x.plus(s.here(d), -1)})
			}
		}
	}
	for i := range s.paths {
		for _, a := range atoms(s.paths[i].guard) {
			if !s.isPlaceCondition(a) {
				continue
			}
			add(a)
			for d := range s.dims {
				if a.form[d] != 0 {
					for _, k := range []int64{1, -1} {
						by := make([]form, s.variables())
						by[d] = s.here(d).add(k)
						add(a.substitute(by))
					}
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b atom) int { return int(b.mod - a.mod) }) // conditions on parity come first
	return all
}

// isPlaceCondition reports whether a depends on coordinates of the place, and otherwise only on sizes. In proofs about paths it
// may depend on the destination.
func (s *system) isPlaceCondition(a atom) bool {
	place := false
	for v, c := range a.form[:len(a.form)-1] {
		switch {
		case c == 0:
		case v < s.dims, v < 2*s.dims && s.pathsOnly:
			place = true
		case v < 3*s.dims || v >= s.firstExtra():
			return false
		}
	}
	return place
}

// modulo returns a form with its coefficients modulo mod.
func (f form) modulo(mod int64) form {
	g := make(form, len(f))
	for v, c := range f {
		g[v] = (c%mod + mod) % mod
	}
	return g
}
