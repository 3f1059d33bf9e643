package agree

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/model"
)

// TestReached compares the reach of deadlocks with all states of small networks.
func TestReached(t *testing.T) {
	o, record := options(t, 600, 20_000)
	first, end := o.Range(o.Cases)
	n, err := tallyReach(t.Context(), o.Seed, uint64(o.Part)<<32, end-first)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range n.wrong {
		t.Error(text)
	}
	unreachable := n.said["vct, states: proved by unreachable"] + n.said["saf, states: proved by unreachable"]
	if unreachable*300 < n.judged || n.moves < 8 {
		t.Errorf("the relations are too easy: %v, %d moves", n.said, n.moves)
	}
	record("%d random relations and tables; the search over all states did not finish for %d more. Verdicts: %v. "+
		"The longest schedule has %d moves. %d contradict the search, or are open.\n\n", n.judged, n.drawn-n.judged, n.said, n.moves, len(n.wrong))
}

// sharedChannel returns a routing with two paths that share the channel out of switch 0, and then enter a ring of four
// switches, 2 to 5, at opposite ends. docs/theorems/reached.md has it.
func sharedChannel() *Case {
	c := &Case{Kind: "shared channel", Switching: "wormhole", VCs: 1, Switches: 6, Hosts: []int{0, 5, 3}, Dests: []int{1, 2},
		Links: [][2]int{{0, 1}, {1, 2}, {1, 4}, {2, 3}, {3, 4}, {4, 5}, {5, 2}}}
	paths := [][]int{{0, 2, 6, 8, 10}, {0, 4, 10, 12, 6}} // channels, by destination
	c.fill(1, [][3]int{{0, 0, 0}, {0, 1, 0}}, func(d int, at place) []place {
		if at.Channel < 0 {
			return []place{{paths[d][0], 0, 0}}
		}
		for k, ch := range paths[d][:4] {
			if ch == at.Channel {
				return []place{{paths[d][k+1], 0, 0}}
			}
		}
		return []place{{-1 - c.Dests[d], 0, 0}}
	})
	return c
}

// TestSharedChannel checks that the cycle of sharedChannel fills if packets pause, by verify and by all states of the
// network. In the simulator, where they do not pause, it does not fill under full load.
func TestSharedChannel(t *testing.T) {
	ctx := context.Background()
	one, err := judgeReach(ctx, sharedChannel())
	if err != nil || !one.finished || one.wrong != "" || one.moves != 14 {
		t.Errorf("%+v, %v", one, err)
	}
	rel, err := sharedChannel().relation()
	if err != nil {
		t.Fatal(err)
	}
	run, err := replay.Saturate(ctx, rel, replay.Options{Switching: model.Wormhole, Clocks: saturated, Atomic: true})
	if err != nil || run.Deadlock != nil {
		t.Errorf("%+v, %v", run, err)
	}
}
