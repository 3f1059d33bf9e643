package explain

import (
	"fmt"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/verify"
)

// This file puts the schedule of a deadlock into words.

// InjectionOrder returns the packets of a list of moves in the order of their injection.
func InjectionOrder(moves []int32) []int32 {
	order, _ := injectionOrder(moves)
	return order
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
