package program

import (
	"fmt"
	"slices"
	"sync"

	"go.starlark.net/starlark"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file defines a network as programs for any network see it: its switches, ports, distances, spanning tree and tables.

// view is a network as programs see it. It is safe for concurrent use.
type view struct {
	net        *model.Network
	attributes map[string][]int32
	ports      [][]starlark.Value // by switch: its ports to other switches, ascending
	neighbours [][]starlark.Value // by switch: the switches at these ports, each once

	mu   sync.Mutex
	rows map[model.SwitchID][]uint32 // distances to a switch

	spanning spanning
	tables   viewTables
}

// maxRows is the maximum memory of the rows of distances, in bytes.
const maxRows = 1 << 26

func newView(n *model.Network) *view {
	v := &view{net: n, attributes: map[string][]int32{}, rows: map[model.SwitchID][]uint32{}}
	for _, name := range n.Attributes() {
		v.attributes[name] = n.Attribute(name)
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		var ports, near []starlark.Value
		for _, c := range n.Out(u) {
			if n.Kind(c) != model.SwitchToSwitch || n.Absent(c) {
				continue
			}
			ports = append(ports, port{v, c})
			if next := starlark.Value(node{v, n.Head(c)}); !slices.Contains(near, next) {
				near = append(near, next)
			}
		}
		v.ports, v.neighbours = append(v.ports, ports), append(v.neighbours, near)
	}
	return v
}

// distance returns the number of links on a shortest path, or false if there is no path.
func (v *view) distance(a, b model.SwitchID) (int, bool) {
	v.mu.Lock()
	row := v.rows[b]
	v.mu.Unlock()
	if row == nil {
		row = hv.Hops(v.net, b)
		v.mu.Lock()
		if 4*len(row)*len(v.rows) > maxRows {
			clear(v.rows)
		}
		v.rows[b] = row
		v.mu.Unlock()
	}
	return int(row[a]), row[a] != hv.Far
}

// node is a switch as a Starlark value.
type node struct {
	*view
	u model.SwitchID
}

func (s node) String() string        { return s.net.SwitchLabel(s.u) }
func (s node) Type() string          { return "switch" }
func (s node) Freeze()               {}
func (s node) Truth() starlark.Bool  { return true }
func (s node) Hash() (uint32, error) { return uint32(s.u)*0x9e3779b1 + 2, nil }

// port is a port of a switch to another one as a Starlark value.
type port struct {
	*view
	c model.ChannelID // the channel out of the port
}

func (p port) String() string {
	return fmt.Sprintf("port %d of %s", p.net.TailPort(p.c), p.net.SwitchLabel(p.net.Tail(p.c)))
}
func (p port) Type() string          { return "port" }
func (p port) Freeze()               {}
func (p port) Truth() starlark.Bool  { return true }
func (p port) Hash() (uint32, error) { return uint32(p.c)*0x9e3779b1 + 3, nil }

// switchInput is an Input on any network, as a Starlark value.
type switchInput struct {
	*view
	in   model.ChannelID // the channel on which the packet arrived, or model.NoChannel for a new packet
	vc   int
	read *bool // set when the program uses the value
}

// spanning is the tree of a network with the switches below each switch. It is safe for concurrent use.
type spanning struct {
	once     sync.Once
	tree     *hv.Tree
	children [][]starlark.Value // by switch, in preorder
	size     []int32            // of the subtree of each switch
	err      error              // the network has no spanning tree
}

// tablesOf are the tables of a network: a name, and the integer of each sequence of switches and numbers.
type tablesOf map[string]table

// table is a table of a network. Its arguments are numbers of switches, then further numbers.
type table struct {
	switches, numbers int
	value             func(a []int) int
}

// viewTables are the tables of a network that a program reads. They are made when they are first used.
type viewTables struct {
	of   *Program
	once sync.Once
	list tablesOf
	err  error
}
