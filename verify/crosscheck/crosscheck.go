// Package crosscheck lets Z3 decide the finite questions that graph search has answered. Each
// question but one asks for numbers that increase:
//
//   - acyclic: along every dependency;
//   - deadlock-free (vct, saf): for each waiting packet, to one of the VCs it waits for;
//   - deadlock-free (bubble, critical-bubble): for each ring and each other VC, by the rules of the proof;
//   - deadlock-free (by no-worms or unreachable): values that satisfy the clauses of the proof; there must be none;
//   - connected: for each state, to one of its next states, or to delivery;
//   - livelock-free: for each state, to all of its next states.
//
// Cost: see smt.Rising.
package crosscheck

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/smt"
	"github.com/turnproof/turnproof/verify/waits"
	"github.com/turnproof/turnproof/verify/worms"
)

// Check lets Z3 decide the claims of a report, and returns what Z3 says about each.
// If Z3 contradicts a verdict, Check fails, because this program then has a defect. It
// fails with smt.ErrUnavailable if there is no Z3. limit applies to each claim. If Z3 does
// not decide a claim, the result says so.
func Check(ctx context.Context, rep *verify.Report, limit time.Duration) ([]string, error) {
	if rep.Graph == nil {
		return nil, errors.New("cannot cross-check a verdict from the lines of a grid; set Options.AllStates")
	}
	var said []string
	for _, question := range []struct {
		claim *verify.Claim
		ask   question
	}{
		{&rep.Acyclic, askAcyclic}, {waitsClaim(rep), waitsQuestion(rep)}, {&rep.Connected, askConnected}, {&rep.LivelockFree, askLivelock},
	} {
		answer, err := askWithin(ctx, rep, limit, question.ask)
		if err != nil {
			return nil, err
		}
		claim := question.claim
		switch {
		case answer == smt.Unknown:
			said = append(said, fmt.Sprintf("%s: not decided within %v", claim.Name, limit))
		case claim.Verdict == verify.Undecided:
			said = append(said, fmt.Sprintf("%s: cannot be decided by Z3", claim.Name))
		case (claim.Verdict == verify.Proved) != (answer == smt.Sat):
			return nil, fmt.Errorf("internal error: graph search says that %s is %s, Z3 says %v", claim.Name, claim.Verdict, answer)
		default:
			said = append(said, fmt.Sprintf("%s: %s", claim.Name, claim.Verdict))
		}
	}
	return said, nil
}

// waitsClaim returns the claim that waitsQuestion decides: deadlock-free under virtual
// cut-through if the graph has a cycle. If only wormhole was decided, and not by no-worms, it returns an
// undecided claim.
func waitsClaim(r *verify.Report) *verify.Claim {
	first := &r.Disciplines[0]
	if f := model.ConditionOf[*bubble.Flow](r.Conditions); f != nil && f.Rule.Kind == bubble.Worm {
		return &verify.Claim{Name: r.DeadlockFree.Name, Verdict: verify.Undecided}
	}
	if first.Switching[0] == model.Wormhole && r.Acyclic.Verdict != verify.Proved && !first.Claim.ByNoWorms() {
		return &verify.Claim{Name: r.DeadlockFree.Name, Verdict: verify.Undecided}
	}
	return &first.Claim
}

// waitsQuestion returns the question about waitsClaim.
func waitsQuestion(r *verify.Report) question {
	switch claim := r.Disciplines[0].Claim; {
	case model.ConditionOf[*bubble.Flow](r.Conditions) != nil:
		return askBubbles
	case claim.ByNoWorms():
		return askClauses((*worms.Graph).Clauses)
	case claim.ByUnreachable():
		return askClauses((*worms.Graph).PacketClauses)
	}
	return askWaits
}

// askClauses returns a question for values that satisfy the clauses of a proof: those that follow from the states, and the
// lemmas about pairs, rings and places. If there are none, the answer is Sat, since the claim holds.
func askClauses(formula func(*worms.Graph) *clausal.Solver) question {
	return func(ctx context.Context, rep *verify.Report) (smt.Result, error) {
		g, err := worms.New(ctx, rep.Relation, model.CommitsIn(rep.Relation, rep.Waiting))
		if err != nil {
			return smt.Unknown, err
		}
		return askSolver(ctx, formula(g), func(yield func(int32, []int32) bool) { steps(rep.Steps, yield) })
	}
}

// askSolver asks for values that satisfy the clauses of kind 0 of a solver, and the steps of other kinds of a proof.
func askSolver(ctx context.Context, solver *clausal.Solver, steps iter.Seq2[int32, []int32]) (smt.Result, error) {
	result, _, err := smt.Satisfy(ctx, solver.Variables(), func(yield func([]int32) bool) {
		for kind, c := range solver.Added() {
			if kind == 0 && !yield(c) {
				return
			}
		}
		for kind, c := range steps {
			if kind != 0 && !yield(c) {
				return
			}
		}
	}, smt.Limit{})
	switch result {
	case smt.Unsat:
		return smt.Sat, err
	case smt.Sat:
		return smt.Unsat, err
	}
	return smt.Unknown, err
}

// steps yields the steps of a proof: kind and clause.
func steps(list []int32, yield func(int32, []int32) bool) {
	for ; len(list) > 0; list = list[2+list[1]:] {
		if !yield(list[0], list[2:2+list[1]]) {
			return
		}
	}
}

// question asks Z3 about a report.
type question func(context.Context, *verify.Report) (smt.Result, error)

func askWithin(ctx context.Context, rep *verify.Report, limit time.Duration, ask question) (smt.Result, error) {
	timed, stop := context.WithTimeout(ctx, limit)
	defer stop()
	answer, err := ask(timed, rep)
	if err != nil && timed.Err() != nil && ctx.Err() == nil {
		return smt.Unknown, nil
	}
	return answer, err
}

func askAcyclic(ctx context.Context, rep *verify.Report) (smt.Result, error) {
	a, err := smt.Acyclic(ctx, rep.Graph.NumVCs(), func(yield func(int32, int32) bool) {
		for t := range rep.Graph.All() {
			if !yield(int32(t.In), int32(t.Out)) {
				return
			}
		}
	}, smt.Limit{})
	return a.Result, err
}

// askWaits asks for ranks of VCs such that each waiting packet has a next VC of greater rank.
func askWaits(ctx context.Context, rep *verify.Report) (smt.Result, error) {
	if _, ok := rep.Relation.(*model.Table); ok || rep.Acyclic.Verdict == verify.Proved || rep.Waiting == model.WaitOne {
		return askAcyclic(ctx, rep) // each packet waits for one VC: the same question
	}
	w, err := waits.Collect(ctx, rep.Relation, model.CommitsIn(rep.Relation, rep.Waiting), func() {})
	if m := rep.Multicast(); m != nil && err == nil {
		err = w.AddCopies(ctx, rep.Relation, m)
	}
	if err != nil {
		return smt.Unknown, err
	}
	a, err := smt.Rising(ctx, rep.Relation.Network().NumLinkVCs(), func(yield func(int32, []int32) bool) {
		var to []int32
		for i, v := range w.At {
			to = to[:0]
			for _, o := range w.Next[i] {
				to = append(to, int32(o))
			}
			if !yield(int32(v), to) {
				return
			}
		}
	}, smt.Limit{})
	return a.Result, err
}

// askConnected asks whether each state has a path to the destination. Z3 cannot find
// that a pair has no class, or that a packet may be delivered to another host.
func askConnected(ctx context.Context, rep *verify.Report) (smt.Result, error) {
	answer, err := askStates(ctx, rep.Relation, func(next []int32) [][]int32 { return [][]int32{next} })
	if end := rep.Routes.LostEnd; answer == smt.Sat && (end == cert.EndNoClass || end == cert.EndWrongHost) {
		return smt.Unknown, err
	}
	return answer, err
}

// askLivelock asks whether the states of each destination have a topological order, and the VCs of the copies of each group.
func askLivelock(ctx context.Context, rep *verify.Report) (smt.Result, error) {
	answer, err := askStates(ctx, rep.Relation, func(next []int32) (each [][]int32) {
		for _, j := range next {
			each = append(each, []int32{j})
		}
		return each
	})
	m := rep.Multicast()
	for i := 0; m != nil && i < len(m.Groups) && answer == smt.Sat && err == nil; i++ {
		answer, err = askCopies(ctx, rep.Relation, &m.Groups[i])
	}
	return answer, err
}

// askCopies asks whether the VCs that copies of a group reach have a topological order.
func askCopies(ctx context.Context, r model.Relation, g *model.MulticastGroup) (smt.Result, error) {
	n := r.Network()
	seen := make([]bool, n.NumVCs())
	var todo []model.VCID
	for _, h := range g.Senders(r) {
		todo = append(todo, n.VC(n.InjectChannel(h), 0))
	}
	a, err := smt.Rising(ctx, n.NumVCs(), func(yield func(int32, []int32) bool) {
		for len(todo) > 0 {
			v := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			in, _ := n.Channel(v)
			for _, o := range g.Copies(r, in, nil) {
				if todo = append(todo, o); !yield(int32(v), []int32{int32(o)}) {
					return
				}
			}
		}
	}, smt.Limit{})
	return a.Result, err
}

// batchStates is how many states Z3 gets at once. Each question has a fixed cost.
const batchStates = 5000

// askStates asks for numbers of the states of all destinations. It asks about batches of
// destinations until Z3 finds no numbers. Vertex 0 is delivery. choices returns the
// sets of next states of which one must have a greater number.
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
