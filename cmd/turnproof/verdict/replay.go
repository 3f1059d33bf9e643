package verdict

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// Simulated is what the simulator made of a verdict.
type Simulated struct {
	Clocks   int64    `json:"clocks"`   // of the run that is told of
	Accepted *float64 `json:"accepted"` // null: it froze
	Deadlock bool     `json:"deadlock"`
	Reached  *bool    `json:"reached"` // null: there was no deadlock to reach
	How      string   `json:"how"`
	Tries    int      `json:"tries"`

	Frozen *engine.Deadlock `json:"-"`
}

// Simulate runs the routing of a report. It fails where the simulator freezes
// what is proved.
// Where the deadlock has multicast packets, the result's Reached is nil.
func Simulate(ctx context.Context, rep *verify.Report, seed uint64) (*Simulated, error) {
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
		return &Simulated{How: multicastOnly}, nil
	}
	if rep.DeadlockFree.Verdict != verify.Proved {
		res, err := replay.Run(ctx, rep.Relation, heldPackets(rep), o)
		if err != nil {
			return nil, err
		}
		s := &Simulated{Deadlock: res.Reached, Reached: &res.Reached, How: res.How, Tries: res.Tries, Frozen: res.Deadlock}
		if res.Reached {
			s.Clocks = int64(res.Deadlock.Clock)
		} else if stands {
			s.How = stood
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
	return &Simulated{Clocks: int64(sat.Clocks), Accepted: &sat.Accepted, How: "saturation", Tries: 1}, nil
}

// standClocks is how long a placed deadlock is looked at, and stood what is said of it.
const (
	standClocks = 1000
	stood       = "placed, it stands"
	// multicastOnly is said of a deadlock that the simulator does not know the packets of.
	multicastOnly = "not simulated: the deadlock has multicast packets"
)

// GatedEngine are the options of the simulator under gates.
func GatedEngine(g *verify.Gating) *engine.Options {
	return &engine.Options{Switching: model.CutThrough, Select: engine.SelectRandom, Arbiter: engine.FirstCome, MaxFlits: g.Packet, BufferFlits: g.Buffer, Gate: &g.Rule}
}

// Standing are the packets of a deadlock with gates.
func Standing(rep *verify.Report) (list []replay.Standing) {
	for i, p := range rep.Configuration {
		list = append(list, replay.Standing{Source: p.Source, Dest: p.Dest, Path: p.Path, Flits: rep.Flits[i]})
	}
	return list
}

// heldPackets are the packets of a refutation.
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

// PrintFrozen lists the packets of a deadlock in the simulator.
func PrintFrozen(w io.Writer, in *input.Input, d *engine.Deadlock) {
	fmt.Fprintf(w, "\n%s can never move again. Each entry: the channels that a packet is on, and those that it waits for.\n", say.Count(len(d.Packets), "packet", "s"))
	for i, p := range d.Packets {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", say.Count(len(d.Packets)-i, "packet", "s"))
			break
		}
		for _, v := range p.On {
			fmt.Fprintf(w, "  %s\n", say.ChannelText(in.Net, v))
		}
		fmt.Fprintf(w, "      packet from %s", in.Net.HostLabel(p.Source))
		if p.Behind {
			fmt.Fprintln(w, ", behind another")
			continue
		}
		if len(p.Gated) > 0 && len(p.Waits) == 0 {
			fmt.Fprintln(w, ", its head got away, waits at the gate before")
		} else {
			fmt.Fprintln(w, " waits for")
		}
		for _, v := range slices.Concat(p.Waits, p.Gated) {
			fmt.Fprintf(w, "        %s\n", say.ChannelText(in.Net, v))
		}
	}
}

// FrozenJSON writes a deadlock in the terms of a refutation's configuration.
func FrozenJSON(r model.Relation, d *engine.Deadlock) []say.WaitJSON {
	n := r.Network()
	list := make([]say.WaitJSON, 0, len(d.Packets))
	for _, p := range d.Packets {
		j := say.WaitJSON{Packet: &say.PacketJSON{Source: n.HostLabel(p.Source), Destination: destination(r, p), Class: int(p.Class), Path: []say.HopJSON{}}, WaitsFor: []say.HopJSON{}}
		for _, v := range p.On {
			j.Holds = append(j.Holds, say.NewHopJSON(n, v))
		}
		for _, v := range slices.Concat(p.Waits, p.Gated) {
			j.WaitsFor = append(j.WaitsFor, say.NewHopJSON(n, v))
		}
		list = append(list, j)
	}
	return list
}

// destination names where a packet of the simulator goes.
func destination(r model.Relation, p engine.Blocked) string {
	return r.Network().HostLabel(r.DestinationHost(p.Dest))
}

// SimulatedText says in a line what the simulator made of a verdict.
func SimulatedText(s *Simulated) string {
	switch {
	case s.Accepted != nil:
		return fmt.Sprintf("no deadlock in %s clocks at saturation, %.3f flits per clock and host accepted", say.Thousands(s.Clocks), *s.Accepted)
	case s.Deadlock:
		return fmt.Sprintf("deadlock reached in clock %s, %s", say.Thousands(s.Clocks), s.How)
	}
	if s.How == multicastOnly {
		return s.How
	}
	if s.How == stood {
		return fmt.Sprintf("placed in the network the deadlock stands; not reached from the empty one in %s, which proves nothing", say.Count(s.Tries, "simulation", "s"))
	}
	return fmt.Sprintf("no deadlock reached in %s, which proves nothing", say.Count(s.Tries, "simulation", "s"))
}

// SimulateTurns puts a turn set to the test, as the routing by all its shortest
// ways. What packets do of it may be free of deadlock even where the set has a
// cycle.
func SimulateTurns(ctx context.Context, allowed *model.TurnSet) (*Simulated, error) {
	rep, err := verify.Check(ctx, route.FromTurns(allowed, false), verify.Options{NoPairs: true})
	if err != nil {
		return nil, err
	}
	return Simulate(ctx, rep, 1)
}
