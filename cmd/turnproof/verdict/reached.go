package verdict

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/model/view/wording"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// ScheduleJSON is the moves that take the packets of a deadlock from the empty network to their places. Packets are
// numbered from 0 in the order of configuration.
type ScheduleJSON struct {
	Injected []int32 `json:"injected"` // the packets in the order of their injection
	Moves    []int32 `json:"moves"`    // the packet of each move; the first move of a packet injects it
}

// NewScheduleJSON returns the schedule of a report, or nil.
func NewScheduleJSON(rep *verify.Report) *ScheduleJSON {
	if rep.Schedule == nil {
		return nil
	}
	order, _ := injectionOrder(rep.Schedule)
	return &ScheduleJSON{order, rep.Schedule}
}

// injectionOrder returns the packets of a schedule in the order of their first moves, and whether each packet
// makes all its moves without a break.
func injectionOrder(moves []int32) (order []int32, inOneGo bool) {
	seen := map[int32]bool{}
	inOneGo = true
	for k, i := range moves {
		if !seen[i] {
			seen[i] = true
			order = append(order, i)
		} else if moves[k-1] != i {
			inOneGo = false
		}
	}
	return order, inOneGo
}

// ScheduleText describes the schedule of a report in a few words.
func ScheduleText(rep *verify.Report) string {
	order, inOneGo := injectionOrder(rep.Schedule)
	moves := wording.Count(len(rep.Schedule), "move", "s")
	switch {
	case len(order) == 1:
		return "by injecting 1 packet, " + moves
	case inOneGo:
		return fmt.Sprintf("by injecting %d packets one after the other, %s", len(order), moves)
	}
	return fmt.Sprintf("by injecting %d packets, some of which stop on the way and go on later, %s", len(order), moves)
}

// printSchedule lists the packets of a schedule in the order of injection. If there is no schedule, it prints nothing.
func printSchedule(w io.Writer, in *resolve.Subject, rep *verify.Report) {
	if rep.Schedule == nil {
		return
	}
	fmt.Fprintf(w, "\nReached from the empty network %s:\n", ScheduleText(rep))
	order, _ := injectionOrder(rep.Schedule)
	for k, i := range order {
		if k == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(order)-k, "packet", "s"))
			break
		}
		fmt.Fprintf(w, "  %s\n", explain.PacketText(in.Rel, rep.Configuration[i]))
	}
}
