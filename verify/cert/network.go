package cert

import (
	"math"
	"slices"
	"unicode/utf8"
)

// This file rebuilds the network: channels by number, cables by port.
//
// Promise: every switch, port and endpoint named is in range, no port holds
// two cables, no link joins a switch to itself, and all VC numbers fit in 31 bits.
// Cost: linear in the network, but for sorting the ports of each switch.

// network is the rebuilt network. Channels are numbered as Network says:
// those of links, then injection, then ejection.
type network struct {
	vcs       int32 // per channel
	switches  int
	links     int32 // number of channels between switches, 2L
	endpoints int32
	hosts     int32
	head      []int32 // by channel of a link or of injection: the switch it enters
	slot      []int32 // by channel of a link or of injection: its cable among those of the switch it enters
	first     []int   // by switch: the first of its cables, and one more
	cables    []cable // by switch and ascending port
	window    []int   // by switch: the first of its entries in byPort, and one more
	byPort    []int32 // by switch and port: the channel out, or -1; the lower ports only
}

// A cable is one end of a link, or where an endpoint is attached.
type cable struct{ port, out int32 } // out: the channel that leaves the switch by it

// rebuild validates and rebuilds the network.
func rebuild(w *Network) (*network, error) {
	if err := checkSizes(w); err != nil {
		return nil, err
	}
	n := &network{
		vcs:       int32(w.VCs),
		switches:  len(w.Switches),
		links:     int32(len(w.Links) / 2),
		endpoints: int32(len(w.Endpoints)),
		hosts:     int32(w.Hosts),
	}
	for i, name := range w.Switches {
		if !utf8.ValidString(name) {
			return nil, reject("subject", "name of switch %d is not UTF-8", i)
		}
	}
	for i, name := range w.Endpoints {
		if !utf8.ValidString(name) {
			return nil, reject("subject", "name of endpoint %d is not UTF-8", i)
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

// checkSizes judges that the lists fit together and all numbers fit.
func checkSizes(w *Network) error {
	channels := int64(len(w.Links))/2 + 2*int64(len(w.Endpoints))
	switch {
	case len(w.Links)%4 != 0:
		return reject("subject", "links: %d numbers, not four per link", len(w.Links))
	case len(w.Attach) != 2*len(w.Endpoints):
		return reject("subject", "attach: %d numbers, not two for each of %d endpoints", len(w.Attach), len(w.Endpoints))
	case w.Hosts < 0 || w.Hosts > len(w.Endpoints):
		return reject("subject", "%d hosts among %d endpoints", w.Hosts, len(w.Endpoints))
	case len(w.Switches) > math.MaxInt32:
		return reject("subject", "%d switches", len(w.Switches))
	case w.VCs < 1 || w.VCs > math.MaxInt32:
		return reject("subject", "%d VCs per channel", w.VCs)
	case channels > math.MaxInt32/int64(w.VCs):
		return reject("subject", "%d channels of %d VCs are more than 2147483647 VCs", channels, w.VCs)
	}
	return nil
}

// placeCables fills head and, switch by switch, cables.
func (n *network) placeCables(w *Network) error {
	n.head = make([]int32, n.links+n.endpoints)
	n.slot = make([]int32, n.links+n.endpoints)
	n.first = make([]int, n.switches+1)
	// The end i of a cable is (switch, port) i of links and attach in turn. End
	// i of the links is left by channel i, and entered by channel i^1.
	ends := func(visit func(i, u, port int32) error) error {
		for i := range n.links + n.endpoints {
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
		if u < 0 || int(u) >= n.switches {
			return reject("subject", "%s: switch %d of %d", n.cableName(i), u, n.switches)
		}
		if port < 0 {
			return reject("subject", "%s: port %d", n.cableName(i), port)
		}
		if i < n.links {
			n.head[i^1] = u
		} else {
			n.head[i] = u
		}
		n.first[u+1]++
		return nil
	})
	if err != nil {
		return err
	}
	for c := int32(0); c < n.links; c += 2 {
		if n.head[c] == n.head[c+1] {
			return reject("subject", "%s joins switch %d to itself", n.cableName(c), n.head[c])
		}
	}
	for u := range n.switches {
		n.first[u+1] += n.first[u]
	}
	n.cables = make([]cable, len(n.head))
	free := slices.Clone(n.first)
	return ends(func(i, u, port int32) error {
		out := i
		if i >= n.links {
			out = i + n.endpoints
		}
		n.cables[free[u]] = cable{port, out}
		free[u]++
		return nil
	})
}

// sortCables puts the cables of each switch in order of ports, and fills slot.
func (n *network) sortCables() error {
	for u := range n.switches {
		list := n.cables[n.first[u]:n.first[u+1]]
		slices.SortFunc(list, func(a, b cable) int { return int(a.port) - int(b.port) })
		for i, c := range list {
			if i > 0 && list[i-1].port == c.port {
				return reject("subject", "port %d of switch %d holds two cables", c.port, u)
			}
			n.slot[n.back(c.out)] = int32(i)
		}
	}
	return nil
}

// indexPorts fills byPort. Ports far above the number of cables are left out,
// lest a certificate take much memory by naming great ones.
func (n *network) indexPorts() {
	n.window = make([]int, n.switches+1)
	for u := range n.switches {
		list, size := n.cables[n.first[u]:n.first[u+1]], 0
		if len(list) > 0 {
			size = min(int(list[len(list)-1].port)+1, 4*len(list)+64)
		}
		n.window[u+1] = n.window[u] + size
	}
	n.byPort = make([]int32, n.window[n.switches])
	for u := range n.switches {
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

// at gives the channel that leaves switch u by port p, or -1.
func (n *network) at(u, p int32) int32 {
	if ports := n.byPort[n.window[u]:n.window[u+1]]; uint(p) < uint(len(ports)) {
		return ports[p]
	}
	return n.atHigh(u, p)
}

// atHigh is at for ports that byPort leaves out.
func (n *network) atHigh(u, p int32) int32 {
	list := n.cables[n.first[u]:n.first[u+1]]
	i, found := slices.BinarySearchFunc(list, p, func(c cable, p int32) int { return int(c.port) - int(p) })
	if !found {
		return -1
	}
	return list[i].out
}

// back gives the channel that enters a switch by the cable by which channel c
// leaves it.
func (n *network) back(c int32) int32 {
	if c < n.links {
		return c ^ 1
	}
	return c - n.endpoints
}

// inject and eject give the channels of endpoint e.
func (n *network) inject(e int32) int32 { return n.links + e }
func (n *network) eject(e int32) int32  { return n.links + n.endpoints + e }

// linkVCs is the number of VCs between switches.
func (n *network) linkVCs() int { return int(n.links) * int(n.vcs) }

func (n *network) cableName(i int32) string {
	if i < n.links {
		return "link " + itoa(i/2)
	}
	return n.endpointName(i - n.links)
}

func (n *network) endpointName(e int32) string {
	if e < n.hosts {
		return "host " + itoa(e)
	}
	return "endpoint " + itoa(e)
}

// checkTraffic judges the number of sources and the list of destinations.
func (n *network) checkTraffic(sources int, ends []int32) error {
	if sources < 0 || sources > int(n.endpoints) {
		return reject("subject", "%d sources among %d endpoints", sources, n.endpoints)
	}
	for d, e := range ends {
		if e < 0 || e >= n.endpoints {
			return reject("subject", "destination %d: endpoint %d of %d", d, e, n.endpoints)
		}
	}
	return nil
}
