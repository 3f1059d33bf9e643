package ttfabric

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/ttfabric"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/bubbles"
)

// Verdict is what a fabric does, in one word.
type Verdict string

// The verdicts, the first that holds.
const (
	Mislabelled Verdict = "mislabelled" // a link has one label for two directions
	Starves     Verdict = "starves"     // the ends of a cable disagree on deadlock avoidance
	Blocked     Verdict = "blocked"     // an entry needs more free slots than a receiver has
	Deadlock    Verdict = "deadlock"
	NoPath      Verdict = "no-path" // packets that are asked for have no path
	Free        Verdict = "free"
	Undecided   Verdict = "undecided"
)

// Answer is what is known of a fabric.
type Answer struct {
	Verdict      Verdict              `json:"verdict"`
	Why          []string             `json:"why"`
	Cycle        []string             `json:"cycle,omitempty"` // a shortest cycle that nothing protects; of a deadlock
	CycleLength  int                  `json:"cycle_length,omitempty"`
	CycleFlows   []ttfabric.ChipPair  `json:"cycle_flows,omitempty"` // by channel of the cycle: a flow that waits there for the next
	VCs          []string             `json:"vcs,omitempty"`         // of the cycle
	Meshes       []int                `json:"meshes,omitempty"`      // of the cycle
	Rings        map[string]RingCount `json:"rings"`
	Cables       int                  `json:"cables"`
	Assumed      bool                 `json:"assumed_cables"`
	Starving     []StarvingCable      `json:"starving_cables,omitempty"`
	Unroutable   int                  `json:"flows_unroutable"`
	FabricConfig string               `json:"fabric_config"`
	Rules        string               `json:"rules"`
}

// RingCount counts the rings of a mesh, direction and VC.
type RingCount struct {
	Rings     int  `json:"rings"`     // with packets
	Closed    int  `json:"closed"`    // whose dependencies close
	Protected int  `json:"protected"` // by bubble flow control at all entries
	Free      bool `json:"free"`      // each is open or protected
}

// StarvingCable is a cable with the deadlock avoidance of its ends.
type StarvingCable struct {
	Cable string  `json:"cable"`
	Ack   [2]bool `json:"ack"`
}

// NewAnswer returns what a report says of a fabric. The relation of the report is that of the fabric, or a restriction of it.
func NewAnswer(ctx context.Context, f *ttfabric.Fabric, rep *verify.Report) (*Answer, error) {
	a := &Answer{Why: append([]string{}, f.Faults()...), Cables: len(f.Cables), Assumed: f.Assumed, Unroutable: f.Unroutable(),
		FabricConfig: f.ConfigText(), Rules: f.Options.Rules}
	for _, s := range f.Findings.Starving {
		a.Starving = append(a.Starving, StarvingCable{f.Cables[s.Cable].String(), s.Ack})
	}
	a.Rings = rings(f, rep.Relation)
	switch {
	case len(f.Findings.Mislabelled) > 0:
		a.Verdict = Mislabelled
	case len(f.Findings.Starving) > 0:
		a.Verdict = Starves
	case f.Findings.Blocked:
		a.Verdict = Blocked
	case rep.DeadlockFree.Verdict == verify.Refuted:
		a.Verdict = Deadlock
		return a, a.addCycle(ctx, f, rep)
	case rep.DeadlockFree.Verdict == verify.Proved && rep.Connected.Verdict == verify.Refuted:
		a.Verdict = NoPath
		a.Why = append(a.Why, rep.Connected.Reason)
		if a.Unroutable > 0 {
			a.Why = append(a.Why, wording.Count(a.Unroutable, "pair", "s")+" of workers would leave a mesh on VC 1 over Z, which the rules forbid")
		}
	case rep.DeadlockFree.Verdict == verify.Proved && rep.Connected.Verdict == verify.Proved:
		a.Verdict = Free
	default:
		a.Verdict = Undecided
		a.Why = append(a.Why, rep.DeadlockFree.Reason)
	}
	return a, nil
}

// addCycle adds a shortest cycle.
func (a *Answer) addCycle(ctx context.Context, f *ttfabric.Fabric, rep *verify.Report) error {
	cycle, packets := rep.Cycle, rep.CyclePackets
	if flow := model.ConditionOf[*bubble.Flow](rep.Conditions); flow != nil {
		b, err := bubbles.Bind(ctx, rep.Relation, flow)
		if err != nil {
			return err
		}
		if cycle, err = b.ShortestCycle(ctx, rep.Relation); err != nil {
			return err
		}
		if packets, err = b.Packets(ctx, rep.Relation, cycle); err != nil {
			return err
		}
	}
	for i, v := range cycle {
		a.Cycle = append(a.Cycle, f.VCName(v))
		c, _ := f.Net.Channel(v)
		a.VCs = append(a.VCs, f.VCName(v)[len(f.PortName(c))+len("/VC"):])
		a.Meshes = append(a.Meshes, f.Chip(f.Net.Tail(c)).Mesh)
		if p := packets[i]; p != nil {
			a.CycleFlows = append(a.CycleFlows, ttfabric.ChipPair{f.Chip(f.Net.Host(p.Source).Switch), f.Chip(f.Net.Host(model.HostID(p.Dest)).Switch)})
		}
	}
	a.CycleLength = len(cycle)
	a.VCs, a.Meshes = unique(a.VCs), unique(a.Meshes)
	return nil
}

func unique[T string | int](list []T) []T {
	slices.Sort(list)
	return slices.Compact(list)
}

// rings counts the rings, by mesh, direction and VC.
func rings(f *ttfabric.Fabric, r model.Relation) map[string]RingCount {
	used, turns := map[model.VCID]bool{}, map[model.Turn]bool{}
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		for i, st := range s.States {
			hops, _ := s.HopsOf(i)
			used[st.VC] = true
			for _, h := range hops {
				turns[model.Turn{In: st.VC, Out: h.VC}] = true
			}
		}
	}
	counts := map[string]RingCount{}
	for _, ring := range f.Rings() {
		for vc := range f.Net.VCs() {
			passes, closed := false, true
			for i, c := range ring.Channels {
				v, next := f.Net.VC(c, vc), f.Net.VC(ring.Channels[(i+1)%len(ring.Channels)], vc)
				passes = passes || used[v]
				closed = closed && turns[model.Turn{In: v, Out: next}]
			}
			if !passes {
				continue
			}
			name := fmt.Sprintf("M%d/%s/%s", ring.Mesh, ring.Label, f.VCWord(vc))
			k := counts[name]
			if k.Rings == 0 {
				k.Free = true
			}
			k.Rings++
			if closed {
				k.Closed++
			}
			if f.IsProtected(ring, vc) {
				k.Protected++
			} else if closed {
				k.Free = false
			}
			counts[name] = k
		}
	}
	return counts
}
