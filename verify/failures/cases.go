package failures

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file checks failures that the caller lists, such as those of several parts at once.

// Case is a failure, or one that stands for those symmetric to it.
type Case struct {
	Label     string
	LostHosts []string
	Like      int // see Failure.Like
	// Within is when a search for verdicts ends: cases that begin later are undecided. If zero, there is no limit.
	Within time.Time
	// Left returns what is left. An error means that it has no routing.
	Left func(ctx context.Context) (*Left, error)
}

// Left is what a failure leaves.
type Left struct {
	Relation model.Relation
	// Remaining has the hosts and switches that are left, for the conditions. If nil, all are.
	Remaining *model.Remaining
	Doubts    []model.Doubt // besides those of Options.Check
	Found     any           // see Failure.Found
}

// Of returns the analysis of listed failures, each of atOnce parts. Each Left is called once, also concurrently.
func Of(kind Kind, atOnce int, list []Case, o verify.Options) *Analysis {
	o.Progress = nil // it would tell about single failures
	a := &Analysis{kind: kind, cases: append([]Case{}, list...), check: o}
	if atOnce > 1 {
		a.more = atOnce
	}
	return a
}

// checkCase checks a failure.
func (a *Analysis) checkCase(ctx context.Context, c *Case) (f Failure, err error) {
	if !c.Within.IsZero() && time.Now().After(c.Within) {
		f.Failed, f.LostHosts, f.Like = c.Label, append([]string{}, c.LostHosts...), c.Like
		f.Verdict, f.Reason = string(verify.Undecided), "not judged: the time is over"
		return f, nil
	}
	left, err := c.Left(ctx)
	switch {
	case ctx.Err() != nil:
		return f, ctx.Err()
	case err != nil:
		f = Failure{Verdict: Unrouted, Reason: err.Error()}
	default:
		o := a.check
		o.Known.Doubts = append(slices.Clone(o.Known.Doubts), left.Doubts...)
		if f, err = judge(ctx, left.Relation, o, left.Remaining); err != nil {
			return f, err
		}
		if left.Found != nil {
			if f.Found, err = json.Marshal(left.Found); err != nil {
				return f, err
			}
		}
	}
	f.Failed, f.LostHosts, f.Like = c.Label, append([]string{}, c.LostHosts...), c.Like
	return f, nil
}
