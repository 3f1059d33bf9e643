package compare

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/transition"
)

// judgeChange decides whether packets in the network during the change can block each other or loop, if the entries are replaced in
// any order. It returns the verdict or notExamined, and the reason. The checker has accepted a verdict.
func judgeChange(ctx context.Context, in [2]*resolve.Subject, rep [2]*verify.Report) (verdict, why string, err error) {
	for _, r := range rep {
		switch {
		case r.DeadlockFree.Verdict == verify.Undecided:
			return notExamined, r.DeadlockFree.Reason, nil
		case slices.ContainsFunc(r.Premises, func(p model.Premise) bool { return p.Name == model.PremiseMulticast && p.Value != "none" }):
			return notExamined, "changes of multicast tables are not decided", nil
		}
	}
	old, _, err := compare.Align(in[0].Table, in[1].Table)
	if err != nil {
		return notExamined, err.Error(), nil
	}
	c, err := transition.New(old, in[1].Table)
	if err != nil {
		return notExamined, err.Error(), nil
	}
	m, err := c.MixtureOf(ctx, transition.Entry, false)
	if err != nil {
		return "", "", err
	}
	if _, err := c.MixtureCertificate(m, transition.About{Switching: model.CutThrough}); err != nil {
		return "", "", err
	}
	if m.Safe() {
		return string(verify.Proved), "old and new entries together have no cycle of dependencies and no loop", nil
	}
	if m.Undecided != "" && len(m.Loops) == 0 {
		return notExamined, m.Undecided, nil
	}
	why = fmt.Sprintf("old and new entries together have a cycle of %s", wording.Count(len(m.Cycle), "channel", "s"))
	if k := len(m.Loops); k > 0 {
		why += fmt.Sprintf(", and packets to %s can loop", wording.Count(k, "destination", "s"))
	}
	switch {
	case rep[0].Acyclic.Verdict == verify.Refuted:
		return string(verify.Refuted), why + ", as the old ones alone", nil
	case rep[1].Acyclic.Verdict == verify.Refuted:
		return string(verify.Refuted), why + ", as the new ones alone", nil
	}
	return string(verify.Refuted), why + "; turnproof reroute looks for a safe order", nil
}
