package verdict

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// ScheduleJSON is the moves that take the packets of a deadlock from the empty network to their places. Packets are
// numbered from 0 in the order of configuration.
type ScheduleJSON struct {
	Injected []int32 `json:"injected"` // the packets in the order of their injection
	Moves    []int32 `json:"moves"`    // the packet of each move; the first move of a packet injects it
	// Places has, with gates, the place of its path that a flit of the packet leaves with each move for the next place.
	Places []int32 `json:"places,omitempty"`
}

// NewScheduleJSON returns the schedule of a report, or nil.
func NewScheduleJSON(rep *verify.Report) *ScheduleJSON {
	if rep.FlitMoves != nil {
		j := &ScheduleJSON{}
		for k := 0; k < len(rep.FlitMoves); k += 2 {
			j.Moves, j.Places = append(j.Moves, rep.FlitMoves[k]), append(j.Places, rep.FlitMoves[k+1])
		}
		j.Injected = explain.InjectionOrder(j.Moves)
		return j
	}
	if rep.Schedule == nil {
		return nil
	}
	return &ScheduleJSON{Injected: explain.InjectionOrder(rep.Schedule), Moves: rep.Schedule}
}

// notReached returns why a refutation has no schedule, or "".
func notReached(rep *verify.Report) string {
	if rep.Schedule != nil || rep.Run != nil || rep.DeadlockFree.Verdict != verify.Refuted {
		return ""
	}
	return rep.NotReached
}

// printSchedule lists the packets of a schedule in the order of injection. If there is no schedule, it prints why.
func printSchedule(w io.Writer, in *resolve.Subject, rep *verify.Report) {
	if rep.Schedule == nil {
		if why := notReached(rep); why != "" {
			fmt.Fprintf(w, "\nNot shown that a run reaches the deadlock: %s.\n", why)
		}
		return
	}
	fmt.Fprintf(w, "\nReached from the empty network %s:\n", explain.ScheduleText(rep))
	order := explain.InjectionOrder(rep.Schedule)
	for k, i := range order {
		if k == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(order)-k, "packet", "s"))
			break
		}
		fmt.Fprintf(w, "  %s\n", explain.PacketText(in.Rel, rep.Configuration[i]))
	}
}
