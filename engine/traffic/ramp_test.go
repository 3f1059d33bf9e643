package traffic

import (
	"math"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// TestRamp: in each tenth of the clocks the load is what the ramp says, and a host's
// packets ascend.
func TestRamp(t *testing.T) {
	n := network(t, "mesh:8x8")
	r, err := NewRamp(n, pattern(t, "uniform", n, 1), RampOptions{To: 0.8, Clocks: 20_000, Flits: 8, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	var tenths [10]float64
	for h := range model.HostID(64) {
		last := engine.Clock(-1)
		for p, ok := r.Next(h); ok; p, ok = r.Next(h) {
			if p.Created <= last || p.Created >= 20_000 || p.Source != h || p.Flits != 8 {
				t.Fatalf("host %d: %+v after clock %d", h, p, last)
			}
			last = p.Created
			tenths[p.Created/2000] += 8
		}
	}
	for i, flits := range tenths {
		load, want := flits/2000/64, 0.8*(float64(i)+0.5)/10
		if math.Abs(load-want) > 0.02 {
			t.Errorf("tenth %d: a load of %v, want %v", i, load, want)
		}
	}
	for _, o := range []RampOptions{{To: 0, Clocks: 1, Flits: 1}, {To: 2, Clocks: 1, Flits: 1}, {To: 1, Flits: 1}, {To: 1, Clocks: 1}} {
		if _, err := NewRamp(n, pattern(t, "uniform", n, 1), o); err == nil {
			t.Errorf("%+v", o)
		}
	}
}

// TestShift checks the tornado of the flow limiting paper, from host W to (W + N/2) mod N^2, and
// all-to-all traffic that begins with the first host.
func TestShift(t *testing.T) {
	n := network(t, "torus:8x8")
	p := pattern(t, "shift:4", n, 1)
	for h := range model.HostID(64) {
		if d := p.Dest(h, nil); d != (h+4)%64 {
			t.Errorf("%d to %d", h, d)
		}
	}
	all := pattern(t, "all-to-all:first", n, 1)
	for h := range model.HostID(64) {
		for k := range model.HostID(63) {
			want := k
			if k >= h {
				want++
			}
			if d := all.Dest(h, nil); d != want {
				t.Fatalf("packet %d of host %d to %d", k, h, d)
			}
		}
	}
}
