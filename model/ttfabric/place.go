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
	err := f.placeBy(false)
	if err != nil && f.placeBy(true) == nil {
		err = nil
	}
	slices.SortFunc(f.Cables, func(a, b Cable) int { return slices.Compare(a.order(), b.order()) })
	return err
}

// placeBy places all cables. If inTurn is true, each RELAXED connection first takes one cable, so that one leaves ports for the others.
func (f *Fabric) placeBy(inTurn bool) error {
	f.Cables, f.Assumed = nil, false
	p := &placing{f, map[Port]bool{}, map[[2]Chip]bool{}, map[[2]int][]PortPair{}}
	if err := p.takeGiven(); err != nil {
		return err
	}
	// Connections that name the chips come first: others take what is left.
	var open []openConnection
	for i := range f.Descriptor.Connections {
		c := &f.Descriptor.Connections[i]
		switch {
		case len(p.given[pairOf(c)]) > 0:
		case c.Ends[0].Device < 0:
			open = append(open, p.open(c))
		default:
			if err := p.connectChips(c); err != nil {
				return err
			}
		}
	}
	return p.connectAll(open, inTurn)
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
	var open []givenCable
	for _, pair := range list {
		a, b := p.meshOf(pair[0].Mesh), p.meshOf(pair[1].Mesh)
		key := [2]int{min(a.index, b.index), max(a.index, b.index)}
		c := joined[key]
		if c == nil {
			return fmt.Errorf("cables: the descriptor has no connection of mesh %d and mesh %d", a.ID, b.ID)
		}
		p.given[key] = append(p.given[key], pair)
		ends := [2]end{{a, pair[0].Chip.Chip}, {b, pair[1].Chip.Chip}}
		labels, want := [2]Label{pair[0].Label, pair[1].Label}, p.wantOf(ends)
		if labels[0] == noLabel {
			open = append(open, givenCable{ends, want, c.Line})
			continue
		}
		if err := p.checkGiven(ends, labels, want); err != nil {
			return err
		}
		p.add(ends, labels, c.Line)
	}
	steps, worst := 0, 0
	if !p.label(open, 0, &steps, &worst) {
		x := open[worst]
		return fmt.Errorf("cables: no free labels for a cable %s - %s", x.ends[0].name(), x.ends[1].name())
	}
	return nil
}

// givenCable is a cable of the settings without labels.
type givenCable struct {
	ends [2]end
	want ports
	line int
}

// mostLabelings limits the labels that are tried for the cables of the settings.
const mostLabelings = 100_000

// label finds labels for the cables from k on, the first ones that leave labels for all. worst is the furthest cable for which none were free.
func (p *placing) label(list []givenCable, k int, steps, worst *int) bool {
	if k == len(list) {
		return true
	}
	x := &list[k]
	for _, labels := range p.fits(x.ends, x.want) {
		if *steps++; *steps > mostLabelings {
			return false
		}
		p.add(x.ends, labels, x.line)
		if p.label(list, k+1, steps, worst) {
			return true
		}
		p.Cables = p.Cables[:len(p.Cables)-1]
		for i, e := range x.ends {
			delete(p.taken, Port{e.name(), labels[i]})
			delete(p.joins, [2]Chip{e.name(), {x.ends[1-i].ID, 0}})
		}
	}
	*worst = max(*worst, k)
	return false
}

// checkGiven checks a cable with labels.
func (p *placing) checkGiven(ends [2]end, labels [2]Label, want ports) error {
	for i, e := range ends {
		switch port := (Port{e.name(), labels[i]}); {
		case !slices.Contains(p.free(e, ends[1-i].mesh, want.z), labels[i]):
			return fmt.Errorf("ports: %s is not free for a cable: it is within the mesh, on an axis with wrap links, or taken", port)
		case (labels[0] == ZPort) != (labels[1] == ZPort):
			return fmt.Errorf("ports: one end of the cable %s - %s is Z; want both or none", Port{ends[0].name(), labels[0]}, Port{ends[1].name(), labels[1]})
		case want.z && labels[i] != ZPort:
			return fmt.Errorf("ports: the connection of %s has assign_z_direction; want Z", port)
		case want.labels[i] != noLabel && labels[i] != want.labels[i]:
			return fmt.Errorf("ports: the connection of %s has routing_direction; want %s", port, want.labels[i])
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

// free returns the labels that a chip has free for a cable to a mesh, in the order in which they are taken. Wormhole chips have the label Z only for
// connections that ask for Z.
func (p *placing) free(e end, to *mesh, z bool) (list []Label) {
	if p.joins[[2]Chip{e.name(), {to.ID, 0}}] {
		return nil
	}
	for l := range Label(labels) {
		switch {
		case p.taken[Port{e.name(), l}]:
		case l == ZPort && (z || e.Arch == meshgraph.Blackhole) && !e.hasExpress():
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

// labels returns the first free labels for a cable.
func (p *placing) labels(ends [2]end, want ports) (pair [2]Label, ok bool) {
	if list := p.fits(ends, want); len(list) > 0 {
		return list[0], true
	}
	return pair, false
}

// fits returns the free labels for a cable, both Z or none.
func (p *placing) fits(ends [2]end, want ports) (list [][2]Label) {
	a, b := p.free(ends[0], ends[1].mesh, want.z), p.free(ends[1], ends[0].mesh, want.z)
	for _, k := range a {
		for _, l := range b {
			if (k == ZPort) == (l == ZPort) && want.allow(k, l) {
				list = append(list, [2]Label{k, l})
			}
		}
	}
	return list
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

// endsOf returns the chips that a connection names.
func (f *Fabric) endsOf(c *meshgraph.Connection) (ends [2]end) {
	for i, e := range c.Ends {
		ends[i] = end{&f.meshes[e.Mesh], e.Device}
	}
	return ends
}

// wantOf returns what the descriptor asks of a cable of the settings: the connection of its chips, or of its meshes.
func (f *Fabric) wantOf(ends [2]end) ports {
	want := ports{false, [2]Label{noLabel, noLabel}}
	for i := range f.Descriptor.Connections {
		c := &f.Descriptor.Connections[i]
		p, named := portsOf(c), f.endsOf(c)
		if c.Ends[0].Mesh != ends[0].index {
			named[0], named[1] = named[1], named[0]
			p.labels[0], p.labels[1] = p.labels[1], p.labels[0]
		}
		if named[0].index != ends[0].index || named[1].index != ends[1].index {
			continue
		}
		want.z = p.z
		switch {
		case named[0].chip == ends[0].chip && named[1].chip == ends[1].chip:
			return p
		case named[0].chip < 0:
			want = p
		}
	}
	return want
}

// asksZ reports whether a connection of two meshes, ascending, asks for Z.
func (f *Fabric) asksZ(meshes [2]int) bool {
	for i := range f.Descriptor.Connections {
		if c := &f.Descriptor.Connections[i]; c.Z && pairOf(c) == meshes {
			return true
		}
	}
	return false
}

// openConnection is a connection that leaves its chips open.
type openConnection struct {
	*meshgraph.Connection
	meshes       [2]*mesh
	each         int // channels of a cable
	want, placed int // cables
}

func (p *placing) open(c *meshgraph.Connection) openConnection {
	o := openConnection{Connection: c, meshes: [2]*mesh{&p.meshes[c.Ends[0].Mesh], &p.meshes[c.Ends[1].Mesh]}, each: p.each(c)}
	o.want = (c.Count + o.each - 1) / o.each
	if o.meshes[0].Chips()*o.meshes[1].Chips() > 1 && o.want > 0 {
		p.Assumed = true
	}
	return o
}

// each returns the channels of a cable.
func (p *placing) each(c *meshgraph.Connection) int {
	return min(p.meshes[c.Ends[0].Mesh].Channels, p.meshes[c.Ends[1].Mesh].Channels)
}

// connectAll places the cables of connections, one by one or in turn.
func (p *placing) connectAll(list []openConnection, inTurn bool) error {
	for i := range list {
		if o := &list[i]; !inTurn || o.Strict {
			p.connect(o, o.want)
			if err := p.enough(o); err != nil {
				return err
			}
		}
	}
	for more := inTurn; more; {
		more = false
		for i := range list {
			o, had := &list[i], list[i].placed
			p.connect(o, min(o.want, had+1))
			more = more || o.placed > had
		}
	}
	for i := range list {
		if err := p.enough(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// connect places cables of a connection until it has most of them, or no free ports.
func (p *placing) connect(o *openConnection, most int) {
	a, b := o.meshes[0], o.meshes[1]
	for i := 0; i < a.Chips() && o.placed < most; i++ {
		for k := 0; k < b.Chips(); k++ {
			ends := [2]end{{a, i}, {b, k}}
			if labels, ok := p.labels(ends, portsOf(o.Connection)); ok {
				p.add(ends, labels, o.Line)
				o.placed++
				break
			}
		}
	}
}

// enough checks the number of cables of a connection.
func (p *placing) enough(o *openConnection) error {
	a, b := o.meshes[0].ID, o.meshes[1].ID
	switch {
	case o.placed == 0:
		return p.fault(o.Line, "no free ports for a cable between mesh %d and mesh %d%s", a, b, portsOf(o.Connection))
	case o.placed < o.want && o.Strict:
		return p.fault(o.Line, "STRICT count %d between mesh %d and mesh %d: free ports take only %d cables of %d channels", o.Count, a, b, o.placed, o.each)
	}
	return nil
}

// connectChips places the cable of a connection that names its chips.
func (p *placing) connectChips(c *meshgraph.Connection) error {
	ends, each := p.endsOf(c), p.each(c)
	if c.Strict && c.Count > each {
		return p.fault(c.Line, "STRICT count %d between two chips that have %d links to a neighbor; want at most %d", c.Count, each, each)
	}
	labels, ok := p.labels(ends, portsOf(c))
	if !ok {
		return p.fault(c.Line, "no free ports for a cable %s - %s%s", ends[0].name(), ends[1].name(), portsOf(c))
	}
	p.add(ends, labels, c.Line)
	return nil
}
