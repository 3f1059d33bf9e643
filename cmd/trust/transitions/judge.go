package transitions

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/turnproof/turnproof/cmd/trust/simulated"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file compares what turnproof says with what all interleavings show.

// tally counts cases.
type tally struct {
	cases, safe, cycles, loops int
	found, none                int // orders
	stops                      int // cases in which destinations stop
	levels                     int // cases in which hosts send with other classes
	forged                     int // cycles that the checker must reject
	atomic                     int // mixtures of larger parts, or drained
	runs, reached              int // whole searches of runs, and those that reached a deadlock
	simulated, moving          int // changes that were simulated, and refuted ones of which no run froze
	wrong                      []string
}

func (t *tally) text() string {
	return fmt.Sprintf("%d cases: %d are safe in any order, %d have a cycle, %d a loop. Of the orders asked for, %d were found and %d do not exist. "+
		"In %d cases destinations stop. In %d cases hosts send with other classes. %d forged cycles were rejected. "+
		"%d mixtures have larger parts or are drained. "+
		"%d searches of all runs ended, %d reached a deadlock. %d changes were simulated; of the refuted ones, %d did not freeze. %d disagreements.",
		t.cases, t.safe, t.cycles, t.loops, t.found, t.none, t.stops, t.levels, t.forged, t.atomic, t.runs, t.reached, t.simulated, t.moving, len(t.wrong))
}

// judgeAll judges cases from 0 on.
func judgeAll(ctx context.Context, seed uint64, cases int) (*tally, error) {
	t := &tally{}
	for k := range uint64(cases) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := rand.New(rand.NewPCG(seed, k))
		w := draw(r)
		if err := t.judge(ctx, w, k%20 == 0); err != nil {
			t.wrong = append(t.wrong, fmt.Sprintf("case %d of seed %d: %v\n%s", k, seed, err, w.text()))
		}
		t.cases++
	}
	return t, nil
}

// judge returns an error if turnproof says something else. If runs is true, it searches all runs as well.
func (t *tally) judge(ctx context.Context, w *world, runs bool) error {
	c, err := w.change()
	if err != nil {
		return err
	}
	m, err := c.MixtureOf(ctx, transition.Entry, false)
	if err != nil {
		return err
	}
	var sets []map[dependency]bool
	var loops []int
	for d := range w.hosts {
		x := w.walk(d, w.all(changes))
		if sets = append(sets, x.deps); x.loops {
			loops = append(loops, d)
		}
	}
	cyclic := w.cyclic(sets...)
	count := map[dependency]bool{}
	for _, s := range sets {
		for d := range s {
			count[d] = true
		}
	}
	switch {
	case (m.Cycle != nil || m.Undecided != "") != cyclic:
		return fmt.Errorf("any order: cycle %v, all interleavings: %v", m.Cycle, cyclic)
	case strings.Trim(fmt.Sprint(m.Loops), "[]") != strings.Trim(fmt.Sprint(loops), "[]"):
		return fmt.Errorf("loops to %v, all interleavings: %v", m.Loops, loops)
	case len(loops) == 0 && m.Dependencies != len(count):
		return fmt.Errorf("%d dependencies, all interleavings: %d", m.Dependencies, len(count))
	}
	about := transition.About{Switching: model.CutThrough}
	if _, err := c.MixtureCertificate(m, about); err != nil {
		return err
	}
	t.note(c, m)
	if runs {
		if err := errors.Join(t.judgeRuns(w, m), t.simulate(ctx, c)); err != nil {
			return err
		}
	}
	for _, bySwitch := range []bool{false, true} {
		for _, drained := range []bool{false, true} {
			if err := t.judgeOrder(ctx, w, c, bySwitch, drained); err != nil {
				return fmt.Errorf("order, by switch %v, drained %v: %w", bySwitch, drained, err)
			}
		}
	}
	if err := t.judgeAtomic(ctx, w, c); err != nil {
		return err
	}
	if safe, sets := reroute.SafeSets(c); true {
		if s, n := w.safeSets(); s != safe || n != sets {
			return fmt.Errorf("%d of %d sets of switches are safe, all sets: %d of %d", safe, sets, s, n)
		}
	}
	return t.judgeStops(ctx, w, c)
}

// setOf returns parts as a set.
func setOf(parts []int32) (set int) {
	for _, p := range parts {
		set |= 1 << p
	}
	return set
}

// note counts a mixture.
func (t *tally) note(c *transition.Change, m *transition.Mixture) {
	if !c.SameClasses() {
		t.levels++
	}
	if m.Safe() {
		t.safe++
	}
	if m.Cycle != nil {
		t.cycles++
	}
	if len(m.Loops) > 0 {
		t.loops++
	}
}

// judgeRuns compares the mixture with all runs.
func (t *tally) judgeRuns(w *world, m *transition.Mixture) error {
	reached, complete := w.reachesDeadlock()
	if !complete {
		return nil
	}
	t.runs++
	if reached {
		t.reached++
	}
	if reached && m.Cycle == nil {
		return fmt.Errorf("a run reaches a deadlock, and no cycle is reported")
	}
	return nil
}

// judgeOrder compares an order, or that there is none.
func (t *tally) judgeOrder(ctx context.Context, w *world, c *transition.Change, bySwitch, drained bool) error {
	part := transition.Destination
	if bySwitch {
		part = transition.Switch
	}
	r, err := reroute.Find(ctx, c, reroute.Options{Part: part, Drained: drained})
	if err != nil {
		return err
	}
	about := transition.About{Switching: model.CutThrough}
	exists := w.orderExists(bySwitch, drained)
	switch r.Answer {
	case reroute.Found:
		t.found++
		var order []int
		for _, s := range r.Steps {
			order = append(order, setOf(s.Parts))
		}
		if !exists || !w.holds(bySwitch, drained, order) {
			return fmt.Errorf("the order %v; all sets: exists %v", order, exists)
		}
		if n := len(r.Steps); !drained {
			if few := w.fewest(bySwitch); few != n || r.Bound != nil && r.Bound.Steps > few || n > 0 && r.Bound == nil {
				return fmt.Errorf("%d steps, bound %+v; all sequences: %d", n, r.Bound, few)
			}
		}
		if len(r.Steps) > 0 {
			_, err = c.StepsCertificate(part, r.Steps, r.Bound, about)
		}
	case reroute.None:
		t.none++
		if exists {
			return fmt.Errorf("none (%s); all sets: one exists", r.Reason)
		}
		_, err = c.NoOrderCertificate(part, drained, r.Sets, about)
	default:
		err = fmt.Errorf("unknown: %s", r.Reason)
	}
	return err
}

// change converts a case.
func (w *world) change() (*transition.Change, error) {
	b := model.NewBuilder()
	for u := range w.switches {
		b.AddSwitch(model.Switch{Name: fmt.Sprint("s", u)})
	}
	ports := make([]model.Port, w.switches)
	next := func(u int) model.Port { ports[u]++; return ports[u] }
	outs := make([]model.Port, 2*len(w.links))
	for l, ends := range w.links {
		p, q := next(ends[0]), next(ends[1])
		outs[2*l], outs[2*l+1] = p, q
		b.AddLink(model.SwitchID(ends[0]), p, model.SwitchID(ends[1]), q)
	}
	at := make([]model.Port, len(w.hosts))
	for h, u := range w.hosts {
		at[h] = next(u)
		b.AddHost(model.Host{Name: fmt.Sprint("h", h), Switch: model.SwitchID(u), Port: at[h]})
	}
	n, err := b.Build()
	if err != nil {
		return nil, err
	}
	var tables [2]*model.Table
	for i := range tables {
		t := model.NewTable(n, model.AllAddresses(n))
		for d, row := range w.tables[i] {
			for u, c := range row {
				switch {
				case c == own:
					t.SetPort(model.SwitchID(u), model.DestID(d), at[d])
				case c >= 0:
					t.SetPort(model.SwitchID(u), model.DestID(d), outs[c])
				}
			}
		}
		if w.classes == 2 {
			var sets []model.ClassSet
			for d := range w.hosts {
				for h := range w.hosts {
					sets = append(sets, model.ClassSet(w.sends[i][d][h]))
				}
			}
			t.SetClasses(sets, nil)
		}
		tables[i] = t
	}
	return transition.New(tables[0], tables[1])
}

// simulate lets the simulator perform the changes.
func (t *tally) simulate(ctx context.Context, c *transition.Change) error {
	done, moving, err := simulated.Changes(ctx, c, uint64(t.cases))
	t.simulated, t.moving = t.simulated+done, t.moving+moving
	return err
}
