package meshgraph

import (
	"slices"

	"github.com/turnproof/turnproof/model/format/textproto"
)

// This file reads the graph: the instances and their connections.

// instance reads a NodeRef that is a mesh or a switch.
func (r *reader) instance(f textproto.Field) error {
	if f.Message == nil {
		return r.fault(f.Line, "%s has the value %s; want a message, %s { ... }", f.Name, f.Text, f.Name)
	}
	kind, id := "mesh", "mesh_id"
	if len(f.Message.Named("switch")) > 0 {
		kind, id = "switch", "switch_id"
	}
	if graphs := f.Message.Named("graph"); len(graphs) > 0 {
		return r.fault(graphs[0].Line, "an instance that is a graph: the fabric routes one level of meshes; want mesh { ... }")
	}
	ref, err := r.only(f.Message, kind, true)
	if err != nil {
		return err
	}
	r.known(kind+".", ref.Message, kind+"_descriptor", id, "device_id")
	name, err := r.text(ref.Message, kind+"_descriptor", true)
	if err != nil {
		return err
	}
	s := r.shapes[name]
	if s == nil || s.IsSwitch != (kind == "switch") {
		return r.fault(ref.Line, "no %s descriptor %q%s", kind, name, hint(name, r.shapes))
	}
	m := Mesh{Shape: s, Line: ref.Line}
	if m.ID, err = r.number(ref.Message, id, 0, 1<<20, 0); err != nil {
		return err
	}
	chips := s.Chips()
	for _, other := range r.d.Meshes {
		if chips += other.Chips(); other.ID == m.ID {
			return r.fault(ref.Line, "a second mesh %d; the first is at line %d", m.ID, other.Line)
		}
	}
	if chips > MaxChips {
		return r.fault(ref.Line, "more than %d chips", MaxChips)
	}
	r.used[name] = true
	r.d.Meshes = append(r.d.Meshes, m)
	return nil
}

// graph reads the top graph.
func (r *reader) graph(g *textproto.Message) error {
	r.known("graph_descriptors.", g, "name", "type", "instances", "channels", "graph_topology", "connections")
	if kind, err := r.text(g, "type", false); err != nil || kind != "FABRIC" {
		if err == nil {
			err = r.fault(g.Line, "the top graph has the type %q; the fabric routes one graph of the type \"FABRIC\"", kind)
		}
		return err
	}
	for _, f := range g.Named("instances") {
		if err := r.instance(f); err != nil {
			return err
		}
	}
	if len(r.d.Meshes) == 0 {
		return r.fault(g.Line, "a graph without instances")
	}
	slices.SortFunc(r.d.Meshes, func(a, b Mesh) int { return a.ID - b.ID })
	for i, m := range r.d.Meshes {
		r.index[m.ID] = i
	}
	if err := r.layout(g); err != nil {
		return err
	}
	for _, f := range g.Named("connections") {
		if err := r.connection(f); err != nil {
			return err
		}
	}
	return nil
}

// layout reads graph_topology: a message, or a word with channels beside it.
func (r *reader) layout(g *textproto.Message) error {
	list := g.Named("graph_topology")
	if len(list) == 0 {
		return nil
	}
	f, channels, err := &list[0], (*textproto.Field)(nil), error(nil)
	if f.Message == nil {
		channels, err = r.only(g, "channels", true)
	} else {
		r.known("graph_topology.", f.Message, "layout_type", "channels")
		if channels, err = r.only(f.Message, "channels", true); err == nil {
			f, err = r.scalar(f.Message, "layout_type", true)
		}
	}
	if err != nil {
		return err
	}
	kind, err := r.word(f, 1, "ALL_TO_ALL", "RING")
	if err != nil {
		return err
	}
	c := Connection{Line: list[0].Line}
	if c.Count, c.Strict, err = r.channels(channels); err != nil {
		return err
	}
	n := len(r.d.Meshes)
	for i := range n {
		for k := i + 1; k < n; k++ {
			if kind == 0 || k == i+1 || i == 0 && k == n-1 {
				c.Ends = [2]End{{i, -1}, {k, -1}}
				r.d.Connections = append(r.d.Connections, c)
			}
		}
	}
	return nil
}

func (r *reader) connection(f textproto.Field) error {
	m := f.Message
	if m == nil {
		return r.fault(f.Line, "connections has the value %s; want a message", f.Text)
	}
	r.known("connections.", m, "nodes", "channels", "assign_z_direction", "directional", "routing_direction")
	nodes := m.Named("nodes")
	if len(nodes) != 2 {
		return r.fault(f.Line, "a connection of %d nodes; want 2", len(nodes))
	}
	c := Connection{Line: f.Line}
	for i, node := range nodes {
		var err error
		if c.Ends[i], err = r.end(node); err != nil {
			return err
		}
	}
	switch {
	case c.Ends[0].Mesh == c.Ends[1].Mesh:
		return r.fault(f.Line, "a connection of mesh %d with itself", r.d.Meshes[c.Ends[0].Mesh].ID)
	case c.Ends[0].Device < 0 != (c.Ends[1].Device < 0):
		return r.fault(f.Line, "one end of the connection has a device_id; want it at both ends, or at none")
	}
	ch, err := r.only(m, "channels", true)
	if err != nil {
		return err
	}
	if c.Count, c.Strict, err = r.channels(ch); err != nil {
		return err
	}
	if one, err := r.isSet(m, "directional"); err != nil || one {
		if err == nil {
			err = r.fault(f.Line, "a connection of one direction: the fabric joins chips in both; want directional: false")
		}
		return err
	}
	if c.Z, err = r.isSet(m, "assign_z_direction"); err != nil {
		return err
	}
	if err = r.directions(m, &c); err == nil {
		r.d.Connections = append(r.d.Connections, c)
	}
	return err
}

// directions reads routing_direction of the schema of 2025: the label of the port at each end.
func (r *reader) directions(m *textproto.Message, c *Connection) error {
	list := m.Named("routing_direction")
	if len(list) == 0 {
		return nil
	}
	if len(list) != 2 {
		return r.fault(list[0].Line, "routing_direction has %d labels; want 2, one for each of nodes", len(list))
	}
	names := []string{"N", "E", "S", "W"}
	for i := range list {
		k, err := r.word(&list[i], 1, names...)
		if err != nil {
			return err
		}
		c.Labels[i] = names[k]
	}
	if c.Z {
		return r.fault(list[0].Line, "routing_direction and assign_z_direction: true; want one of them")
	}
	return nil
}

// end reads an end of a connection.
func (r *reader) end(f textproto.Field) (e End, err error) {
	if f.Message == nil {
		return e, r.fault(f.Line, "nodes has the value %s; want a message", f.Text)
	}
	kind := "mesh"
	if len(f.Message.Named("switch")) > 0 {
		kind = "switch"
	}
	ref, err := r.only(f.Message, kind, true)
	if err != nil {
		return e, err
	}
	r.known(kind+".", ref.Message, kind+"_descriptor", kind+"_id", "device_id")
	name, err := r.text(ref.Message, kind+"_descriptor", true)
	if err != nil {
		return e, err
	}
	id, err := r.number(ref.Message, kind+"_id", 0, 1<<20, 0)
	if err != nil {
		return e, err
	}
	i, ok := r.index[id]
	switch {
	case !ok:
		return e, r.fault(ref.Line, "no instance has the %s_id %d", kind, id)
	case r.d.Meshes[i].Name != name:
		return e, r.fault(ref.Line, "mesh %d is an instance of %q, not of %q", id, r.d.Meshes[i].Name, name)
	}
	e = End{Mesh: i, Device: -1}
	if len(ref.Message.Named("device_id")) > 0 {
		e.Device, err = r.number(ref.Message, "device_id", 0, r.d.Meshes[i].Chips()-1, 0)
	}
	return e, err
}
