package tabulate

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/view/tables"
)

func turnRows(ctx context.Context, s *Source, row func(...any) error) error {
	r, n, x := s.Relation, s.Relation.Network(), s.names()
	used, err := cdg.TurnsOf(ctx, r)
	if err != nil {
		return err
	}
	for t := range model.Turns(n, true) {
		if t.IsUTurn(n) && !used.Has(t) {
			continue
		}
		a, i := n.Channel(t.In)
		b, j := n.Channel(t.Out)
		if err := row(x.SwitchName(n.Head(a)), n.HeadPort(a), i, n.TailPort(b), j, used.Has(t), x.SwitchName(n.Tail(a)), x.SwitchName(n.Head(b))); err != nil {
			return err
		}
	}
	return nil
}

func pathRows(ctx context.Context, s *Source, row func(...any) error) error {
	r, n, x := s.Relation, s.Relation.Network(), s.names()
	for h := range model.HostID(r.Sources()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.From != model.NoHost && h != s.From {
			continue
		}
		for d := range model.DestID(r.Destinations()) {
			host := r.DestinationHost(d)
			if s.To != model.NoHost && host != s.To {
				continue
			}
			for w := range route.Walks(r, h, d) {
				passed, vcs := 0, []string{}
				for _, s := range w.Path {
					c, vc := n.Channel(s.VC)
					if n.Head(c) != model.NoSwitch {
						passed++
					}
					if n.Kind(c) == model.SwitchToSwitch {
						vcs = append(vcs, strconv.Itoa(vc))
					}
				}
				if err := row(x.HostName(h), x.HostName(host), model.LIDOf(r, d), w.Class, w.End, passed, wording.PortPath(n, w.Path),
					strings.Join(vcs, " ")); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// inputHopColumns returns the columns of input-hops. A routing that weighs its hops has one for the weights.
func inputHopColumns(r model.Relation) []tables.Column {
	list := "switch in_port# in_vc# class# destination out_port# out_vc# next_class# next"
	if _, is := r.(model.HopWeighted); is {
		list += " weight#"
	}
	return Columns(list)
}

// inputHopRows lists the hops of every state that packets can get into.
func inputHopRows(ctx context.Context, s *Source, row func(...any) error) error {
	r, n, x := s.Relation, s.Relation.Network(), s.names()
	weighted, isWeighted := r.(model.HopWeighted)
	return cdg.EachSpace(ctx, r, s.To, func(d model.DestID, space *cdg.Space) error {
		dest := x.HostName(r.DestinationHost(d))
		for i, at := range space.States {
			c, vc := n.Channel(at.VC)
			hops, _ := space.HopsOf(i)
			for _, h := range hops {
				o, j := n.Channel(h.VC)
				next := endName(n, x, o)
				fields := []any{x.SwitchName(n.Head(c)), n.HeadPort(c), vc, at.Class, dest, n.TailPort(o), j, h.Class, next}
				if isWeighted {
					fields = append(fields, weighted.HopWeights(at, nil)[slices.Index(r.Next(at, nil), h)])
				}
				if err := row(fields...); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// distanceRows measures every pair. Pairs without a path have -1.
func distanceRows(ctx context.Context, s *Source, row func(...any) error) error {
	r, n, x := s.Relation, s.Relation.Network(), s.names()
	return cdg.EachSpace(ctx, r, s.To, func(d model.DestID, space *cdg.Space) error {
		host := r.DestinationHost(d)
		free, best := hv.Hops(n, n.Host(host).Switch), cdg.LinksFrom(n, space)
		for h := range model.HostID(r.Sources()) {
			if !model.Sends(r, h, d) || s.From != model.NoHost && h != s.From {
				continue
			}
			way, unrestricted := -1, -1
			if k := free[n.Host(h).Switch]; k != hv.Far {
				unrestricted = int(k)
			}
			if k, ok := best[h]; ok {
				way = k
			}
			if err := row(x.HostName(h), x.HostName(host), model.LIDOf(r, d), way, unrestricted); err != nil {
				return err
			}
		}
		return nil
	})
}
