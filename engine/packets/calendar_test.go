package packets

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/engine"
)

// TestCalendar: every event is returned once, in the clock for which it was entered.
func TestCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCalendar()
		want := map[engine.Clock][]int32{}
		now, number := engine.Clock(0), int32(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			for range rapid.IntRange(0, 5).Draw(t, "events") {
				at := now + engine.Clock(rapid.OneOf(rapid.IntRange(0, 5), rapid.IntRange(near-3, near+3), rapid.IntRange(0, 9*near)).Draw(t, "ahead"))
				c.add(now, at, arrived, number)
				want[at] = append(want[at], number)
				number++
			}
			first := never
			for at := range want {
				first = min(first, at)
			}
			if got := c.next(now); got != first {
				t.Fatalf("clock %d: next event in clock %d, not %d", now, got, first)
			}
			if first == never || rapid.Bool().Draw(t, "wait") {
				continue // keep now, which is not after first
			}
			now = first
			var got []int32
			for k := c.open(now); k != 0; {
				var e event
				e, k = c.take(k)
				got = append(got, e.which)
			}
			if slices.Sort(got); !slices.Equal(got, want[now]) {
				t.Fatalf("clock %d: events %v, not %v", now, got, want[now])
			}
			delete(want, now)
			now++
		}
	})
}
