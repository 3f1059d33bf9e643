package garnet

import "github.com/turnproof/turnproof/model/format/textfile"

// This file reads the links of controllers to their routers.

// readHosts reads the links of controllers. A controller may have several, each for other virtual networks. If they lead to several routers, it is
// a host at each of them.
func (g *network) readHosts(list []*object) error {
	if len(list) == 0 {
		return g.src.FileError("no GarnetExtLink in it: no controller is connected")
	}
	seen, short := map[fileEnd]int{}, map[string]int{}
	routers := map[string]int{} // by path: of how many routers it is a host
	for _, o := range list {
		path, err := o.text("ext_node")
		if err != nil {
			return err
		}
		h := fileHost{name: path}
		if h.router, err = g.router(o, "int_node"); err != nil {
			return err
		}
		if h.weight, err = o.number("weight", 1, maxWeight); err != nil {
			return err
		}
		if h.nets, err = g.carried(o); err != nil {
			return err
		}
		if h.latency, err = o.latency(); err != nil {
			return err
		}
		for i := range g.hosts {
			if other := &g.hosts[i]; other.name == path {
				if err := other.apart(&h, o); err != nil {
					return err
				}
			}
		}
		at := fileEnd{path, h.router}
		if i, twice := seen[at]; twice {
			g.hosts[i].join(&h)
			continue
		}
		seen[at] = len(g.hosts)
		if routers[path]++; routers[path] == 1 {
			short[lastPart(path)]++
		}
		g.hosts = append(g.hosts, h)
	}
	for i := range g.hosts {
		h := &g.hosts[i]
		several := routers[h.name] > 1
		if name := lastPart(h.name); short[name] == 1 {
			h.name = name
		}
		if several {
			h.name += " at " + lastPart(g.names[h.router])
		}
	}
	return nil
}

// fileEnd is a controller at a router.
type fileEnd struct {
	path   string
	router int
}

// apart fails if two links of a controller carry the same virtual network, as in Topology.cc. o states the second one.
func (h *fileHost) apart(more *fileHost, o *object) error {
	for v := range max(len(h.nets), len(more.nets), 1) {
		if (h.nets == nil || h.nets[v]) && (more.nets == nil || more.nets[v]) {
			return o.fault("a second GarnetExtLink of %s for virtual network %d, which gem5 refuses", textfile.Clip(h.name), v)
		}
	}
	return nil
}

// join adds a further link of the same controller to the same router, with other virtual networks.
func (h *fileHost) join(more *fileHost) {
	for v := range more.nets {
		h.nets[v] = h.nets[v] || more.nets[v]
	}
	h.latency = max(h.latency, more.latency)
}
