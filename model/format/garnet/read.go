package garnet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads networks of gem5's Garnet from config.json, which gem5 writes into its output folder (m5out): the objects
// GarnetRouter, GarnetIntLink (a link of one direction between routers), GarnetExtLink (of a controller to its router) and
// GarnetNetwork, with the routing.
//
// Source: gem5, src/mem/ruby/network/Topology.cc (shortest paths by weights, for each virtual network), garnet/RoutingUnit.cc (the
// choice among links), garnet/GarnetNetwork.py and src/python/m5/SimObject.py (the form of the file).
//
// Virtual networks have own VCs, and a packet may take any VC of its virtual network. So the VCs of one virtual network behave like
// a single one, and virtual networks whose links are the same have the same routing. The result has a VC for each set of virtual
// networks with the same links.

// maxWeight is the largest weight of a link. Topology.cc takes 10000 for infinite.
const maxWeight = 9999

// link is a channel from one router to another.
type link struct {
	from, to int // routers
	weight   int
	port     string // src_outport
	nets     []bool // by virtual network, or nil if it carries all
	channel  model.ChannelID
	latency  int // in clocks; 0 if the file states none
	line     int
}

// fileHost is a controller, or with links to several routers its part at one of them.
type fileHost struct {
	name    string
	router  int
	weight  int
	latency int
	nets    []bool // by virtual network, or nil if its links carry all
}

// network is a file that has been read.
type network struct {
	src       *textfile.File
	algorithm int
	nets      int // number of virtual networks
	rows      int
	names     []string // by router
	at        map[string]int
	links     []link
	hosts     []fileHost
	oneWay    bool    // some link has no reverse
	into      [][]int // by router: the links into it, see incoming
	net       *model.Network
	run       *format.RoutedRun
	unknown   []string // parameters that are not listed in keys.go
}

// read reads a config.json.
func read(src *textfile.File) (*format.Routed, error) {
	found, err := scan(src)
	if err != nil {
		return nil, err
	}
	g := &network{src: src, at: map[string]int{}}
	switch list := found["GarnetNetwork"]; {
	case len(list) == 0 && len(found[oldNetwork]) > 0:
		return nil, found[oldNetwork][0].fault("%s of gem5 before October 2016, which has other links, is not read", oldNetwork)
	case len(list) == 0:
		return nil, src.FileError("no GarnetNetwork in it: gem5 ran with another network")
	case len(list) > 1:
		return nil, list[1].fault("a second GarnetNetwork")
	default:
		if err = g.readNetwork(list[0]); err == nil {
			err = g.readRun(list[0], found)
		}
		g.unknown = unknownKeys(found)
	}
	for _, part := range []struct {
		kind string
		read func([]*object) error
	}{{"GarnetRouter", g.readRouters}, {"GarnetIntLink", g.readLinks}, {"GarnetExtLink", g.readHosts}} {
		if err == nil {
			err = part.read(found[part.kind])
		}
	}
	if err == nil {
		err = g.build()
	}
	if err != nil {
		return nil, err
	}
	return g.routed()
}

func (g *network) readNetwork(o *object) (err error) {
	if g.algorithm, err = o.number("routing_algorithm", 0, 1<<20); err != nil {
		return err
	}
	if g.nets, err = o.number("number_of_virtual_networks", 1, model.MaxVCs); err != nil {
		return err
	}
	if _, known := o.param["num_rows"]; known {
		g.rows, err = o.number("num_rows", 0, 1<<20)
	}
	return err
}

// readRouters numbers the routers by their router_id.
func (g *network) readRouters(list []*object) error {
	if len(list) == 0 {
		return g.src.FileError("no GarnetRouter in it")
	}
	g.names = make([]string, len(list))
	for _, o := range list {
		id, err := o.number("router_id", 0, len(list)-1)
		if err != nil {
			return err
		}
		path, err := o.text("path")
		if err != nil {
			return err
		}
		if g.names[id] != "" {
			return o.fault("a second GarnetRouter with router_id %d", id)
		}
		g.names[id], g.at[path] = path, id
	}
	if len(g.at) < len(list) {
		return g.src.FileError("two routers have the same path")
	}
	return nil
}

// router returns the router that a parameter names.
func (g *network) router(o *object, key string) (int, error) {
	path, err := o.text(key)
	if err != nil {
		return 0, err
	}
	id, ok := g.at[path]
	if !ok {
		return 0, o.fault("%s of a %s: no GarnetRouter %s", key, o.kind, textfile.Clip(path))
	}
	return id, nil
}

// readLinks reads the links between routers. As in Topology.cc, links from one router to another must not carry the same virtual
// network.
func (g *network) readLinks(list []*object) error {
	taken := map[[3]int]bool{}
	for _, o := range list {
		l := link{line: o.line, channel: model.NoChannel}
		var err error
		if l.from, err = g.router(o, "src_node"); err == nil {
			l.to, err = g.router(o, "dst_node")
		}
		if err == nil {
			l.weight, err = o.number("weight", 1, maxWeight)
		}
		if err != nil {
			return err
		}
		if l.from == l.to {
			return o.fault("a link of %s to itself", g.names[l.from])
		}
		l.port, _ = o.param["src_outport"].(string)
		if l.latency, err = o.latency(); err != nil {
			return err
		}
		if l.nets, err = g.carried(o); err != nil {
			return err
		}
		for v := range g.nets {
			if key := [3]int{l.from, l.to, v}; l.carries(v) {
				if taken[key] {
					return o.fault("a second link from %s to %s for virtual network %d, which gem5 refuses", g.names[l.from], g.names[l.to], v)
				}
				taken[key] = true
			}
		}
		g.links = append(g.links, l)
	}
	return nil
}

// carried returns the virtual networks of a link, or nil if it carries all.
func (g *network) carried(o *object) ([]bool, error) {
	list, err := o.numbers("supported_vnets", 0, g.nets-1)
	if list == nil || err != nil {
		return nil, err
	}
	nets := make([]bool, g.nets)
	for _, v := range list {
		nets[v] = true
	}
	return nets, nil
}

// carries reports whether the link carries a virtual network.
func (l *link) carries(v int) bool { return l.nets == nil || l.nets[v] }

// lastPart returns the name behind the last dot of a path.
func lastPart(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// build makes the network. A link and one back are a cable.
func (g *network) build() error {
	b := model.NewBuilder()
	short := map[string]bool{}
	for _, path := range g.names {
		short[lastPart(path)] = true
	}
	for _, path := range g.names {
		if len(short) == len(g.names) {
			path = lastPart(path)
		}
		b.AddSwitch(model.Switch{Name: path})
	}
	grid := g.grid()
	next := make([]model.Port, len(g.names)) // by router: the next port
	if grid != nil {
		b.SetGrid(grid)
		for u := range next {
			next[u] = 4
		}
	}
	port := func(u, v int) model.Port {
		if grid != nil {
			return gridPort(grid, u, v)
		}
		next[u]++
		return next[u]
	}
	open := map[[2]int][]int{} // by ends: links without a reverse so far
	for i := range g.links {
		l := &g.links[i]
		if back := open[[2]int{l.to, l.from}]; len(back) > 0 {
			l.channel = g.links[back[0]].channel + 1
			open[[2]int{l.to, l.from}] = back[1:]
			continue
		}
		p, q := port(l.from, l.to), port(l.to, l.from)
		l.channel = model.ChannelID(2 * b.AddLink(model.SwitchID(l.from), p, model.SwitchID(l.to), q))
		open[[2]int{l.from, l.to}] = append(open[[2]int{l.from, l.to}], i)
	}
	for _, list := range open {
		for _, i := range list {
			g.oneWay = true
			b.SetOneWay(model.LinkID(g.links[i].channel / 2))
		}
	}
	for _, h := range g.hosts {
		next[h.router]++
		b.AddHost(model.Host{Name: h.name, Switch: model.SwitchID(h.router), Port: next[h.router]})
	}
	var err error
	if g.net, err = b.Build(); err != nil {
		return g.src.FileError("%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	return g.setLatencies()
}

// setLatencies sets the latencies of channels that the file states, if some is not 1 clock.
func (g *network) setLatencies() (err error) {
	list, isLong := make([]model.ChannelAttributes, g.net.NumChannels()), false
	set := func(c model.ChannelID, clocks int) {
		list[c].Latency = int32(clocks)
		isLong = isLong || clocks > 1
	}
	for _, l := range g.links {
		set(l.channel, l.latency)
	}
	for h, x := range g.hosts {
		set(g.net.InjectChannel(model.HostID(h)), x.latency)
		set(g.net.EjectChannel(model.HostID(h)), x.latency)
	}
	if isLong {
		g.net, err = g.net.WithChannelAttributes(list)
	}
	return err
}

// latency returns the latency of a link in clocks, or 0 if the file states none.
func (o *object) latency() (int, error) {
	if _, stated := o.param["latency"]; !stated {
		return 0, nil
	}
	return o.number("latency", 0, 1<<16)
}

// grid returns the mesh that the routers form: as many rows as the file states, with a link to and from each neighbour and no others.
// It returns nil if they form none.
func (g *network) grid() *model.Grid {
	if g.rows < 1 || len(g.names)%g.rows != 0 {
		return nil
	}
	x, y := len(g.names)/g.rows, g.rows
	if len(g.links) != 4*x*y-2*x-2*y {
		return nil
	}
	grid := &model.Grid{Sides: []int{x, y}, Wrap: []bool{false, false}}
	seen := map[[2]int]bool{}
	for _, l := range g.links {
		if gridPort(grid, l.from, l.to) == 0 || seen[[2]int{l.from, l.to}] {
			return nil
		}
		seen[[2]int{l.from, l.to}] = true
	}
	return grid
}

// gridPort returns the port of router u to its neighbour v, or 0 if v is no neighbour.
func gridPort(grid *model.Grid, u, v int) model.Port {
	dx := grid.Coord(model.SwitchID(v), 0) - grid.Coord(model.SwitchID(u), 0)
	dy := grid.Coord(model.SwitchID(v), 1) - grid.Coord(model.SwitchID(u), 1)
	switch [2]int{dx, dy} {
	case [2]int{1, 0}:
		return model.PlusPort(0)
	case [2]int{-1, 0}:
		return model.MinusPort(0)
	case [2]int{0, 1}:
		return model.PlusPort(1)
	case [2]int{0, -1}:
		return model.MinusPort(1)
	}
	return 0
}

// groups returns the sets of virtual networks that the same links carry.
func (g *network) groups() (list [][]int) {
	for v := range g.nets {
		k := slices.IndexFunc(list, func(group []int) bool {
			return !slices.ContainsFunc(g.links, func(l link) bool { return l.carries(v) != l.carries(group[0]) })
		})
		if k < 0 {
			list = append(list, nil)
			k = len(list) - 1
		}
		list[k] = append(list[k], v)
	}
	return list
}

// groupNote says which virtual networks a VC stands for.
func groupNote(file string, groups [][]int) string {
	if len(groups) == 1 {
		return fmt.Sprintf("%s: virtual networks have their own VCs and the same routing: the claims hold for each of the %d", file, len(groups[0]))
	}
	var parts []string
	for k, group := range groups {
		parts = append(parts, fmt.Sprintf("VC %d for %s", k, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(group)), ", "), "[]")))
	}
	return file + ": virtual networks have their own VCs; those with the same links have the same routing: " + strings.Join(parts, ", ")
}

// sortLinks sorts the links out of each router as Garnet adds them, by the number of the next router.
func (g *network) sortLinks() [][]*link {
	out := make([][]*link, len(g.names))
	for i := range g.links {
		l := &g.links[i]
		out[l.from] = append(out[l.from], l)
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b *link) int { return cmp.Compare(a.to, b.to) })
	}
	return out
}

func init() {
	format.RegisterRouted(format.RoutedFormat{Name: "gem5", Is: isConfig, Read: read})
}
