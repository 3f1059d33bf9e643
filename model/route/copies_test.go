package route_test

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestCopies: packets may take each of the VCs that a VC stands for, hosts get their packets on one, and cycles are those of before.
func TestCopies(t *testing.T) {
	for spec, isFree := range map[string]bool{"mesh:3x3": true, "torus:4,vcs=1": false, "torus:4x4,vcs=2": true} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New("dor", n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := route.Copies(r, 3)
		if got, want := c.Network().VCs(), 3*r.Network().VCs(); got != want {
			t.Errorf("%s: %d VCs, want %d", spec, got, want)
		}
		g, err := cdg.Build(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		cycle, err := g.ShortestCycle(context.Background())
		if err != nil || (cycle == nil) != isFree {
			t.Errorf("%s: cycle %v, %v", spec, cycle, err)
		}
		s := model.InjectState(c, 0, 2, 0)
		for steps := 0; ; steps++ {
			before := s
			hops := c.Next(s, nil)
			s.VC = hops[len(hops)-1].VC
			if s.Class = hops[0].Class; !c.Network().IsLinkVC(s.VC) {
				if len(hops) != 1 || steps == 0 {
					t.Errorf("%s: %d ways to the host after %d hops", spec, len(hops), steps)
				}
				break
			}
			if len(hops) != 3 || steps > 10 {
				t.Fatalf("%s: hops %v from %v", spec, hops, before)
			}
		}
	}
}
