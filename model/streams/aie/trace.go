package aie

import (
	"fmt"

	"github.com/turnproof/turnproof/model/streams"
)

// This file follows streams through switchboxes and shim muxes, and makes routes of them.
//
// A route begins at the buffer of a sending channel, and ends at the buffers of receiving channels. Between them it
// has, at each switchbox, the arbiter that its rule selects (none at a circuit), and each port that it
// leaves by.

// stream is what a channel sends: packets of an id, or words without packets (-1).
type stream struct {
	channelID
	packet int
}

// traced is a route with its receivers.
type traced struct {
	route    int
	to       []channelID
	unrouted bool
	host     []int // buffers of the host in which it ends
}

// tracer follows one stream.
type tracer struct {
	b      *builder
	id     int
	nodes  []streams.Node
	result traced
}

// across returns where a port of a direction leads.
func across(t tile, p port) (tile, port, bool) {
	switch p.bundle {
	case "North":
		return tile{t.col, t.row + 1}, port{"South", p.channel}, true
	case "South":
		return tile{t.col, t.row - 1}, port{"North", p.channel}, true
	case "East":
		return tile{t.col + 1, t.row}, port{"West", p.channel}, true
	case "West":
		return tile{t.col - 1, t.row}, port{"East", p.channel}, true
	}
	return t, p, false
}

// trace makes the route of a stream. The second result is false if the design routes it nowhere.
func (b *builder) trace(s stream) (traced, error) {
	if t, ok := b.traced[s]; ok {
		return t, nil
	}
	t := &tracer{b: b, id: s.packet}
	t.nodes = []streams.Node{{Resource: b.buffer(s.channelID), Parent: -1}}
	return b.follow(t, s)
}

// follow follows a stream from its beginning.
func (b *builder) follow(t *tracer, s stream) (traced, error) {
	var err error
	if s.row == 0 && b.d.muxes[s.tile] != nil {
		err = t.mux(s.tile, port{"DMA", s.channel}, 0)
	} else {
		err = t.box(s.tile, port{"DMA", s.channel}, 0)
	}
	if err != nil {
		return traced{}, err
	}
	if len(t.result.host) > 0 {
		return traced{}, fmt.Errorf("%s: the stream of %s goes to the host, past its DMA channels", b.d.file, s.channelID)
	}
	name := s.channelID.String()
	if s.packet >= 0 {
		name += fmt.Sprintf(" id %d", s.packet)
	}
	t.result.route = len(b.p.Routes)
	if t.result.unrouted = len(t.result.to) == 0; !t.result.unrouted {
		b.p.Routes = append(b.p.Routes, streams.Route{Name: name, Nodes: t.nodes})
	}
	b.traced[s] = t.result
	return t.result, nil
}

// add adds a node.
func (t *tracer) add(resource, parent int) int {
	t.nodes = append(t.nodes, streams.Node{Resource: resource, Parent: parent})
	return len(t.nodes) - 1
}

// mostNodes bounds a route; one that is longer goes in a circle.
const mostNodes = 4096

// mux follows a stream into the shim mux of a tile.
func (t *tracer) mux(at tile, in port, parent int) error {
	for _, out := range t.b.d.muxes[at].circuits[in] {
		if out.bundle == "North" {
			if err := t.box(at, port{"South", out.channel}, parent); err != nil {
				return err
			}
			continue
		}
		if err := t.end(at, out, parent, false); err != nil {
			return err
		}
	}
	return nil
}

// box follows a stream into the switchbox of a tile by a port.
func (t *tracer) box(at tile, in port, parent int) error {
	x := t.b.d.boxes[at]
	if x == nil {
		return nil
	}
	for _, out := range x.circuits[in] {
		if err := t.leave(at, out, parent, false); err != nil {
			return err
		}
	}
	if len(x.rules[in]) > 0 && t.id < 0 {
		return fmt.Errorf("%s: words without a packet header reach the packet rules of %s at %s", t.b.d.file, at, in)
	}
	for _, r := range x.rules[in] {
		if t.id&r.mask != r.value&r.mask {
			continue
		}
		arbiter, ok := x.arbiter[r.amsel]
		if !ok {
			return fmt.Errorf("%s: a rule of %s at %s names no select", t.b.d.file, at, in)
		}
		node := t.add(t.b.resource(fmt.Sprintf("arbiter %d of %s", arbiter, at), 0), parent)
		for _, m := range x.masters {
			for _, name := range m.amsels {
				if name != r.amsel {
					continue
				}
				if err := t.leave(at, m.port, node, m.keeps); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return nil
}

// leave follows a stream out of a switchbox by a port.
func (t *tracer) leave(at tile, out port, parent int, keeps bool) error {
	if len(t.nodes) > mostNodes {
		return fmt.Errorf("%s: a stream comes back to %s again and again", t.b.d.file, at)
	}
	to, in, link := across(at, out)
	if !link {
		return t.end(at, out, parent, keeps)
	}
	node := t.add(t.b.resource(fmt.Sprintf("%s of %s", out, at), 0), parent)
	if out.bundle == "South" && at.row == 0 {
		return t.down(at, out, node)
	}
	return t.box(to, in, node)
}

// down follows a stream out of the array: to a DMA by the shim mux, or by the port South : 0 to the host.
func (t *tracer) down(at tile, out port, parent int) error {
	if m := t.b.d.muxes[at]; m != nil && len(m.circuits[port{"North", out.channel}]) > 0 {
		return t.mux(at, port{"North", out.channel}, parent)
	}
	if out.channel != 0 {
		return fmt.Errorf("%s: a stream leaves %s by %s, which leads nowhere", t.b.d.file, at, out)
	}
	t.result.host = append(t.result.host, t.b.resource("host below "+at.String(), t.b.o.Receiver))
	t.add(t.result.host[0], parent)
	return nil
}

// end ends a branch at a channel.
func (t *tracer) end(at tile, out port, parent int, keeps bool) error {
	if out.bundle != "DMA" {
		return fmt.Errorf("%s: a stream ends at %s of %s; only DMA channels are read", t.b.d.file, out, at)
	}
	c := channelID{at, false, out.channel}
	node := t.add(t.b.buffer(c), parent)
	if t.id >= 0 && !keeps {
		t.nodes[node].Drop = 1
	}
	t.result.to = append(t.result.to, c)
	return nil
}
