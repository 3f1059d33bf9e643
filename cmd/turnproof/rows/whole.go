package rows

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth"
)

// This file writes the tables that are written as a whole: lookups for hardware and
// programs, forwarding tables for OpenSM, networks for BookSim.

// lookupWriter is the way from an input to a lookup in some language.
func lookupWriter(write func(io.Writer, *tables.Lookup) error) func(*cli.Context, *input.Input, string, io.Writer) error {
	return func(c *cli.Context, in *input.Input, kind string, w io.Writer) error {
		l, err := lookupOf(c.Context, in, kind)
		if err != nil {
			return err
		}
		l.Network, l.Routing = picture.Subject(in.Name), RoutingTitle(c, in)
		return write(w, l)
	}
}

// RoutingTitle is what a routing is called in headings, with the paths that were
// chosen of a turn set.
func RoutingTitle(c *cli.Context, in *input.Input) string {
	if p := c.String("paths"); p != "" {
		return in.RoutingName() + ", paths " + p
	}
	return in.RoutingName()
}

func lookupOf(ctx context.Context, in *input.Input, kind string) (*tables.Lookup, error) {
	switch kind {
	case "turns":
		set, err := TurnsOf(ctx, in.Rel)
		if err != nil {
			return nil, err
		}
		return tables.AllowedTurns(set)
	case "next-hops":
		t, err := forwardingTable(in)
		if err != nil {
			return nil, err
		}
		return tables.NextHops(t)
	}
	l, err := tables.NewInputNext(in.Rel)
	if err != nil {
		return nil, err
	}
	return l, eachSpace(ctx, in.Rel, model.NoHost, func(_ model.DestID, space *cdg.Space) error {
		for i, at := range space.States {
			hops, _ := space.HopsOf(i)
			for _, h := range hops {
				l.PermitHop(at, h)
			}
		}
		return nil
	})
}

// forwardingTable is the routing, if it is forwarding tables.
func forwardingTable(in *input.Input) (*model.Table, error) {
	t, ok := in.Rel.(*model.Table)
	if !ok {
		return nil, errors.New("next hops without input ports are of forwarding tables; --kind input-hops shows what this routing permits")
	}
	return t, nil
}

// writeOpenSM writes forwarding tables for OpenSM's file engine.
func writeOpenSM(c *cli.Context, in *input.Input, _ string, w io.Writer) error {
	t, notes, err := singlePath(c, in)
	if err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintln(c.App.ErrWriter, "note:", note)
	}
	if k := t.Network().VCs(); k > 1 {
		return fmt.Errorf("--format opensm: %s needs %d virtual lanes, which this form does not tell: OpenSM would put all on one (convert --to lfts writes the tables alone)", in.RoutingName(), k)
	}
	return format.WriteTable(w, t)
}

// singlePath makes forwarding tables of a routing: what it is, what it allows, or
// what it does if that depends on nothing but the destination.
func singlePath(c *cli.Context, in *input.Input) (*model.Table, []string, error) {
	chosen := c.String("paths") != "" || strings.Contains(in.Routing, ",paths=")
	if t, ok := in.Rel.(*model.Table); ok {
		return t, nil, nil
	}
	if r, ok := in.Rel.(route.Restricted); ok && !chosen && in.Net.VCs() == 1 {
		f, err := synth.InTrees(c.Context, r.Turns(), synth.TreeOptions{})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", in.RoutingName(), err)
		}
		notes := []string{"one way for each destination along allowed turns, as by --paths table"}
		if k := len(f.Unmanaged); k > 0 {
			notes = append(notes, fmt.Sprintf("%d switches without hosts cannot be reached by all others, and have no entries", k))
		}
		return f.Table, notes, nil
	}
	return destinationBased(c.Context, in)
}

// destinationBased makes the table of a routing that goes by the destination alone.
// Switches are reached as their hosts are.
func destinationBased(ctx context.Context, in *input.Input) (*model.Table, []string, error) {
	n := in.Net
	if n.VCs() > 1 {
		return nil, nil, fmt.Errorf("--format opensm: %s uses %d virtual channels, forwarding tables tell none", in.RoutingName(), n.VCs())
	}
	t := model.NewTable(n, model.AllAddresses(n))
	answers := make([][]model.DestID, n.NumEndpoints())
	for d := range model.DestID(t.AllDestinations()) {
		h := t.DestinationHost(d)
		answers[h] = append(answers[h], d)
	}
	set := func(h model.HostID, u model.SwitchID, p model.Port) {
		for _, d := range answers[h] {
			t.SetPort(u, d, p)
		}
	}
	management := map[model.SwitchID]model.HostID{}
	for h := n.NumHosts(); h < n.NumEndpoints(); h++ {
		management[n.Host(model.HostID(h)).Switch] = model.HostID(h)
	}
	err := eachSpace(ctx, in.Rel, model.NoHost, func(d model.DestID, space *cdg.Space) error {
		h := in.Rel.DestinationHost(d)
		port0, managed := management[n.Host(h).Switch]
		delete(management, n.Host(h).Switch) // the first host of a switch leads to it
		seen := map[model.SwitchID]model.ChannelID{}
		for i, at := range space.States {
			hops, _ := space.HopsOf(i)
			in0, _ := n.Channel(at.VC)
			u := n.Head(in0)
			for _, hop := range hops {
				c, _ := n.Channel(hop.VC)
				if old, ok := seen[u]; ok && old != c {
					return fmt.Errorf("--format opensm: %s is not by destination alone: at switch %s packets to %s go on by port %d and by port %d; of a turn set --paths table makes a table", in.RoutingName(), n.SwitchName(u), n.HostLabel(h), n.TailPort(old), n.TailPort(c))
				}
				seen[u] = c
				set(h, u, n.TailPort(c))
				if managed && u != n.Host(h).Switch {
					set(port0, u, n.TailPort(c))
				}
			}
		}
		if managed {
			set(port0, n.Host(h).Switch, 0)
		}
		// A host sends to itself through its switch.
		set(h, n.Host(h).Switch, n.Host(h).Port)
		return nil
	})
	var notes []string
	if k := len(management); k > 0 && err == nil {
		notes = append(notes, fmt.Sprintf("%d switches without hosts have no entries for their own LIDs", k))
	}
	return t, notes, err
}

// writeBookSim writes the network for BookSim, if BookSim routes it as the table does.
func writeBookSim(_ *cli.Context, in *input.Input, _ string, w io.Writer) error {
	t, err := forwardingTable(in)
	if err != nil {
		return err
	}
	return format.WriteBookSim(w, t)
}
