package relationchanges

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/turnproof/turnproof/cmd/trust/simulated"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file compares what turnproof says with what all interleavings show.

// tally counts cases.
type tally struct {
	cases, proved, refuted, undecided, stranded int
	found, none, unknown                        int // orders
	runs, reached                               int // whole searches of runs, and those that reached a deadlock
	simulated, moving                           int // changes that were simulated, and refuted ones of which no run froze
	wrong                                       []string
}

func (t *tally) text() string {
	return fmt.Sprintf("%d cases. Mixtures: %d proved, %d refuted (%d by a stranded packet), %d undecided. Orders: %d found, %d none, %d unknown. "+
		"%d searches of all runs ended, %d reached a deadlock. %d changes were simulated; of the refuted ones, %d did not freeze. %d disagreements.",
		t.cases, t.proved, t.refuted, t.stranded, t.undecided, t.found, t.none, t.unknown, t.runs, t.reached, t.simulated, t.moving, len(t.wrong))
}

// judgeAll judges cases from 0 on.
func judgeAll(ctx context.Context, seed uint64, cases int) (*tally, error) {
	t := &tally{}
	for k := range uint64(cases) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w := draw(rand.New(rand.NewPCG(seed, k)))
		if err := t.judge(ctx, w, k%10 == 0, k%50 == 0); err != nil {
			t.wrong = append(t.wrong, fmt.Sprintf("case %d of seed %d: %v\n%s", k, seed, err, w.text()))
		}
		t.cases++
	}
	return t, nil
}

var about = transition.About{Switching: model.CutThrough}

// judge returns an error if turnproof says something else. If runs is true, it searches runs as well.
// If simulates is true, it simulates the changes.
func (t *tally) judge(ctx context.Context, w *world, runs, simulates bool) error {
	c, err := w.change(ctx)
	if err != nil {
		return err
	}
	for _, part := range []transition.Part{transition.Entry, transition.Switch, transition.Destination} {
		for _, drained := range []bool{false, true} {
			m, err := c.MixtureOf(ctx, part, drained)
			if err == nil {
				err = t.judgeMixture(w, c, m)
			}
			if err == nil && runs && part == transition.Entry && !drained {
				err = t.judgeRuns(w, m)
			}
			if err != nil {
				return fmt.Errorf("parts %s, drained %v: %w", part, drained, err)
			}
		}
	}
	if simulates {
		done, moving, err := simulated.Changes(ctx, c, uint64(t.cases))
		t.simulated, t.moving = t.simulated+done, t.moving+moving
		if err != nil {
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
	return nil
}

// judgeMixture judges a verdict on parts that change in any order.
func (t *tally) judgeMixture(w *world, c *relations.Change, m *transition.Mixture) error {
	if _, err := c.MixtureCertificate(m, about); err != nil {
		return err
	}
	cyclic := w.mixtureCyclic(parts(m.Part()), m.Drained(), m.Cycle != nil)
	switch {
	case m.Undecided != "":
		// If whole switches change at once, packets to several destinations can contradict each other.
		if t.undecided++; c.Exact(m.Drained()) && m.Part() != transition.Switch {
			return fmt.Errorf("undecided (%s), and each cycle is a deadlock", m.Undecided)
		}
		return nil
	case m.Cycle == nil:
		if t.proved++; cyclic {
			return fmt.Errorf("proved, and packets have a cycle of dependencies")
		}
		return nil
	}
	if t.refuted++; !cyclic {
		return fmt.Errorf("refuted by %v, and no packets have a cycle of dependencies", m.Cycle)
	}
	var list []traveller
	for i, p := range m.Packets {
		x := traveller{d: int(p.Dest), stranded: len(m.Cycle) == 1}
		for j, s := range p.Path {
			if place := int(s.VC); j > 0 {
				x.path = append(x.path, place)
			} else {
				x.path = append(x.path, w.numVCs()+w.hosts[p.Source])
			}
		}
		k := len(x.path)
		if x.stranded {
			t.stranded++
			if x.path[k-1] != int(m.Cycle[0]) {
				return fmt.Errorf("the stranded packet is not on VC %d", m.Cycle[0])
			}
		} else if x.path[k-2] != int(m.Cycle[i]) || x.path[k-1] != int(m.Cycle[(i+1)%len(m.Cycle)]) {
			return fmt.Errorf("packet %d has the path %v, not to the cycle %v", i, x.path, m.Cycle)
		}
		list = append(list, x)
	}
	if !w.canMeet(list, parts(m.Part()), m.Drained()) {
		return fmt.Errorf("the packets %v cannot meet their entries", list)
	}
	return nil
}

// mixtureCyclic reports whether the dependencies that single packets can have, while all parts change, have a cycle. If too many sets of parts
// would have to be tried, and those that were have none, it returns otherwise.
func (w *world) mixtureCyclic(p parts, drained, otherwise bool) bool {
	return w.anyMixture(p, drained, otherwise, func(entries func(d int) []rune, together bool) bool {
		var sets []map[dependency]bool
		for d := range w.hosts {
			sets = append(sets, w.walk(d, entries(d), together))
		}
		return w.cyclic(sets...)
	})
}

// anyMixture reports whether is holds for the entries that packets can meet while all parts change, or drained, for those of a set of parts.
func (w *world) anyMixture(p parts, drained, otherwise bool, is func(entries func(d int) []rune, together bool) bool) bool {
	if !drained {
		return is(func(int) []rune { return w.all(changes) }, p == "destination")
	}
	number := map[int]int{}
	for d := range w.hosts {
		for u := range w.switches {
			if k := p.of(w, d, u); w.differs(d, u) {
				if _, ok := number[k]; !ok {
					number[k] = len(number)
				}
			}
		}
	}
	for set := range 1 << min(len(number), 12) {
		entries := func(d int) []rune {
			e := w.all(stays)
			for u := range e {
				if k, ok := number[p.of(w, d, u)]; ok && set>>k&1 != 0 {
					e[u] = changed
				}
			}
			return e
		}
		if is(entries, false) {
			return true
		}
	}
	return len(number) > 12 && otherwise
}

// judgeRuns searches runs: none may reach a deadlock if the mixture is proved.
func (t *tally) judgeRuns(w *world, m *transition.Mixture) error {
	reached, complete := w.reachesDeadlock()
	if complete {
		t.runs++
	}
	if reached {
		t.reached++
		if m.Safe() {
			return fmt.Errorf("proved, and a run reaches a deadlock")
		}
	}
	return nil
}

// judgeOrder judges an order of single parts.
func (t *tally) judgeOrder(ctx context.Context, w *world, c *relations.Change, bySwitch, drained bool) error {
	part, last := transition.Destination, 0
	if bySwitch {
		part = transition.Switch
	}
	for d := range w.hosts {
		for u := range w.switches {
			if c.Differs(model.DestID(d), model.SwitchID(u)) {
				last |= 1 << map[bool]int{false: d, true: u}[bySwitch]
			}
		}
	}
	r, err := reroute.Find(ctx, c, reroute.Options{Part: part, Drained: drained})
	if err != nil {
		return err
	}
	switch r.Answer {
	case reroute.Found:
		t.found++
		return w.judgeSteps(c, r, part, drained, last)
	case reroute.None:
		if t.none++; w.orderExists(bySwitch, drained, last) {
			return fmt.Errorf("none (%s); all sets: one exists", r.Reason)
		}
		_, err = c.NoOrderCertificate(part, drained, r.Sets, about)
		return err
	}
	if t.unknown++; c.Exact(drained) {
		return fmt.Errorf("unknown: %s", r.Reason)
	}
	return nil
}

// judgeSteps judges steps that were found.
func (w *world) judgeSteps(c *relations.Change, r *reroute.Result, part transition.Part, drained bool, last int) error {
	bySwitch, set := part == transition.Switch, 0
	for _, s := range r.Steps {
		more := 0
		for _, p := range s.Parts {
			more |= 1 << p
		}
		if more&^last != 0 || set&more != 0 || !drained && w.state(bySwitch, set, more) {
			return fmt.Errorf("the steps %v are not safe", r.Steps)
		}
		if set |= more; w.state(bySwitch, set, 0) {
			return fmt.Errorf("after some of the steps %v the dependencies have a cycle", r.Steps)
		}
	}
	if set != last || w.state(bySwitch, 0, 0) {
		return fmt.Errorf("the steps %v change %b, not %b, or the old relation has a cycle", r.Steps, set, last)
	}
	if b := r.Bound; !drained && b != nil {
		if few := w.fewest(bySwitch, last); few != len(r.Steps) || b.Steps > few {
			return fmt.Errorf("%d steps, bound %+v; all sequences: %d", len(r.Steps), b, few)
		}
	}
	if len(r.Steps) == 0 {
		return nil
	}
	_, err := c.StepsCertificate(part, r.Steps, r.Bound, about)
	return err
}
