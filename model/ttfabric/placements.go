package ttfabric

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
)

// This file lists placements of the cables that the descriptor leaves open.

// Placements are the ways in which cables can be placed. A placement chooses for each cable of each connection without device_id the chips of both ends.
type Placements struct {
	f     *Fabric
	slots []slotOfCables // by connection that is open
	fixed []ChipPair     // cables with device_id between meshes that open connections join, too
	Count float64        // number of placements, with those that have no free labels
	Exact bool           // every placement has all cables: each count is STRICT, or of one cable
}

// slotOfCables is a connection that is open.
type slotOfCables struct {
	*meshgraph.Connection
	meshes [2]*mesh
	cables int
	pairs  int
}

// NewPlacements returns the placements. Cables between meshes for which the settings place some are not open.
func (f *Fabric) NewPlacements() *Placements {
	p := &Placements{f: f, Count: 1, Exact: true}
	open, given := map[[2]int]bool{}, f.givenPairs(&f.Options)
	for i := range f.Descriptor.Connections {
		c := &f.Descriptor.Connections[i]
		open[pairOf(c)] = open[pairOf(c)] || c.Ends[0].Device < 0
	}
	for i := range f.Descriptor.Connections {
		c := &f.Descriptor.Connections[i]
		if given[pairOf(c)] {
			continue
		}
		if c.Ends[0].Device >= 0 {
			if open[pairOf(c)] {
				p.fixed = append(p.fixed, ChipPair{{f.meshes[c.Ends[0].Mesh].ID, c.Ends[0].Device}, {f.meshes[c.Ends[1].Mesh].ID, c.Ends[1].Device}})
			}
			continue
		}
		a, b := &f.meshes[c.Ends[0].Mesh], &f.meshes[c.Ends[1].Mesh]
		each := min(a.Channels, b.Channels)
		s := slotOfCables{Connection: c, meshes: [2]*mesh{a, b}, pairs: a.Chips() * b.Chips()}
		s.cables = min((c.Count+each-1)/each, min(a.Chips(), b.Chips()))
		p.Exact = p.Exact && (c.Strict || s.cables == 1)
		for k := range s.cables {
			p.Count *= float64(s.pairs-k) / float64(k+1)
		}
		p.slots = append(p.slots, s)
	}
	p.Count = math.Round(p.Count)
	return p
}

// pair returns pair n of a connection.
func (s *slotOfCables) pair(n int) ChipPair {
	b := s.meshes[1].Chips()
	return ChipPair{{s.meshes[0].ID, n / b}, {s.meshes[1].ID, n % b}}
}

// Assumed returns the placement that Build assumes. It may have fewer cables than others, where free ports are short.
func (p *Placements) Assumed() (list []ChipPair) {
	open := map[[2]int]bool{}
	for i := range p.slots {
		open[pairOf(p.slots[i].Connection)] = true
	}
	for i := range p.f.Cables {
		if c := &p.f.Cables[i]; open[[2]int{min(c.in[0], c.in[1]), max(c.in[0], c.in[1])}] {
			list = append(list, ChipPair{c.Ends[0].Chip, c.Ends[1].Chip})
		}
	}
	return list
}

// Draw draws a placement. It leaves out chips without free ports as long as others have some.
func (p *Placements) Draw(rng *rand.Rand) []ChipPair {
	list, left := slices.Clone(p.fixed), p.room()
	for _, c := range p.fixed {
		for _, chip := range c {
			left[chip]--
		}
	}
	for i := range p.slots {
		s := &p.slots[i]
		a, b := s.meshes[0].draw(rng, left), s.meshes[1].draw(rng, left)
		for k := range s.cables {
			c := ChipPair{a[k], b[k]}
			left[c[0]]--
			left[c[1]]--
			list = append(list, c)
		}
	}
	return list
}

// room returns by chip how many cables it can take at most.
func (p *Placements) room() map[Chip]int {
	at := &placing{Fabric: p.f, taken: map[Port]bool{}, joins: map[[2]Chip]bool{}}
	room := map[Chip]int{}
	for i := range p.slots {
		for side, m := range p.slots[i].meshes {
			for chip := range m.Chips() {
				e := end{m, chip}
				room[e.name()] = len(at.free(e, p.slots[i].meshes[1-side], false))
			}
		}
	}
	return room
}

// draw returns the chips of a mesh in an order that is drawn, those without room last.
func (m *mesh) draw(rng *rand.Rand, left map[Chip]int) (list []Chip) {
	var full []Chip
	for _, k := range rng.Perm(m.Chips()) {
		if c := (Chip{m.ID, k}); left[c] > 0 {
			list = append(list, c)
		} else {
			full = append(full, c)
		}
	}
	return append(list, full...)
}

// All calls yield for each placement, until it returns false.
func (p *Placements) All(yield func([]ChipPair) bool) { p.from(0, 0, 0, slices.Clone(p.fixed), yield) }

// from chooses cables from number k of slot i on, from pair n on.
func (p *Placements) from(i, k, n int, list []ChipPair, yield func([]ChipPair) bool) bool {
	if i == len(p.slots) {
		return yield(slices.Clone(list))
	}
	s := &p.slots[i]
	if k == s.cables {
		return p.from(i+1, 0, 0, list, yield)
	}
	for ; n < s.pairs; n++ {
		if !p.from(i, k+1, n+1, append(list, s.pair(n)), yield) {
			return false
		}
	}
	return true
}

// With returns the fabric with a placement, besides the cables of the settings. It takes labels that fit all cables. The error is ErrNoLabels if none do.
func (f *Fabric) With(cables []ChipPair) (*Fabric, error) {
	o := f.Options
	o.Cables = slices.Concat(f.Options.Cables, cables)
	x, err := Build(f.Descriptor, o)
	if err == nil {
		return x, nil
	}
	ports, noMatch := f.match(&o)
	if noMatch != nil {
		return nil, noMatch
	}
	o.Ports, o.Cables = ports, nil
	return Build(f.Descriptor, o)
}

// Within returns the fabric with traffic within meshes alone.
func (f *Fabric) Within() (*Fabric, error) {
	o := f.Options
	o.Traffic = Traffic{Word: TrafficIntra}
	return Build(f.Descriptor, o)
}
