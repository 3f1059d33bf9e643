package program

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/turnproof/turnproof/model"
)

// This file compiles a program on one network to tables. The resulting model.Relation is as
// fast as the built-in routings.
//
// The outputs of a packet form a list, and there are few different lists. A row gives the list
// for each arrival (direction, VC, header state). There are few different rows, because most
// programs hardly use their input; a single call then fills a row. A table gives the row for
// each destination and switch.
//
// Cost: some tenths of a microsecond per reachable state, or for all arrivals at once if route
// does not read inp (tracer.go). Memory: four bytes per pair of switches.
//
// An output without a channel loses the packet, and so does EJECT away from the destination.
// The state then has no next hop, which refutes connected, and a note names the switch.

// Relation compiles the program for n, which must be of its family. It returns the relation and
// notes on possible mistakes. The relation's network has at least as many VCs as the program
// uses. Errors name the position in the text.
func (p *Program) Relation(ctx context.Context, n *model.Network) (model.Relation, []string, error) {
	if p.VCs > n.VCs() {
		n = n.WithVCs(p.VCs)
	}
	in, err := p.instanceOn(n)
	if err != nil {
		return nil, nil, err
	}
	c := &compiler{
		relation: relation{net: n, states: in.numStates(), vcs: p.VCs, dirs: in.numDirs(), passes: p.Passes, anyNetwork: in.view != nil || p.Family.complete(),
			table: make([]uint32, n.NumSwitches()*n.NumSwitches())},
		instance: in, ctx: ctx, tracers: sync.Pool{New: func() any { return newTracer(in, n, p.States) }},
		rowOf: map[string]uint32{}, listOf: map[string]uint16{},
	}
	if in.view == nil {
		for u := range model.SwitchID(n.NumSwitches()) {
			c.at = append(c.at, Numbers(p.placeOf(n, in, u)))
		}
	}
	if err := c.checkSize(); err != nil {
		return nil, nil, err
	}
	if err := c.compileStarts(); err != nil {
		return nil, nil, err
	}
	if err := c.compile(); err != nil {
		return nil, nil, err
	}
	var notes []string
	if c.lost != nil {
		notes = append(notes, fmt.Sprintf("%s: %s, where there is no channel; the packet counts as lost", p.Name, c.lost))
	}
	if escape := in.Escape(); escape != nil {
		return &escaping{c.relation, escape}, notes, nil
	}
	r := c.relation
	return &r, notes, nil
}

// instanceOn runs the top level of the program for n, which must be of its family.
func (p *Program) instanceOn(n *model.Network) (*Instance, error) {
	if p.Family.Kind == AnyNetwork {
		i, err := p.OnNetwork(n)
		if err != nil {
			return nil, err
		}
		return i, i.fits()
	}
	sides, err := p.SidesOn(n)
	if err != nil {
		return nil, err
	}
	if p.Family.complete() || p.Family.HasAxes() {
		return p.OnNumbers(sides)
	}
	return p.OnFaulty(Numbers(sides), worksOn(n))
}

// placeOf returns the coordinates of switch u.
func (p *Program) placeOf(n *model.Network, in *Instance, u model.SwitchID) []int {
	if p.Family.complete() || p.Family.HasAxes() {
		return PlaceIn(in.numbers(), u)
	}
	return n.Grid().Coords(u, nil)
}

// noList is the list number of a state that no packet is in.
const noList = 0xffff

// relation is a compiled program.
type relation struct {
	net               *model.Network
	states, vcs, dirs int
	passes            bool // route is also called at the destination
	anyNetwork        bool // a direction is a port number minus 1 (see anynetwork.go and hyperx.go)
	starts            starts
	table             []uint32   // by destination's switch and switch: row number
	rows              [][]uint16 // by arrival index: list number
	lists             [][]Output
}

// arrivalIndex returns the index of an arrival in a row: by direction (NoDir first), VC, header
// state.
func (r *relation) arrivalIndex(a Dir, vc, state int) int {
	return (int(a+1)*r.vcs+vc)*r.states + state
}

// Network implements model.Relation.
func (r *relation) Network() *model.Network { return r.net }

// Classes implements model.Relation. The classes are the header states.
func (r *relation) Classes() int { return r.states }

// Sources implements model.Relation.
func (r *relation) Sources() int { return r.net.NumHosts() }

// Destinations implements model.Relation.
func (r *relation) Destinations() int { return r.net.NumHosts() }

// DestinationHost implements model.Relation.
func (r *relation) DestinationHost(d model.DestID) model.HostID { return model.HostID(d) }

// Inject implements model.Relation.
func (r *relation) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	for _, s := range r.startsOf(h, d) {
		buf = append(buf, model.Class(s.State))
	}
	return buf
}

// Weights implements model.Weighted.
func (r *relation) Weights(h model.HostID, d model.DestID, buf []uint32) []uint32 {
	for _, s := range r.startsOf(h, d) {
		buf = append(buf, s.Weight)
	}
	return buf
}

// startsOf returns the states that host h draws from for packets to d.
func (r *relation) startsOf(h model.HostID, d model.DestID) []Start {
	return r.starts.of(r.net.Host(h).Switch, r.net.Host(r.DestinationHost(d)).Switch)
}

// Next implements model.Relation.
func (r *relation) Next(s model.State, buf []model.Hop) []model.Hop {
	in, vc := r.net.Channel(s.VC)
	u := r.net.Head(in)
	if u == model.NoSwitch {
		return buf // on an ejection channel: the host consumes the packet
	}
	h := r.DestinationHost(s.Dest)
	v := r.net.Host(h).Switch
	if u == v && (!r.passes || in == r.net.InjectChannel(h)) { // a packet from a host to itself is not routed
		return append(buf, r.delivery(h, s.Class))
	}
	a := r.arrivalDir(in)
	if vc >= r.vcs || a >= Dir(r.dirs) {
		return buf
	}
	row := r.rows[r.table[int(v)*r.net.NumSwitches()+int(u)]]
	list := row[r.arrivalIndex(a, vc, int(s.Class))]
	if list == noList {
		return buf
	}
	for _, o := range r.lists[list] {
		if o.Dir == Eject {
			buf = append(buf, r.delivery(h, model.Class(o.State)))
			continue
		}
		buf = append(buf, model.Hop{VC: r.net.VC(r.net.OutAt(u, o.Dir.Port()), o.VC), Class: model.Class(o.State)})
	}
	return buf
}

// arrivalDir returns the direction in which packets arrive on a channel, or NoDir for an injection channel.
func (r *relation) arrivalDir(in model.ChannelID) Dir {
	switch {
	case r.net.Tail(in) == model.NoSwitch:
		return NoDir
	case r.anyNetwork:
		return Dir(r.net.HeadPort(in)) - 1
	}
	return Dir(r.net.TailPort(in)) - 1
}

// delivery returns the hop to host h.
func (r *relation) delivery(h model.HostID, k model.Class) model.Hop {
	return model.Hop{VC: r.net.VC(r.net.EjectChannel(h), 0), Class: k}
}

// escaping is a compiled program that names its escape.
type escaping struct {
	relation
	escape []Output
}

// EscapeVC implements model.Escaper.
func (r *escaping) EscapeVC(v model.VCID) bool {
	c, vc := r.net.Channel(v)
	return r.net.IsLinkVC(v) && slices.ContainsFunc(r.escape, func(o Output) bool {
		return o.Dir.Port() == r.net.TailPort(c) && o.VC == vc
	})
}
