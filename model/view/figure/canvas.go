package figure

// This file holds what all drawings of a network share: its switches, hosts
// and cables as the ground on which channels are drawn.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// Sizes up to which a drawing has room for details.
const (
	maxDrawnHosts   = 24
	maxPortLinks    = 20
	maxLayeredPorts = 12  // cables that fan out leave less room for port numbers
	maxNamed        = 200 // switches; of more, names would not be legible
	pinInches       = 1.3 // between the two nearest switches that have a position
	pinDots         = 0.4 // the same where they are dots
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

// canvas is a drawing of a network in the making.
type canvas struct {
	n       *model.Network
	o       Options
	g       *Graph
	node    []int // by switch: its node, -1 where it is not drawn
	host    map[model.HostID]int
	hosts   []int  // by switch: how many hosts it has
	drawn   []int  // by switch: how many of them are nodes
	level   []int  // by switch; nil if the network is not drawn in rows
	flip    []bool // by switch: level 0 is on top there; nil like level
	guests  []int  // by switch: how many nodes have their place beside it
	dots    bool   // switches are dots without names
	covered []bool
	line    []int // by link: the edge that cables drew for it, -1 for none
}

// newCanvas draws the switches that keep allows (nil: all).
// Those of the lowest row of a layered network get room for rowHosts hosts each.
func newCanvas(n *model.Network, o Options, keep func(model.SwitchID) bool, rowHosts int) *canvas {
	c := &canvas{n: n, o: o, g: &Graph{Title: o.Title, Length: 1.5}, host: make(map[model.HostID]int),
		node: make([]int, n.NumSwitches()), hosts: make([]int, n.NumSwitches()),
		drawn: make([]int, n.NumSwitches()), guests: make([]int, n.NumSwitches()), covered: make([]bool, n.NumLinks()),
		line: slices.Repeat([]int{-1}, n.NumLinks())}
	c.g.air = o.air
	for h := range model.HostID(n.NumHosts()) {
		c.hosts[n.Host(h).Switch]++
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
	} else if c.level = levels(n, c.hosts); c.level != nil {
		c.g.Layout = Straight
		c.placeRows(rowHosts)
	} else if c.dots {
		c.g.Layout = Straight
	} else if kept > 16 {
		c.g.Length = 2.1 // room for the lines between
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

// countHosts writes the number of hosts that are not drawn into the switches,
// on an H/V graph only if asked to.
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

// addHost draws endpoint h, if its switch is drawn and it is not there yet,
// and returns its node. With a cable, it is joined to its switch.
func (c *canvas) addHost(h model.HostID, cable bool) int {
	if i, ok := c.host[h]; ok {
		return i
	}
	u := c.n.Host(h).Switch
	n := Node{Name: "h" + strconv.Itoa(int(h)), Lines: []string{c.n.HostLabel(h)}, Shape: Ellipse, Small: true,
		Tooltip: fmt.Sprintf("host %s at %s port %d", c.n.HostLabel(h), c.n.SwitchLabel(u), c.n.Host(h).Port)}
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

// ends returns the nodes that a channel joins, and false where one of them is
// not drawn. Hosts are added as needed.
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

// cover keeps cables from drawing the link of channel ch.
func (c *canvas) cover(ch model.ChannelID) {
	if c.n.Kind(ch) == model.SwitchToSwitch {
		c.covered[ch/2] = true
	}
}

// highlight marks a switch that the drawing is about.
func (c *canvas) highlight(u model.SwitchID) {
	if u != model.NoSwitch && c.node[u] >= 0 {
		n := &c.g.Nodes[c.node[u]]
		n.Shape, n.Fill, n.Stroke, n.Strong = Box, white, darkGrey, true
	}
}

// vcText names a VC in words: "S1 port 3 → S7 port 2, VC 0".
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
