package replay

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// TestStandingWorms: with wormhole switching, three packets block each other on a ring of six
// switches. Each is on two VCs and its destination is three switches ahead. The deadlock does not
// depend on how the flits are divided between the two buffers. Two of these packets alone can
// move.
func TestStandingWorms(t *testing.T) {
	r := relation(t, "ring:6", "dor")
	worm := func(u, first, last int) Standing {
		h := lastOn(t, r, u+1, 1, 1)
		if h.Source != model.HostID(u) || len(h.Path) != 3 {
			t.Fatalf("%+v", h)
		}
		return Standing{Source: h.Source, Dest: h.Dest, Path: h.Path, Flits: []int{0, first, last}}
	}
	o := engine.Options{Timing: engine.Paper, Switching: model.Wormhole, BufferFlits: 2, MaxFlits: 4, Atomic: true}
	for _, c := range []struct {
		list []Standing
		want bool
	}{
		{[]Standing{worm(0, 2, 2), worm(2, 2, 2), worm(4, 2, 2)}, true},
		{[]Standing{worm(0, 2, 2), worm(2, 1, 2), worm(4, 2, 2)}, true}, // one packet has three flits
		{[]Standing{worm(0, 2, 2), worm(2, 2, 2)}, false},
	} {
		frozen, err := Stand(context.Background(), r, c.list, o, 100)
		if (err == nil) != c.want || c.want && len(frozen) != len(c.list) {
			t.Errorf("%d packets: %d frozen, %v", len(c.list), len(frozen), err)
		}
	}
}

// TestStandingShort: packets that fill their buffers wait for each other on a ring. Shorter
// packets leave room and can move, although longer ones could not.
func TestStandingShort(t *testing.T) {
	r := relation(t, "ring:5", "dor")
	o := engine.Options{Timing: engine.Paper, Switching: model.CutThrough, BufferFlits: 4, MaxFlits: 4}
	for flits, want := range map[int]bool{4: true, 2: false} {
		var list []Standing
		for u := range 5 {
			h := lastOn(t, r, u, 0, 1)
			list = append(list, Standing{Source: h.Source, Dest: h.Dest, Path: h.Path, Flits: []int{0, flits}})
		}
		if _, err := Stand(context.Background(), r, list, o, 100); (err == nil) != want {
			t.Errorf("%d flits: %v", flits, err)
		}
	}
}
