package agree

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file defines a case as plain lists, so that the judges of this package need no package model.

// Case is a network with a routing. Channel 2l is link l from its first switch to its second, and 2l+1
// is the reverse channel. As a channel in, -1-h is the injection channel of host h; as a channel out,
// it is the ejection channel of host h.
type Case struct {
	Kind      string `json:"kind"`
	Switching string `json:"switching"`
	// Waiting is "" if packets wait for any next hop, "one" if they wait for one, and "mixed" if they
	// wait for one at some places (commits).
	Waiting  string   `json:"waiting,omitempty"`
	VCs      int      `json:"vcs"` // per channel; a table gets them from its classes
	Switches int      `json:"switches"`
	Links    [][2]int `json:"links"` // two switches each
	Hosts    []int    `json:"hosts"` // switch of each host
	Dests    []int    `json:"dests"` // host of each destination
	before   int      // number of classes before the case was expanded; 0 if it was not
	// One of these three is not nil.
	Table  *Table  `json:"table,omitempty"`
	States *States `json:"states,omitempty"`
	Named  *Named  `json:"named,omitempty"`
}

// Table is a forwarding table.
type Table struct {
	Out  [][]int  `json:"out"`            // by destination and switch: a channel, noEntry or deadPort
	Sets [][]int  `json:"sets,omitempty"` // by destination and host: bit k for class k; if nil, class 0
	Maps [][4]int `json:"maps,omitempty"` // channel in, channel out, class, and the VC index; the default is the class
}

// Entries of a table without a next hop.
const (
	noEntry  = -1000
	deadPort = -1001 // a port without a cable
)

// States is a relation as a list of states.
type States struct {
	Classes int      `json:"classes"`
	Inject  [][3]int `json:"inject"` // host, destination, class
	Steps   []Step   `json:"steps"`
	Escape  []int    `json:"escape,omitempty"` // VC indices that the relation declares as its escape
}

// Step lists the next hops of packets to a destination at a place.
type Step struct {
	Dest int     `json:"dest"`
	At   place   `json:"at"`
	Hops []place `json:"hops"`
}

// place is a VC and the class of a packet there.
type place struct {
	Channel int `json:"channel"`
	VC      int `json:"vc"`
	Class   int `json:"class,omitempty"`
}

// Named is a network and a routing by name.
type Named struct {
	Spec    string        `json:"spec"`
	Routing string        `json:"routing"`
	Options route.Options `json:"options"`
}

// head returns the switch that a channel in enters.
func (c *Case) head(channel int) int {
	if channel < 0 {
		return c.Hosts[-1-channel]
	}
	return c.Links[channel/2][1-channel%2]
}

// tail returns the switch that a channel out leaves.
func (c *Case) tail(channel int) int {
	if channel < 0 {
		return c.Hosts[-1-channel]
	}
	return c.Links[channel/2][channel%2]
}

// written returns a case with the states of a relation that packets reach.
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

// fill makes c a relation with some injections. It calls hops once for each state that packets reach,
// always in the same order.
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

// String describes the case in a line.
func (c *Case) String() string {
	if c.Waiting != "" {
		plain := *c
		plain.Waiting = ""
		return plain.String() + ", waiting " + c.Waiting
	}
	if c.Named != nil {
		return fmt.Sprintf("%s, %s: %s on %s", c.Kind, c.Switching, c.Named.Routing, c.Named.Spec)
	}
	return fmt.Sprintf("%s, %s: %d switches, %d links, %d hosts, %d VCs", c.Kind, c.Switching, c.Switches, len(c.Links), len(c.Hosts), c.VCs)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
