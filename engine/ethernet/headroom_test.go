package ethernet

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file tests that PAUSE loses nothing if and only if there is headroom.

// bothWays returns two switches with pairs flows in each direction: all links, PAUSE's
// way back among them, are busy.
func bothWays(t testing.TB, vcs, pairs int) (model.Relation, []Flow) {
	var hosts []int
	for range pairs {
		hosts = append(hosts, 0, 1)
	}
	n := wired(t, 2, vcs, [][2]int{{0, 1}}, hosts)
	var ways []route.Path
	for i := range pairs {
		ways = append(ways, path(t, n, 2*i, 2*i+1, i%vcs, 0, 1), path(t, n, 2*i+1, 2*i, i%vcs, 1, 0))
	}
	return paths(t, n, 5e9, ways)
}

func TestHeadroom(t *testing.T) {
	rapid.Check(t, func(d *rapid.T) {
		o := Options{
			LinkRate: rapid.SampledFrom([]int64{1e8, 1e9, 1e10}).Draw(d, "rate"), PayloadBytes: rapid.IntRange(1, 9000).Draw(d, "payload"), HeaderBytes: 46,
			Tagged: rapid.Bool().Draw(d, "tagged"), Propagation: Time(rapid.Int64Range(1, 1e7).Draw(d, "propagation")),
			Latency: Time(rapid.Int64Range(-1, 1e7).Draw(d, "latency")), Reaction: Time(rapid.Int64Range(-1, 1e7).Draw(d, "reaction")),
			ClockPPM: rapid.SampledFrom([]float64{-1, 100, 1e4}).Draw(d, "clocks"), Control: rapid.SampledFrom([]Control{Pause, PFC}).Draw(d, "control"),
			Seed: rapid.Uint64().Draw(d, "seed"), Warmup: -1, QueueFrames: 2,
		}
		z := sizesOf(o)
		o.BufferBytes = Headroom(o) + z.stored*rapid.IntRange(1, 4).Draw(d, "frames") + rapid.IntRange(0, z.stored-1).Draw(d, "bytes")
		o.Window = 1000 * z.frame
		r, flows := bothWays(t, rapid.IntRange(1, 3).Draw(d, "VCs"), rapid.IntRange(2, 4).Draw(d, "pairs"))
		s, err := New(r, flows, o)
		if err != nil {
			d.Fatal(err)
		}
		checked(d, s, o.Window, 1000)
		if s.count.lost > 0 || s.deadlock != nil {
			d.Fatalf("%d frames lost with %d bytes of headroom, deadlock %v", s.count.lost, Headroom(o), s.deadlock)
		}
	})
}

// TestTooLittleHeadroom checks that frames are lost if the headroom is one frame less than
// Headroom returns.
func TestTooLittleHeadroom(t *testing.T) {
	for _, propagation := range []Time{50 * Nanosecond, 20 * Microsecond, 100 * Microsecond} {
		r, flows := bothWays(t, 1, 3)
		o := Options{Control: Pause, Propagation: propagation}
		o.XoffBytes = 1<<16 - Headroom(o) + 1516
		lost := int64(0)
		for o.Seed = 0; o.Seed < 20 && lost == 0; o.Seed++ {
			_, got := simulate(t, r, flows, o, 20000)
			lost = got.Lost
		}
		t.Logf("cable of %v s: %d frames lost, seed %d", propagation.Seconds(), lost, o.Seed-1)
		if lost == 0 {
			t.Errorf("cable of %v s: nothing lost with a frame less than %d bytes", propagation.Seconds(), Headroom(o))
		}
		o.XoffBytes -= 1516
		if _, got := simulate(t, r, flows, o, 20000); got.Lost > 0 {
			t.Errorf("cable of %v s: %d frames lost with %d bytes", propagation.Seconds(), got.Lost, Headroom(o))
		}
	}
}
