package verify_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// drawFlows draws some pairs of a host and a destination.
func drawFlows(t *rapid.T, n *model.Network, dests []model.HostID) (list []model.Flow) {
	for a := range model.HostID(n.NumHosts()) {
		for _, b := range dests {
			if a != b && rapid.IntRange(0, 3).Draw(t, "talk") == 0 {
				list = append(list, model.Flow{Source: a, Dest: b, Amount: 1})
			}
		}
	}
	return list
}

// TestFlows compares the claims about some pairs of drawn relations with walks of their packets alone.
func TestFlows(t *testing.T) {
	verdicts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		n, err := topo.Parse(rapid.SampledFrom([]string{"ring:4", "mesh:2x3", "ring:3,vcs=2", "mesh:2x2,hosts=2"}).Draw(t, "network"))
		if err != nil {
			t.Fatal(err)
		}
		inner := modeltest.Adaptive(t, n, 1)
		flows := drawFlows(t, n, inner.Dests)
		if rapid.Bool().Draw(t, "all arrive") {
			flows = slices.DeleteFunc(flows, func(x model.Flow) bool {
				return walkFlow(inner, x.Source, model.DestID(slices.Index(inner.Dests, x.Dest)), map[model.Turn]bool{})
			})
		}
		r := model.WithFlows(inner, flows)
		if len(r.Flows()) == 0 {
			return
		}
		rep, err := verify.Check(context.Background(), r, verify.Options{Switching: model.CutThrough})
		if err != nil {
			t.Fatal(err)
		}
		turns, lost := map[model.Turn]bool{}, 0
		for _, x := range r.Flows() {
			d := model.DestID(slices.Index(inner.Dests, x.Dest))
			if walkFlow(inner, x.Source, d, turns) {
				lost++
			}
		}
		if got := rep.Graph.NumDependencies(); got != len(turns) {
			t.Fatalf("%d dependencies, by walks %d", got, len(turns))
		}
		if rep.Routes.Pairs != int64(len(r.Flows())) || rep.Routes.Unreachable != int64(lost) {
			t.Fatalf("%d of %d pairs are lost, by walks %d of %d", rep.Routes.Unreachable, rep.Routes.Pairs, lost, len(r.Flows()))
		}
		verdicts["connected "+string(rep.Connected.Verdict)]++
		verdicts["deadlock-free "+string(rep.DeadlockFree.Verdict)]++
		listed, err := cert.List(rep.Certificate)
		if err == nil {
			err = cert.Check(listed)
		}
		if err != nil {
			t.Fatalf("as a list: %v", err)
		}
	})
	for _, want := range []string{"connected proved", "connected refuted", "deadlock-free proved", "deadlock-free refuted"} {
		if verdicts[want] == 0 {
			t.Errorf("never %s: %v", want, verdicts)
		}
	}
}

// walkFlow visits the states of the packets of a pair, notes their dependencies, and reports whether a packet can be lost.
func walkFlow(r model.Relation, h model.HostID, d model.DestID, turns map[model.Turn]bool) bool {
	n, seen := r.Network(), map[model.State]bool{}
	next := map[model.State][]model.State{}
	wrong := map[model.State]bool{}
	var visit func(s model.State)
	visit = func(s model.State) {
		if seen[s] {
			return
		}
		seen[s] = true
		for _, hop := range r.Next(s, nil) {
			to := model.State{VC: hop.VC, Dest: d, Class: hop.Class}
			if c, _ := n.Channel(hop.VC); n.Kind(c) == model.Eject {
				wrong[s] = wrong[s] || n.HostOf(c) != r.DestinationHost(d)
				if n.HostOf(c) == r.DestinationHost(d) {
					next[s] = append(next[s], model.State{VC: -1})
				}
				continue
			}
			next[s] = append(next[s], to)
			if n.IsLinkVC(s.VC) {
				turns[model.Turn{In: s.VC, Out: hop.VC}] = true
			}
			visit(to)
		}
	}
	start := model.InjectState(r, h, d, 0)
	visit(start)
	arrives := map[model.State]bool{{VC: -1}: true}
	for more := true; more; {
		more = false
		for s := range seen {
			if !arrives[s] && slices.ContainsFunc(next[s], func(x model.State) bool { return arrives[x] }) {
				arrives[s], more = true, true
			}
		}
	}
	for s := range seen {
		if wrong[s] || !arrives[s] {
			return true
		}
	}
	return false
}

// TestFlowCertificates changes the list of pairs of a certificate, and the packets of others.
func TestFlowCertificates(t *testing.T) {
	n, err := topo.Parse("ring:5")
	if err != nil {
		t.Fatal(err)
	}
	dor, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var two []model.Flow // to the host two further
	for h := range model.HostID(5) {
		two = append(two, model.Flow{Source: h, Dest: (h + 2) % 5, Amount: 1})
	}
	for _, flows := range [][]model.Flow{two, two[:4]} {
		rep, err := verify.Check(t.Context(), model.WithFlows(dor, flows), verify.Options{Switching: model.CutThrough})
		if err != nil {
			t.Fatal(err)
		}
		if want := map[int]verify.Verdict{5: verify.Refuted, 4: verify.Proved}[len(flows)]; rep.DeadlockFree.Verdict != want {
			t.Errorf("%d flows: %s, want %s", len(flows), rep.DeadlockFree.Verdict, want)
		}
		c := rep.Certificate
		listed, err := cert.List(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*cert.Certificate{c, listed} {
			list := c.Subject.Relation.Flows
			for name, other := range map[string]cert.Ints{
				"a pair less": (*list)[2:], "a pair more": append(cert.Ints{0, 1}, *list...), "out of order": append((*list)[2:len(*list):len(*list)], (*list)[:2]...),
				"to itself": append(cert.Ints{0, 0}, *list...), "no host": append((*list)[:len(*list):len(*list)], 7, 7),
			} {
				c.Subject.Relation.Flows = &other
				all := c.Claims
				for _, claims := range [][]cert.Claim{all, slices.DeleteFunc(slices.Clone(all), func(x cert.Claim) bool { return x.Claim == cert.ClaimConnected })} {
					c.Claims = claims

					if err := cert.Check(c); err == nil && (len(claims) == len(all) || name != "a pair more") {
						t.Errorf("%d flows, %s, %d claims: accepted", len(flows), name, len(claims))
					}
				}
				c.Claims = all
			}
			c.Subject.Relation.Flows = nil
			if err := cert.Check(c); err == nil {
				t.Errorf("%d flows: accepted for all pairs", len(flows))
			}
			c.Subject.Relation.Flows = list
			if err := cert.Check(c); err != nil {
				t.Errorf("%d flows: %v", len(flows), err)
			}
		}
	}
}

// TestFlowsKeep: flows keep what a relation says besides next hops.
func TestFlowsKeep(t *testing.T) {
	n, err := topo.Parse("torus:4x4,vcs=3")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("duato", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := model.WithFlows(r, []model.Flow{{Source: 0, Dest: 5, Amount: 1}, {Source: 3, Dest: 9, Amount: 1}})
	modeltest.PassingConformance(t, f)
	if _, ok := f.(model.Escaper); !ok {
		t.Error("the escape is forgotten")
	}
	if _, ok := f.(model.Committer); ok {
		t.Error("it commits")
	}
	x := cdg.NewExplorer(f)
	if got := len(x.Explore(1).States); got != 0 {
		t.Errorf("%d states of packets to a host that no host sends to", got)
	}
}
