package confirm

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// Result is what the simulator found.
type Result struct {
	Clocks   int64    `json:"clocks"`   // of the run
	Accepted *float64 `json:"accepted"` // null if the run froze
	Deadlock bool     `json:"deadlock"`
	Reached  *bool    `json:"reached"` // null if there was no deadlock to reach
	How      string   `json:"how"`
	Tries    int      `json:"tries"`

	Frozen *engine.Deadlock `json:"-"`
}

// Report simulates the routing of a report. It returns an error if the simulator freezes what is
// proved. If the deadlock has multicast packets, Report simulates nothing and Reached is nil.
func Report(ctx context.Context, rep *verify.Report, seed uint64) (*Result, error) {
	o := replay.Options{Switching: model.Switching(rep.Switching), Waiting: rep.Waiting, Seed: seed}
	stands := false
	if rep.Gating != nil {
		o.Engine = GatedEngine(rep.Gating)
		if rep.DeadlockFree.Verdict == verify.Refuted {
			if _, err := replay.Stand(ctx, rep.Relation, Standing(rep), *o.Engine, standClocks); err != nil {
				return nil, fmt.Errorf("internal error: %w", err)
			}
			stands = true
		}
	}
	if slices.ContainsFunc(rep.Configuration, func(p *cdg.Packet) bool { return p.Group > 0 }) {
		return &Result{How: MulticastOnly}, nil
	}
	if rep.DeadlockFree.Verdict != verify.Proved {
		res, err := replay.Run(ctx, rep.Relation, heldPackets(rep), o)
		if err != nil {
			return nil, err
		}
		s := &Result{Deadlock: res.Reached, Reached: &res.Reached, How: res.How, Tries: res.Tries, Frozen: res.Deadlock}
		if res.Reached {
			s.Clocks = int64(res.Deadlock.Clock)
		} else if stands {
			s.How = Stood
		}
		return s, nil
	}
	o.Atomic = rep.Switching == model.Wormhole && rep.Acyclic.Verdict != verify.Proved // the premise of the escape
	sat, err := replay.Saturate(ctx, rep.Relation, o)
	if err != nil {
		return nil, err
	}
	if sat.Deadlock != nil {
		return nil, fmt.Errorf("internal error: proved free of deadlock, the simulator froze in clock %d", sat.Deadlock.Clock)
	}
	return &Result{Clocks: int64(sat.Clocks), Accepted: &sat.Accepted, How: "saturation", Tries: 1}, nil
}

// standClocks is how long a placed deadlock is simulated.
const standClocks = 1000

// Values of Result.How if the deadlock was not reached from the empty network.
const (
	// Stood means that the deadlock, placed in the network, did not move.
	Stood = "placed, it stands"
	// MulticastOnly means that the simulator does not model the packets of the deadlock.
	MulticastOnly = "not simulated: the deadlock has multicast packets"
)

// GatedEngine returns the options of the simulator under gates.
func GatedEngine(g *verify.Gating) *engine.Options {
	return &engine.Options{Switching: model.CutThrough, Select: engine.SelectRandom, Arbiter: engine.FirstCome, MaxFlits: g.Packet,
		BufferFlits: g.Buffer, Gate: &g.Rule}
}

// Standing returns the packets of a deadlock with gates.
func Standing(rep *verify.Report) (list []replay.Standing) {
	for i, p := range rep.Configuration {
		list = append(list, replay.Standing{Source: p.Source, Dest: p.Dest, Path: p.Path, Flits: rep.Flits[i]})
	}
	return list
}

// heldPackets returns the packets of a refutation.
func heldPackets(rep *verify.Report) []replay.Held {
	held := make([]replay.Held, len(rep.Configuration))
	for i, p := range rep.Configuration {
		held[i] = replay.Held{Source: p.Source, Dest: p.Dest, Path: p.Path, Holds: len(rep.Held(i))}
		if rep.Chosen != nil && rep.Chosen[i] >= 0 {
			held[i].Commits, held[i].Chosen = true, rep.Chosen[i]
		}
	}
	return held
}

// TurnSet simulates the routing by all shortest paths that the turn set allows. This routing may be
// free of deadlock although the set has a cycle.
func TurnSet(ctx context.Context, allowed *model.TurnSet) (*Result, error) {
	rep, err := verify.Check(ctx, route.FromTurns(allowed, false), verify.Options{NoPairs: true})
	if err != nil {
		return nil, err
	}
	return Report(ctx, rep, 1)
}
