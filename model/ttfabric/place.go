package ttfabric

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
)

// This file places the cables: which chips they join, and by which labels.
//
// What the descriptor and the settings leave open is decided here, and Assumed is set: chips are taken in the order of their numbers, and labels in
// the order N, E, S, W, Z. The mapper of the fabric decides this by the machine that it finds.

// placing is the state of place.
type placing struct {
	*Fabric
	taken map[Port]bool         // ports with a cable
	joins map[[2]Chip]bool      // chip and first chip of the neighbor mesh: a port of the chip serves the mesh
	given map[[2]int][]PortPair // by meshes: cables of the settings
}

func (f *Fabric) place() error {
	p := &placing{f, map[Port]bool{}, map[[2]Chip]bool{}, map[[2]int][]PortPair{}}
	if err := p.takeGiven(); err != nil {
		return err
	}
	// Connections that name the chips come first: others take what is left.
	for _, named := range []bool{true, false} {
		for i := range f.Descriptor.Connections {
			c := &f.Descriptor.Connections[i]
			if (c.Ends[0].Device >= 0) != named || len(p.given[pairOf(c)]) > 0 {
				continue
			}
			if err := p.connect(c); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(f.Cables, func(a, b Cable) int { return slices.Compare(a.order(), b.order()) })
	return nil
}

// order sorts cables by chips.
func (c *Cable) order() []int {
	return []int{c.Ends[0].Mesh, c.Ends[0].Chip.Chip, int(c.Ends[0].Label), c.Ends[1].Mesh, c.Ends[1].Chip.Chip}
}

// pairOf returns the meshes of a connection, ascending.
func pairOf(c *meshgraph.Connection) [2]int {
	return [2]int{min(c.Ends[0].Mesh, c.Ends[1].Mesh), max(c.Ends[0].Mesh, c.Ends[1].Mesh)}
}

// takeGiven takes the cables of the settings. They must be between meshes that a connection joins.
func (p *placing) takeGiven() error {
	joined := map[[2]int]*meshgraph.Connection{}
	for i := range p.Descriptor.Connections {
		joined[pairOf(&p.Descriptor.Connections[i])] = &p.Descriptor.Connections[i]
	}
	list := slices.Clone(p.Options.Ports)
	for _, c := range p.Options.Cables {
		list = append(list, PortPair{{c[0], noLabel}, {c[1], noLabel}})
	}
	for _, pair := range list {
		a, b := p.meshOf(pair[0].Mesh), p.meshOf(pair[1].Mesh)
		key := [2]int{min(a.index, b.index), max(a.index, b.index)}
		c := joined[key]
		if c == nil {
			return fmt.Errorf("cables: the descriptor has no connection of mesh %d and mesh %d", a.ID, b.ID)
		}
		p.given[key] = append(p.given[key], pair)
		ends := [2]end{{a, pair[0].Chip.Chip}, {b, pair[1].Chip.Chip}}
		labels := [2]Label{pair[0].Label, pair[1].Label}
		if labels[0] == noLabel {
			var ok bool
			if labels, ok = p.labels(ends, c.Z); !ok {
				return fmt.Errorf("cables: no free labels for a cable %s - %s", pair[0].Chip, pair[1].Chip)
			}
		}
		if err := p.checkGiven(ends, labels, c.Z); err != nil {
			return err
		}
		p.add(ends, labels, c.Line)
	}
	return nil
}

// checkGiven checks a cable with labels.
func (p *placing) checkGiven(ends [2]end, labels [2]Label, z bool) error {
	for i, e := range ends {
		switch port := (Port{e.name(), labels[i]}); {
		case !slices.Contains(p.free(e, ends[1-i].mesh), labels[i]):
			return fmt.Errorf("ports: %s is not free for a cable: it is within the mesh, on an axis with wrap links, or taken", port)
		case (labels[0] == ZPort) != (labels[1] == ZPort):
			return fmt.Errorf("ports: one end of the cable %s - %s is Z; want both or none", Port{ends[0].name(), labels[0]}, Port{ends[1].name(), labels[1]})
		case z && labels[i] != ZPort:
			return fmt.Errorf("ports: the connection of %s has assign_z_direction; want Z", port)
		}
	}
	return nil
}

// end is a chip as the end of a cable.
type end struct {
	*mesh
	chip int
}

func (e end) name() Chip { return Chip{e.ID, e.chip} }

// free returns the labels that a chip has free for a cable to a mesh, in the order in which they are taken.
func (p *placing) free(e end, to *mesh) (list []Label) {
	if p.joins[[2]Chip{e.name(), {to.ID, 0}}] {
		return nil
	}
	for l := range Label(labels) {
		switch {
		case p.taken[Port{e.name(), l}]:
		case l == ZPort && e.Arch == meshgraph.Blackhole && !e.hasExpress():
			list = append(list, l)
		case l == ZPort || !e.isEdge(e.chip, l) || e.wraps[l.axis()]:
		case p.Rules.Reserve && e.isTorus(l.axis()) && !e.Ring[l.axis()]:
		default:
			list = append(list, l)
		}
	}
	return list
}

// hasExpress reports whether the ports Z of a mesh are those of express links.
func (m *mesh) hasExpress() bool { return len(m.Express) > 0 }

// labels returns the first free labels for a cable, both Z or none.
func (p *placing) labels(ends [2]end, z bool) (pair [2]Label, ok bool) {
	a, b := p.free(ends[0], ends[1].mesh), p.free(ends[1], ends[0].mesh)
	for _, k := range a {
		for _, l := range b {
			if (k == ZPort) == (l == ZPort) && (!z || k == ZPort) {
				return [2]Label{k, l}, true
			}
		}
	}
	return pair, false
}

// add adds a cable.
func (p *placing) add(ends [2]end, labels [2]Label, line int) {
	c := Cable{Line: line}
	for i, e := range ends {
		c.Ends[i] = Port{e.name(), labels[i]}
		c.ends[i], c.in[i] = e.first+e.chip, e.index
		p.taken[c.Ends[i]] = true
		p.joins[[2]Chip{e.name(), {ends[1-i].ID, 0}}] = true
	}
	if c.Ends[0].Mesh > c.Ends[1].Mesh {
		c.Ends[0], c.Ends[1] = c.Ends[1], c.Ends[0]
		c.ends[0], c.ends[1] = c.ends[1], c.ends[0]
		c.in[0], c.in[1] = c.in[1], c.in[0]
	}
	p.Cables = append(p.Cables, c)
}

// connect places the cables of a connection.
func (p *placing) connect(c *meshgraph.Connection) error {
	a, b := &p.meshes[c.Ends[0].Mesh], &p.meshes[c.Ends[1].Mesh]
	each := min(a.Channels, b.Channels)
	if c.Ends[0].Device >= 0 {
		return p.connectChips(c, [2]end{{a, c.Ends[0].Device}, {b, c.Ends[1].Device}}, each)
	}
	want := (c.Count + each - 1) / each
	if a.Chips()*b.Chips() > 1 && want > 0 {
		p.Assumed = true
	}
	placed := 0
	for i := 0; i < a.Chips() && placed < want; i++ {
		for k := 0; k < b.Chips(); k++ {
			ends := [2]end{{a, i}, {b, k}}
			if labels, ok := p.labels(ends, c.Z); ok {
				p.add(ends, labels, c.Line)
				placed++
				break
			}
		}
	}
	switch {
	case placed == 0:
		return p.fault(c.Line, "no free ports for a cable between mesh %d and mesh %d%s", a.ID, b.ID, zWord(c.Z))
	case placed < want && c.Strict:
		return p.fault(c.Line, "STRICT count %d between mesh %d and mesh %d: free ports take only %d cables of %d channels", c.Count, a.ID, b.ID, placed, each)
	}
	return nil
}

// connectChips places the cable of a connection that names its chips.
func (p *placing) connectChips(c *meshgraph.Connection, ends [2]end, each int) error {
	if c.Strict && c.Count > each {
		return p.fault(c.Line, "STRICT count %d between two chips that have %d links to a neighbor; want at most %d", c.Count, each, each)
	}
	labels, ok := p.labels(ends, c.Z)
	if !ok {
		return p.fault(c.Line, "no free ports for a cable %s - %s%s", ends[0].name(), ends[1].name(), zWord(c.Z))
	}
	p.add(ends, labels, c.Line)
	return nil
}

func zWord(z bool) string {
	if z {
		return " with the label Z"
	}
	return ""
}
