package format

import (
	"github.com/turnproof/turnproof/model"
)

// index finds the objects of a network by the names in table files.
type index struct {
	net      *model.Network
	switches map[uint64]model.SwitchID
	nodes    map[uint64][]model.HostID // hosts by adapter GUID
	ports    map[uint64]model.HostID   // hosts by port GUID
	managed  map[uint64]model.HostID   // management endpoints by switch GUID
	dests    []model.Destination       // destinations of all LIDs, those of hosts first
	byLID    []int32                   // destination by LID, or -1
}

func newIndex(n *model.Network) *index {
	x := &index{
		net:      n,
		switches: make(map[uint64]model.SwitchID, n.NumSwitches()),
		nodes:    map[uint64][]model.HostID{},
		ports:    map[uint64]model.HostID{},
		managed:  map[uint64]model.HostID{},
		byLID:    make([]int32, 1<<16),
	}
	for i := range x.byLID {
		x.byLID[i] = -1
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		x.switches[switchGUID(n, u)] = u
	}
	for e := range model.HostID(n.NumEndpoints()) {
		h := n.Host(e)
		if h.Management {
			x.managed[switchGUID(n, h.Switch)] = e
		} else {
			x.nodes[nodeGUID(n, e)] = append(x.nodes[nodeGUID(n, e)], e)
			x.ports[portGUIDOf(n, e)] = e
		}
		for lid := int(h.LID); h.LID != 0 && lid < int(h.LID)+1<<h.LMC && lid < len(x.byLID); lid++ {
			x.byLID[lid] = int32(len(x.dests))
			x.dests = append(x.dests, model.Destination{Host: e, LID: uint16(lid)})
		}
	}
	return x
}

// newTableIndex returns the index of the network of t, with the destinations of t.
func newTableIndex(t *model.Table) *index {
	x := newIndex(t.Network())
	x.dests = x.dests[:0]
	for d := range model.DestID(t.AllDestinations()) {
		to := t.Destination(d)
		if to.LID != 0 {
			x.byLID[to.LID] = int32(d)
		}
		x.dests = append(x.dests, to)
	}
	return x
}

// ownPort returns the endpoint of a switch or router with this GUID. A switch without a LID has
// none: the result is model.NoHost.
func (x *index) ownPort(guid uint64) (h model.HostID, ok bool) {
	if h, ok = x.managed[guid]; ok {
		return h, true
	}
	if h, ok = x.ports[guid]; ok {
		return h, true
	}
	_, ok = x.switches[guid]
	return model.NoHost, ok
}

// switchAt returns the switch with this GUID.
func (x *index) switchAt(src *lines, guid uint64) (model.SwitchID, error) {
	u, ok := x.switches[guid]
	if !ok {
		return 0, src.errorf("switch 0x%016x is not in the network: do the files belong together?", guid)
	}
	return u, nil
}

// isFurther reports whether destination d is a LID of a host that its base LID and LMC do not
// include.
func isFurther(t *model.Table, d model.DestID) bool {
	to := t.Destination(d)
	h := t.Network().Host(to.Host)
	return int(to.LID) < int(h.LID) || int(to.LID) >= int(h.LID)+1<<h.LMC
}

// destsByLID returns all destinations by ascending LID.
func destsByLID(t *model.Table) []model.DestID {
	at := make([]model.DestID, 1<<16)
	for i := range at {
		at[i] = -1
	}
	for d := range model.DestID(t.AllDestinations()) {
		if lid := t.Destination(d).LID; lid != 0 {
			at[lid] = d
		}
	}
	order := make([]model.DestID, 0, t.AllDestinations())
	for _, d := range at {
		if d >= 0 {
			order = append(order, d)
		}
	}
	return order
}

// maxCells bounds the memory for tables (four bytes a cell) and for service levels (two bytes a
// pair), which a malicious file could request in a few lines.
const maxCells = 1 << 29
