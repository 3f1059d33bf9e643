package states

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file reads both states, and checks each of them.

// Pair is both states, each with its report.
type Pair struct {
	Names [2]string // of the old and the new state, for messages
	In    [2]*resolve.Subject
	Rep   [2]*verify.Report
	// Doubts are reasons to doubt verdicts on changes, of both states.
	Doubts   Doubts
	Premises []model.Premise // of changes
	// Open says why no change between the two is decided, with the names of both. Read sets it, and Join.
	Open error

	// Join sets these.
	Change  *transition.Change   // of forwarding tables with LIDs, on the new network; else nil
	Any     Changing             // Change, or a change of relations
	Diff    *compare.NetworkDiff // how the networks differ
	Entries int                  // entries that packets can meet; of tables: old entries for hosts
	Changed int                  // entries that differ
	options relations.Options    // of changes of relations
	aligned *compare.Aligned     // if Change is not nil
	Levels  int                  // pairs of a host and an address whose service levels differ
}

// Changing is a change of tables, or of relations. It is a reroute.Change, and makes certificates.
type Changing interface {
	Network() *model.Network
	Relation() model.Relation
	NumDestinations() int
	Destinations() []model.DestID
	Switches() []model.SwitchID
	Differs(d model.DestID, u model.SwitchID) bool
	Walk() transition.Walk
	Sides() (old, now model.Relation)
	Waiting() model.Waiting
	Drops() bool
	MixtureOf(ctx context.Context, part transition.Part, drained bool) (*transition.Mixture, error)
	MixtureCertificate(m *transition.Mixture, about transition.About) (*cert.Certificate, error)
	StepsCertificate(part transition.Part, steps []transition.Step, bound *transition.Bound, about transition.About) (*cert.Certificate, error)
	NoOrderCertificate(part transition.Part, drained bool, sets [][]int32, about transition.About) (*cert.Certificate, error)
}

// Flags returns the flags that name states, beside the arguments.
func Flags() []cli.Flag {
	routing := func(name, usage string) cli.Flag {
		return &cli.Input{StringFlag: cli.StringFlag{Name: name, Usage: usage, Category: cli.CategoryNetwork}}
	}
	return []cli.Flag{
		routing("network", "read the network of two files of tables from `FILE`"),
		routing("old", "change from `ROUTING` of TOPOLOGY: a file, or a routing by name"),
		routing("new", "change to `ROUTING` of TOPOLOGY: a file, or a routing by name"),
		routing(levelFlags[0], "read the service levels of the old state from `FILE` (default: those in its folder, else all use SL 0)"),
		routing(levelFlags[1], "read the service levels of the new state from `FILE` (default: those in its folder, else all use SL 0)"),
		routing("sl2vl", "read the SL-to-VL tables of both states from `FILE` (default: those in their folders, else VL = SL)"),
		input.ManagementFlag("none"),
	}
}

// levelFlags are the flags that name the service levels of each state.
var levelFlags = [2]string{"old-sl", "new-sl"}

// Read reads and checks the states that the command line names: OLD and NEW, or one topology with --old and --new.
func Read(c *cli.Context) (*Pair, error) {
	s := &Pair{}
	read, workers := s.readState, parallel.Workers(len(s.In))
	switch old, now := c.String("old"), c.String("new"); {
	case c.NArg() == 2 && old+now == "":
		s.Names = [2]string{c.Args().Get(0), c.Args().Get(1)}
	case c.NArg() == 1 && old != "" && now != "":
		if c.String("network") != "" {
			return nil, errors.New("--network goes with OLD and NEW; with --old and --new the argument is the topology")
		}
		s.Names, read, workers = [2]string{old, now}, s.readRouting, 1
	default:
		return nil, fmt.Errorf("want OLD and NEW, or TOPOLOGY with --old and --new, got %q", c.Args().Slice())
	}
	if slices.Contains(append(c.Args().Slice(), c.String("network")), "-") {
		workers = 1 // standard input is read in order
	}
	var options [2]verify.Options
	err := parallel.Do(c.Context, workers, len(s.In), func(_, i int) (err error) {
		var before *resolve.Subject
		if workers == 1 {
			before = s.In[0]
		}
		if s.In[i], err = read(c, i, before); err != nil {
			return fmt.Errorf("%s and %s: %w", s.Names[0], s.Names[1], err)
		}
		if options[i], err = judging.Options(c, s.In[i]); err != nil {
			return err
		}
		s.Rep[i], err = verify.Check(c.Context, s.In[i].Rel, options[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, o := range options {
		if err := s.Doubts.take(s.Names[i], s.In[i].Table, o); err != nil && s.Open == nil {
			s.Open = err
		}
	}
	s.Premises = s.Rep[1].Premises
	return s, nil
}

// readState reads a state that an argument names.
func (s *Pair) readState(c *cli.Context, i int, before *resolve.Subject) (*resolve.Subject, error) {
	return input.State(c, s.Names[i], c.String(levelFlags[i]), before)
}

// readRouting reads a routing of the topology.
func (s *Pair) readRouting(c *cli.Context, i int, before *resolve.Subject) (*resolve.Subject, error) {
	q, err := input.Request(c, c.Args().Get(0))
	if err != nil {
		return nil, err
	}
	q.Routing, q.SL, q.NeedsRouting, q.Sums, q.Like = s.Names[i], c.String(levelFlags[i]), true, true, before
	in, err := input.Load(c, q)
	if err != nil {
		return nil, err
	}
	in.Table = nil
	if t, ok := in.Rel.(*model.Table); ok && t.HasLIDs() {
		in.Table = t
	}
	return in, nil
}

// Join makes the change from the old state to the new one. It fails if they are not states of one network with the same traffic, and names both.
func (s *Pair) Join(ctx context.Context) error {
	if s.Open != nil {
		return s.Open
	}
	if a, b := s.Rep[0].Switching, s.Rep[1].Switching; a != b {
		s.Open = fmt.Errorf("%s and %s: switching %s, and %s: want states with one switching discipline", s.Names[0], s.Names[1], a, b)
		return s.Open
	}
	err := s.align()
	if err == nil && s.Change == nil {
		err = s.joinRelations(ctx)
	}
	if err != nil {
		s.Open = fmt.Errorf("%s and %s: %w", s.Names[0], s.Names[1], err)
		return s.Open
	}
	if s.before(); s.Change != nil {
		s.count()
	}
	return nil
}

// align puts the old tables on the new network. It leaves Change nil if one of the routings is no table.
func (s *Pair) align() error {
	if s.In[0].Table == nil || s.In[1].Table == nil {
		return nil
	}
	both, err := compare.Align(s.In[0].Table, s.In[1].Table)
	if err != nil {
		return err
	}
	s.aligned, s.Diff, s.Levels = both, both.Networks, both.Levels
	if s.Change, err = transition.New(both.Old, both.New); err != nil {
		return err
	}
	s.Any = s.Change
	if both.LanesDiffer {
		s.Doubts = append(s.Doubts, model.Doubt{Premise: "SL to VL",
			Reason: "packets of one service level use different virtual lanes: the SL-to-VL tables differ, and changes of them are not decided",
			Next:   "stop all packets, wait until none are left, change tables and SL-to-VL tables"})
	}
	if s.Levels > 0 {
		s.Premises = append([]model.Premise{{Name: "service levels of paths", Source: model.Assumed,
			Value: "change with the entries of the switch of the host; in service, at any time in the step"}}, s.Premises...)
	}
	return nil
}

// joinRelations makes the change between two relations.
func (s *Pair) joinRelations(ctx context.Context) error {
	drops := true
	for _, in := range s.In {
		drops = drops && (in.Net.IsInfiniBand() || in.Switching == model.StoreAndForward)
	}
	s.options = relations.Options{Drops: drops}
	if a, b := s.Rep[0].Waiting, s.Rep[1].Waiting; a == b && a != model.WaitMixed {
		s.options.Waiting = a
	}
	c, err := relations.New(ctx, s.In[0].Rel, s.In[1].Rel, s.options)
	if err != nil {
		return err
	}
	s.Any, s.Diff = c, &compare.NetworkDiff{SwitchesGone: c.SwitchesGone, SwitchesNew: c.SwitchesNew, CablesGone: c.Gone, CablesNew: c.Moved.New}
	s.Entries, s.Changed = c.Entries()
	if !drops {
		s.Premises = append([]model.Premise{{Name: model.PremiseNoHop, Value: "keep their VC", Source: model.Assumed}},
			s.Premises...)
	}
	return nil
}

// Between returns the changes from the old state to a table of the new network, and from there to the new state.
func (s *Pair) Between(ctx context.Context, t *model.Table) (to, from Changing, err error) {
	if s.Change != nil {
		if t, err = s.aligned.Onto(t); err != nil {
			return nil, nil, err
		}
		if to, err = transition.New(s.Change.Old, t); err == nil {
			from, err = transition.New(t, s.Change.New)
		}
		return to, from, err
	}
	if to, err = relations.New(ctx, s.In[0].Rel, t, s.options); err == nil {
		from, err = relations.New(ctx, t, s.In[1].Rel, s.options)
	}
	return to, from, err
}

// count counts entries.
func (s *Pair) count() {
	t := s.Change.Old
	for d := range model.DestID(t.Destinations()) {
		for u := range model.SwitchID(t.Network().NumSwitches()) {
			if _, ok := t.Port(u, d); ok {
				s.Entries++
			}
			if s.Change.Old.Row(d)[u] != s.Change.New.Row(d)[u] {
				s.Changed++
			}
		}
	}
}

// Complete returns an error if one of the states is only a part of one: the new one loses pairs that the old one has, or with tables, a switch
// has entries in one of them only. Call it after Join.
func (s *Pair) Complete() error {
	if s.Change == nil {
		return s.losesPairs()
	}
	n := s.Change.Network()
	for u := range model.SwitchID(s.aligned.Switches) {
		old, now := hasEntries(s.Change.Old, u), hasEntries(s.Change.New, u)
		if old != now && (old || s.Diff.Same()) {
			part, whole := s.Names[0], s.Names[1]
			if old {
				part, whole = whole, part
			}
			return fmt.Errorf("%s has no entries for %s, and %s has: want both tables of the whole fabric", part, n.SwitchLabel(u), whole)
		}
	}
	return s.losesPaths()
}

// losesPairs returns an error if the new state loses pairs that the old one has a path for.
func (s *Pair) losesPairs() error {
	if lost := s.Lost(1) - s.Lost(0); lost > 0 {
		return fmt.Errorf("%s loses %s that %s has a path for: want both tables of the whole fabric", s.Names[1], wording.Count(lost, "pair", "s"), s.Names[0])
	}
	return nil
}

// LanesDiffer reports whether packets of one service level use different virtual lanes before and after. Such changes are not decided.
func (s *Pair) LanesDiffer() bool { return s.aligned != nil && s.aligned.LanesDiffer }

// SwitchesLeft returns how many switches of the network of the change are left in the new state. Those after them are gone.
func (s *Pair) SwitchesLeft() int { return s.In[1].Net.NumSwitches() }

// Lost returns the number of pairs without a path.
func (s *Pair) Lost(i int) int64 { return s.Rep[i].Routes.Unreachable }

// hasEntries reports whether switch u has an entry.
func hasEntries(t *model.Table, u model.SwitchID) bool {
	for d := range model.DestID(t.Destinations()) {
		if _, ok := t.Port(u, d); ok {
			return true
		}
	}
	return false
}
