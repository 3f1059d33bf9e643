package reroute

import (
	"context"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file reads both tables, and checks each of them.

// states is both tables, each with its report.
type states struct {
	names    [2]string // of the old and the new state, for messages
	in       [2]*resolve.Subject
	rep      [2]*verify.Report
	change   *transition.Change // on the new network; nil if one of the routings is no table of an InfiniBand fabric
	any      changing           // change, or a change of relations
	diff     *compare.NetworkDiff
	entries  int // entries of the old table for hosts
	changed  int // entries that differ
	premises []model.Premise
	doubts   doubts // of both states
}

// changing is a change of tables, or of relations.
type changing interface {
	reroute.Change
	Relation() model.Relation
	MixtureOf(ctx context.Context, part transition.Part, drained bool) (*transition.Mixture, error)
	MixtureCertificate(m *transition.Mixture, about transition.About) (*cert.Certificate, error)
	StepsCertificate(part transition.Part, steps []transition.Step, bound *transition.Bound, about transition.About) (*cert.Certificate, error)
	NoOrderCertificate(part transition.Part, drained bool, sets [][]int32, about transition.About) (*cert.Certificate, error)
}

// readStates reads and checks the tables that the command line names.
func readStates(c *cli.Context) (*states, error) {
	s := &states{}
	if err := s.read(c); err != nil {
		return nil, err
	}
	if err := s.align(c.Context); err != nil {
		return nil, fmt.Errorf("%s and %s: %w", s.names[0], s.names[1], err)
	}
	for i, in := range s.in {
		o, err := judging.Options(c, in)
		if err != nil {
			return nil, err
		}
		if err := s.doubts.take(s.names[i], o); err != nil {
			return nil, err
		}
		if s.rep[i], err = verify.Check(c.Context, in.Rel, o); err != nil {
			return nil, err
		}
	}
	s.premises = s.rep[1].Premises
	if s.change == nil {
		return s, s.readRelations(c.Context)
	}
	s.count()
	return s, s.complete()
}

// align puts the old tables on the new network. It leaves change nil if one of the routings is no table.
func (s *states) align(ctx context.Context) error {
	if s.in[0].Table == nil || s.in[1].Table == nil {
		return nil
	}
	old, diff, err := compare.Align(s.in[0].Table, s.in[1].Table)
	if err != nil {
		return err
	}
	s.diff = diff
	if s.change, err = transition.New(old, s.in[1].Table); err != nil {
		return err
	}
	s.any = s.change
	return nil
}

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

// read reads both subjects.
func (s *states) read(c *cli.Context) (err error) {
	files := [2]string{c.String("old"), c.String("new")}
	switch {
	case c.NArg() == 2 && files == [2]string{}:
		files = [2]string{c.Args().Get(0), c.Args().Get(1)}
		for i, path := range files {
			if s.in[i], err = input.State(c, path, s.in[0], true); err != nil {
				return err
			}
		}
	case c.NArg() == 1 && files[0] != "" && files[1] != "":
		if c.String("network") != "" {
			return errors.New("--network goes with OLD and NEW; with --old and --new the argument is the topology")
		}
		for i, path := range files {
			q, err := input.Request(c, c.Args().Get(0))
			if err != nil {
				return err
			}
			q.Routing, q.NeedsRouting, q.Sums, q.Like = path, true, true, s.in[0]
			if s.in[i], err = input.Load(c, q); err != nil {
				return err
			}
			if t, ok := s.in[i].Rel.(*model.Table); ok && t.HasLIDs() {
				s.in[i].Table = t
			} else {
				s.in[i].Table = nil
			}
		}
	default:
		return fmt.Errorf("want OLD and NEW, or TOPOLOGY with --old and --new, got %q", c.Args().Slice())
	}
	s.names = files
	return nil
}

// count counts entries.
func (s *states) count() {
	t := s.change.Old
	for d := range model.DestID(t.Destinations()) {
		for u := range model.SwitchID(t.Network().NumSwitches()) {
			if _, ok := t.Port(u, d); ok {
				s.entries++
			}
			if s.change.Differs(d, u) {
				s.changed++
			}
		}
	}
}

// complete returns an error if one of the tables is only a part of a table: a switch has entries in the other one only, or the new
// table loses pairs that the old one has.
func (s *states) complete() error {
	n := s.change.Network()
	for u := range model.SwitchID(n.NumSwitches()) {
		old, now := hasEntries(s.change.Old, u), hasEntries(s.change.New, u)
		if old != now && (old || s.diff.Same()) {
			part, whole := s.names[0], s.names[1]
			if old {
				part, whole = whole, part
			}
			return fmt.Errorf("%s has no entries for %s, and %s has: want both tables of the whole fabric", part, n.SwitchLabel(u), whole)
		}
	}
	return s.losesPaths()
}

// losesPairs returns an error if the new state loses pairs that the old one has a path for.
func (s *states) losesPairs() error {
	if lost := s.lost(1) - s.lost(0); lost > 0 {
		return fmt.Errorf("%s loses %s that %s has a path for: want both tables of the whole fabric", s.names[1], wording.Count(lost, "pair", "s"), s.names[0])
	}
	return nil
}

// lost returns the number of pairs without a path.
func (s *states) lost(i int) int64 { return s.rep[i].Routes.Unreachable }

// hasEntries reports whether switch u has an entry.
func hasEntries(t *model.Table, u model.SwitchID) bool {
	for d := range model.DestID(t.Destinations()) {
		if _, ok := t.Port(u, d); ok {
			return true
		}
	}
	return false
}
