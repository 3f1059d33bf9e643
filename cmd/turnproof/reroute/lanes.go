package reroute

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file proves and writes a change by a second lane.

// twoLanes is a change by a second lane, both of whose states are proved.
type twoLanes struct {
	*reroute.Lanes
	over, back *cert.Certificate
}

// findLanes returns the change by a second lane, or nil if there are not enough VCs. Tables whose graphs alone have no cycle have one.
func findLanes(ctx context.Context, s *states.Pair, about transition.About) (*twoLanes, error) {
	c := tablesOf(s)
	if c == nil {
		return nil, nil
	}
	l := &twoLanes{Lanes: reroute.TwoLanes(c)}
	if l.Lanes == nil {
		return nil, nil
	}
	for _, x := range []struct {
		table *model.Table
		to    **cert.Certificate
	}{{l.Over, &l.over}, {l.Back, &l.back}} {
		rep, err := verify.Check(ctx, x.table, verify.Options{Switching: s.Switching(), Inputs: about.Inputs})
		if err != nil {
			return nil, err
		}
		if rep.Acyclic.Verdict != verify.Proved {
			return nil, nil
		}
		*x.to = rep.Certificate
	}
	return l, nil
}

// tablesOf returns the change as one of tables, or nil if one of the routings is no table, or the networks differ.
func tablesOf(s *states.Pair) *transition.Change {
	if s.Change != nil {
		return s.Change
	}
	old, is := s.In[0].Rel.(*model.Table)
	now, are := s.In[1].Rel.(*model.Table)
	if !is || !are || !s.Diff.Same() {
		return nil
	}
	c, err := transition.New(old, now)
	if err != nil {
		return nil // no lanes
	}
	return c
}

// print says what the second lane takes.
func (l *twoLanes) print(w io.Writer) {
	fmt.Fprintf(w, "PROVED    a way out: new entries on a lane of their own, which takes %d VCs in place of %d and second addresses of %s\n", l.VCs,
		l.VCs/2, wording.Count(len(l.Changed()), "destination", "s"))
	if l.Over.HasLIDs() {
		fmt.Fprintf(w, "          OpenSM cannot load it with these LIDs: a switch looks up the LID only, so new entries need LIDs of their own "+
			"(LMC 1 or more)\n")
	}
}

// write writes both tables as rows.
func (l *twoLanes) write(write cli.FileWriter) error {
	for i, t := range []*model.Table{l.Over, l.Back} {
		if err := write(fmt.Sprintf("lane-%d.csv", i+1), func(w io.Writer) error { return l.writeRows(w, t) }); err != nil {
			return err
		}
	}
	return nil
}

// writeRows writes the entries of a table. The VCs of the second lane are those of the first one plus vc_offset.
func (l *twoLanes) writeRows(w io.Writer, t *model.Table) error {
	out, n := csv.NewWriter(w), t.Network()
	if err := out.Write([]string{"lane", "destination", "lid", "switch", "switch_guid", "port", "vc_offset"}); err != nil {
		return err
	}
	for d, second := range l.Second {
		for lane, e := range []model.DestID{model.DestID(d), second} {
			if e < 0 {
				continue
			}
			for u := range model.SwitchID(n.NumSwitches()) {
				p, ok := t.Port(u, e)
				if !ok {
					continue
				}
				row := []string{strconv.Itoa(lane + 1), n.HostLabel(t.DestinationHost(e)), strconv.Itoa(int(model.LIDOf(t, model.DestID(d)))), n.SwitchLabel(u),
					wording.GUID(n.Switch(u).GUID), strconv.Itoa(int(p)), strconv.Itoa(lane * l.VCs / 2)}
				if err := out.Write(row); err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// Values of way_out.
const (
	wayNotNeeded = "not-needed" // the entries can change in any order, or an order is found
	wayVia       = "via"        // by way of tables between
	wayLane      = "lane"       // a second lane
	wayStop      = "stop"       // some destinations stop
	wayDrain     = "drain"      // the old tables can deadlock: no packets while the tables change
	wayNone      = "none"       // the new tables can deadlock
	wayUnknown   = "unknown"    // the input gives reason to doubt proofs
)

// wayOut returns the way out that disturbs traffic least.
func (r *result) wayOut() string {
	switch {
	case r.verdict() == verify.Proved:
		return wayNotNeeded
	case r.Doubts.Against(verify.Proved) != "":
		return wayUnknown
	case r.Rep[1].DeadlockFree.Verdict == verify.Refuted:
		return wayNone
	case r.Rep[1].DeadlockFree.Verdict != verify.Proved:
		return wayUnknown
	case r.ways == nil:
		return wayDrain
	case r.ways.via != nil:
		return wayVia
	case r.ways.lanes != nil && !r.ways.lanes.Over.HasLIDs():
		return wayLane
	}
	return wayStop
}

// printDrain prints what helps if one of the tables alone has a cycle.
func (r *result) printDrain(w io.Writer) {
	switch r.wayOut() {
	case wayDrain:
		fmt.Fprintf(w, "PROVED    a way out: no packets in the network while the tables change; the new tables alone are free of deadlock\n")
		if r.Rep[0].DeadlockFree.Verdict != verify.Proved {
			fmt.Fprintf(w, "          The old tables can deadlock: packets that block each other do not leave until switches discard them.\n")
		}
	case wayNone:
		fmt.Fprintf(w, "REFUTED   a way out: the new tables alone can deadlock\n")
	}
}
