package aie

import (
	"fmt"

	"github.com/turnproof/turnproof/model/streams"
)

// This file routes tokens. A channel that has done a task sends a token to the host: a packet of one word from the
// controller of its tile, which also holds arbiters on its path. If the routing has no path for the packets of the
// controller, a token is there at once.

// controller is the port from which tokens come.
var controller = port{"TileControl", 0}

// done returns the counter that a channel releases when a task is done. If tokens are routed, agents carry them on to the
// counter that the host waits for.
func (b *builder) done(c channelID, waited int) (int, error) {
	x := b.d.boxes[c.tile]
	if x == nil || len(x.rules[controller]) == 0 && len(x.circuits[controller]) == 0 {
		return waited, nil
	}
	name := b.p.Counters[waited].Name
	if i, ok := b.counters[name+", sent"]; ok {
		return i, nil
	}
	route, at, err := b.tokenRoute(c.tile, name)
	if err != nil {
		return 0, err
	}
	sent := b.counter(name+", sent", 0)
	b.agent("controller of "+c.tile.String()+" for "+name, false, repeat(0, []streams.Action{
		{Kind: streams.Acquire, Object: sent, Amount: 1}, {Kind: streams.Send, Object: route, Amount: 1}}))
	b.agent("receiver of "+name, false, repeat(0, []streams.Action{
		{Kind: streams.Take, Object: at, Amount: 1, Route: route}, {Kind: streams.Release, Object: waited, Amount: 1}}))
	return sent, nil
}

// tokenRoute makes a route for tokens of a tile. It returns the buffer of the host as well.
func (b *builder) tokenRoute(at tile, name string) (route, buffer int, err error) {
	id, ok := b.d.control[at]
	if rules := b.d.boxes[at].rules[controller]; !ok && len(rules) > 0 {
		id = rules[0].value
	}
	t := &tracer{b: b, id: id}
	t.nodes = []streams.Node{{Resource: b.resource("controller of "+at.String(), b.o.Sender), Parent: -1}}
	if err := t.box(at, controller, 0); err != nil {
		return 0, 0, err
	}
	if len(t.result.host) != 1 || len(t.result.to) > 0 {
		return 0, 0, fmt.Errorf("%s: packets of id %d of the controller of %s do not go to the host", b.d.file, id, at)
	}
	b.p.Routes = append(b.p.Routes, streams.Route{Name: name, Nodes: t.nodes})
	return len(b.p.Routes) - 1, t.result.host[0], nil
}
