package table

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/booksim"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/synth/tabulate"
)

// This file writes the formats that are not a list of rows: lookup tables for hardware and C,
// forwarding tables for OpenSM, networks for BookSim, and traffic.

// lookupWriter returns the Write function of a Format whose files write makes from a lookup table.
func lookupWriter(write func(io.Writer, *tables.Lookup) error) func(*cli.Context, *resolve.Subject, string, io.Writer) error {
	return func(c *cli.Context, in *resolve.Subject, kind string, w io.Writer) error {
		l, err := tabulate.Lookup(c.Context, in.Rel, kind)
		if err != nil {
			return err
		}
		l.Network, l.Routing = resolve.Title(in.Name), routingTitle(c, in)
		return write(w, l)
	}
}

// writePermutation writes the worst permutation of the routing.
func writePermutation(c *cli.Context, in *resolve.Subject, _ string, w io.Writer) error {
	return tabulate.WritePermutation(c.Context, w, in.Rel, resolve.Title(in.Name)+", "+routingTitle(c, in))
}

// routingTitle returns the name of the routing for headings. It includes the value of --paths, if
// set.
func routingTitle(c *cli.Context, in *resolve.Subject) string {
	if p := c.String("paths"); p != "" {
		return in.RoutingName() + ", paths " + p
	}
	return in.RoutingName()
}

// writeOpenSM writes forwarding tables in the format of OpenSM's file engine.
func writeOpenSM(c *cli.Context, in *resolve.Subject, _ string, w io.Writer) error {
	t, notes, err := singlePath(c, in)
	if err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintln(c.App.ErrWriter, "note:", note)
	}
	if k := t.Network().VCs(); k > 1 {
		return fmt.Errorf("--format opensm: %s needs %d virtual lanes, which this format cannot express: OpenSM would use one (convert --to "+
			"lfts writes the tables alone)", in.RoutingName(), k)
	}
	return lft.Write(w, t)
}

// singlePath converts a routing to forwarding tables, with notes about the conversion. From a turn
// set it chooses one path for each destination. Of other routings it requires that the next hop
// depends only on the destination.
func singlePath(c *cli.Context, in *resolve.Subject) (*model.Table, []string, error) {
	chosen := c.String("paths") != "" || strings.Contains(in.Routing, ",paths=")
	if t, ok := in.Rel.(*model.Table); ok {
		return t, nil, nil
	}
	if r, ok := in.Rel.(model.Restricted); ok && !chosen && in.Net.VCs() == 1 {
		f, err := synth.InTrees(c.Context, r.Turns(), synth.TreeOptions{})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", in.RoutingName(), err)
		}
		notes := []string{"one path for each destination along allowed turns, as by --paths table"}
		if k := len(f.Unmanaged); k > 0 {
			notes = append(notes, fmt.Sprintf("%d switches without hosts are not reachable from all others, and have no entries", k))
		}
		return f.Table, notes, nil
	}
	if k := in.Net.VCs(); k > 1 {
		return nil, nil, fmt.Errorf("--format opensm: %s uses %d virtual channels, which forwarding tables cannot express", in.RoutingName(), k)
	}
	t, left, err := synth.DestinationTable(c.Context, in.Rel)
	if several := (*synth.SeveralHops)(nil); errors.As(err, &several) {
		return nil, nil, fmt.Errorf("--format opensm: the next hop of %s depends on more than the destination: %w; for a turn set, --paths "+
			"table makes a table", in.RoutingName(), err)
	}
	if err != nil {
		return nil, nil, err
	}
	var notes []string
	if left > 0 {
		notes = append(notes, fmt.Sprintf("%d switches without hosts have no entries for their own LIDs", left))
	}
	return t, notes, nil
}

// writeBookSim writes the network for BookSim. It returns an error if BookSim would route
// differently from the table.
func writeBookSim(_ *cli.Context, in *resolve.Subject, _ string, w io.Writer) error {
	t, err := tabulate.ForwardingTable(in.Rel)
	if err != nil {
		return err
	}
	return booksim.Write(w, t)
}
