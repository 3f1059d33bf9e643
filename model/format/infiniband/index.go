package infiniband

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// Index finds the objects of a network by the names in table files.
type Index struct {
	Net      *model.Network
	Switches map[uint64]model.SwitchID
	Nodes    map[uint64][]model.HostID // hosts by adapter GUID
	Ports    map[uint64]model.HostID   // hosts by port GUID
	Managed  map[uint64]model.HostID   // management endpoints by switch GUID
	Dests    []model.Destination       // destinations of all LIDs, those of hosts first
	ByLID    []int32                   // destination by LID, or -1
}

func NewIndex(n *model.Network) *Index {
	x := &Index{
		Net:      n,
		Switches: make(map[uint64]model.SwitchID, n.NumSwitches()),
		Nodes:    map[uint64][]model.HostID{},
		Ports:    map[uint64]model.HostID{},
		Managed:  map[uint64]model.HostID{},
		ByLID:    make([]int32, 1<<16),
	}
	for i := range x.ByLID {
		x.ByLID[i] = -1
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		x.Switches[SwitchGUID(n, u)] = u
	}
	for e := range model.HostID(n.NumEndpoints()) {
		h := n.Host(e)
		if h.Management {
			x.Managed[SwitchGUID(n, h.Switch)] = e
		} else {
			x.Nodes[NodeGUID(n, e)] = append(x.Nodes[NodeGUID(n, e)], e)
			x.Ports[PortGUIDOf(n, e)] = e
		}
		for lid := int(h.LID); h.LID != 0 && lid < int(h.LID)+1<<h.LMC && lid < len(x.ByLID); lid++ {
			x.ByLID[lid] = int32(len(x.Dests))
			x.Dests = append(x.Dests, model.Destination{Host: e, LID: uint16(lid)})
		}
	}
	return x
}

// NewTableIndex returns the index of the network of t, with the destinations of t.
func NewTableIndex(t *model.Table) *Index {
	x := NewIndex(t.Network())
	x.Dests = x.Dests[:0]
	for d := range model.DestID(t.AllDestinations()) {
		to := t.Destination(d)
		if to.LID != 0 {
			x.ByLID[to.LID] = int32(d)
		}
		x.Dests = append(x.Dests, to)
	}
	return x
}

// OwnPort returns the endpoint of a switch or router with this GUID. A switch without a LID has
// none: the result is model.NoHost.
func (x *Index) OwnPort(guid uint64) (h model.HostID, ok bool) {
	if h, ok = x.Managed[guid]; ok {
		return h, true
	}
	if h, ok = x.Ports[guid]; ok {
		return h, true
	}
	_, ok = x.Switches[guid]
	return model.NoHost, ok
}

// SwitchAt returns the switch with this GUID.
func (x *Index) SwitchAt(src *textfile.File, guid uint64) (model.SwitchID, error) {
	u, ok := x.Switches[guid]
	if !ok {
		return 0, src.Errorf("switch 0x%016x is not in the network: do the files belong together?", guid)
	}
	return u, nil
}

// IsFurther reports whether destination d is a LID of a host that its base LID and LMC do not
// include.
func IsFurther(t *model.Table, d model.DestID) bool {
	to := t.Destination(d)
	h := t.Network().Host(to.Host)
	return int(to.LID) < int(h.LID) || int(to.LID) >= int(h.LID)+1<<h.LMC
}

// DestsByLID returns all destinations by ascending LID.
func DestsByLID(t *model.Table) []model.DestID {
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

// MaxCells bounds the memory for tables (four bytes a cell) and for service levels (two bytes a
// pair), which a malicious file could request in a few lines.
const MaxCells = 1 << 29

// This file has the GUIDs and ports of a network. A network that was not read from a fabric gets GUIDs by the numbers of its switches and hosts.

// adapters groups the hosts by adapter.
func adapters(n *model.Network) [][]model.HostID {
	var list [][]model.HostID
	at := map[uint64]int{}
	for h := range model.HostID(n.NumHosts()) {
		g := NodeGUID(n, h)
		i, ok := at[g]
		if !ok {
			i = len(list)
			at[g] = i
			list = append(list, nil)
		}
		list[i] = append(list[i], h)
	}
	return list
}

func SwitchGUID(n *model.Network, u model.SwitchID) uint64 {
	if g := n.Switch(u).GUID; g != 0 {
		return g
	}
	return 0x200000 + uint64(u)
}

func NodeGUID(n *model.Network, h model.HostID) uint64 {
	if g := n.Host(h).NodeGUID; g != 0 {
		return g
	}
	return 0x10000000 + 2*uint64(h)
}

func PortGUIDOf(n *model.Network, h model.HostID) uint64 {
	if g := n.Host(h).PortGUID; g != 0 {
		return g
	}
	return NodeGUID(n, h) + uint64(nodePort(n.Host(h)))
}

func nodePort(h *model.Host) int { return max(h.NodePort, 1) }

// switchPorts returns the number of ports to declare: that of the model, or the largest port in
// use if that is larger.
func switchPorts(n *model.Network, u model.SwitchID) int {
	ports := n.Switch(u).Ports
	for _, c := range n.Out(u) {
		ports = max(ports, int(n.TailPort(c)))
	}
	return max(ports, 1)
}
