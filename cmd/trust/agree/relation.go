package agree

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// This file builds the network and the relation of a case.

// network builds the network. Links get the first ports of a switch, hosts the next.
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

// relation builds the relation.
func (c *Case) relation() (model.Relation, error) {
	r, err := c.hopsOnly()
	if err == nil && c.Waiting == waitsMixed {
		r = &committing{r, c}
	}
	return r, err
}

// hopsOnly builds the relation without its waiting rule.
func (c *Case) hopsOnly() (model.Relation, error) {
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

// placeOf returns the place of a VC of package model.
func placeOf(n *model.Network, v model.VCID, k model.Class) place {
	c, i := n.Channel(v)
	if h := n.HostOf(c); h != model.NoHost {
		return place{-1 - int(h), i, int(k)}
	}
	return place{int(c), i, int(k)}
}

// explicit is a relation that is a list of states.
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

// withEscape is an explicit relation that declares its escape.
type withEscape struct{ *explicit }

// EscapeVC implements model.Escaper.
func (r *withEscape) EscapeVC(v model.VCID) bool {
	_, i := r.net.Channel(v)
	return r.net.IsLinkVC(v) && slices.Contains(r.c.States.Escape, i)
}

// hidden hides from type assertions that a relation is a table or a routing of a grid.
type hidden struct{ model.Relation }
