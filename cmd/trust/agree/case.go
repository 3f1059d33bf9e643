package agree

import (
	"fmt"
	"slices"

	"turnproof/model"
	"turnproof/model/route"
	"turnproof/model/topo"
)

// This file says what a case is: plain lists, in which the shrinker can strike things out,
// and which the judges of this package read without package model.

// Case is a network with a routing. Channels are told by a number: 2l is link l from its
// first switch to its second, 2l+1 the way back; -1-h is the cable of host h, as a channel
// in the injection channel and as a channel out the ejection channel.
type Case struct {
	Kind      string   `json:"kind"`
	Switching string   `json:"switching"`
	VCs       int      `json:"vcs"` // per channel; of tables they follow from the classes
	Switches  int      `json:"switches"`
	Links     [][2]int `json:"links"` // two switches each
	Hosts     []int    `json:"hosts"` // by host its switch
	Dests     []int    `json:"dests"` // by destination its host
	// One of the three is there.
	Table  *Table  `json:"table,omitempty"`
	States *States `json:"states,omitempty"`
	Named  *Named  `json:"named,omitempty"`
}

// Table is a forwarding table.
type Table struct {
	Out  [][]int  `json:"out"`            // by destination and switch: a channel, or one of the two below
	Sets [][]int  `json:"sets,omitempty"` // by destination and host: bit k for class k; nil: class 0
	Maps [][4]int `json:"maps,omitempty"` // channel in, channel out, class and the VC that it gets; else VC = class
}

// Entries of a table that lead nowhere.
const (
	noEntry  = -1000
	deadPort = -1001 // a port without a cable
)

// States is a relation, state by state.
type States struct {
	Classes int      `json:"classes"`
	Inject  [][3]int `json:"inject"` // host, destination, class
	Steps   []Step   `json:"steps"`
	Escape  []int    `json:"escape,omitempty"` // VC numbers that the relation names as its escape
}

// Step is what packets to a destination may do at a place.
type Step struct {
	Dest int     `json:"dest"`
	At   place   `json:"at"`
	Hops []place `json:"hops"`
}

// place is where a packet is, or may go, and with which class.
type place struct {
	Channel int `json:"channel"`
	VC      int `json:"vc"`
	Class   int `json:"class,omitempty"`
}

// Named is a network and a routing by their names.
type Named struct {
	Spec    string        `json:"spec"`
	Routing string        `json:"routing"`
	Options route.Options `json:"options"`
}

// head gives the switch that a channel in enters.
func (c *Case) head(channel int) int {
	if channel < 0 {
		return c.Hosts[-1-channel]
	}
	return c.Links[channel/2][1-channel%2]
}

// tail gives the switch that a channel out leaves.
func (c *Case) tail(channel int) int {
	if channel < 0 {
		return c.Hosts[-1-channel]
	}
	return c.Links[channel/2][channel%2]
}

// network builds the network: links take the ports from 1 on, hosts those after.
func (c *Case) network() (*model.Network, error) {
	b := model.NewBuilder()
	port := make([]model.Port, c.Switches)
	next := func(u int) model.Port { port[u]++; return port[u] }
	for range c.Switches {
		b.AddSwitch(model.Switch{})
	}
	for _, l := range c.Links {
		b.AddLink(model.SwitchID(l[0]), next(l[0]), model.SwitchID(l[1]), next(l[1]))
	}
	for _, u := range c.Hosts {
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: next(u)})
	}
	b.SetVCs(max(c.VCs, 1))
	return b.Build()
}

// relation builds the routing as turnproof knows it.
func (c *Case) relation() (model.Relation, error) {
	if c.Named != nil {
		n, err := topo.Parse(c.Named.Spec)
		if err != nil {
			return nil, err
		}
		return route.New(c.Named.Routing, n, c.Named.Options)
	}
	n, err := c.network()
	if err != nil {
		return nil, err
	}
	if c.Table != nil {
		return c.table(n), nil
	}
	r := &explicit{net: n, c: c, next: map[model.State][]model.Hop{}, inject: map[[2]int][]model.Class{}}
	for _, i := range c.States.Inject {
		r.inject[[2]int{i[0], i[1]}] = append(r.inject[[2]int{i[0], i[1]}], model.Class(i[2]))
	}
	for _, s := range c.States.Steps {
		at := model.State{VC: inVC(n, s.At), Dest: model.DestID(s.Dest), Class: model.Class(s.At.Class)}
		for _, h := range s.Hops {
			r.next[at] = append(r.next[at], model.Hop{VC: outVC(n, h), Class: model.Class(h.Class)})
		}
	}
	if len(c.States.Escape) > 0 {
		return &withEscape{r}, nil
	}
	return r, nil
}

// table builds a forwarding table.
func (c *Case) table(n *model.Network) *model.Table {
	var dests []model.Destination
	for _, h := range c.Dests {
		dests = append(dests, model.Destination{Host: model.HostID(h)})
	}
	t := model.NewTable(n, dests)
	for d, row := range c.Table.Out {
		for u, out := range row {
			switch out {
			case noEntry:
			case deadPort:
				t.SetPort(model.SwitchID(u), model.DestID(d), model.Port(len(n.Out(model.SwitchID(u)))+1))
			default:
				t.SetPort(model.SwitchID(u), model.DestID(d), n.TailPort(outChannel(n, out)))
			}
		}
	}
	if c.Table.Sets == nil && c.Table.Maps == nil {
		return t
	}
	var sets []model.ClassSet
	for _, row := range c.Table.Sets {
		for _, s := range row {
			sets = append(sets, model.ClassSet(s))
		}
	}
	var vcs *model.VCMap
	if c.Table.Maps != nil {
		vcs = model.NewVCMap(n)
		for _, m := range c.Table.Maps {
			vcs.Set(n, model.SwitchID(c.head(m[0])), n.InIndex(inChannel(n, m[0])), n.OutIndex(outChannel(n, m[1])), model.Class(m[2]), m[3])
		}
	}
	t.SetClasses(sets, vcs)
	return t
}

func inChannel(n *model.Network, c int) model.ChannelID {
	if c < 0 {
		return n.InjectChannel(model.HostID(-1 - c))
	}
	return model.ChannelID(c)
}

func outChannel(n *model.Network, c int) model.ChannelID {
	if c < 0 {
		return n.EjectChannel(model.HostID(-1 - c))
	}
	return model.ChannelID(c)
}

func inVC(n *model.Network, p place) model.VCID  { return n.VC(inChannel(n, p.Channel), p.VC) }
func outVC(n *model.Network, p place) model.VCID { return n.VC(outChannel(n, p.Channel), p.VC) }

// placeOf is the place of a VC of package model.
func placeOf(n *model.Network, v model.VCID, k model.Class) place {
	c, i := n.Channel(v)
	if h := n.HostOf(c); h != model.NoHost {
		return place{-1 - int(h), i, int(k)}
	}
	return place{int(c), i, int(k)}
}

// explicit is the relation of States.
type explicit struct {
	net    *model.Network
	c      *Case
	next   map[model.State][]model.Hop
	inject map[[2]int][]model.Class
}

// Network implements model.Relation.
func (r *explicit) Network() *model.Network { return r.net }

// Classes implements model.Relation.
func (r *explicit) Classes() int { return max(r.c.States.Classes, 1) }

// Sources implements model.Relation.
func (r *explicit) Sources() int { return r.net.NumHosts() }

// Destinations implements model.Relation.
func (r *explicit) Destinations() int { return len(r.c.Dests) }

// DestinationHost implements model.Relation.
func (r *explicit) DestinationHost(d model.DestID) model.HostID { return model.HostID(r.c.Dests[d]) }

// Inject implements model.Relation.
func (r *explicit) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	return append(buf, r.inject[[2]int{int(h), int(d)}]...)
}

// Next implements model.Relation.
func (r *explicit) Next(s model.State, buf []model.Hop) []model.Hop { return append(buf, r.next[s]...) }

// withEscape names the escape.
type withEscape struct{ *explicit }

// EscapeVC implements model.Escaper.
func (r *withEscape) EscapeVC(v model.VCID) bool {
	_, i := r.net.Channel(v)
	return r.net.IsLinkVC(v) && slices.Contains(r.c.States.Escape, i)
}

// hidden keeps others from seeing what more a relation is: a table, a routing of a grid.
type hidden struct{ model.Relation }

// written gives the case of a relation, state by state, as its packets come along.
func written(kind, switching string, r model.Relation) *Case {
	n := r.Network()
	c := &Case{Kind: kind, Switching: switching, VCs: n.VCs(), Switches: n.NumSwitches()}
	for l := range model.LinkID(n.NumLinks()) {
		c.Links = append(c.Links, [2]int{int(n.Link(l).A), int(n.Link(l).B)})
	}
	for h := range model.HostID(n.NumHosts()) {
		c.Hosts = append(c.Hosts, int(n.Host(h).Switch))
	}
	for d := range model.DestID(r.Destinations()) {
		c.Dests = append(c.Dests, int(r.DestinationHost(d)))
	}
	var inject [][3]int
	for d := range model.DestID(r.Destinations()) {
		for h := range model.HostID(r.Sources()) {
			if r.DestinationHost(d) == h {
				continue
			}
			for _, k := range r.Inject(h, d, nil) {
				inject = append(inject, [3]int{int(h), int(d), int(k)})
			}
		}
	}
	c.fill(r.Classes(), inject, func(d int, at place) (hops []place) {
		for _, h := range r.Next(model.State{VC: inVC(n, at), Dest: model.DestID(d), Class: model.Class(at.Class)}, nil) {
			hops = append(hops, placeOf(n, h.VC, h.Class))
		}
		return hops
	})
	return c
}

// fill makes c a relation with the given injections, whose hops are asked for once for each
// state that packets get into, in an order that is always the same.
func (c *Case) fill(classes int, inject [][3]int, hops func(dest int, at place) []place) {
	c.Table, c.States = nil, &States{Classes: classes, Inject: inject}
	for d := range c.Dests {
		var list []place
		for _, i := range inject {
			if i[1] == d {
				list = append(list, place{-1 - i[0], 0, i[2]})
			}
		}
		seen := map[place]bool{}
		for i := 0; i < len(list); i++ {
			at := list[i]
			if seen[at] {
				continue
			}
			seen[at] = true
			to := hops(d, at)
			c.States.Steps = append(c.States.Steps, Step{d, at, to})
			for _, h := range to {
				if h.Channel >= 0 {
					list = append(list, h)
				}
			}
		}
	}
}

// String is the case in a line.
func (c *Case) String() string {
	if c.Named != nil {
		return fmt.Sprintf("%s, %s: %s on %s", c.Kind, c.Switching, c.Named.Routing, c.Named.Spec)
	}
	return fmt.Sprintf("%s, %s: %d switches, %d links, %d hosts, %d VCs", c.Kind, c.Switching, c.Switches, len(c.Links), len(c.Hosts), c.VCs)
}
