package confirm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/verify"
)

func check(t *testing.T, spec, routing string, o verify.Options) *verify.Report {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	rel, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verify.Check(context.Background(), rel, o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		spec, routing string
		deadlock      bool
	}{{"mesh:3x3", "dor", false}, {"mesh:3x3", "minimal", true}, {"torus:4x4", "dor", true}} {
		rep := check(t, c.spec, c.routing, verify.Options{})
		res, err := confirm.Report(context.Background(), rep, 1)
		if err != nil {
			t.Fatal(err)
		}
		if res.Deadlock != c.deadlock || (res.Accepted != nil) == c.deadlock || (res.Frozen != nil) != c.deadlock {
			t.Errorf("%s on %s: %+v", c.routing, c.spec, res)
		}
	}
}

// TestWrongProof turns a refutation into a false proof. The simulator must contradict it.
func TestWrongProof(t *testing.T) {
	rep := check(t, "torus:4x4", "dor", verify.Options{})
	rep.DeadlockFree.Verdict, rep.Configuration = verify.Proved, nil
	if _, err := confirm.Report(context.Background(), rep, 1); err == nil || !strings.HasPrefix(err.Error(), "internal error: proved free of deadlock") {
		t.Errorf("error is %v", err)
	}
}

// ring returns VLANs on a ring of four switches, with their report. If cycle, their paths form a
// cycle of dependencies around the ring; otherwise there is no cycle.
func ring(t *testing.T, cycle bool) (*vlan.Set, *verify.Report) {
	t.Helper()
	n, err := topo.Parse("ring:4,hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	hosts := vlan.AllHosts(n)
	var list []vlan.VLAN
	for out := range 4 { // each VLAN is the ring without one link
		links := []model.LinkID{}
		for l := range model.LinkID(4) {
			if int(l) != out {
				links = append(links, l)
			}
		}
		list = append(list, vlan.VLAN{ID: 2 + out, Links: links, Hosts: hosts})
	}
	s, err := vlan.New(n, list)
	if err != nil {
		t.Fatal(err)
	}
	for a := range model.HostID(n.NumHosts()) {
		for b := range model.HostID(n.NumHosts()) {
			from, to := int(n.Host(a).Switch), int(n.Host(b).Switch)
			use := 0
			if cycle && (to-from+4)%4 == 2 { // leave out the link behind the source, so that all long paths turn the same direction
				use = (from + 3) % 4
			}
			if a != b {
				if err := s.SetUse(a, b, use); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	rep, err := verify.Check(context.Background(), s.Relation(), verify.Options{Switching: model.StoreAndForward})
	if err != nil {
		t.Fatal(err)
	}
	return s, rep
}

func TestVLANs(t *testing.T) {
	for _, cycle := range []bool{false, true} {
		s, rep := ring(t, cycle)
		if rep.Connected.Verdict != verify.Proved || (rep.DeadlockFree.Verdict == verify.Refuted) != cycle {
			t.Fatalf("cycle %t: %s, %s", cycle, rep.Connected.Verdict, rep.DeadlockFree.Verdict)
		}
		res, err := confirm.VLANs(context.Background(), s, rep)
		if err != nil {
			t.Fatal(err)
		}
		if res.Deadlock != cycle || res.Lost != 0 && !cycle {
			t.Errorf("cycle %t: %+v", cycle, res)
		}
	}
}
