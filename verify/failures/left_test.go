package failures_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/failures"
)

// broken is a relation on the whole network whose packets do not use dead channels: a second definition of failures.Keep.
type broken struct {
	model.Relation
	dead map[model.ChannelID]bool
}

func (b broken) Next(s model.State, buf []model.Hop) (list []model.Hop) {
	for _, h := range b.Relation.Next(s, nil) {
		if c, _ := b.Network().Channel(h.VC); !b.dead[c] {
			list = append(list, h)
		}
	}
	return append(buf, list...)
}

// randomHops is a relation by switch and destination with one to two hops, some of them away from the destination.
func randomHops(t *testing.T, n *model.Network, r *rand.Rand) model.Relation {
	t.Helper()
	s := route.Steps{Net: n, Classes: 1, BySwitch: true, Delivers: true}
	for h := range model.HostID(n.NumHosts()) {
		s.Dests = append(s.Dests, h)
		for u := range model.SwitchID(n.NumSwitches()) {
			for _, c := range n.Out(u) {
				if n.Kind(c) == model.SwitchToSwitch && u != n.Host(h).Switch && r.IntN(3) > 0 {
					s.List = append(s.List, route.Step{Place: int32(u), Dest: model.DestID(h), Hop: model.Hop{VC: n.VC(c, 0)}})
				}
			}
		}
	}
	rel, err := route.FromSteps(s)
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

func report(t *testing.T, r model.Relation, w model.Waiting) *verify.Report {
	t.Helper()
	rep, err := verify.Check(context.Background(), r, verify.Options{Switching: model.StoreAndForward, Waiting: w})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestKeep compares Keep with a relation on the whole network that avoids dead channels: verdicts and unreachable pairs.
func TestKeep(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for i := range 300 {
		n := parse(t, []string{"ring:4", "mesh:3x2", "torus:3x3", "fattree:k=4,levels=2"}[i%4])
		rel := randomHops(t, n, r)
		var links []model.LinkID
		var switches []model.SwitchID
		dead := map[model.ChannelID]bool{}
		for l := range model.LinkID(n.NumLinks()) {
			if r.IntN(5) == 0 {
				links = append(links, l)
				dead[model.ChannelID(2*l)], dead[model.ChannelID(2*l+1)] = true, true
			}
		}
		if i%3 == 0 {
			u := model.SwitchID(r.IntN(n.NumSwitches()))
			switches = append(switches, u)
			for _, c := range n.Out(u) {
				if n.Kind(c) == model.SwitchToSwitch {
					dead[c], dead[n.Reverse(c)] = true, true
				}
			}
		}
		var alive []model.Flow
		for a := range model.HostID(n.NumHosts()) {
			for b := range model.HostID(n.NumHosts()) {
				if a != b && !slices.Contains(switches, n.Host(a).Switch) && !slices.Contains(switches, n.Host(b).Switch) {
					alive = append(alive, model.Flow{Source: a, Dest: b, Amount: 1})
				}
			}
		}
		if len(alive) == 0 {
			continue
		}
		kept, err := failures.Keep(rel, links, switches)
		if err != nil {
			t.Fatal(err)
		}
		w := []model.Waiting{model.WaitAny, model.WaitOne}[i%2]
		got, want := report(t, kept, w), report(t, model.WithFlows(broken{rel, dead}, alive), w)
		text := func(r *verify.Report) string {
			return fmt.Sprint(r.DeadlockFree.Verdict, r.Verdict(), r.Routes.Unreachable, r.Routes.Pairs, r.Routes.Loop == nil)
		}
		if text(got) != text(want) {
			t.Errorf("case %d on %d switches: %s, want %s", i, n.NumSwitches(), text(got), text(want))
		}
		seen[string(got.DeadlockFree.Verdict)]++
	}
	if seen["proved"] < 20 || seen["refuted"] < 20 {
		t.Errorf("verdicts %v", seen)
	}
}

// TestSets: the verdicts of one set of each orbit, times its size, are those of all sets.
func TestSets(t *testing.T) {
	for _, c := range []struct {
		spec, routing string
		atOnce        int
		kind          failures.Kind
		keeps         int // symmetries
	}{
		{"ring:5", "minimal", 2, failures.Links, 2}, {"torus:3x3", "minimal", 2, failures.Links, 4}, {"mesh:3x3", "dor", 2, failures.Links, 1},
		{"mesh:3x3", "minimal", 1, failures.Links, 2}, {"torus:4x3", "minimal", 2, failures.Switches, 3}, {"mesh:3x3", "minimal", 2, failures.Switches, 2},
	} {
		n := parse(t, c.spec)
		rel, err := route.New(c.routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		kept := failures.Kept(rel, n.Symmetries())
		if len(kept) < c.keeps || c.routing == "dor" && len(kept) == len(n.Symmetries()) {
			t.Errorf("%s with %s keeps %d symmetries of %d, want %d", c.spec, c.routing, len(kept), len(n.Symmetries()), c.keeps)
		}
		sum := func(symmetries []*model.Automorphism) map[string]int {
			count := map[string]int{}
			for _, x := range failures.Sets(n, c.kind, c.atOnce, symmetries) {
				left, err := failures.Keep(rel, x.Links, x.Switches)
				if err != nil {
					t.Fatal(err)
				}
				rep := report(t, left, model.WaitOne)
				count[fmt.Sprint(rep.DeadlockFree.Verdict, rep.Verdict(), rep.Routes.Unreachable)] += x.Like
			}
			return count
		}
		if got, want := sum(kept), sum(nil); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s with %s: %v by orbits, %v by all", c.spec, c.routing, got, want)
		}
		if few, all := len(failures.Sets(n, c.kind, c.atOnce, kept)), len(failures.Sets(n, c.kind, c.atOnce, nil)); few >= all {
			t.Errorf("%s: %d orbits of %d sets", c.spec, few, all)
		}
	}
}

// TestKeepTable: what is left of a table is a table with the verdicts of what is left of the same relation.
func TestKeepTable(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 100 {
		n := parse(t, []string{"ring:5", "mesh:3x2", "torus:3x3"}[i%3])
		table := model.NewTable(n, model.AllAddresses(n))
		for d := range model.DestID(table.Destinations()) {
			for u := range model.SwitchID(n.NumSwitches()) {
				if out := n.Out(u); r.IntN(9) > 0 {
					table.SetPort(u, d, n.TailPort(out[r.IntN(len(out))]))
				}
			}
			host := n.Host(table.DestinationHost(d))
			table.SetPort(host.Switch, d, host.Port)
		}
		if i%2 == 0 {
			sets := make([]model.ClassSet, table.Destinations()*n.NumHosts())
			for k := range sets {
				sets[k] = model.ClassSet(r.IntN(4))
			}
			table.SetClasses(sets, nil)
		}
		var links []model.LinkID
		for l := range model.LinkID(n.NumLinks()) {
			if r.IntN(4) == 0 {
				links = append(links, l)
			}
		}
		left, err := failures.Keep(table, links, nil)
		if err != nil {
			t.Fatal(err)
		}
		other, err := failures.Keep(struct{ model.Sender }{table}, links, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := left.(*model.Table); !ok {
			t.Fatalf("%T", left)
		}
		got, want := report(t, left, model.WaitOne), report(t, other, model.WaitOne)
		text := func(r *verify.Report) string {
			longest := 0
			if r.Routes.Loop == nil {
				longest = r.Routes.Longest
			}
			return fmt.Sprint(r.DeadlockFree.Verdict, r.Verdict(), r.Routes.Unreachable, r.Routes.Pairs, r.Routes.Pathless, longest)
		}
		if text(got) != text(want) {
			t.Errorf("case %d: %s, want %s", i, text(got), text(want))
		}
	}
}
