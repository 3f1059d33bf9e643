package vlans_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/synth/vlans"
)

func dor(t *testing.T, spec string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	rel, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

// TestSearchPriorities checks that dimension order on a torus, which has cycles, needs two priorities.
func TestSearchPriorities(t *testing.T) {
	rel := dor(t, "torus:4x4")
	o := vlans.Options{Time: 200 * time.Millisecond}
	m, err := vlans.Search(context.Background(), rel, 1, vlans.Plan{FirstID: 2, Priorities: []int{3, 4}}, o)
	if err != nil {
		t.Fatal(err)
	}
	if p := m.Set.Priorities(); len(p) != 2 || !m.Whole || m.Found == nil {
		t.Errorf("priorities %v of %+v", p, m)
	}
	if _, err := m.Reread(false); err != nil || m.Set.Len() < m.Found.Bound {
		t.Error(err, m.Set.Len(), m.Found.Bound)
	}
	if _, err := vlans.Search(context.Background(), rel, 2, vlans.Plan{FirstID: 2, Priorities: []int{3, 4}}, o); !errors.Is(err, vlans.ErrSharedPaths) {
		t.Error(err)
	}
	if m, err := vlans.Search(context.Background(), rel, 1, vlans.Plan{FirstID: 2}, o); err != nil || len(m.Set.Priorities()) != 1 {
		t.Error("without priorities:", err)
	}
}

// TestMeasure compares the size of the lines of a mesh with a count by hand.
func TestMeasure(t *testing.T) {
	rel := dor(t, "mesh:3x2")
	n := rel.Network()
	if !vlans.IsWholeMesh(n) || vlans.LongestSide(n, []int{0, 1}) != 0 || vlans.LongestSide(n, []int{1, 0}) != 1 {
		t.Fatal("a mesh of 3 columns and 2 rows")
	}
	s, err := vlan.AcrossDimension(n, []int{0, 1}, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	m := vlans.Made{Set: s}
	if err := m.Bound(context.Background(), vlans.Options{Time: time.Second}); err != nil || !m.Whole || m.Found.Bound > s.Len() {
		t.Error(err)
	}
	// Each line has a spanning tree. The 15 unordered pairs of switches: 4 differ by (1,0), 2 by (2,0), 3 by (0,1),
	// 4 by (1,1), 2 by (2,1). That is 4+4+3+8+6 = 25 links, and 50 for both directions.
	size := vlans.Measure(s)
	if size.Spanning != s.Len() || size.MostAtSwitch != s.Len() || !size.Shortest || size.MeanPath != 50.0/30 || size.MostPairs < 4 {
		t.Errorf("%d VLANs, %+v", s.Len(), size)
	}
	if torus := dor(t, "torus:3x3").Network(); vlans.IsWholeMesh(torus) {
		t.Error("a torus is no mesh")
	}
}
