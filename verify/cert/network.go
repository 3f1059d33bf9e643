package cert

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// This file rebuilds the network: channels by number, cables by port.
//
// Promise: each switch, port and endpoint number is in range. No port holds two cables.
// No link joins a switch to itself. All VC numbers fit in 31 bits.
// Cost: linear in the network, plus sorting the ports of each switch.

// Wiring is the rebuilt network. Network defines the numbers of channels: first
// the channels of links, then injection, then ejection.
type Wiring struct {
	VCs       int32 // per channel
	Switches  int
	links     int32 // number of channels between switches, 2L
	Endpoints int32
	Hosts     int32
	Head      []int32 // by channel of a link or of injection: the switch it enters
	slot      []int32 // by channel of a link or of injection: the place of its cable among the cables of the switch it enters
	first     []int   // by switch: the first of its cables, and one more
	cables    []cable // by switch and ascending port
	window    []int   // by switch: the first of its entries in byPort, and one more
	byPort    []int32 // by switch and port: the channel out, or -1; the lower ports only
}

// A cable is one end of a link, or the end at a switch of an endpoint's cable.
type cable struct{ port, out int32 } // out: the channel that leaves the switch by it

// Rebuild validates and rebuilds the network.
func Rebuild(w *Network) (*Wiring, error) {
	if err := checkSizes(w); err != nil {
		return nil, err
	}
	n := &Wiring{
		VCs:       int32(w.VCs),
		Switches:  len(w.Switches),
		links:     int32(len(w.Links) / 2),
		Endpoints: int32(len(w.Endpoints)),
		Hosts:     int32(w.Hosts),
	}
	for i, name := range w.Switches {
		if !utf8.ValidString(name) {
			return nil, Reject("subject", "name of switch %d is not UTF-8", i)
		}
	}
	for i, name := range w.Endpoints {
		if !utf8.ValidString(name) {
			return nil, Reject("subject", "name of endpoint %d is not UTF-8", i)
		}
	}
	if err := n.placeCables(w); err != nil {
		return nil, err
	}
	if err := n.sortCables(); err != nil {
		return nil, err
	}
	n.indexPorts()
	return n, nil
}

// checkSizes rejects a network whose lists contradict each other, or whose VC numbers overflow.
func checkSizes(w *Network) error {
	channels := int64(len(w.Links))/2 + 2*int64(len(w.Endpoints))
	switch {
	case len(w.Links)%4 != 0:
		return Reject("subject", "links: %d numbers, not four per link", len(w.Links))
	case len(w.Attach) != 2*len(w.Endpoints):
		return Reject("subject", "attach: %d numbers, not two for each of %d endpoints", len(w.Attach), len(w.Endpoints))
	case w.Hosts < 0 || w.Hosts > len(w.Endpoints):
		return Reject("subject", "%d hosts among %d endpoints", w.Hosts, len(w.Endpoints))
	case len(w.Switches) > math.MaxInt32:
		return Reject("subject", "%d switches", len(w.Switches))
	case w.VCs < 1 || w.VCs > math.MaxInt32:
		return Reject("subject", "%d VCs per channel", w.VCs)
	case channels > math.MaxInt32/int64(w.VCs):
		return Reject("subject", "%d channels of %d VCs are more than 2147483647 VCs", channels, w.VCs)
	}
	return nil
}

// placeCables fills Head, and cables by switch.
func (n *Wiring) placeCables(w *Network) error {
	n.Head = make([]int32, n.links+n.Endpoints)
	n.slot = make([]int32, n.links+n.Endpoints)
	n.first = make([]int, n.Switches+1)
	// End i is pair i of (switch, port) in Links and then Attach. At end i of the
	// links, channel i leaves the switch and channel i^1 enters it.
	ends := func(visit func(i, u, port int32) error) error {
		for i := range n.links + n.Endpoints {
			list, j := w.Links, i
			if i >= n.links {
				list, j = w.Attach, i-n.links
			}
			if err := visit(i, list[2*j], list[2*j+1]); err != nil {
				return err
			}
		}
		return nil
	}
	err := ends(func(i, u, port int32) error {
		if u < 0 || int(u) >= n.Switches {
			return Reject("subject", "%s: switch %d of %d", n.cableName(i), u, n.Switches)
		}
		if port < 0 {
			return Reject("subject", "%s: port %d", n.cableName(i), port)
		}
		if i < n.links {
			n.Head[i^1] = u
		} else {
			n.Head[i] = u
		}
		n.first[u+1]++
		return nil
	})
	if err != nil {
		return err
	}
	for c := int32(0); c < n.links; c += 2 {
		if n.Head[c] == n.Head[c+1] {
			return Reject("subject", "%s joins switch %d to itself", n.cableName(c), n.Head[c])
		}
	}
	for u := range n.Switches {
		n.first[u+1] += n.first[u]
	}
	n.cables = make([]cable, len(n.Head))
	free := slices.Clone(n.first)
	return ends(func(i, u, port int32) error {
		out := i
		if i >= n.links {
			out = i + n.Endpoints
		}
		n.cables[free[u]] = cable{port, out}
		free[u]++
		return nil
	})
}

// sortCables sorts the cables of each switch by port, and fills slot.
func (n *Wiring) sortCables() error {
	for u := range n.Switches {
		list := n.cables[n.first[u]:n.first[u+1]]
		slices.SortFunc(list, func(a, b cable) int { return int(a.port) - int(b.port) })
		for i, c := range list {
			if i > 0 && list[i-1].port == c.port {
				return Reject("subject", "port %d of switch %d holds two cables", c.port, u)
			}
			n.slot[n.Back(c.out)] = int32(i)
		}
	}
	return nil
}

// indexPorts fills byPort. It leaves out ports far above the number of cables, so that
// a certificate with large port numbers does not need much memory.
func (n *Wiring) indexPorts() {
	n.window = make([]int, n.Switches+1)
	for u := range n.Switches {
		list, size := n.cables[n.first[u]:n.first[u+1]], 0
		if len(list) > 0 {
			size = min(int(list[len(list)-1].port)+1, 4*len(list)+64)
		}
		n.window[u+1] = n.window[u] + size
	}
	n.byPort = make([]int32, n.window[n.Switches])
	for u := range n.Switches {
		ports := n.byPort[n.window[u]:n.window[u+1]]
		for p := range ports {
			ports[p] = -1
		}
		for _, c := range n.cables[n.first[u]:n.first[u+1]] {
			if int(c.port) < len(ports) {
				ports[c.port] = c.out
			}
		}
	}
}

// at returns the channel that leaves switch u by port p, or -1.
func (n *Wiring) at(u, p int32) int32 {
	if ports := n.byPort[n.window[u]:n.window[u+1]]; uint(p) < uint(len(ports)) {
		return ports[p]
	}
	return n.atHigh(u, p)
}

// atHigh returns the same as at, for ports that are not in byPort.
func (n *Wiring) atHigh(u, p int32) int32 {
	list := n.cables[n.first[u]:n.first[u+1]]
	i, found := slices.BinarySearchFunc(list, p, func(c cable, p int32) int { return int(c.port) - int(p) })
	if !found {
		return -1
	}
	return list[i].out
}

// Back returns the other channel of the cable of channel c: the one that enters the
// switch that c leaves.
func (n *Wiring) Back(c int32) int32 {
	if c < n.links {
		return c ^ 1
	}
	return c - n.Endpoints
}

// Injection and Ejection return the channels of endpoint e.
func (n *Wiring) Injection(e int32) int32 { return n.links + e }
func (n *Wiring) Ejection(e int32) int32  { return n.links + n.Endpoints + e }

// LinkVCs returns the number of VCs between switches.
func (n *Wiring) LinkVCs() int { return int(n.links) * int(n.VCs) }

func (n *Wiring) cableName(i int32) string {
	if i < n.links {
		return "link " + itoa(i/2)
	}
	return n.EndpointName(i - n.links)
}

func (n *Wiring) EndpointName(e int32) string {
	if e < n.Hosts {
		return "host " + itoa(e)
	}
	return "endpoint " + itoa(e)
}

// checkTraffic judges the number of sources and the list of destinations.
func (n *Wiring) checkTraffic(sources int, ends []int32) error {
	if sources < 0 || sources > int(n.Endpoints) {
		return Reject("subject", "%d sources among %d endpoints", sources, n.Endpoints)
	}
	for d, e := range ends {
		if e < 0 || e >= n.Endpoints {
			return Reject("subject", "destination %d: endpoint %d of %d", d, e, n.Endpoints)
		}
	}
	return nil
}

func itoa(i int32) string { return strconv.Itoa(int(i)) }
