package infiniband

import "github.com/turnproof/turnproof/model"

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
