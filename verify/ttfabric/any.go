package ttfabric

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/ttfabric"
	"github.com/turnproof/turnproof/verify"
)

// This file decides what holds for every placement of the cables.
//
// Three steps: the traffic within meshes; the union of all placements, whose dependency graph has no cycle if no placement has one through a cable; else all
// placements if they are few, or some that are drawn. Each verdict on the way is one of verify.Check, which the independent checker accepts.

// AnyAnswer is what holds for every placement of the cables.
type AnyAnswer struct {
	Verdict    verify.Verdict      `json:"verdict"`
	Reason     string              `json:"reason"`
	Inside     verify.Verdict      `json:"inside"` // of the traffic within meshes
	Union      verify.Verdict      `json:"union"`  // of all placements at once; undecided if its graph has a cycle
	Placements float64             `json:"placements"`
	Tried      int                 `json:"tried"`
	Bad        int                 `json:"bad"`             // placements that are not free, of those tried
	Worst      []ttfabric.ChipPair `json:"worst,omitempty"` // the cables of a bad placement with a shortest cycle
	Answer     *Answer             `json:"answer,omitempty"`
	Fabric     *ttfabric.Fabric    `json:"-"` // with the worst placement
	Report     *verify.Report      `json:"-"`
}

const (
	mostPlacements = 400 // placements that are all tried
	drawPlacements = 200 // that are drawn if there are more
)

// Decide decides a fabric by verify.Check, with its own flow control.
func Decide(ctx context.Context, f *ttfabric.Fabric) (*verify.Report, error) {
	return decideTraffic(ctx, f, false)
}

// decideTraffic also accepts fabrics without traffic, if noPairs is true.
func decideTraffic(ctx context.Context, f *ttfabric.Fabric, noPairs bool) (*verify.Report, error) {
	o := verify.Options{Switching: model.CutThrough, Facts: facts.Facts{Packet: 1, Buffer: f.Options.Slots, Reuse: facts.WhenUnused, Source: "receivers"},
		NoPairs: noPairs}
	if c := f.Net.FlowControl(); c != nil {
		rule, err := bubble.Parse(c.Rule)
		if err != nil {
			return nil, err
		}
		o.Conditions = append(o.Conditions, &bubble.Flow{Rule: rule, Packet: c.Packet, Buffer: c.Buffer, Source: "receivers"})
	}
	return verify.Check(ctx, f.Relation, o)
}

// DecideAny decides what holds for every placement of the cables of f. It tries placements until the time limit.
func DecideAny(ctx context.Context, f *ttfabric.Fabric, limit time.Duration) (*AnyAnswer, error) {
	end := time.Now().Add(limit)
	if err := verify.CheckPairs(f.Relation); err != nil {
		return nil, err
	}
	p := f.NewPlacements()
	a := &AnyAnswer{Placements: p.Count, Union: verify.Undecided}
	within, err := f.Within()
	if err != nil {
		return nil, err
	}
	rep, err := decideTraffic(ctx, within, true)
	if err != nil {
		return nil, err
	}
	asked := f.Options.Traffic.Flows == nil && f.Options.Traffic.Word != ttfabric.TrafficInter
	if a.Inside = rep.DeadlockFree.Verdict; a.Inside == verify.Refuted && asked {
		a.Verdict, a.Reason, a.Fabric, a.Report = verify.Refuted, "the traffic within meshes can deadlock, whatever the cables", within, rep
		a.Answer, err = NewAnswer(ctx, within, rep)
		return a, err
	}
	blocked := len(f.Findings.Mislabelled) > 0 || f.Findings.Blocked
	if u, err := f.NewUnion(); err == nil && f.AlwaysAgree() && !f.LabelsMatter() && !blocked && a.Inside == verify.Proved {
		rep, err := verify.Check(ctx, u.Relation, verify.Options{Switching: model.CutThrough, NoPairs: true})
		if err != nil {
			return nil, err
		}
		if a.Union = rep.Acyclic.Verdict; a.Union == verify.Proved {
			a.Verdict = verify.Proved
			a.Reason = "traffic within meshes is free, and the union of all placements has no dependency cycle"
			return a, nil
		}
		a.Union = verify.Undecided
	}
	return a, a.try(ctx, f, p, end)
}

// try judges placements.
func (a *AnyAnswer) try(ctx context.Context, f *ttfabric.Fabric, p *ttfabric.Placements, end time.Time) (err error) {
	open := ""
	one := func(cables []ttfabric.ChipPair) bool {
		var why string
		why, err = a.judge(ctx, f, cables)
		open = cmp.Or(open, why)
		return err == nil && time.Now().Before(end)
	}
	all := p.Count <= mostPlacements
	if all {
		p.All(func(cables []ttfabric.ChipPair) bool {
			ok := one(cables)
			all = all && ok
			return ok
		})
	} else {
		for k := range uint64(drawPlacements) {
			if k == 0 && !one(p.Assumed()) || !one(p.Draw(rand.New(rand.NewPCG(k, 52)))) {
				break
			}
		}
	}
	switch {
	case err != nil:
		return err
	case a.Bad > 0:
		a.Verdict, a.Reason = verify.Refuted, fmt.Sprintf("%d of %d placements that were tried are not free", a.Bad, a.Tried)
	case all && open == "" && a.Tried > 0 && p.Exact && f.AlwaysAgree() && !f.LabelsMatter():
		a.Verdict, a.Reason = verify.Proved, fmt.Sprintf("each of the %d placements is free", a.Tried)
	default:
		a.Verdict, a.Reason = verify.Undecided, fmt.Sprintf("%d of %.0f placements were tried, and none is refuted", a.Tried, a.Placements)
		if open != "" {
			a.Reason += "; one is open: " + open
		}
	}
	return nil
}

// judge judges one placement, and returns why it is undecided, or "". An impossible placement does not count: no labels fit its cables.
func (a *AnyAnswer) judge(ctx context.Context, f *ttfabric.Fabric, cables []ttfabric.ChipPair) (open string, err error) {
	x, err := f.With(cables)
	switch {
	case errors.Is(err, ttfabric.ErrNoLabels):
		return "", nil
	case err != nil:
		return err.Error(), nil
	}
	rep, err := Decide(ctx, x)
	if err != nil {
		return "", err
	}
	a.Tried++
	answer, err := NewAnswer(ctx, x, rep)
	if err != nil || answer.Verdict == Free {
		return "", err
	}
	if answer.Verdict == Undecided || answer.Verdict == NoPath {
		return strings.Join(answer.Why, "; "), nil
	}
	if a.Bad++; a.Answer == nil || answer.CycleLength > 0 && (a.Answer.CycleLength == 0 || answer.CycleLength < a.Answer.CycleLength) {
		a.Answer, a.Worst, a.Fabric, a.Report = answer, cables, x, rep
	}
	return "", nil
}
