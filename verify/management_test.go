package verify_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// TestHostManagement compares the verdicts on tables with traffic between hosts and switches with
// walks from each source to each destination.
func TestHostManagement(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5)
		tab := modeltest.Table(t, n, rapid.Bool().Draw(t, "classes")).WithManagement(model.HostManagement)
		rep, all := rapidCheck(t, tab), rapidCheck(t, tab.WithManagement(model.AllManagement))
		j, pairs, lost := &judge{used: map[model.VCID]bool{}}, int64(0), int64(0)
		for h := range model.HostID(n.NumEndpoints()) {
			for d := range model.DestID(tab.AllDestinations()) {
				to := tab.DestinationHost(d)
				if to == h || int(h) >= n.NumHosts() && int(to) >= n.NumHosts() {
					continue
				}
				pairs++
				good := tab.ClassesOf(h, d) != 0
				for _, k := range tab.Inject(h, d, nil) {
					s := model.InjectState(tab, h, d, k)
					j.unicast(tab, s, map[model.State]bool{})
					good = good && arrives(tab, s)
				}
				if !good {
					lost++
				}
			}
		}
		if rep.Routes.Pairs != pairs || rep.Routes.Unreachable != lost {
			t.Fatalf("%d of %d pairs unreachable, want %d of %d", rep.Routes.Unreachable, rep.Routes.Pairs, lost, pairs)
		}
		if want := j.deadlock(); want != (rep.DeadlockFree.Verdict == verify.Refuted) {
			t.Fatalf("deadlock %v, the verdict is %s", want, rep.DeadlockFree.Verdict)
		}
		seen[rep.DeadlockFree.Verdict != all.DeadlockFree.Verdict]++
	})
	if seen[false] == 0 {
		t.Error("no case in which both kinds of management traffic agree")
	}
}

// arrives reports whether the packet from s arrives within as many steps as there are states.
func arrives(tab *model.Table, s model.State) bool {
	n := tab.Network()
	for range n.NumVCs() * 16 {
		c, _ := n.Channel(s.VC)
		if n.Kind(c) == model.Eject {
			return n.HostOf(c) == tab.DestinationHost(s.Dest)
		}
		next := tab.Next(s, nil)
		if len(next) == 0 {
			return false
		}
		s = model.State{VC: next[0].VC, Dest: s.Dest, Class: next[0].Class}
	}
	return false
}
