package program

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"go.starlark.net/starlark"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file defines the values of programs for any network: switches and ports.

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
			if n.Kind(c) != model.SwitchToSwitch {
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
func (s node) AttrNames() []string   { return append([]string{"id", "name"}, s.net.Attributes()...) }

// Attr implements starlark.HasAttrs.
func (s node) Attr(name string) (starlark.Value, error) {
	switch name {
	case "id":
		return starlark.MakeInt(int(s.u)), nil
	case "name":
		return starlark.String(s.net.SwitchLabel(s.u)), nil
	}
	values := s.attributes[name]
	if values == nil {
		return s.table(name)
	}
	if values[s.u] == model.NoAttribute {
		return nil, fmt.Errorf("switch %s has no attribute %s; has(switch, %q) tells this", s, name, name)
	}
	return starlark.MakeInt(int(values[s.u])), nil
}

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
func (p port) AttrNames() []string   { return []string{"back", "dir", "number", "to"} }

// Attr implements starlark.HasAttrs.
func (p port) Attr(name string) (starlark.Value, error) {
	switch name {
	case "back":
		return port{p.view, p.net.Reverse(p.c)}, nil
	case "dir":
		if g := p.net.Grid(); g != nil {
			if _, _, ok := g.PortDirection(p.net.TailPort(p.c)); ok {
				return direction(p.net.TailPort(p.c) - 1), nil
			}
		}
		return starlark.None, nil
	case "number":
		return starlark.MakeInt(int(p.net.TailPort(p.c))), nil
	case "to":
		return node{p.view, p.net.Head(p.c)}, nil
	}
	return nil, nil
}

// switchInput is an Input on any network, as a Starlark value.
type switchInput struct {
	*view
	in   model.ChannelID // the channel on which the packet arrived, or model.NoChannel for a new packet
	vc   int
	read *bool // set when the program uses the value
}

func (i switchInput) String() string        { return "inp" }
func (i switchInput) Type() string          { return "input" }
func (i switchInput) Freeze()               {}
func (i switchInput) Truth() starlark.Bool  { return true }
func (i switchInput) Hash() (uint32, error) { return 0, fmt.Errorf("inp cannot be a key") }
func (i switchInput) AttrNames() []string   { return []string{"port", "prev", "vc"} }

// Attr implements starlark.HasAttrs.
func (i switchInput) Attr(name string) (starlark.Value, error) {
	known := map[string]func() starlark.Value{
		"port": func() starlark.Value { return port{i.view, i.net.Reverse(i.in)} },
		"prev": func() starlark.Value { return node{i.view, i.net.Tail(i.in)} },
		"vc":   func() starlark.Value { return starlark.MakeInt(i.vc) },
	}
	of, ok := known[name]
	if !ok {
		return nil, nil
	}
	if *i.read = true; i.in == model.NoChannel {
		if name == "vc" {
			return starlark.MakeInt(0), nil
		}
		return starlark.None, nil
	}
	return of(), nil
}

// networkFunctions returns the functions that only programs for any network can call. They replace functions of the same
// name.
func networkFunctions() starlark.StringDict {
	d := starlark.StringDict{}
	add := func(name string, arity int, f function) { d[name] = builtin(name, arity, f) }
	add("ports", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		s, err := switchArgument(a[0])
		if err != nil {
			return nil, err
		}
		return listOf(t, s.view.ports[s.u])
	})
	add("neighbours", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		s, err := switchArgument(a[0])
		if err != nil {
			return nil, err
		}
		return listOf(t, s.view.neighbours[s.u])
	})
	add("switches", 0, func(t *starlark.Thread, _ []starlark.Value) (starlark.Value, error) {
		v := t.Local(instanceKey).(*Instance).view
		list := make([]starlark.Value, v.net.NumSwitches())
		for u := range list {
			list[u] = node{v, model.SwitchID(u)}
		}
		return listOf(t, list)
	})
	add("has", 2, func(_ *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		s, err := switchArgument(a[0])
		name, ok := a[1].(starlark.String)
		if !ok {
			err = cmp.Or(err, fmt.Errorf("has(switch, name) takes the name of an attribute; got %s", show(a[1])))
		}
		if err != nil {
			return nil, err
		}
		values := s.attributes[string(name)]
		return starlark.Bool(values != nil && values[s.u] != model.NoAttribute), nil
	})
	addDistances(add)
	addTreeFunctions(d)
	return d
}

// addDistances adds the functions of distances between switches.
func addDistances(add func(name string, arity int, f function)) {
	add("distance", 2, func(_ *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		s, err := switchArgument(a[0])
		to, err2 := switchArgument(a[1])
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		if k, ok := s.distance(s.u, to.u); ok {
			return starlark.MakeInt(k), nil
		}
		return starlark.None, nil
	})
	add("productive", 2, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		s, err := switchArgument(a[0])
		to, err2 := switchArgument(a[1])
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		here, ok := s.distance(s.u, to.u)
		var list []starlark.Value
		for _, p := range s.view.ports[s.u] {
			if there, _ := s.distance(s.net.Head(p.(port).c), to.u); ok && there < here {
				list = append(list, p)
			}
		}
		return listOf(t, list)
	})
}

func switchArgument(v starlark.Value) (node, error) {
	if s, ok := v.(node); ok {
		return s, nil
	}
	return node{}, fmt.Errorf("want a switch, got %s", show(v))
}

// listOf returns a copy of a list as a Starlark value.
func listOf(t *starlark.Thread, list []starlark.Value) (starlark.Value, error) {
	return starlark.NewList(slices.Clone(list)), work(t, len(list))
}
