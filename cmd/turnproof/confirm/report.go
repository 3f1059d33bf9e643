package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// Result is the outcome of a simulation.
type Result struct {
	Clocks   int64    `json:"clocks"`   // length of the run
	Accepted *float64 `json:"accepted"` // flits per clock and host, of a run at saturation; null for a refuted routing
	Deadlock bool     `json:"deadlock"`
	Reached  *bool    `json:"reached"` // whether the simulation reached the deadlock; null if the routing is proved
	How      string   `json:"how"`
	Tries    int      `json:"tries"`

	// Messages is the outcome for classes of messages. The other fields are about the routing, where hosts consume everything.
	Messages *Messages `json:"messages,omitempty"`

	Frozen *engine.Deadlock `json:"-"`
}

// Report simulates the routing of a report, and its classes of messages. It returns an error if a routing that is proved free
// of deadlock deadlocks in the simulation. If the deadlock of a refutation has multicast packets,
// Report simulates nothing and Result.Reached is nil.
func Report(ctx context.Context, rep *verify.Report, seed uint64) (*Result, error) {
	s, err := runRouting(ctx, rep, seed)
	var limit *engine.Limit
	if errors.As(err, &limit) {
		return &Result{How: NotSimulated + limit.What}, nil
	}
	if err != nil {
		return nil, err
	}
	s.Messages, err = runMessages(ctx, rep, seed)
	return s, err
}

// runRouting simulates the routing of a report, in which hosts consume everything.
func runRouting(ctx context.Context, rep *verify.Report, seed uint64) (*Result, error) {
	o := replay.Options{Switching: model.Switching(rep.Switching), Waiting: rep.Waiting, Facts: rep.Facts(), Seed: seed}
	stands := false
	if g := model.ConditionOf[*gate.Setup](rep.Conditions); g != nil {
		o.Engine = GatedEngine(g)
		o.Engine.Switching = rep.Switching
		replay.Fit(o.Facts, rep.Relation.Network(), o.Engine)
		if rep.DeadlockFree.Verdict == verify.Refuted {
			if _, err := replay.Stand(ctx, rep.Relation, Standing(rep), *o.Engine, standClocks); err != nil {
				return nil, fmt.Errorf("internal error: %w", err)
			}
			stands = true
		}
	}
	if f := model.ConditionOf[*bubble.Flow](rep.Conditions); f != nil {
		o.Engine = FlowEngine(f)
		o.Engine.Switching = rep.Switching
		replay.Fit(o.Facts, rep.Relation.Network(), o.Engine)
	}
	if rep.SharesVCs() {
		o.Engine = &engine.Options{Switching: model.Wormhole}
		replay.Fit(o.Facts, rep.Relation.Network(), o.Engine)
	}
	if rep.Run != nil && !(rep.SharesVCs() && rep.Waiting != model.WaitAny) { // the simulator draws the hops that packets wait for
		return followRun(ctx, rep, *o.Engine)
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
	o.Atomic = rep.Switching == model.Wormhole && rep.Acyclic.Verdict != verify.Proved // the proof by escape channels assumes atomic VCs
	sat, err := replay.Saturate(ctx, rep.Relation, o)
	if err != nil {
		return nil, err
	}
	if sat.Deadlock != nil && rep.Evidence(cert.ClaimDeadlockFree) == cert.EvidenceGatedStates {
		return &Result{Deadlock: true, Clocks: int64(sat.Deadlock.Clock), Tries: 1, How: LateControl, Frozen: sat.Deadlock}, nil
	}
	if sat.Deadlock != nil {
		return nil, fmt.Errorf("internal error: proved free of deadlock, the simulator froze in clock %d", sat.Deadlock.Clock)
	}
	return &Result{Clocks: int64(sat.Clocks), Accepted: &sat.Accepted, How: "saturation", Tries: 1}, nil
}

// standClocks is the number of clocks for which a placed deadlock is simulated.
const standClocks = 1000

// Values of Result.How if the simulation did not reach the deadlock from an empty network.
const (
	// Stood means that the packets of the deadlock were placed in the network and did not move.
	Stood = "placed in the network, it does not move"
	// LateControl means that the routing is proved if gates see the buffers ahead at once, and that the
	// simulation, in which control information takes time, reached a deadlock.
	LateControl = "control information takes time in the simulation"
	// Followed means that the packets moved as in the run of the refutation.
	Followed = "moved one after the other, as in the run of the certificate"
	// MulticastOnly means that the deadlock has multicast packets, which the simulator does not
	// model.
	MulticastOnly = NotSimulated + "the deadlock has multicast packets"
	// HopsDrawn means that packets wait for one of several hops, and the simulator did not choose those of the run.
	HopsDrawn = NotSimulated + "packets choose the hop that they wait for by a hash, and the run has other choices"
	// NotSimulated begins the values that say why nothing was simulated.
	NotSimulated = "not simulated: "
)

// GatedEngine returns the options of the simulator for a routing with gates.
func GatedEngine(g *gate.Setup) *engine.Options {
	return &engine.Options{Switching: model.CutThrough, Select: engine.SelectRandom, Arbiter: engine.FirstCome, MaxFlits: g.Packet,
		BufferFlits: g.Buffer, Gate: &g.Rule}
}

// FlowEngine returns the options of the simulator for a routing with flow control of rings.
func FlowEngine(f *bubble.Flow) *engine.Options {
	return &engine.Options{Switching: f.Switching(), Select: engine.SelectRandom, MaxFlits: f.Packet, BufferFlits: f.Buffer, Flow: &f.Rule}
}

// movesOf returns the moves of a run in the form of package replay: the first one of a packet creates it. In a run of packets that
// share VCs, the first move of a packet is its second step.
func movesOf(rep *verify.Report) (moves []int32) {
	if !rep.SharesVCs() {
		return rep.Run.Moves
	}
	created := make([]bool, len(rep.Run.Packets))
	for _, i := range rep.Run.Moves {
		if !created[i] {
			moves, created[i] = append(moves, i), true
		}
		moves = append(moves, i)
	}
	return moves
}

// followRun simulates the run of a refutation.
func followRun(ctx context.Context, rep *verify.Report, o engine.Options) (*Result, error) {
	var packets []replay.Scripted
	for _, p := range rep.Run.Packets {
		packets = append(packets, replay.Scripted{Source: p.Source, Dest: p.Dest, Path: p.Path})
	}
	d, err := replay.Script(ctx, rep.Relation, packets, movesOf(rep), o)
	if err != nil {
		return nil, err
	}
	if d == nil && rep.Waiting != model.WaitAny {
		return &Result{How: HopsDrawn}, nil
	}
	if d == nil {
		return nil, errors.New("internal error: the run of the refutation does not freeze the simulator")
	}
	reached := true
	return &Result{Clocks: int64(d.Clock), Deadlock: true, Reached: &reached, How: Followed, Tries: 1, Frozen: d}, nil
}

// Standing converts the packets of a deadlock with gates for package replay.
func Standing(rep *verify.Report) (list []replay.Standing) {
	for i, p := range rep.Configuration {
		list = append(list, replay.Standing{Source: p.Source, Dest: p.Dest, Path: p.Path, Flits: rep.Flits[i]})
	}
	return list
}

// heldPackets converts the packets of a refutation for package replay.
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

// TurnSet simulates the routing that uses all shortest paths allowed by the turn set. This routing
// may be free of deadlock although the turns close a cycle.
func TurnSet(ctx context.Context, allowed *model.TurnSet) (*Result, error) {
	rep, err := verify.Check(ctx, route.FromTurns(allowed, false), verify.Options{NoPairs: true})
	if err != nil {
		return nil, err
	}
	return Report(ctx, rep, 1)
}
