package ttfabric

import (
	"errors"
	"fmt"
	"slices"
)

// This file finds labels for cables whose chips are known, if the labels that are free first do not fit.

// ErrNoLabels says that no labels exist for the cables of a placement: it is impossible.
var ErrNoLabels = errors.New("no labels fit the cables")

// errLabelsOpen says that the search for labels has ended early.
var errLabelsOpen = errors.New("the search for labels of the cables took too long")

// mostLabelSteps bounds the search for the labels of one placement.
const mostLabelSteps = 1 << 18

// matching is a search for the labels of all cables at once.
type matching struct {
	*placing
	cables  []openCable
	ports   []PortPair
	steps   int
	stopped bool
}

// openCable is a cable without labels.
type openCable struct {
	ends [2]end
	fits [][2]Label // labels that its chips have
	done bool
}

// match returns the cables of o with labels, and those of connections that name their chips. It returns ErrNoLabels if no labels fit.
func (f *Fabric) match(o *Options) ([]PortPair, error) {
	m := &matching{placing: &placing{f, map[Port]bool{}, map[[2]Chip]bool{}, map[[2]int][]PortPair{}}, ports: slices.Clone(o.Ports)}
	for _, pair := range o.Ports {
		for i, port := range pair {
			m.taken[port] = true
			m.joins[[2]Chip{port.Chip, {pair[1-i].Mesh, 0}}] = true
		}
	}
	given := f.givenPairs(o)
	for _, pair := range o.Cables {
		ends := [2]end{{f.meshOf(pair[0].Mesh), pair[0].Chip}, {f.meshOf(pair[1].Mesh), pair[1].Chip}}
		if !m.want(ends, f.wantOf(ends)) {
			return nil, ErrNoLabels
		}
	}
	for i := range f.Descriptor.Connections {
		c := &f.Descriptor.Connections[i]
		if given[pairOf(c)] {
			continue
		}
		if c.Ends[0].Device < 0 {
			return nil, fmt.Errorf("a connection of mesh %d and mesh %d has no place", f.meshes[c.Ends[0].Mesh].ID, f.meshes[c.Ends[1].Mesh].ID)
		}
		if !m.want(f.endsOf(c), portsOf(c)) {
			return nil, ErrNoLabels
		}
	}
	switch {
	case m.search(len(m.cables)):
		return m.ports, nil
	case m.stopped:
		return nil, errLabelsOpen
	}
	return nil, ErrNoLabels
}

// givenPairs returns the meshes whose cables the settings place.
func (f *Fabric) givenPairs(o *Options) map[[2]int]bool {
	given := map[[2]int]bool{}
	add := func(a, b Chip) {
		k, l := f.meshOf(a.Mesh).index, f.meshOf(b.Mesh).index
		given[[2]int{min(k, l), max(k, l)}] = true
	}
	for _, p := range o.Ports {
		add(p[0].Chip, p[1].Chip)
	}
	for _, p := range o.Cables {
		add(p[0], p[1])
	}
	return given
}

// want adds a cable. It reports whether each of its chips has at most one cable to the other mesh, and labels.
func (m *matching) want(ends [2]end, want ports) bool {
	c := openCable{ends: ends, fits: m.fits(ends, want)}
	for i, e := range ends {
		m.joins[[2]Chip{e.name(), {ends[1-i].ID, 0}}] = true
	}
	m.cables = append(m.cables, c)
	return len(c.fits) > 0
}

// search gives labels to the cables that are left, those with the fewest choices first.
func (m *matching) search(left int) bool {
	if m.steps++; m.steps > mostLabelSteps {
		m.stopped = true
	}
	if left == 0 || m.stopped {
		return left == 0
	}
	var best *openCable
	var choices [][2]Label
	for i := range m.cables {
		c := &m.cables[i]
		if c.done {
			continue
		}
		var fits [][2]Label
		for _, l := range c.fits {
			if !m.taken[Port{c.ends[0].name(), l[0]}] && !m.taken[Port{c.ends[1].name(), l[1]}] {
				fits = append(fits, l)
			}
		}
		if best == nil || len(fits) < len(choices) {
			best, choices = c, fits
		}
	}
	best.done = true
	for _, l := range choices {
		pair := PortPair{{best.ends[0].name(), l[0]}, {best.ends[1].name(), l[1]}}
		m.taken[pair[0]], m.taken[pair[1]] = true, true
		m.ports = append(m.ports, pair)
		if m.search(left - 1) {
			return true
		}
		m.ports = m.ports[:len(m.ports)-1]
		m.taken[pair[0]], m.taken[pair[1]] = false, false
	}
	best.done = false
	return false
}

// LabelsMatter reports whether the labels of cables, as far as AlwaysAgree leaves them open, decide which packets have a way.
func (f *Fabric) LabelsMatter() bool {
	if !f.Rules.VC1 || f.Rules.Through {
		return false
	}
	for _, row := range f.Relation.(*relation).distance {
		if slices.Max(row) > 1 {
			return true
		}
	}
	return false
}
