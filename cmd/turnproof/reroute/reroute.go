package reroute

import (
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file decides the change.

// result is what the command found.
type result struct {
	*states.Pair
	part       transition.Part
	atomic     transition.Part // of the mixture
	drained    bool
	mixture    *transition.Mixture
	order      *reroute.Result
	safe, sets int // sets of switches that are safe, and all sets; 0 if not counted
	mixed      *cert.Certificate
	evidence   *cert.Certificate  // for the order, or nil
	refuted    *cert.Certificate  // of a state that can deadlock alone, if that is why there is no order
	ways       *waysOut           // if there is no order in service, or nil
	union      *cert.Certificate  // of old and new entries as one relation, if it has no cycle, or nil
	inSteps    []namedCertificate // the states of steps as routings
	noStatics  string             // why the folder has no static routes of FRR, or ""
	seconds    float64

	simulations []simulation // with --simulate
}

// decide decides the mixture, looks for an order, and has both checked.
func (r *result) decide(c *cli.Context, limit time.Duration) (err error) {
	line, until := cli.ProgressOf(c.App.ErrWriter), time.Now().Add(limit)
	line.Say("looking at old and new entries together")
	about := r.About()
	if r.mixture, r.mixed, err = r.AnyOrder(c.Context, r.atomic, r.drained); err != nil {
		return err
	}
	if err = r.joinTables(c.Context, about); err != nil {
		return err
	}
	line.Within(limit, "looking for an order, or a proof that there is none")
	r.order, err = reroute.Find(c.Context, r.Any, reroute.Options{Part: r.part, Drained: r.drained,
		Safe: r.mixture.Safe() && !r.drained && r.atomic != transition.Destination, Time: limit})
	if err != nil {
		return err
	}
	if r.part == transition.Switch {
		r.safe, r.sets = reroute.SafeSets(r.Any)
	}
	r.alone()
	if r.evidence, err = r.check(about); err != nil {
		return err
	}
	if c.String("output") != "" {
		if err = r.certifySteps(c.Context, about); err != nil {
			return err
		}
	}
	if r.order.Answer != reroute.Found && !r.mixture.Safe() && r.areProved() {
		line.Say("looking for ways out")
		r.ways, err = findWays(c, r.Pair, about, max(time.Until(until), limit/10))
	}
	r.suspend()
	return err
}

// alone notes that no order exists because one of the states can deadlock on the network of the change. The search for an order knows that of
// routings whose cycles are deadlocks only.
func (r *result) alone() {
	if r.order.Answer != reroute.Unknown {
		return
	}
	for i, state := range []string{"old", "new"} {
		if r.Rep[i].DeadlockFree.Verdict == verify.Refuted && (i == 1 || r.Diff.Same()) {
			r.order = &reroute.Result{Answer: reroute.None, Reason: "the " + state + " state alone can deadlock", Changed: r.order.Changed}
			r.refuted = r.Rep[i].Certificate
			return
		}
	}
}

// suspend makes answers on orders and ways out unknown that the input gives reason to doubt.
func (r *result) suspend() {
	found := map[reroute.Answer]verify.Verdict{reroute.Found: verify.Proved, reroute.None: verify.Refuted}[r.order.Answer]
	if text := r.Doubts.Against(found); text != "" {
		r.order = &reroute.Result{Answer: reroute.Unknown, Reason: text, Changed: r.order.Changed}
		r.evidence, r.refuted, r.ways, r.sets, r.inSteps = nil, nil, nil, 0, nil
	}
	if r.Doubts.Against(verify.Proved) != "" {
		r.ways = nil
	}
}

// areProved reports whether each of the tables alone has no cycle of dependencies.
func (r *result) areProved() bool {
	return r.Rep[0].Acyclic.Verdict == verify.Proved && r.Rep[1].Acyclic.Verdict == verify.Proved
}

// check returns the evidence for the order, or for that there is none, after the checker has accepted it.
func (r *result) check(about transition.About) (*cert.Certificate, error) {
	switch r.order.Answer {
	case reroute.Found:
		if len(r.order.Steps) > 0 {
			return r.Any.StepsCertificate(r.part, r.order.Steps, r.order.Bound, about)
		}
	case reroute.None:
		if r.refuted != nil {
			return r.refuted, nil
		}
		return r.Any.NoOrderCertificate(r.part, r.drained, r.order.Sets, about)
	}
	return nil, nil
}

// verdict returns proved if the tables can be replaced.
func (r *result) verdict() verify.Verdict {
	switch {
	case r.mixture.Safe() || r.order.Answer == reroute.Found:
		return verify.Proved
	case r.order.Answer == reroute.None && (states.Verdict(r.mixture) == verify.Refuted || r.refuted != nil):
		return verify.Refuted
	}
	return verify.Undecided
}

// evidenceName returns the name of the certificate of the order.
func (r *result) evidenceName() string {
	if r.order.Answer == reroute.None {
		return "none.cert"
	}
	return "order.cert"
}
