package ttfabric

import (
	"cmp"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
)

// Fabric is the network of a fabric, with its routing.
type Fabric struct {
	Descriptor *meshgraph.Descriptor
	Options    Options
	Rules      Rules
	Net        *model.Network
	Relation   model.Relation
	Cables     []Cable
	Assumed    bool     // the descriptor leaves open which chips some cables join
	Notes      []string // what the fabric would tell
	Findings   Findings

	meshes  []mesh
	at      []int                     // by chip: the index of its mesh
	out     [][labels]model.ChannelID // by chip: the channel that leaves by each label, or NoChannel
	exits   [][][]exit                // by mesh, chip and target mesh: where the packet leaves; see exits.go
	leaving [][]exit                  // by mesh: all exits
	kinds   []kind                    // by channel between chips
}

// mesh is a mesh with its config.
type mesh struct {
	*meshgraph.Mesh
	index int
	first int // number of its chip 0 among the switches
	Config
	wraps [2]bool // axes with wrap links
	hosts bool    // its chips have workers
}

// kind is what a channel between chips is.
type kind struct {
	label   Label // at its tail
	cable   int   // its index, or -1
	isWrap  bool
	bad     string // why packets never get over it, or ""
	guarded bool   // entries onto it need two free slots
}

// Cable joins two chips of different meshes.
type Cable struct {
	Ends [2]Port
	Line int // of its connection in the descriptor
	ends [2]int
	in   [2]int
}

// String returns the cable as in M0D6:Z - M1D1:Z.
func (c Cable) String() string { return c.Ends[0].String() + " - " + c.Ends[1].String() }

// Build returns the fabric. It fails for what the fabric refuses; then the error has the file and line.
func Build(d *meshgraph.Descriptor, o Options) (*Fabric, error) {
	o.Rules = cmp.Or(o.Rules, DefaultRules)
	o.Slots = cmp.Or(o.Slots, DefaultSlots)
	f := &Fabric{Descriptor: d, Options: o, Notes: d.Notes}
	var err error
	if f.Rules, err = RulesOf(o.Rules); err == nil {
		err = f.Options.Override.apply(&f.Rules)
	}
	if err != nil {
		return nil, err
	}
	if err := f.checkOptions(); err != nil {
		return nil, err
	}
	for _, step := range []func() error{f.addMeshes, f.place, f.build, f.find, f.route, f.addFlow} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// fault returns an error at a line of the descriptor.
func (f *Fabric) fault(line int, format string, a ...any) error {
	return &textfile.Error{File: f.Descriptor.File, Line: line, Msg: fmt.Sprintf(format, a...)}
}

// addMeshes sets the meshes, with the axes that have wrap links.
func (f *Fabric) addMeshes() error {
	first := 0
	for i := range f.Descriptor.Meshes {
		m := mesh{Mesh: &f.Descriptor.Meshes[i], index: i, first: first, hosts: !f.Descriptor.Meshes[i].IsSwitch}
		m.Config = f.Options.Config.Of(m.ID)
		for axis := range 2 {
			if err := f.addAxis(&m, axis); err != nil {
				return err
			}
		}
		if len(m.Express) > 0 {
			f.Notes = append(f.Notes, fmt.Sprintf("mesh %d: its express links carry no packets: their routing was reverted on 2026-09-23", m.ID))
		}
		first += m.Chips()
		f.meshes = append(f.meshes, m)
	}
	return nil
}

// addAxis decides whether an axis of a mesh has wrap links.
func (f *Fabric) addAxis(m *mesh, axis int) error {
	least := 3
	if f.Rules.Wrap2 {
		least = 2
	}
	asked, declared, extent := m.isTorus(axis), m.Ring[axis], m.Dims[axis]
	switch {
	case asked && !declared && extent >= least && m.Config != Fabric1DRing:
		return f.fault(m.Shape.Line, "%s asks for a ring along dim %d of mesh %d, which the descriptor declares a line", m.Config, axis, m.ID)
	case asked && !declared && extent >= least && axis == 0 && !m.Ring[1]:
		return f.fault(m.Shape.Line, "%s on mesh %d, which declares no ring: rings folded at the corners of a mesh are not modelled; want RING", m.Config, m.ID)
	case declared && !asked:
		f.Notes = append(f.Notes, fmt.Sprintf("mesh %d: ring along dim %d is declared, but %s does not use it", m.ID, axis, m.Config))
	case declared && extent == 2:
		f.Notes = append(f.Notes, fmt.Sprintf("mesh %d: ring of 2 along dim %d", m.ID, axis))
	}
	m.wraps[axis] = asked && declared && extent >= least
	return nil
}

// meshOf returns the mesh with an ID, or nil.
func (f *Fabric) meshOf(id int) *mesh {
	for i := range f.meshes {
		if f.meshes[i].ID == id {
			return &f.meshes[i]
		}
	}
	return nil
}

// Chip returns the chip that is switch u.
func (f *Fabric) Chip(u model.SwitchID) Chip {
	m := &f.meshes[f.at[u]]
	return Chip{m.ID, int(u) - m.first}
}

// isEdge reports whether a chip is at the border of its mesh in the direction of a label.
func (m *mesh) isEdge(chip int, l Label) bool {
	row, column := chip/m.Dims[1], chip%m.Dims[1]
	switch l {
	case North:
		return row == 0
	case South:
		return row == m.Dims[0]-1
	case West:
		return column == 0
	case East:
		return column == m.Dims[1]-1
	}
	return true
}

// neighbor returns the chip next to a chip in a direction, and whether it is over a wrap link. It returns -1 if there is none.
func (m *mesh) neighbor(chip int, l Label) (next int, isWrap bool) {
	row, column := chip/m.Dims[1], chip%m.Dims[1]
	edge := m.isEdge(chip, l)
	if edge && !m.wraps[l.axis()] {
		return -1, false
	}
	step := map[Label][2]int{North: {-1, 0}, South: {1, 0}, East: {0, 1}, West: {0, -1}}[l]
	row, column = (row+step[0]+m.Dims[0])%m.Dims[0], (column+step[1]+m.Dims[1])%m.Dims[1]
	return row*m.Dims[1] + column, edge
}
