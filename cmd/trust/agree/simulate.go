package agree

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file asks the simulator. A routing that is proved deadlock-free runs under heavy load with small
// buffers and must not freeze. The deadlock of a refutation is set up and must stay. An undecided routing
// runs, and is refuted if it freezes. A run that does not freeze proves nothing.

const (
	saturated   = 600 // clocks under load
	standing    = 40  // clocks for which a deadlock must stay
	bufferFlits = 2   // of a VC
	wormFlits   = 7   // of a packet under wormhole switching
)

func askSimulator(ctx context.Context, s *subject) (a answers, err error) {
	wormhole := s.c.Switching == "wormhole"
	o := replay.Options{Switching: model.Switching(s.c.Switching), Flits: bufferFlits, Clocks: saturated, Seed: s.seed, Waiting: model.Waiting(s.c.Waiting)}
	if wormhole {
		o.Flits, o.Buffer = wormFlits, bufferFlits
	}
	for _, rep := range []*verify.Report{s.rep, s.flat} {
		if rep.DeadlockFree.Verdict == verify.Refuted && rep.Graph != nil {
			if err := stays(ctx, s, rep); err != nil {
				return a, err
			}
			a[deadlockFree] = refuted
		}
	}
	if a[deadlockFree] != "" {
		return a, nil
	}
	o.Atomic = wormhole && s.rep.Acyclic.Verdict != verify.Proved
	run, err := replay.Saturate(ctx, s.rel, o)
	if err != nil {
		return a, err
	}
	if run.Deadlock != nil {
		a[deadlockFree] = refuted
	} else if s.rep.DeadlockFree.Verdict == verify.Proved {
		a[deadlockFree] = notFrozen
	}
	return a, nil
}

// stays sets up the deadlock of a report, and returns an error if it does not stay.
func stays(ctx context.Context, s *subject, rep *verify.Report) error {
	o := engine.Options{Timing: engine.Paper, Switching: model.Switching(s.c.Switching), BufferFlits: bufferFlits, MaxFlits: bufferFlits,
		Select: engine.SelectRandom, Seed: s.seed, Atomic: s.c.Switching == "wormhole"}
	var list []replay.Standing
	for i, p := range rep.Configuration {
		flits := make([]int, len(p.Path))
		for k := range heldBy(rep, i) {
			flits[len(flits)-1-k] = bufferFlits
		}
		o.MaxFlits = max(o.MaxFlits, bufferFlits*heldBy(rep, i))
		list = append(list, replay.Standing{Source: p.Source, Dest: p.Dest, Path: p.Path, Flits: flits})
	}
	if len(list) == 0 {
		return fmt.Errorf("deadlock-free is refuted without a configuration")
	}
	o.Waiting = model.WaitAny // withChoices leaves the chosen hops only
	_, err := replay.Stand(ctx, withChoices(s.rel, rep), list, o, standing)
	return err
}

// heldBy returns the number of VCs that packet i of a deadlock holds.
func heldBy(rep *verify.Report, i int) int {
	if rep.Holds == nil {
		return 1
	}
	return rep.Holds[i]
}
