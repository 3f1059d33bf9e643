package reroute

import (
	"math/bits"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file decides whether a given number of steps in service is enough.
//
// Each part has a window: the steps in which it may change. In a step, parts whose windows end before it are new for certain, those whose
// windows begin after it are old, and those whose window is this step meet both. Other parts are left out, so the dependencies are some of
// those of the step, whatever changes in it. A part cannot change in a step in which these dependencies and those of its own two entries have a
// cycle, and the step leaves its window. If a window gets empty, there are not enough steps. If each window is one step, the steps are
// safe. Else one part is tried in each step of its window.

const (
	mostSteps  = 30     // of a search
	mostNodes  = 20_000 // windows that are tried
	longSearch = 8 * time.Second
)

// stepper is a step with parts that are old, new, both, or left out.
type stepper interface {
	// load sets what packets meet, by part, and reports whether the dependencies have no cycle.
	load(sets []transition.Entries) bool
	// fits reports whether the dependencies still have no cycle if part i, which is left out, meets both entries.
	fits(i int) bool
}

// planner searches windows.
type planner struct {
	step  stepper
	steps int
	nodes int
	until time.Time
	sets  []transition.Entries
}

// narrow removes steps from windows until none can be removed. It reports whether no window is empty and the certain parts of each step
// are without a cycle. Bit k of a window is step k.
func (p *planner) narrow(windows []uint32) bool {
	for changed := true; changed; {
		changed = false
		for k := range p.steps {
			for i, w := range windows {
				p.sets[i] = meetsIn(w, k)
			}
			if !p.step.load(p.sets) {
				return false
			}
			for i, w := range windows {
				if w>>k&1 == 0 || w == 1<<k || p.step.fits(i) {
					continue
				}
				if windows[i] &^= 1 << k; windows[i] == 0 {
					return false
				}
				changed = true
			}
		}
	}
	return true
}

// meetsIn returns what packets meet in step k of a part with a window, or 0 if that is not certain.
func meetsIn(window uint32, k int) transition.Entries {
	switch {
	case window == 1<<k:
		return transition.BothEntries
	case bits.TrailingZeros32(window) > k:
		return transition.OldEntry
	case bits.Len32(window)-1 < k:
		return transition.NewEntry
	}
	return 0
}

// plan returns windows of one step each, or nil. late says that a limit was reached.
func (p *planner) plan(windows []uint32) (found []uint32, late bool) {
	if !p.narrow(windows) {
		return nil, false
	}
	part := -1
	for i, w := range windows {
		if n := bits.OnesCount32(w); n > 1 && (part < 0 || n < bits.OnesCount32(windows[part])) {
			part = i
		}
	}
	if part < 0 {
		return windows, false
	}
	for w := windows[part]; w != 0; w &= w - 1 {
		if p.nodes++; p.nodes > mostNodes || time.Now().After(p.until) {
			return nil, true
		}
		next := append([]uint32{}, windows...)
		next[part] = w & -w
		if found, late := p.plan(next); found != nil || late {
			return found, late
		}
	}
	return nil, false
}

// fewer looks for fewer steps than those of r, and for a number of steps that is needed.
func (r *Result) fewer(c Change, part transition.Part) {
	p := &planner{sets: make([]transition.Entries, len(r.Changed)), until: time.Now().Add(longSearch)}
	if p.step = newDestinationStep(c, r.Changed); part == transition.Switch {
		p.step = newSwitchStep(c, r.Changed)
	}
	for p.steps = r.Bound.Steps; p.steps < min(len(r.Steps), mostSteps); p.steps++ {
		windows := make([]uint32, len(r.Changed))
		for i := range windows {
			windows[i] = 1<<p.steps - 1
		}
		p.nodes = 0
		found, late := p.plan(windows)
		switch {
		case found != nil:
			r.Steps = make([]transition.Step, p.steps)
			for i, w := range found {
				s := &r.Steps[bits.TrailingZeros32(w)]
				s.Parts = append(s.Parts, r.Changed[i])
			}
			return
		case !late:
			r.Bound = &transition.Bound{Steps: p.steps + 1}
		}
	}
}

// destinationStep is a step of destinations.
type destinationStep struct {
	*destinations
	now  []transition.Entries
	step *graph
}

func newDestinationStep(c Change, changed []int32) *destinationStep {
	s := &destinationStep{destinations: newDestinations(c, changed, false), now: make([]transition.Entries, len(changed))}
	s.step = s.relaxed
	s.step.mustAdd(s.kept)
	return s
}

// of returns the dependencies of a part that meets given entries.
func (s *destinationStep) of(i int, set transition.Entries) []int32 {
	return [...][]int32{nil, s.old[i], s.destinations.now[i], s.mix[i]}[set]
}

func (s *destinationStep) load(sets []transition.Entries) bool {
	for i, set := range s.now {
		if set != sets[i] {
			s.step.remove(s.of(i, set))
			s.now[i] = 0
		}
	}
	for i, set := range sets {
		if s.now[i] == set {
			continue
		}
		if !s.step.add(s.of(i, set)) {
			return false
		}
		s.now[i] = set
	}
	return true
}

func (s *destinationStep) fits(i int) bool {
	if !s.step.add(s.mix[i]) {
		return false
	}
	s.step.remove(s.mix[i])
	return true
}

// switchStep is a step of switches.
type switchStep struct {
	*switches
}

func newSwitchStep(c Change, changed []int32) *switchStep {
	return &switchStep{newSwitches(c, changed, false)}
}

func (s *switchStep) load(sets []transition.Entries) bool {
	for d, list := range s.deps {
		s.g.remove(list)
		s.deps[d] = nil
	}
	for i, u := range s.parts {
		s.meets[u] = sets[i]
	}
	for d := range s.deps {
		list := s.walk(model.DestID(d))
		if !s.g.add(list) {
			return false
		}
		s.deps[d] = list
	}
	return true
}

func (s *switchStep) fits(i int) bool {
	before := s.meets[s.parts[i]]
	if !s.set(i, transition.BothEntries) {
		s.meets[s.parts[i]] = before
		return false
	}
	if !s.set(i, before) {
		panic("reroute: the state before a change has a cycle")
	}
	return true
}
