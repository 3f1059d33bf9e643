package traffic_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestRoles: initiators send to all targets and to no other host, and other hosts send nothing.
func TestRoles(t *testing.T) {
	n, err := topo.Parse("mesh:4x4")
	if err != nil {
		t.Fatal(err)
	}
	initiators, targets := []model.HostID{0, 1, 5}, []model.HostID{5, 9, 12}
	for _, spec := range []string{"uniform", "uniform-self", "hotspot:0.5@3+9", "all-to-all"} {
		p, err := traffic.NewPattern(spec, n, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, random := traffic.Roles(p, spec, 16, initiators, targets), rand.New(rand.NewPCG(1, 2))
		for h := range model.HostID(16) {
			seen := map[model.HostID]bool{}
			for range 200 {
				seen[r.Dest(h, random)] = true
			}
			sends := slices.Contains(initiators, h)
			if sends != (traffic.Share(r, h) > 0) || sends == seen[model.NoHost] {
				t.Errorf("%s: host %d sends to %v", spec, h, seen)
			}
			for _, d := range targets {
				if want := sends && (d != h || spec == "uniform-self"); seen[d] != want && !(d == h && spec != "uniform") {
					t.Errorf("%s: host %d sends to %d: %v", spec, h, d, seen[d])
				}
				delete(seen, d)
			}
			if delete(seen, model.NoHost); len(seen) > 0 {
				t.Errorf("%s: host %d sends to %v", spec, h, seen)
			}
		}
		if traffic.Roles(p, spec, 16, nil, nil) == nil {
			t.Error("no pattern without roles")
		}
	}
	p, err := traffic.NewPattern("shift:1", n, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d := traffic.Roles(p, "shift:1", 16, nil, targets).Dest(0, rand.New(rand.NewPCG(1, 2))); d != model.NoHost {
		t.Errorf("host 0 sends to %d, not to a target", d)
	}
	for h := range model.HostID(16) {
		want := 0.0
		if slices.Contains(targets, (h+1)%16) {
			want = 1
		}
		if share := traffic.Share(traffic.Roles(p, "shift:1", 16, nil, targets), h); share != want {
			t.Errorf("shift:1: host %d has a share of %v, want %v", h, share, want)
		}
		want = 1
		if h == 3 {
			want = 0
		}
		if share := traffic.Share(traffic.Roles(p, "uniform", 16, nil, []model.HostID{3}), h); share != want {
			t.Errorf("uniform to host 3: host %d has a share of %v, want %v", h, share, want)
		}
	}
}
