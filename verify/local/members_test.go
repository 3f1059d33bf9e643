package local

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// The networks on which the theorems of the examples are judged one by one. All states are explored there.
var (
	dragonflies = []string{"a=2,h=1", "a=2,h=1,arrangement=relative", "a=2,h=1,arrangement=palmtree", "a=2,h=1,arrangement=circulant",
		"a=2,h=2", "a=3,h=1,arrangement=circulant", "a=2,h=2,arrangement=palmtree", "a=4,h=1,g=3", "a=3,h=2,g=4,arrangement=relative",
		"a=4,h=2,g=5,arrangement=palmtree", "a=3,h=2,arrangement=circulant", "a=4,h=2", "a=4,h=2,arrangement=relative"}
	fatTrees = []string{"fattree:k=2,levels=2", "xgft:2x2,up=1x2", "xgft:2x2,up=2x2", "xgft:3x2,up=2x3", "fattree:k=4,levels=2",
		"fattree:k=4,levels=3", "xgft:2x2x2,up=2x2x2", "xgft:2x3x2,up=1x2x3", "xgft:3x3x3,up=3x3x3", "xgft:2x2x2x2,up=1x2x2x2", "xgft:2x2x2x2,up=2x1x3x2"}
	diameter2 = []string{"slimfly:3", "slimfly:4", "slimfly:5", "polarfly:3", "complete:5", "ring:5", "hyperx:3x4"}
	hyperxs   = []string{"hyperx:2x2", "hyperx:3x2", "hyperx:2x4", "hyperx:3x3", "hyperx:4x3"}
)

func specs(kind string, list []string) (all []string) {
	for _, s := range list {
		all = append(all, kind+s)
	}
	return all
}

// membersOf has networks of each theorem, ascending by size.
var membersOf = map[string][]string{
	"dragonfly-minimal": specs("dragonfly:", dragonflies), "dragonfly-valiant": specs("dragonfly:", dragonflies),
	"dragonfly-par": specs("dragonfly:", dragonflies), "dragonfly-par-3vcs": specs("dragonfly:", dragonflies), "dragonfly-ugal-intra": specs("dragonfly:", dragonflies),
	"dragonfly-ugal-hops": specs("dragonfly:", dragonflies), "dragonfly-par-hops": specs("dragonfly:", dragonflies),
	"fat-tree": fatTrees, "d-mod-k": fatTrees, "s-mod-k": fatTrees, "valiant-hops": diameter2, "slimfly-minimal": diameter2,
	"hyperx-valiant": hyperxs,
}

// TestMembers checks the programs of the theorems on networks that have their premises. The judge explores the states of the packets; it
// shares no code with the proofs. A small share of the networks is judged in the short run.
func TestMembers(t *testing.T) {
	judged := 0
	for name, list := range membersOf {
		p := parse(t, name)
		for i, spec := range list {
			if !longtest.On() && i > 1 || !longtest.IsFull() && i > 6 {
				break
			}
			n, err := topo.Parse(spec)
			if err != nil {
				t.Fatalf("%s: %v", spec, err)
			}
			if err := p.Fits(n); err != nil {
				t.Errorf("%s does not have the premise of %s: %v", spec, name, err)
				continue
			}
			relation, _, err := p.Relation(t.Context(), n)
			if err != nil {
				t.Fatalf("%s on %s: %v", name, spec, err)
			}
			r, err := verify.Check(t.Context(), relation, verify.Options{Switching: model.Wormhole, AllStates: true, NoPairs: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range r.Claims() {
				if c.Verdict != verify.Proved {
					t.Errorf("%s is %s for %s on %s: %s", c.Name, c.Verdict, name, spec, c.Reason)
				}
			}
			judged++
		}
	}
	t.Logf("%d networks", judged)
}

// TestModKAsNamed: with one host at each leaf, the programs for fat trees permit the hops of the routings of the same name.
func TestModKAsNamed(t *testing.T) {
	for _, name := range []string{"d-mod-k", "s-mod-k"} {
		for i, spec := range fatTrees {
			if !longtest.On() && i > 7 {
				break
			}
			if strings.HasPrefix(spec, "fattree") {
				spec += ",hosts=1"
			}
			n, err := topo.Parse(spec)
			if err != nil {
				t.Fatalf("%s: %v", spec, err)
			}
			ours, _, err := parse(t, name).Relation(t.Context(), n)
			if err != nil {
				t.Fatalf("%s: %v", spec, err)
			}
			named, err := route.New(name, n, route.Options{})
			if err != nil {
				t.Fatalf("%s: %v", spec, err)
			}
			for from := range model.HostID(n.NumHosts()) {
				for to := range model.HostID(n.NumHosts()) {
					if a, b := pathOf(t, ours, from, to), pathOf(t, named, from, to); from != to && a != b {
						t.Fatalf("%s on %s: from %d to %d by %s, want %s", name, spec, from, to, a, b)
					}
				}
			}
		}
	}
}

// pathOf returns the channels of the only path between two hosts.
func pathOf(t *testing.T, r model.Relation, from, to model.HostID) string {
	t.Helper()
	n := r.Network()
	for d := range model.DestID(r.Destinations()) {
		if r.DestinationHost(d) != to {
			continue
		}
		classes := r.Inject(from, d, nil)
		if len(classes) != 1 {
			t.Fatalf("%d classes from %d to %d", len(classes), from, to)
		}
		text := ""
		for s := model.InjectState(r, from, d, classes[0]); len(text) < 1000; {
			hops := r.Next(s, nil)
			if len(hops) != 1 {
				t.Fatalf("%d hops from %d to %d after%s", len(hops), from, to, text)
			}
			c, _ := n.Channel(hops[0].VC)
			text += fmt.Sprintf(" %d", c)
			if n.Kind(c) == model.Eject {
				return text
			}
			s = model.State{VC: hops[0].VC, Dest: d, Class: hops[0].Class}
		}
	}
	t.Fatalf("no path from %d to %d", from, to)
	return ""
}

// TestMembersHavePremises: the networks of the search are so small that their premise about two switches is tested.
func TestMembersHavePremises(t *testing.T) {
	before := 0
	for _, spec := range members {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		p, err := program.Parse("none.star", "family = network()\n\ndef premise(u, v):\n    return u != v\n\ndef route(cur, dst, inp):\n    return []\n")
		if err != nil {
			t.Fatal(err)
		}
		if k := n.NumSwitches(); k < before || p.Fits(n) == nil {
			t.Errorf("%s of %d switches follows one of %d, or its premise is not tested", spec, k, before)
		} else {
			before = k
		}
	}
}
