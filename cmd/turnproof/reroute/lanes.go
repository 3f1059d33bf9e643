package reroute

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file proves and writes a change by a second lane.

// twoLanes is a change by a second lane, both of whose states are proved.
type twoLanes struct {
	vcs          int // of both lanes
	destinations int // with packets in the second lane
	hasLIDs      bool
	text         string
	over, back   *cert.Certificate
	rows         [2]func(w io.Writer) error // of both states
}

// findLanes returns the change by a second lane, or why there is none.
func findLanes(ctx context.Context, s *states.Pair, about transition.About) (*twoLanes, string, error) {
	if c := tablesOf(s); c != nil {
		l := reroute.TwoLanes(c)
		if l == nil {
			return nil, whyNoLane(c), nil
		}
		made := &twoLanes{vcs: l.VCs, destinations: len(l.Changed()), hasLIDs: l.Over.HasLIDs(),
			text: fmt.Sprintf("new entries on a lane of their own, which takes %d VCs in place of %d and second addresses of %s", l.VCs, l.VCs/2,
				wording.Count(len(l.Changed()), "destination", "s"))}
		for i, t := range []*model.Table{l.Over, l.Back} {
			made.rows[i] = func(w io.Writer) error { return writeLanes(w, l, t) }
		}
		return made.prove(ctx, s, about, l.Over, l.Back)
	}
	c, ok := s.Any.(*relations.Change)
	if !ok {
		return nil, "", nil
	}
	l, why := reroute.LanesOf(c)
	if l == nil {
		return nil, why, nil
	}
	made := &twoLanes{vcs: l.All, destinations: len(l.Second), text: fmt.Sprintf("new next hops on VCs of their own, from VC %d on, by which routers know "+
		"which packets go by new entries", l.VCs)}
	for i, r := range []model.Relation{l.Over, l.Back} {
		made.rows[i] = func(w io.Writer) error { return writeStates(w, l, r) }
	}
	return made.prove(ctx, s, about, l.Over, l.Back)
}

// whyNoLane says why tables have no second lane.
func whyNoLane(c *transition.Change) string {
	if c.Old.Management() != model.NoManagement {
		return "it has no addresses for management traffic"
	}
	return "it takes too many VCs or service levels"
}

// prove certifies both states. If one has a cycle, there is no second lane.
func (l *twoLanes) prove(ctx context.Context, s *states.Pair, about transition.About, over, back model.Relation) (*twoLanes, string, error) {
	for i, to := range []**cert.Certificate{&l.over, &l.back} {
		rel := []model.Relation{over, back}[i]
		rep, err := verify.Check(ctx, rel, verify.Options{Switching: s.Switching(), Waiting: s.Any.Waiting(), Inputs: about.Inputs, Listed: s.Change == nil})
		if err != nil {
			return nil, "", err
		}
		if rep.Acyclic.Verdict != verify.Proved {
			return nil, "one of the lanes has a cycle", nil
		}
		*to = rep.Certificate
	}
	return l, "", nil
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
	fmt.Fprintf(w, "PROVED    a way out: %s\n", l.text)
	if l.hasLIDs {
		fmt.Fprintf(w, "          OpenSM cannot load it with these LIDs: a switch looks up the LID only, so new entries need LIDs of their own "+
			"(LMC 1 or more)\n")
	}
}

// write writes both states as rows.
func (l *twoLanes) write(write cli.FileWriter) error {
	for i, rows := range l.rows {
		if err := write(fmt.Sprintf("lane-%d.csv", i+1), rows); err != nil {
			return err
		}
	}
	return nil
}

// writeLanes writes the entries of a table. The VCs of the second lane are those of the first one plus vc_offset.
func writeLanes(w io.Writer, l *reroute.Lanes, t *model.Table) error {
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

// writeStates writes the next hops of a relation with two lanes.
func writeStates(w io.Writer, l *reroute.RelationLanes, r model.Relation) error {
	out, n := csv.NewWriter(w), r.Network()
	if err := out.Write([]string{"lane", "switch", "destination", "arrives on", "next hops"}); err != nil {
		return err
	}
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		for _, s := range x.Explore(d).States {
			in, _ := n.Channel(s.VC)
			if n.Head(in) == model.NoSwitch {
				continue
			}
			lane := 1
			if int(s.Class) >= r.Classes()/2 {
				lane = 2
			}
			var hops []string
			for _, h := range r.Next(s, nil) {
				hops = append(hops, wording.Channel(n, h.VC))
			}
			row := []string{strconv.Itoa(lane), n.SwitchLabel(n.Head(in)), n.HostLabel(r.DestinationHost(d)), wording.Channel(n, s.VC),
				strings.Join(hops, "; ")}
			if err := out.Write(row); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return errors.Join(out.Error(), x.Err())
}

// Values of way_out.
const (
	wayNotNeeded = "not-needed" // the entries can change in any order, or an order is found
	wayVia       = "via"        // by way of tables between
	wayLane      = "lane"       // a second lane
	wayStop      = "stop"       // some destinations stop
	wayDrain     = "drain"      // no packets in the network while the tables change
	wayNone      = "none"       // the new tables can deadlock
	wayUnknown   = "unknown"    // the new tables are undecided
)

// wayOut returns the way out that disturbs traffic least.
func (r *result) wayOut() string {
	switch {
	case r.verdict() == verify.Proved:
		return wayNotNeeded
	case r.Rep[1].DeadlockFree.Verdict == verify.Refuted:
		return wayNone
	case r.Rep[1].DeadlockFree.Verdict != verify.Proved || !r.NewIsWhole():
		return wayUnknown
	case r.ways == nil:
		return wayDrain
	case r.ways.via != nil:
		return wayVia
	case r.ways.lanes != nil && !r.ways.lanes.hasLIDs:
		return wayLane
	}
	return wayStop
}

// printDrain prints what helps if one of the tables alone has a cycle.
func (r *result) printDrain(w io.Writer) {
	switch r.wayOut() {
	case wayDrain:
		fmt.Fprintf(w, "PROVED    a way out: no packets in the network while the tables change; the new tables alone are free of deadlock\n")
		switch r.Rep[0].DeadlockFree.Verdict {
		case verify.Refuted:
			fmt.Fprintf(w, "          The old tables can deadlock: packets that block each other do not leave until switches discard them.\n")
		case verify.Undecided:
			fmt.Fprintf(w, "          Whether the old tables can deadlock is undecided: packets that block each other would not leave.\n")
		}
	case wayNone:
		fmt.Fprintf(w, "REFUTED   a way out: the new tables alone can deadlock\n")
	}
}
