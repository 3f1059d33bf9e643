package meshgraph

import "fmt"

// The values of Shape.Arch.
const (
	Wormhole  = "WORMHOLE_B0"
	Blackhole = "BLACKHOLE"
)

// Descriptor is what a file says.
type Descriptor struct {
	File        string
	Meshes      []Mesh // by ascending ID
	Connections []Connection
	Notes       []string // unknown fields, shapes that no mesh uses
}

// Shape is a grid of chips.
type Shape struct {
	Name     string
	Line     int // in the file
	Arch     string
	Dims     [2]int  // rows (dimension 0, north to south) and columns (dimension 1, west to east)
	Ring     [2]bool // dimensions that are declared rings
	Hosts    [2]int
	Channels int // links to each neighbor
	Strict   bool
	Express  []Express
	IsSwitch bool // its chips have no workers
}

// Express are links between the ends of blocks of rows or columns.
type Express struct {
	Dim         int
	Start, Step int
	Wrap        bool
	Line        int
}

// Mesh is an instance of a shape.
type Mesh struct {
	ID int
	*Shape
	Line int // of the instance
}

// Chips returns the number of chips.
func (s *Shape) Chips() int { return s.Dims[0] * s.Dims[1] }

// End is an end of a connection.
type End struct {
	Mesh   int // index in Descriptor.Meshes
	Device int // number of the chip, or -1 if the descriptor leaves it open
}

// Connection joins two meshes.
type Connection struct {
	Ends   [2]End
	Count  int // channels, over all cables
	Strict bool
	Z      bool      // the ports have the label Z
	Labels [2]string // of the ports by end, from routing_direction, or ""
	Line   int
}

// String returns the name of a mesh, as in M3.
func (m *Mesh) String() string { return fmt.Sprintf("M%d", m.ID) }
