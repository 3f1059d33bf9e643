package compare

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/transition"
)

// judgeChange decides whether packets in the network during the change can block each other or loop, if the entries are replaced in
// any order. It returns the verdict or notExamined, and the reason. The checker has accepted a verdict.
func judgeChange(ctx context.Context, s *states.Pair) (verdict, why string, err error) {
	if s.Join(ctx) != nil {
		return notExamined, s.Open.Error(), ctx.Err()
	}
	m, _, err := s.AnyOrder(ctx, transition.Entry, false)
	if err != nil {
		return "", "", err
	}
	verdict = string(states.Verdict(m))
	switch {
	case m.Safe() && s.Change == nil:
		return verdict, "old and new entries together have no cycle of dependencies", nil
	case m.Safe():
		return verdict, "old and new entries together have no cycle of dependencies and no loop", nil
	case verdict == string(verify.Undecided):
		return verdict, m.Undecided, nil
	case len(m.Cycle) == 1 && len(m.Packets[0].Path) > 0 && m.Packets[0].Path[len(m.Packets[0].Path)-1].VC == m.Cycle[0]:
		why = "a packet can reach a switch where it has no next hop, and is assumed to keep its virtual channel"
	default:
		why = fmt.Sprintf("old and new entries together have a cycle of %s", wording.Count(len(m.Cycle), "channel", "s"))
	}
	if k := len(m.Loops); k > 0 {
		why += fmt.Sprintf(", and packets to %s can loop", wording.Count(k, "destination", "s"))
	}
	for i, state := range []string{"old", "new"} {
		if s.Rep[i].DeadlockFree.Verdict == verify.Refuted {
			return verdict, why + ", as the " + state + " ones alone", nil
		}
	}
	return verdict, why + "; turnproof reroute looks for a safe order", nil
}
