package floonoc

import (
	"github.com/turnproof/turnproof/model"
)

// This file numbers the ports of the routers of a floogen file.

// fillSlots numbers the ports of a router as floogen's compile_routers does: those with a direction have its number, the others take
// the free numbers in the order in which they were added.
func (f *nocNetwork) fillSlots(router int32) error {
	n := &f.nodes[router]
	count := len(f.out[router])
	if n.degree > 0 {
		count = n.degree
	}
	if count > maxPorts {
		return f.src.ErrorAt(n.line, "router %s has %d connections, want at most %d", n.name, count, maxPorts)
	}
	slots := make([]int32, count)
	for i := range slots {
		slots[i] = -1
	}
	var free []edge
	for _, e := range f.out[router] {
		switch {
		case e.dir == noDirection:
			free = append(free, e)
		case e.dir >= count:
			return f.src.ErrorAt(e.line, "port %d (%s) of router %s, which has %d ports: set its degree", e.dir, directionName(e.dir), n.name, count)
		case slots[e.dir] >= 0:
			return f.src.ErrorAt(e.line, "port %d (%s) of router %s has two connections, to %s and %s", e.dir, directionName(e.dir), n.name,
				f.nodes[slots[e.dir]].name, f.nodes[e.to].name)
		default:
			slots[e.dir] = e.to
		}
	}
	next := 0
	for _, e := range free {
		for next < count && slots[next] >= 0 {
			next++
		}
		if next == count {
			return f.src.ErrorAt(e.line, "router %s has %d ports, which is not enough for its connections", n.name, count)
		}
		slots[next] = e.to
	}
	f.slots = append(f.slots, slots)
	return nil
}

// directionName returns the name of a port with a direction, or "".
func directionName(slot int) string {
	if slot < len(directions) {
		return directions[slot]
	}
	return ""
}

// meshPorts are the ports of a mesh to the North, East, South and West; see model.Grid.
var meshPorts = []model.Port{model.PlusPort(1), model.PlusPort(0), model.MinusPort(1), model.MinusPort(0)}

// numberPorts gives each slot a port of the network, from 1 on, and names those with a direction. On a mesh, links to other
// routers have the ports of model.Grid, and endpoints follow.
func (f *nocNetwork) numberPorts(b *model.Builder) {
	for u, i := range f.routers {
		ports := make([]model.Port, len(f.slots[u]))
		directed := map[int32]bool{}
		for _, e := range f.out[i] {
			directed[e.to] = e.dir != noDirection
		}
		for slot, to := range f.slots[u] {
			ports[slot] = model.Port(slot + 1)
			if f.sides != nil {
				ports[slot] = model.Port(slot + 5)
				if to >= 0 && f.nodes[to].kind == routerNode {
					ports[slot] = meshPorts[slot]
				}
			}
			if to >= 0 && directed[to] && directionName(slot) != "" {
				b.NamePort(model.SwitchID(u), ports[slot], directionName(slot))
			}
		}
		f.ports = append(f.ports, ports)
	}
}

// port returns the port of a router that leads to a node.
func (f *nocNetwork) port(router, to int32) model.Port {
	u := f.id[router]
	for slot, x := range f.slots[u] {
		if x == to {
			return f.ports[u][slot]
		}
	}
	panic("format: no port to " + f.nodes[to].name)
}
