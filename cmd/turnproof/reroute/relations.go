package reroute

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file serves routings that are no tables of an InfiniBand fabric: networks on a chip, Ethernet, turn sets, programs.

// readRelations makes the change between two relations.
func (s *states) readRelations(ctx context.Context) error {
	drops := true
	for _, in := range s.in {
		drops = drops && (in.Net.IsInfiniBand() || in.Switching == model.StoreAndForward)
	}
	o := relations.Options{Drops: drops}
	if a, b := s.rep[0].Waiting, s.rep[1].Waiting; a == b && a != model.WaitMixed {
		o.Waiting = a
	}
	c, err := relations.New(ctx, s.in[0].Rel, s.in[1].Rel, o)
	if err != nil {
		return fmt.Errorf("%s and %s: %w", s.names[0], s.names[1], err)
	}
	s.any, s.diff = c, &compare.NetworkDiff{CablesGone: c.Gone, CablesNew: c.Moved.New}
	s.entries, s.changed = c.Entries()
	if !drops {
		s.premises = append([]model.Premise{{Name: "packets without a next hop during the change", Value: "keep their VC", Source: model.Assumed}},
			s.premises...)
	}
	return s.losesPairs()
}

// writeRelations writes the entries that change in each step.
func (r *result) writeRelations(write cli.FileWriter) error {
	c, ok := r.any.(*relations.Change)
	if !ok {
		return nil
	}
	lists := map[string][]transition.Step{}
	if r.order.Answer == reroute.Found {
		lists["step"] = r.order.Steps
	}
	if r.ways != nil {
		lists["stop"] = r.ways.Steps
	}
	for _, name := range []string{"step", "stop"} {
		part := r.part
		if name == "stop" {
			part = transition.Destination
		}
		steps := lists[name]
		if len(steps) > mostTables {
			continue
		}
		for i, s := range steps {
			if s.Kind == transition.Stop {
				continue
			}
			err := write(fmt.Sprintf("%s-%02d.csv", name, i+1), func(w io.Writer) error { return writeEntries(w, c, part, s.Parts) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// writeEntries writes the entries of parts that differ as CSV.
func writeEntries(w io.Writer, c *relations.Change, part transition.Part, parts []int32) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"switch", "destination", "arrives on", "old next hops", "new next hops"}); err != nil {
		return err
	}
	n := c.Network()
	hops := func(list []model.VCID) string {
		var names []string
		for _, v := range list {
			names = append(names, wording.Channel(n, v))
		}
		return strings.Join(names, "; ")
	}
	for d := range model.DestID(c.NumDestinations()) {
		for u := range model.SwitchID(n.NumSwitches()) {
			own := int32(d)
			if part == transition.Switch {
				own = int32(u)
			}
			if !c.Differs(d, u) || !slices.Contains(parts, own) {
				continue
			}
			for _, row := range c.Rows(d, u) {
				in := "any"
				if row.In != model.NoVC {
					in = wording.Channel(n, row.In)
				}
				to := n.HostLabel(c.Relation().DestinationHost(d))
				if err := out.Write([]string{n.SwitchLabel(u), to, in, hops(row.Old), hops(row.New)}); err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}
