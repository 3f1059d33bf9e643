package protocols

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file numbers the places in which the messages of a protocol wait, and says which places a
// message waits for at a host. Package verify/cert/messages states the theorems.
//
// A place is a VC of a virtual network, the queues of a host for a virtual network together with
// the VCs into which they send, or the table of a host for a join. With V virtual networks, L VCs between switches
// and E endpoints, the places are V·L VCs, then V·E queues, then the tables (tables.go).

// Places is a protocol over a routing, which is that of one virtual network.
type Places struct {
	r         model.Relation
	n         *model.Network
	p         *model.Protocol
	links     int // VCs between switches
	endpoints int
	networks  int
	can, must [][]bool
	count     []int
	reached   map[[2]model.HostID][]model.VCID
	tables    []messageTable
	tablesOf  map[tableOwner][]int32 // places
	single    map[[2]model.HostID]bool
	senders   map[partyKey][]model.HostID
	receivers map[partyKey][]model.HostID
}

// partyKey is a class, and an earlier class of which one message went to a host.
type partyKey struct {
	class, first int
	host         model.HostID
}

// NewPlaces returns the places of a protocol with rules on the network of r. A list of classes has no places, so nothing could be shown to block
// its messages: NewPlaces panics.
func NewPlaces(r model.Relation, p *model.Protocol) *Places {
	if p.IsList() {
		panic("protocols: a list of classes has no places; want the protocol of model.Protocol.Chain")
	}
	n := r.Network()
	x := &Places{r: r, n: n, p: p, links: n.NumLinkVCs(), endpoints: n.NumEndpoints(), networks: p.Networks(), count: p.Multiplicity(),
		reached: map[[2]model.HostID][]model.VCID{}, single: map[[2]model.HostID]bool{},
		senders: map[partyKey][]model.HostID{}, receivers: map[partyKey][]model.HostID{}}
	x.can, x.must = p.Before()
	x.listTables()
	return x
}

// size returns the number of places.
func (x *Places) size() int {
	return x.networks*(x.links+x.endpoints) + len(x.tables)
}

// vc and queue return the number of a place.
func (x *Places) vc(c int, v model.VCID) int32 {
	return int32(x.p.Network[c]*x.links + int(v))
}

func (x *Places) queue(c int, h model.HostID) int32 {
	return int32(x.networks*x.links + x.p.Network[c]*x.endpoints + int(h))
}

// at returns the place of a message of class c in a state.
func (x *Places) at(c int, s model.State) int32 { return x.in(x.p.Network[c], s.VC) }

// in returns the place of a packet of a virtual network on a VC.
func (x *Places) in(network int, v model.VCID) int32 {
	if x.n.IsLinkVC(v) {
		return int32(network*x.links + int(v))
	}
	channel, _ := x.n.Channel(v)
	return int32(x.networks*x.links + network*x.endpoints + int(x.n.HostOf(channel)))
}

// consumption returns the places that must get room before host h consumes a message of class c from host s: all of them.
func (x *Places) consumption(c int, s, h model.HostID) (all []int32) {
	if x.p.Rules[c].Consumed {
		return nil
	}
	for _, e := range x.p.Effects(c) {
		if x.hasQueue(e, h) {
			all = append(all, x.queue(e, h))
		}
	}
	for _, j := range x.p.Joins(c) {
		if slices.Contains(x.p.Openers(j), c) && x.p.Fills(j, x.p.Rules[j].Table) {
			for _, at := range x.tablesOf[tableOwner{j, h}] {
				if !x.comesIn(c, s, h, x.tableAt(at)) {
					all = append(all, at)
				}
			}
		}
	}
	return all
}

// hasQueue reports whether the queue of host h for messages of class c, which others cause, can be full. Messages to h
// itself do not go there.
func (x *Places) hasQueue(c int, h model.HostID) bool {
	r := &x.p.Rules[c]
	return x.p.Fills(c, r.Queue) && slices.ContainsFunc(r.To, func(to model.HostID) bool { return to != h })
}

// flow is messages of a class from some hosts to others.
type flow struct {
	class    int
	from, to []model.HostID
}

// outstanding returns the messages that a transaction in the table of join j at host h can wait
// for. A class that is a join itself can also wait in its table at the hosts of from.
func (x *Places) outstanding(j int, h model.HostID) (list []flow) {
	openers := x.p.Openers(j)
	for _, missing := range x.p.Join(j) {
		for _, first := range openers {
			if first == missing && x.count[first] == 1 {
				continue
			}
			for z := range x.p.Rules {
				done := x.must[first][z] && x.count[z] == 1
				if !x.can[missing][z] || done {
					continue
				}
				f := flow{class: z, from: x.sendersAfter(z, first, h), to: x.receiversAfter(z, first, h)}
				if z == missing {
					f.to = []model.HostID{h}
				}
				list = append(list, f)
			}
		}
	}
	return list
}

// follows reports whether each message of class z comes after the one of class first.
func (x *Places) follows(z, first int) bool {
	return z != first && x.must[z][first] && x.count[first] == 1
}

// sendersAfter returns the hosts that can send class z in a transaction whose message of class
// first went to host h.
func (x *Places) sendersAfter(z, first int, h model.HostID) (list []model.HostID) {
	r := &x.p.Rules[z]
	if !x.follows(z, first) {
		return r.From
	}
	key := partyKey{z, first, h}
	if list, ok := x.senders[key]; ok {
		return list
	}
	for _, after := range r.After {
		list = append(list, slices.DeleteFunc(slices.Clone(r.From), func(u model.HostID) bool {
			return slices.ContainsFunc(after, func(y int) bool { return !slices.Contains(x.receiversAfter(y, first, h), u) })
		})...)
	}
	slices.Sort(list)
	x.senders[key] = slices.Compact(list)
	return x.senders[key]
}

// receiversAfter returns the hosts that can receive class z in such a transaction.
func (x *Places) receiversAfter(z, first int, h model.HostID) (list []model.HostID) {
	key := partyKey{z, first, h}
	if list, ok := x.receivers[key]; ok {
		return list
	}
	switch r := &x.p.Rules[z]; {
	case z == first && x.count[first] == 1:
		return []model.HostID{h}
	case !x.follows(z, first):
		return r.To
	case r.Dest == model.ToSender:
		for _, after := range r.After {
			list = append(list, x.sendersAfter(after[0], first, h)...)
		}
		slices.Sort(list)
		list = slices.Compact(list)
	default:
		list = slices.Clone(r.To)
	}
	if from := x.sendersAfter(z, first, h); len(from) == 1 {
		list = slices.DeleteFunc(list, func(u model.HostID) bool { return u == from[0] })
	}
	x.receivers[key] = list
	return list
}

// tableWait returns the places that must not be stuck, if the transactions of table t are not to be: all of them.
func (x *Places) tableWait(t *messageTable) (all []int32) {
	j := t.join
	if t.missing < 0 && x.hasQueue(j, t.host) {
		all = append(all, x.queue(j, t.host))
	}
	for _, f := range x.awaitedFlows(t) {
		for _, s := range f.from {
			if f.class != j {
				all = append(all, x.tablesOf[tableOwner{f.class, s}]...)
			}
			for _, d := range f.to {
				if vcs, ok := x.reach(s, d); ok && x.p.SendsTo(f.class, s, d) {
					all = append(all, x.queue(f.class, s))
					for _, v := range vcs {
						all = append(all, x.vc(f.class, v))
					}
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sendersOf returns the hosts that send messages of class c to destination d, or nil if the host of d receives none.
func (x *Places) sendersOf(c int, d model.DestID) []model.HostID {
	r, to := &x.p.Rules[c], x.r.DestinationHost(d)
	switch {
	case !slices.Contains(r.To, to):
		return nil
	case x.p.Begins == nil:
		return r.From
	}
	return slices.DeleteFunc(slices.Clone(r.From), func(h model.HostID) bool { return !x.p.SendsTo(c, h, to) })
}

// reach returns the VCs between switches that packets from s to d can reach, and false if s does
// not send to d.
func (x *Places) reach(s, d model.HostID) ([]model.VCID, bool) {
	key := [2]model.HostID{s, d}
	if list, ok := x.reached[key]; ok {
		return list, list != nil
	}
	list, sends := []model.VCID{}, false
	for dest := range model.DestID(x.r.Destinations()) {
		if x.r.DestinationHost(dest) == d && model.Sends(x.r, s, dest) {
			w := newMessageWalk(x.r, dest)
			for _, k := range x.r.Inject(s, dest, nil) {
				w.start(model.InjectState(x.r, s, dest, k))
			}
			for i := 0; i < len(w.states); i++ {
				if w.expand(i); x.n.IsLinkVC(w.states[i].VC) {
					list = append(list, w.states[i].VC)
				}
				sends = true
			}
		}
	}
	if slices.Sort(list); !sends {
		x.reached[key] = nil
		return nil, false
	}
	x.reached[key] = slices.Compact(list)
	return x.reached[key], true
}
