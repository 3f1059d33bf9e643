package tabulate

import (
	"context"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/tables"
)

// This file makes the table of ranges of destinations with the same next hops.

// rangeColumns are the columns of ranges. The VC is a column if the routing has several.
func rangeColumns(r model.Relation) []tables.Column {
	if hasOutputVCs(r) {
		return Columns("switch first# last# first_destination last_destination out_port# out_vc#")
	}
	return Columns("switch first# last# first_destination last_destination out_port#")
}

// rangeRows lists the ranges of each switch, with a row for each next hop.
func rangeRows(ctx context.Context, s *Source, row func(...any) error) error {
	r, n, names := s.Relation, s.Relation.Network(), s.names()
	l, err := nextLookup(ctx, r)
	if err != nil {
		return err
	}
	name := func(d model.DestID) string { return names.HostName(r.DestinationHost(d)) }
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, x := range l.Ranges(u) {
			for _, o := range l.OutputsOf(x.Set) {
				values := []any{names.SwitchName(u), int(x.First), int(x.Last), name(x.First), name(x.Last), int(o.Port)}
				if hasOutputVCs(r) {
					values = append(values, o.VC)
				}
				if err := row(values...); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
