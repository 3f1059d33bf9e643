package tabulate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/model/view/tables"
)

// This file makes the table of next hops of a routing that looks at the switch and the destination only.

// NotByDestination is the error for a routing whose next hops depend on how the packet arrived.
type NotByDestination struct {
	Switch, Destination string
	Inputs, Outputs     [2]string // two inputs and their different outputs
}

// Error implements error.
func (e *NotByDestination) Error() string {
	return fmt.Sprintf("the next hop depends on more than the destination: at switch %s, packets to %s that arrive by %s go on by %s, and by %s "+
		"go on by %s; --kind input-hops has a table by input", e.Switch, e.Destination, e.Inputs[0], e.Outputs[0], e.Inputs[1], e.Outputs[1])
}

// eachNextHops calls visit for each destination, or for those of host to if it is a host. hops has by switch the
// VCs on which packets to d may go on, in ascending order; it is empty where no packet to d arrives. hops is valid
// until the next call. If some packets at a switch may take other VCs, it returns *NotByDestination.
func eachNextHops(ctx context.Context, r model.Relation, to model.HostID, visit func(d model.DestID, hops [][]model.VCID) error) error {
	n := r.Network()
	hops, first := make([][]model.VCID, n.NumSwitches()), make([]model.State, n.NumSwitches())
	var set []model.VCID
	return cdg.EachSpace(ctx, r, to, func(d model.DestID, space *cdg.Space) error {
		for u := range hops {
			hops[u], first[u] = hops[u][:0], model.State{VC: model.NoVC}
		}
		for i, at := range space.States {
			set = set[:0]
			list, _ := space.HopsOf(i)
			for _, h := range list {
				set = append(set, h.VC)
			}
			slices.Sort(set)
			set = slices.Compact(set)
			in, _ := n.Channel(at.VC)
			u := n.Head(in)
			switch {
			case first[u].VC == model.NoVC:
				hops[u], first[u] = append(hops[u], set...), at
			case !slices.Equal(hops[u], set):
				return &NotByDestination{n.SwitchName(u), n.HostLabel(r.DestinationHost(d)),
					[2]string{inputText(r, first[u]), inputText(r, at)}, [2]string{outputText(n, hops[u]), outputText(n, set)}}
			}
		}
		return visit(d, hops)
	})
}

// inputText describes how a packet arrived: port 2 VC 1.
func inputText(r model.Relation, s model.State) string {
	n := r.Network()
	c, vc := n.Channel(s.VC)
	text := fmt.Sprintf("port %d VC %d", n.HeadPort(c), vc)
	if r.Classes() > 1 {
		text += fmt.Sprintf(" class %d", s.Class)
	}
	return text
}

// outputText lists VCs: port 1 VC 0, port 3 VC 0.
func outputText(n *model.Network, list []model.VCID) string {
	if len(list) == 0 {
		return "nothing"
	}
	var parts []string
	for _, v := range list {
		c, vc := n.Channel(v)
		parts = append(parts, fmt.Sprintf("port %d VC %d", n.TailPort(c), vc))
	}
	return strings.Join(parts, ", ")
}

// nextHopColumns are the columns of next hops. The VC is a column if the routing has several.
func nextHopColumns(r model.Relation) []tables.Column {
	if hasOutputVCs(r) {
		return Columns("switch lid# destination out_port# out_vc# next")
	}
	return Columns("switch lid# destination out_port# next")
}

// hasOutputVCs reports whether next hops of r state a VC. Forwarding tables do not: service levels select their VCs.
func hasOutputVCs(r model.Relation) bool {
	_, isTable := r.(*model.Table)
	return !isTable && r.Network().VCs() > 1
}

// nextHopRows lists forwarding tables by switch, and other routings by destination.
func nextHopRows(ctx context.Context, s *Source, row func(...any) error) error {
	r, n, x := s.Relation, s.Relation.Network(), s.names()
	if t, ok := r.(*model.Table); ok {
		return tableRows(t, x, s.To, row)
	}
	withVC := hasOutputVCs(r)
	return eachNextHops(ctx, r, s.To, func(d model.DestID, hops [][]model.VCID) error {
		dest := x.HostName(r.DestinationHost(d))
		for u, list := range hops {
			for _, v := range list {
				c, vc := n.Channel(v)
				next := endName(n, x, c)
				values := []any{x.SwitchName(model.SwitchID(u)), model.LIDOf(r, d), dest, n.TailPort(c)}
				if withVC {
					values = append(values, vc)
				}
				if err := row(append(values, next)...); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// tableRows lists the entries of forwarding tables, of all destinations or of those of host to.
func tableRows(t *model.Table, x *names.Index, to model.HostID, row func(...any) error) error {
	n := t.Network()
	for u := range model.SwitchID(n.NumSwitches()) {
		for d := range model.DestID(t.Destinations()) {
			p, ok := t.Port(u, d)
			if host := t.DestinationHost(d); !ok || to != model.NoHost && host != to {
				continue
			}
			next := "nothing"
			if c := n.OutAt(u, p); c != model.NoChannel {
				next = endName(n, x, c)
			}
			if err := row(x.SwitchName(u), t.Destination(d).LID, x.HostName(t.DestinationHost(d)), p, next); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextLookup returns the next hops of a routing as a lookup.
func nextLookup(ctx context.Context, r model.Relation) (*tables.Lookup, error) {
	if t, ok := r.(*model.Table); ok {
		return tables.NextHops(t)
	}
	l, err := tables.NewNext(r)
	if err != nil {
		return nil, err
	}
	n := r.Network()
	return l, eachNextHops(ctx, r, model.NoHost, func(d model.DestID, hops [][]model.VCID) error {
		for u, list := range hops {
			for _, v := range list {
				c, vc := n.Channel(v)
				l.Permit(tables.Input{Switch: model.SwitchID(u), Dest: d}, tables.Output{Port: n.TailPort(c), VC: vc})
			}
		}
		return nil
	})
}
