package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file asks Z3 the finite questions that graph search has answered. All
// of them ask for numbers that rise:
//
//   - acyclic: along every dependency;
//   - deadlock-free (vct, saf): for each way to wait, to one of the VCs waited for;
//   - connected: for each state, to one of the states that may follow, or out;
//   - livelock-free: for each state, to all of those.
//
// Cost: see smt.Rising.

// CrossCheck lets Z3 judge the verdicts of a report. It returns what Z3 said of
// each claim, and an error when it disagrees, which is a defect of this
// program, or when there is no Z3 (smt.ErrUnavailable). The limit is for each
// claim; a question that Z3 does not decide is no disagreement.
func CrossCheck(ctx context.Context, rep *Report, limit time.Duration) ([]string, error) {
	if rep.Graph == nil {
		return nil, errors.New("verify: a verdict from the lines of a grid cannot be cross-checked as a whole; Options.AllStates asks for one from its states")
	}
	var said []string
	for _, question := range []struct {
		claim *Claim
		ask   func(context.Context, *Report) (smt.Result, error)
	}{
		{&rep.Acyclic, askAcyclic}, {rep.waitsClaim(), askWaits}, {&rep.Connected, askHome}, {&rep.LivelockFree, askLoops},
	} {
		answer, err := asked(ctx, rep, limit, question.ask)
		if err != nil {
			return nil, err
		}
		claim := question.claim
		switch {
		case answer == smt.Unknown:
			said = append(said, fmt.Sprintf("%s: not decided within %v", claim.Name, limit))
		case claim.Verdict == Undecided:
			said = append(said, fmt.Sprintf("%s: not a question for Z3", claim.Name))
		case (claim.Verdict == Proved) != (answer == smt.Sat):
			return nil, fmt.Errorf("verify: internal error: graph search says that %s is %s, Z3 says %v", claim.Name, claim.Verdict, answer)
		default:
			said = append(said, fmt.Sprintf("%s: %s", claim.Name, claim.Verdict))
		}
	}
	return said, nil
}

// waitsClaim returns the claim that askWaits decides: deadlock-free under virtual
// cut-through where the graph has a cycle. If only wormhole was decided, there is
// no such claim, and an undecided one is returned.
func (r *Report) waitsClaim() *Claim {
	first := &r.Disciplines[0]
	if first.Switching[0] == model.Wormhole && r.Acyclic.Verdict != Proved {
		return &Claim{Name: r.DeadlockFree.Name, Verdict: Undecided}
	}
	return &first.Claim
}

func asked(ctx context.Context, rep *Report, limit time.Duration, ask func(context.Context, *Report) (smt.Result, error)) (smt.Result, error) {
	timed, stop := context.WithTimeout(ctx, limit)
	defer stop()
	answer, err := ask(timed, rep)
	if err != nil && timed.Err() != nil && ctx.Err() == nil {
		return smt.Unknown, nil
	}
	return answer, err
}

func askAcyclic(ctx context.Context, rep *Report) (smt.Result, error) {
	a, err := smt.Acyclic(ctx, rep.Graph.NumVCs(), func(yield func(int32, int32) bool) {
		for t := range rep.Graph.All() {
			if !yield(int32(t.In), int32(t.Out)) {
				return
			}
		}
	}, smt.Limit{})
	return a.Result, err
}

// askWaits asks for ranks of VCs such that each waiting packet has one to go up to.
func askWaits(ctx context.Context, rep *Report) (smt.Result, error) {
	if _, ok := rep.Relation.(*model.Table); ok || rep.Acyclic.Verdict == Proved || rep.Waiting == model.WaitOne {
		return askAcyclic(ctx, rep) // one VC to wait for: the same question
	}
	w, err := collectWaits(ctx, rep.Relation, rep.commits)
	if err != nil {
		return smt.Unknown, err
	}
	a, err := smt.Rising(ctx, rep.Relation.Network().NumLinkVCs(), func(yield func(int32, []int32) bool) {
		var to []int32
		for i, v := range w.at {
			to = to[:0]
			for _, o := range w.next[i] {
				to = append(to, int32(o))
			}
			if !yield(int32(v), to) {
				return
			}
		}
	}, smt.Limit{})
	return a.Result, err
}

// askHome asks whether each state has a way to the destination. That a pair has
// no class, or that a packet may be delivered elsewhere, is not Z3's to find.
func askHome(ctx context.Context, rep *Report) (smt.Result, error) {
	answer, err := askStates(ctx, rep.Relation, func(next []int32) [][]int32 { return [][]int32{next} })
	if end := rep.Routes.LostEnd; answer == smt.Sat && (end == cert.EndNoClass || end == cert.EndWrongHost) {
		return smt.Unknown, err
	}
	return answer, err
}

// askLoops asks whether the states of each destination follow each other in an
// order.
func askLoops(ctx context.Context, rep *Report) (smt.Result, error) {
	return askStates(ctx, rep.Relation, func(next []int32) (each [][]int32) {
		for _, j := range next {
			each = append(each, []int32{j})
		}
		return each
	})
}

// batchStates is how many states are put to Z3 at once: a question has its
// price, however small it is.
const batchStates = 5000

// askStates asks for numbers of the states of all destinations, a batch of
// destinations at a time, until one has none. Vertex 0 stands for being
// delivered; choices makes the choices of a state from what may follow it.
func askStates(ctx context.Context, r model.Relation, choices func(next []int32) [][]int32) (smt.Result, error) {
	type choice struct {
		from int32
		to   []int32
	}
	var batch []choice
	states := int32(1)
	ask := func() (smt.Result, error) {
		a, err := smt.Rising(ctx, int(states), func(yield func(int32, []int32) bool) {
			for _, c := range batch {
				if !yield(c.from, c.to) {
					return
				}
			}
		}, smt.Limit{})
		batch, states = batch[:0], 1
		return a.Result, err
	}
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		for i := range s.States {
			_, next := s.HopsOf(i)
			var to []int32
			for _, j := range next {
				switch {
				case j >= 0:
					to = append(to, states+j)
				case j == cdg.Delivered:
					to = append(to, 0)
				}
			}
			for _, c := range choices(to) {
				batch = append(batch, choice{states + int32(i), c})
			}
		}
		if states += int32(len(s.States)); states < batchStates {
			continue
		}
		if answer, err := ask(); err != nil || answer != smt.Sat {
			return answer, err
		}
	}
	return ask()
}
