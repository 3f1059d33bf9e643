package rows

import (
	"context"
	"errors"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/route"
)

// This file makes the rows of the tables.

func turnRows(ctx context.Context, in *input.Input, _, _ model.HostID, row func(...any) error) error {
	n := in.Net
	used, err := TurnsOf(ctx, in.Rel)
	if err != nil {
		return err
	}
	for t := range model.Turns(n, true) {
		if t.IsUTurn(n) && !used.Has(t) {
			continue
		}
		a, i := n.Channel(t.In)
		b, j := n.Channel(t.Out)
		if err := row(n.SwitchName(n.Head(a)), n.HeadPort(a), i, n.TailPort(b), j, used.Has(t), n.SwitchName(n.Tail(a)), n.SwitchName(n.Head(b))); err != nil {
			return err
		}
	}
	return nil
}

// TurnsOf returns the turns that a routing keeps to: those of its turn set, else
// those that it uses for some pair of hosts.
func TurnsOf(ctx context.Context, r model.Relation) (*model.TurnSet, error) {
	if r, ok := r.(route.Restricted); ok {
		return r.Turns(), nil
	}
	g, err := cdg.Build(ctx, r)
	if err != nil {
		return nil, err
	}
	return g.Turns(), nil
}

func nextHopRows(_ context.Context, in *input.Input, _, to model.HostID, row func(...any) error) error {
	n := in.Net
	t, err := forwardingTable(in)
	if err != nil {
		return err
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		for d := range model.DestID(t.Destinations()) {
			p, ok := t.Port(u, d)
			if host := t.DestinationHost(d); !ok || to != model.NoHost && host != to {
				continue
			}
			next := "nothing"
			if c := n.OutAt(u, p); c != model.NoChannel {
				next, _ = say.EndName(n, n.Head(c), n.HostOf(c))
			}
			if err := row(n.SwitchName(u), t.Destination(d).LID, n.HostLabel(t.DestinationHost(d)), p, next); err != nil {
				return err
			}
		}
	}
	return nil
}

func pathRows(ctx context.Context, in *input.Input, from, to model.HostID, row func(...any) error) error {
	n, r := in.Net, in.Rel
	for h := range model.HostID(r.Sources()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if from != model.NoHost && h != from {
			continue
		}
		for d := range model.DestID(r.Destinations()) {
			host := r.DestinationHost(d)
			if to != model.NoHost && host != to {
				continue
			}
			for w := range in.Paths(h, d) {
				passed := 0
				for _, s := range w.Path {
					if c, _ := n.Channel(s.VC); n.Head(c) != model.NoSwitch {
						passed++
					}
				}
				if err := row(n.HostLabel(h), n.HostLabel(host), input.Lid(r, d), w.Class, w.End, passed, say.PathText(n, w.Path)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// eachSpace explores destination by destination, all or those of host to.
func eachSpace(ctx context.Context, r model.Relation, to model.HostID, visit func(d model.DestID, space *cdg.Space) error) error {
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		if to != model.NoHost && r.DestinationHost(d) != to {
			continue
		}
		space := x.Explore(d)
		if err := errors.Join(ctx.Err(), x.Err()); err != nil {
			return err
		}
		if err := visit(d, space); err != nil {
			return err
		}
	}
	return nil
}

// inputHopRows lists the hops of every state that packets can get into.
func inputHopRows(ctx context.Context, in *input.Input, _, to model.HostID, row func(...any) error) error {
	n := in.Net
	return eachSpace(ctx, in.Rel, to, func(d model.DestID, space *cdg.Space) error {
		dest := n.HostLabel(in.Rel.DestinationHost(d))
		for i, at := range space.States {
			c, vc := n.Channel(at.VC)
			hops, _ := space.HopsOf(i)
			for _, h := range hops {
				o, j := n.Channel(h.VC)
				next, _ := say.EndName(n, n.Head(o), n.HostOf(o))
				if err := row(n.SwitchName(n.Head(c)), n.HeadPort(c), vc, at.Class, dest, n.TailPort(o), j, h.Class, next); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// distanceRows measures every pair; -1 stands for no way.
func distanceRows(ctx context.Context, in *input.Input, from, to model.HostID, row func(...any) error) error {
	n, r := in.Net, in.Rel
	return eachSpace(ctx, r, to, func(d model.DestID, space *cdg.Space) error {
		host := r.DestinationHost(d)
		free, best := hv.Hops(n, n.Host(host).Switch), linksFrom(n, space)
		for h := range model.HostID(r.Sources()) {
			if !model.Sends(r, h, d) || from != model.NoHost && h != from {
				continue
			}
			way, unrestricted := -1, -1
			if k := free[n.Host(h).Switch]; k != hv.Far {
				unrestricted = int(k)
			}
			if k, ok := best[h]; ok {
				way = k
			}
			if err := row(n.HostLabel(h), n.HostLabel(host), input.Lid(r, d), way, unrestricted); err != nil {
				return err
			}
		}
		return nil
	})
}

// linksFrom returns the fewest links on a permitted way, by source that has one.
func linksFrom(n *model.Network, space *cdg.Space) map[model.HostID]int {
	links, best := hopsToDelivery(space), map[model.HostID]int{}
	for i, at := range space.States {
		c, _ := n.Channel(at.VC)
		if n.Kind(c) != model.Inject { // those come first
			break
		}
		if old, known := best[n.HostOf(c)]; links[i] >= 0 && (!known || links[i] < old) {
			best[n.HostOf(c)] = links[i]
		}
	}
	return best
}

// hopsToDelivery returns, by state, the fewest links on a way from it to the
// destination, -1 where there is none.
func hopsToDelivery(space *cdg.Space) []int {
	links := make([]int, len(space.States))
	var queue []int
	for i := range links {
		links[i] = -1
		if _, next := space.HopsOf(i); slices.Contains(next, cdg.Delivered) {
			links[i] = 0
			queue = append(queue, i)
		}
	}
	var back cdg.Backward
	back.Of(space)
	for ; len(queue) > 0; queue = queue[1:] {
		for _, j := range back.Before(int32(queue[0])) {
			if links[j] < 0 {
				links[j] = links[queue[0]] + 1
				queue = append(queue, int(j))
			}
		}
	}
	return links
}
