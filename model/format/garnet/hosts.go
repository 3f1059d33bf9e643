package garnet

import "github.com/turnproof/turnproof/model/format/textfile"

// This file reads the links of controllers to their routers.

// readHosts reads the links of controllers. A controller may have several to one router, each for other virtual networks.
func (g *network) readHosts(list []*object) error {
	if len(list) == 0 {
		return g.src.FileError("no GarnetExtLink in it: no controller is connected")
	}
	seen, short := map[string]int{}, map[string]int{}
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
		if i, twice := seen[path]; twice {
			if err := g.hosts[i].join(&h, o); err != nil {
				return err
			}
			continue
		}
		seen[path] = len(g.hosts)
		short[lastPart(path)]++
		g.hosts = append(g.hosts, h)
	}
	for i := range g.hosts {
		if name := lastPart(g.hosts[i].name); short[name] == 1 {
			g.hosts[i].name = name
		}
	}
	return nil
}

// join adds a further link of the same controller, which o states. As in Topology.cc, no two of them carry the same virtual network.
func (h *fileHost) join(more *fileHost, o *object) error {
	if more.router != h.router {
		return o.fault("a second GarnetExtLink of %s to another router is not read", textfile.Clip(h.name))
	}
	for v := range max(len(h.nets), len(more.nets), 1) {
		if (h.nets == nil || h.nets[v]) && (more.nets == nil || more.nets[v]) {
			return o.fault("a second GarnetExtLink of %s for virtual network %d, which gem5 refuses", textfile.Clip(h.name), v)
		}
		if h.nets != nil && more.nets != nil {
			h.nets[v] = h.nets[v] || more.nets[v]
		}
	}
	return nil
}
