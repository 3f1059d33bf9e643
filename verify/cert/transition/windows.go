package transition

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges that all parts cannot change in some number of steps in service.
//
// may[i][k] says that part i may change in step k, as far as is known. Look at step k of any steps that would be safe. A part that may change
// in later steps only is old in it, one that may change in earlier steps only is new, one that may change in it only meets both entries. Of
// other parts take no packets at all (of switches: packets stop there). The dependencies that this leaves are among those of the step,
// because fewer entries mean fewer packets. If they have a cycle together with those of both entries of a part, this part does not change in step k. If a
// part can change in no step, or the certain parts alone have a cycle, there are no such steps. If nothing more follows, one part is tried in each step.

const (
	mostSteps  = 31
	mostBranch = 20_000 // steps of parts that are tried
)

// windows judges that the parts cannot change in the given number of steps.
func (x *change) windows(claim *cert.Claim, steps int) error {
	w := &windows{x: x, steps: steps, left: mostBranch}
	if w.step = newDestinationsIn(x); x.t.Parts == "switch" {
		w.step = newSwitchesIn(x)
	}
	may := make([][]bool, len(x.changed))
	for i := range may {
		may[i] = slices.Repeat([]bool{true}, steps)
	}
	switch possible := w.search(may); {
	case w.left < 0:
		return cert.Reject(claim.Claim, "more than %d steps of parts to try", mostBranch)
	case possible:
		return cert.Reject(claim.Claim, "the parts can change in %d steps", steps)
	}
	return nil
}

// windows is a search for steps.
type windows struct {
	x     *change
	step  stepIn
	steps int
	left  int
}

// stepIn is a step in which parts, by place in changed, meet old or new entries, both, or are left out (0).
type stepIn interface{ acyclic(sets []int) bool }

// search reports whether steps remain possible: whether all parts have one step each in the end.
func (w *windows) search(may [][]bool) bool {
	if !w.reduce(may) {
		return false
	}
	open, few := -1, 0
	for i, row := range may {
		n := 0
		for _, can := range row {
			if can {
				n++
			}
		}
		if n > 1 && (open < 0 || n < few) {
			open, few = i, n
		}
	}
	if open < 0 {
		return true
	}
	for k, can := range may[open] {
		if !can {
			continue
		}
		if w.left--; w.left < 0 {
			return false
		}
		next := make([][]bool, len(may))
		for i, row := range may {
			next[i] = slices.Clone(row)
		}
		next[open] = make([]bool, w.steps)
		if next[open][k] = true; w.search(next) {
			return true
		}
	}
	return false
}

// reduce removes steps of parts until none can be removed. It reports whether each part has one left, and the certain parts have no cycle.
func (w *windows) reduce(may [][]bool) bool {
	for removed := true; removed; {
		removed = false
		for k := range w.steps {
			sets := make([]int, len(may))
			for i, row := range may {
				sets[i] = certain(row, k)
			}
			if !w.step.acyclic(sets) {
				return false
			}
			for i, row := range may {
				if !row[k] || sets[i] == both {
					continue
				}
				sets[i] = both
				ok := w.step.acyclic(sets)
				if sets[i] = 0; ok {
					continue
				}
				if row[k] = false; !slices.Contains(row, true) {
					return false
				}
				removed = true
			}
		}
	}
	return true
}

// certain returns the entries that a part certainly meets in step k, or 0.
func certain(row []bool, k int) int {
	before, after := slices.Contains(row[:k], true), slices.Contains(row[k+1:], true)
	switch {
	case row[k] && !before && !after:
		return both
	case row[k] || before && after:
		return 0
	case after:
		return meetsOld
	}
	return meetsNew
}

// destinationsIn are destinations in a step.
type destinationsIn struct {
	*destinations
	sets []int // the present ones
}

func newDestinationsIn(x *change) *destinationsIn {
	s := &destinationsIn{newDestinations(x, x.changed), make([]int, len(x.changed))}
	for _, d := range s.all {
		s.g.add(-1, s.old[d])
	}
	return s
}

func (s *destinationsIn) acyclic(sets []int) bool {
	for i, d := range s.all {
		of := [...][]int32{nil, s.old[d], s.now[d], s.mix[d]}
		if s.sets[i] != sets[i] {
			s.g.add(-1, of[s.sets[i]])
			s.g.add(1, of[sets[i]])
			s.sets[i] = sets[i]
		}
	}
	return s.g.acyclic()
}

// switchesIn are switches in a step.
type switchesIn struct{ *switches }

func newSwitchesIn(x *change) *switchesIn { return &switchesIn{newSwitches(x)} }

func (s *switchesIn) acyclic(sets []int) bool {
	by := [4][]int32{}
	for i, u := range s.x.changed {
		if s.table.sets[u] != sets[i] {
			by[sets[i]] = append(by[sets[i]], u)
		}
	}
	for set, list := range by {
		if len(list) > 0 {
			s.table.set(list, set)
		}
	}
	return s.safe()
}
