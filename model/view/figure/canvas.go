package figure

// This file draws the parts that all drawings of a network share: switches, hosts and cables.
// Channels are drawn on top of them.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// Largest sizes at which a drawing shows details.
const (
	maxDrawnHosts   = 24
	maxPortLinks    = 20
	maxLayeredPorts = 12  // the same in layered networks, where cables fan out and leave less room
	maxNamed        = 200 // switches; with more switches names would not be legible
	pinInches       = 1.3 // distance of the two nearest switches with a position
	pinDots         = 0.4 // the same if switches are dots
)

// roomForPorts reports whether port numbers at cables would be legible.
func (c *canvas) roomForPorts() bool {
	if c.o.Brief {
		return false
	}
	if c.level != nil {
		return c.n.NumLinks() <= maxLayeredPorts
	}
	return c.n.NumLinks() <= maxPortLinks
}

// canvas is a drawing of a network while it is built.
type canvas struct {
	n       *model.Network
	o       Options
	g       *Graph
	node    []int // by switch: its node, or -1 if it is not drawn
	host    map[model.HostID]int
	hosts   []int  // by switch: number of its hosts
	drawn   []int  // by switch: number of its hosts that are drawn as nodes
	level   []int  // by switch: its level; nil if the network is not drawn in rows
	flip    []bool // by switch: whether its part is drawn with level 0 on top; nil like level
	guests  []int  // by switch: number of nodes placed beside it
	dots    bool   // whether switches are dots without names
	covered []bool
	line    []int   // by link: the edge that cables drew for it, or -1
	widest  float64 // half the width of the widest host in inches, if hosts are drawn in rows or beside switches; else 0
}

// newCanvas draws the switches for which keep returns true, or all if keep is nil. In a layered
// network, each switch of the lowest row gets room for rowHosts hosts.
func newCanvas(n *model.Network, o Options, keep func(model.SwitchID) bool, rowHosts int) *canvas {
	c := &canvas{n: n, o: o, g: &Graph{Title: o.Title, Length: 1.5}, host: make(map[model.HostID]int),
		node: make([]int, n.NumSwitches()), hosts: make([]int, n.NumSwitches()),
		drawn: make([]int, n.NumSwitches()), guests: make([]int, n.NumSwitches()), covered: make([]bool, n.NumLinks()),
		line: slices.Repeat([]int{-1}, n.NumLinks())}
	c.g.air = o.air
	for h := range model.HostID(n.NumHosts()) {
		c.hosts[n.Host(h).Switch]++
		if u := n.Host(h).Switch; rowHosts > 0 && (keep == nil || keep(u)) {
			x := c.hostNode(h)
			c.widest = max(c.widest, x.half().x/72)
		}
	}
	kept := 0
	for u := range model.SwitchID(n.NumSwitches()) {
		if keep == nil || keep(u) {
			kept++
		}
	}
	c.dots = kept > maxNamed
	for u := range model.SwitchID(n.NumSwitches()) {
		c.node[u] = -1
		if keep == nil || keep(u) {
			c.node[u] = c.g.add(c.switchNode(u))
		}
	}
	if o.onHV != nil {
		c.pinHV()
	} else if o.Position != nil {
		c.pin()
		c.follow(o.plan)
	} else if c.level = levels(n, c.hosts); c.level != nil {
		c.g.Layout = Straight
		c.placeRows(rowHosts)
	} else if c.dots {
		c.g.Layout = Straight
	} else if kept > 16 {
		c.g.Length = 2.1 // longer, to leave room for the lines between switches
	}
	if c.dots {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("%d switches are too many for names: each is a dot, filled where it has hosts.", kept))
	}
	return c
}

func (c *canvas) switchNode(u model.SwitchID) Node {
	name := c.n.SwitchLabel(u)
	x := Node{Name: "s" + strconv.Itoa(int(u)), Lines: []string{name}, Fill: paleGrey,
		Tooltip: fmt.Sprintf("switch %s, %s", c.n.SwitchName(u), plural(c.hosts[u], "host"))}
	if c.o.onHV != nil {
		c.coordinates(&x, u)
	}
	if c.dots {
		x.Shape, x.Fill, x.Stroke = Dot, white, darkGrey
		if c.hosts[u] > 0 {
			x.Fill = darkGrey
		}
	}
	return x
}

// countHosts adds the number of hosts that are not drawn to the labels of switches. On an H/V
// graph it does so only with HostsCounted.
func (c *canvas) countHosts() {
	if c.o.Hosts == HostsHidden || c.o.onHV != nil && c.o.Hosts != HostsCounted {
		return
	}
	for u, i := range c.node {
		if i < 0 || c.hosts[u] == 0 {
			continue
		}
		text := plural(c.hosts[u], "host")
		if c.drawn[u] > 0 {
			text = "+" + plural(c.hosts[u]-c.drawn[u], "host")
		}
		if c.drawn[u] < c.hosts[u] {
			c.g.Nodes[i].Lines = append(c.g.Nodes[i].Lines, text)
		}
	}
}

// hostNode returns the node of endpoint h, without a place.
func (c *canvas) hostNode(h model.HostID) Node {
	u := c.n.Host(h).Switch
	x := Node{Name: "h" + strconv.Itoa(int(h)), Lines: []string{c.n.HostLabel(h)}, Shape: Ellipse, Small: true, guest: true,
		Tooltip: fmt.Sprintf("host %s at %s port %d", c.n.HostLabel(h), c.n.SwitchLabel(u), c.n.Host(h).Port)}
	if lid := c.n.Host(h).LID; c.o.LIDs && lid > 0 {
		x.Lines, x.Tooltip = append(x.Lines, fmt.Sprintf("LID %d", lid)), fmt.Sprintf("%s, LID %d", x.Tooltip, lid)
	}
	return x
}

// addHost draws endpoint h, unless its switch is not drawn or h is drawn already, and returns its
// node. If cable is true, it also draws the cable to the switch.
func (c *canvas) addHost(h model.HostID, cable bool) int {
	if i, ok := c.host[h]; ok {
		return i
	}
	u, n := c.n.Host(h).Switch, c.hostNode(h)
	c.beside(&n, u)
	i := c.g.add(n)
	c.host[h] = i
	if int(h) < c.n.NumHosts() {
		c.drawn[u]++
	}
	if cable {
		c.g.join(Edge{From: c.node[u], To: i, Short: true, Color: lightGrey,
			Tooltip: fmt.Sprintf("host cable at %s port %d", c.n.SwitchLabel(u), c.n.Host(h).Port), Key: "a" + strconv.Itoa(int(h))})
	}
	return i
}

// ends returns the nodes at the ends of a channel, or false if one of them is not drawn. It adds
// hosts as needed.
func (c *canvas) ends(ch model.ChannelID) (from, to int, ok bool) {
	end := func(u model.SwitchID) int {
		if u != model.NoSwitch {
			return c.node[u]
		}
		return c.addHost(c.n.HostOf(ch), false)
	}
	for _, u := range []model.SwitchID{c.n.Tail(ch), c.n.Head(ch)} {
		if u != model.NoSwitch && c.node[u] < 0 {
			return 0, 0, false
		}
	}
	from, to = end(c.n.Tail(ch)), end(c.n.Head(ch))
	return from, to, true
}

// cover marks the link of channel ch as drawn, so that cables does not draw it.
func (c *canvas) cover(ch model.ChannelID) {
	if c.n.Kind(ch) == model.SwitchToSwitch {
		c.covered[ch/2] = true
	}
}

// highlight emphasizes a switch that is a subject of the drawing.
func (c *canvas) highlight(u model.SwitchID) {
	if u != model.NoSwitch && c.node[u] >= 0 {
		n := &c.g.Nodes[c.node[u]]
		n.Shape, n.Fill, n.Stroke, n.Strong = Box, white, darkGrey, true
	}
}

// vcText describes a VC, for example "S1 port 3 → S7 port 2, VC 0".
func (c *canvas) vcText(v model.VCID) string { return vcText(c.n, &c.o, v) }

func vcText(n *model.Network, o *Options, v model.VCID) string {
	ch, i := n.Channel(v)
	var b strings.Builder
	end := func(u model.SwitchID, port model.Port) string {
		switch {
		case u == model.NoSwitch:
			return n.HostLabel(n.HostOf(ch))
		case o.Brief:
			return n.SwitchLabel(u)
		}
		return fmt.Sprintf("%s port %s", n.SwitchLabel(u), n.PortLabel(u, port))
	}
	fmt.Fprintf(&b, "%s → %s", end(n.Tail(ch), n.TailPort(ch)), end(n.Head(ch), n.HeadPort(ch)))
	if o.showVC(n) {
		fmt.Fprintf(&b, ", %s %d", o.vc(), i)
	}
	return b.String()
}

func plural(k int, what string) string {
	if k == 1 {
		return "1 " + what
	}
	return strconv.Itoa(k) + " " + what + "s"
}
