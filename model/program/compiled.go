package program

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file defines a compiled program: a model.Relation that reads rows of lists (see relation.go).

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

// starts holds the header states that sources draw from.
type starts struct {
	lists    [][]Start
	table    []uint16 // by source and destination: list number; if nil, list 0 is for all pairs
	switches int
}

// of returns the list of a pair of switches.
func (s *starts) of(src, dst model.SwitchID) []Start {
	if s.table == nil {
		return s.lists[0]
	}
	return s.lists[s.table[int(src)*s.switches+int(dst)]]
}
