package relationchanges

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file converts cases.

// side is one of the relations of a world.
type side struct {
	w    *world
	net  *model.Network
	next [][][]int
}

func (s *side) Network() *model.Network                     { return s.net }
func (s *side) Classes() int                                { return 1 }
func (s *side) Sources() int                                { return len(s.w.hosts) }
func (s *side) Destinations() int                           { return len(s.w.hosts) }
func (s *side) DestinationHost(d model.DestID) model.HostID { return model.HostID(d) }
func (s *side) Inject(_ model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	return append(buf, 0)
}

func (s *side) Next(at model.State, buf []model.Hop) []model.Hop {
	place := int(at.VC)
	if c, _ := s.net.Channel(at.VC); int(c) >= s.net.NumLinkChannels() {
		place = s.w.numVCs() + int(s.net.Head(c))
	}
	for _, to := range s.next[at.Dest][place] {
		if to == own {
			to = int(s.net.VC(s.net.EjectChannel(model.HostID(at.Dest)), 0))
		}
		buf = append(buf, model.Hop{VC: model.VCID(to)})
	}
	return buf
}

// change converts a case.
func (w *world) change(ctx context.Context) (*relations.Change, error) {
	b := model.NewBuilder()
	for u := range w.switches {
		b.AddSwitch(model.Switch{Name: fmt.Sprint("s", u)})
	}
	ports := make([]model.Port, w.switches)
	next := func(u int) model.Port { ports[u]++; return ports[u] }
	for _, ends := range w.links {
		p, q := next(ends[0]), next(ends[1])
		b.AddLink(model.SwitchID(ends[0]), p, model.SwitchID(ends[1]), q)
	}
	for h, u := range w.hosts {
		b.AddHost(model.Host{Name: fmt.Sprint("h", h), Switch: model.SwitchID(u), Port: next(u)})
	}
	n, err := b.Build()
	if err != nil {
		return nil, err
	}
	n = n.WithVCs(w.vcs)
	o := relations.Options{Drops: w.drops}
	if w.one {
		o.Waiting = model.WaitOne
	}
	return relations.New(ctx, &side{w, n, w.next[0]}, &side{w, n, w.next[1]}, o)
}
