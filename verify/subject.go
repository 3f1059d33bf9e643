package verify

import (
	"cmp"
	"context"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"

	// The judges of the evidence that this package finds.
	_ "github.com/turnproof/turnproof/verify/cert/bounds"
	_ "github.com/turnproof/turnproof/verify/cert/product"
	_ "github.com/turnproof/turnproof/verify/cert/turns"
)

// This file converts a relation into a subject of verify/cert. Only plain data crosses
// this border between the provers and the checker.

// makeSubject returns the subject of a relation. If inBlocks is true, its states are left out.
func makeSubject(ctx context.Context, r model.Relation, o Options, inBlocks bool) (cert.Subject, error) {
	s := cert.Subject{Switching: string(o.Switching), Network: makeNetwork(r.Network()), Inputs: o.Inputs,
		Facts: makeFacts(o.Facts.On(r.Network()), hasCopies(o.Conditions))}
	if s.Inputs == nil {
		s.Inputs = []cert.Input{}
	}
	if t, ok := r.(*model.Table); ok && !o.listsTables {
		s.Table = makeTable(t)
	} else {
		s.Relation = makeRelation(r)
		if !inBlocks {
			listStates(s.Relation, r)
		}
		if err := setWaiting(ctx, &s, r, o, inBlocks); err != nil {
			return s, err
		}
	}
	return s, nil
}

// NetworkSubject returns a subject with a network and no routing.
func NetworkSubject(n *model.Network, s model.Switching) cert.Subject {
	return cert.Subject{Switching: string(s), Network: makeNetwork(n), Inputs: []cert.Input{}}
}

// TableSubject returns the network and the entries of a table as a subject, without premises and facts.
func TableSubject(t *model.Table, s model.Switching) cert.Subject {
	return cert.Subject{Switching: string(s), Network: makeNetwork(t.Network()), Table: makeTable(t), Inputs: []cert.Input{}}
}

// makeFacts returns facts in the form of verify/cert, or nil if none is known. If hosts is true, the buffers of hosts are facts, too.
func makeFacts(b *facts.Bound, hosts bool) *cert.Facts {
	f := &cert.Facts{Packet: b.Packet, Reuse: string(b.Reuse)}
	if list := b.Hosts(); hosts && len(list) > 0 {
		f.Hosts = slices.Min(list)
	}
	if b.LateControl {
		f.Control = "late"
	}
	if same := b.Same(); same > 0 {
		f.Buffers = cert.Ints{int32(same)}
	} else if slices.Max(append(b.Links(), 0)) > 0 {
		for _, flits := range b.Links() {
			f.Buffers = append(f.Buffers, int32(flits))
		}
	}
	if f.Packet == 0 && f.Buffers == nil && f.Reuse == "" && f.Hosts == 0 && f.Control == "" {
		return nil
	}
	return f
}

// makeMulticast returns the multicast groups in the form of verify/cert. If the subject has no table, they have the map of VCs of r.
func makeMulticast(m *model.Multicast, r model.Relation, isTable bool) *cert.Multicast {
	c := &cert.Multicast{}
	if vcs := model.VCMapOf(r); vcs != nil && !isTable {
		c.VCRows, c.VCRowOf = makeVCRows(vcs)
	}
	for _, g := range m.Groups {
		w := cert.Group{MLID: int(g.MLID), Class: int(g.Class)}
		for _, e := range g.Entries {
			w.Entries = append(w.Entries, int32(e.Switch), int32(len(e.Ports)))
			for _, p := range e.Ports {
				w.Entries = append(w.Entries, int32(p))
			}
		}
		c.Groups = append(c.Groups, w)
	}
	return c
}

func makeNetwork(n *model.Network) cert.Network {
	c := cert.Network{
		VCs: n.VCs(), Hosts: n.NumHosts(),
		Switches: make([]string, n.NumSwitches()), Endpoints: make([]string, n.NumEndpoints()),
		Links: make(cert.Ints, 0, 4*n.NumLinks()), Attach: make(cert.Ints, 0, 2*n.NumEndpoints()),
	}
	for u := range c.Switches {
		c.Switches[u] = n.SwitchName(model.SwitchID(u))
	}
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		c.Links = append(c.Links, int32(k.A), int32(k.APort), int32(k.B), int32(k.BPort))
	}
	for h := range c.Endpoints {
		e := n.Host(model.HostID(h))
		c.Endpoints[h] = n.HostLabel(model.HostID(h))
		c.Attach = append(c.Attach, int32(e.Switch), int32(e.Port))
	}
	return c
}

func makeTable(t *model.Table) *cert.Table {
	n := t.Network()
	dests, switches := t.Destinations(), n.NumSwitches()
	c := &cert.Table{Sources: t.Sources(), Destinations: make(cert.Ints, dests), LIDs: make(cert.Ints, dests), Ports: make(cert.Ints, dests*switches)}
	hostDests := 0
	for d := range model.DestID(dests) {
		to := t.Destination(d)
		c.Destinations[d], c.LIDs[d] = int32(to.Host), int32(to.LID)
		if !n.Host(to.Host).Management {
			hostDests++
		}
		ports := c.Ports[int(d)*switches:]
		for u, out := range t.Row(d) {
			if ports[u] = -1; out >= 0 {
				ports[u] = int32(n.TailPort(out))
			} else if p, ok := t.Port(model.SwitchID(u), d); ok {
				ports[u] = int32(p)
			}
		}
	}
	if t.Management() == model.HostManagement && n.NumEndpoints() > n.NumHosts()+1 && hostDests < dests {
		c.Management = "hosts"
	}
	if sets := t.ClassSets(); sets != nil {
		classes := make(cert.Ints, hostDests*n.NumHosts())
		for i := range classes {
			classes[i] = int32(sets[i])
		}
		c.Classes = &classes
	}
	if t.HasManagementClasses() {
		c.ManagementClasses = makeManagementClasses(t, hostDests)
	}
	if m := t.VCMap(); m != nil {
		c.VCRows, c.VCRowOf = makeVCRows(m)
	}
	return c
}

// makeManagementClasses returns the classes of packets to and from management endpoints.
func makeManagementClasses(t *model.Table, hostDests int) *cert.Ints {
	sources := t.Sources()
	list := make(cert.Ints, t.Destinations()*sources)
	for i := range list {
		h, d := model.HostID(i%sources), model.DestID(i/sources)
		if int(h) >= t.Network().NumHosts() || int(d) >= hostDests {
			list[i] = int32(t.ClassesOf(h, d))
		}
	}
	return &list
}

// makeVCRows returns the different rows of the map in ascending order, and the number of
// the row at each place.
func makeVCRows(m *model.VCMap) (rows, rowOf *cert.Ints) {
	number := map[uint64]int32{}
	for _, r := range m.Rows() {
		number[r] = 0
	}
	order := make([]uint64, 0, len(number))
	for r := range number {
		order = append(order, r)
	}
	entry := func(r uint64, k int) int32 { return int32(r >> (4 * k) & 0xf) }
	slices.SortFunc(order, func(a, b uint64) int {
		for k := range model.MaxClasses {
			if c := cmp.Compare(entry(a, k), entry(b, k)); c != 0 {
				return c
			}
		}
		return 0
	})
	var list cert.Ints
	for i, r := range order {
		number[r] = int32(i)
		for k := range model.MaxClasses {
			list = append(list, entry(r, k))
		}
	}
	of := make(cert.Ints, len(m.Rows()))
	for i, r := range m.Rows() {
		of[i] = number[r]
	}
	return &list, &of
}

// makeSymmetries returns automorphisms in the form of verify/cert.
func makeSymmetries(n *model.Network, list []*model.Automorphism) (out []cert.Symmetry) {
	for _, a := range list {
		s := cert.Symmetry{Channels: make(cert.Ints, n.NumLinks()), Endpoints: make(cert.Ints, n.NumEndpoints())}
		for l := range s.Channels {
			s.Channels[l] = int32(a.Channel(model.ChannelID(2 * l)))
		}
		for h := range s.Endpoints {
			s.Endpoints[h] = int32(a.Host(model.HostID(h)))
		}
		out = append(out, s)
	}
	return out
}

// makeRelation returns a relation without states.
func makeRelation(r model.Relation) *cert.Relation {
	c := &cert.Relation{Classes: r.Classes(), Sources: r.Sources(), Destinations: make(cert.Ints, r.Destinations())}
	for d := range c.Destinations {
		c.Destinations[d] = int32(r.DestinationHost(model.DestID(d)))
	}
	f, isPart := r.(model.Flowing)
	switch s, ok := r.(model.Sender); {
	case isPart && model.ManagementOf(r) == model.NoManagement:
		c.Flows = makeFlows(f)
	case ok:
		c.Flows = makeSenders(s)
	}
	return c
}

// makeSenders returns the pairs of source and destination that talk, or nil if all do.
func makeSenders(r model.Sender) *cert.Ints {
	list, all := cert.Ints{}, true
	for h := range model.HostID(r.Sources()) {
		for d := range model.DestID(r.Destinations()) {
			switch {
			case r.DestinationHost(d) == h:
			case r.SendsTo(h, d):
				list = append(list, int32(h), int32(d))
			default:
				all = false
			}
		}
	}
	if all {
		return nil
	}
	return &list
}

// makeFlows returns the pairs of source and destination that talk.
func makeFlows(f model.Flowing) *cert.Ints {
	dests := map[model.HostID][]int32{}
	for d := range model.DestID(f.Destinations()) {
		dests[f.DestinationHost(d)] = append(dests[f.DestinationHost(d)], int32(d))
	}
	var pairs [][2]int32
	for _, x := range f.Flows() {
		for _, d := range dests[x.Dest] {
			if f.SendsTo(x.Source, model.DestID(d)) {
				pairs = append(pairs, [2]int32{int32(x.Source), d})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	list := make(cert.Ints, 0, 2*len(pairs))
	for _, p := range pairs {
		list = append(list, p[0], p[1])
	}
	return &list
}

// listStates lists the reachable states.
func listStates(c *cert.Relation, r model.Relation) {
	var classes []model.Class
	for h := range model.HostID(r.Sources()) {
		for d := range model.DestID(r.Destinations()) {
			if !model.Sends(r, h, d) {
				continue
			}
			classes = r.Inject(h, d, classes[:0])
			slices.Sort(classes)
			for _, k := range slices.Compact(classes) {
				c.Inject = append(c.Inject, int32(h), int32(d), int32(k))
			}
		}
	}
	eachState(r, func(s model.State, hops []model.Hop) {
		c.States = append(c.States, int32(s.Dest), int32(s.VC), int32(s.Class), int32(len(hops)))
		for _, h := range hops {
			c.States = append(c.States, int32(h.VC), int32(h.Class))
		}
	})
}

// eachState calls visit for all reachable states in the order of a certificate. The hops
// of each state are sorted and different.
func eachState(r model.Relation, visit func(s model.State, hops []model.Hop)) {
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		order := make([]int, len(s.States))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int {
			p, q := s.States[a], s.States[b]
			return cmp.Or(cmp.Compare(p.VC, q.VC), cmp.Compare(p.Class, q.Class))
		})
		for _, i := range order {
			hops, _ := s.HopsOf(i)
			hops = slices.Clone(hops)
			slices.SortFunc(hops, func(p, q model.Hop) int {
				return cmp.Or(cmp.Compare(p.VC, q.VC), cmp.Compare(p.Class, q.Class))
			})
			visit(s.States[i], slices.Compact(hops))
		}
	}
}

// toWaitingPackets converts packets that use the dependencies of a cycle. It removes the
// last VC of each path and returns it in next. The packets are ascending by the VC that
// they hold.
func toWaitingPackets(cycle []*cdg.Packet) (list []*cdg.Packet, next []model.VCID) {
	cycle = slices.Clone(cycle)
	holds := func(p *cdg.Packet) model.VCID { return p.Path[len(p.Path)-2].VC }
	slices.SortFunc(cycle, func(a, b *cdg.Packet) int { return cmp.Compare(holds(a), holds(b)) })
	for _, p := range cycle {
		last := len(p.Path) - 1
		list = append(list, &cdg.Packet{Source: p.Source, Dest: p.Dest, Path: p.Path[:last], Group: p.Group, MLID: p.MLID})
		if p.Group > 0 {
			next = append(next, model.NoVC) // it waits for all its copies
			continue
		}
		next = append(next, p.Path[last].VC)
	}
	return list, next
}
