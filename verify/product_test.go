package verify_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// whole hides from verify that a relation is a product of lines.
type whole struct{ model.Relation }

func named(t testing.TB, spec, name string, o route.Options) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(name, n, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLinesEqualStates checks that the lines of a grid give the same verdicts and counts as all states.
func TestLinesEqualStates(t *testing.T) {
	for _, c := range []struct {
		spec, name string
		o          route.Options
	}{
		{"mesh:4x3", "dor", route.Options{}},
		{"mesh:1x1,hosts=2", "dor", route.Options{}},
		{"mesh:3x2x4,hosts=2", "dor", route.Options{Order: []int{2, 0, 1}}},
		{"mesh:5x1x3", "dor", route.Options{}},
		{"torus:3x3", "dor", route.Options{}},
		{"torus:4x4", "dor", route.Options{}},
		{"torus:3x5", "dor", route.Options{Order: []int{1, 0}}},
		{"torus:4x4", "dor", route.Options{BothWays: true}},
		{"torus:2x4,vcs=2", "dor", route.Options{}},
		{"torus:4x5x3,vcs=2", "dor", route.Options{}},
		{"torus:5x4,vcs=4", "dor", route.Options{}},
		{"torus:4x5,vcs=2", "dor", route.Options{VCRule: route.RulePosition}},
		{"torus:5x4,vcs=2", "dor-booksim", route.Options{}},
		{"torus:4x4,vcs=3", "dor-booksim", route.Options{}},
		{"torus:5x4,vcs=4", "dor", route.Options{VCRule: route.RuleBalanced}},
	} {
		t.Run(fmt.Sprint(c.spec, " ", c.name, c.o), func(t *testing.T) {
			r := named(t, c.spec, c.name, c.o)
			a, b := check(t, r), check(t, whole{r})
			if a.Graph != nil && c.name != "dor-booksim" {
				t.Error("was not decided by its lines")
			}
			for i, claim := range a.Claims() {
				if claim.Verdict != b.Claims()[i].Verdict {
					t.Errorf("%s: lines %s, states %s", claim.Name, claim.Verdict, b.Claims()[i].Verdict)
				}
			}
			equal(t, "counts", a.Counts, b.Counts)
			equal(t, "pairs", a.Routes.Pairs, b.Routes.Pairs)
			equal(t, "longest", a.Routes.Longest, b.Routes.Longest)
			equal(t, "cycle", len(a.Cycle), len(b.Cycle))
			for i, v := range a.Cycle {
				if !b.Graph.Has(v, a.Cycle[(i+1)%len(a.Cycle)]) {
					t.Errorf("the lifted cycle %v has a dependency that is none", a.Cycle)
				}
				p := a.CyclePackets[i].Path
				for j := 1; j < len(p); j++ {
					if !slices.Contains(r.Next(p[j-1], nil), model.Hop{VC: p[j].VC, Class: p[j].Class}) {
						t.Errorf("the lifted packet %v takes a hop that is not permitted", p)
					}
				}
			}
		})
	}
}

// TestGridsWithHoles checks that grids with holes are no products.
func TestGridsWithHoles(t *testing.T) {
	for _, spec := range []string{"mesh:4x4,holes=1.1", "torus:4x4,vcs=2,fail=0-1", "mesh:4x4,hosts=0"} {
		r := named(t, spec, "dor", route.Options{})
		if order := r.(model.DimensionOrdered).DimensionOrder(); order != nil {
			t.Errorf("%s: order %v", spec, order)
		}
	}
}

// cut drops the packets that move up from the start of a line.
type cut struct {
	model.DimensionOrdered
	dim int // the dimension of these lines
}

// Next implements model.Relation.
func (r cut) Next(s model.State, buf []model.Hop) []model.Hop {
	n := r.Network()
	return slices.DeleteFunc(r.DimensionOrdered.Next(s, buf), func(h model.Hop) bool {
		c, _ := n.Channel(h.VC)
		d, plus, ok := n.Grid().PortDirection(n.TailPort(c))
		return ok && plus && d == r.dim && n.Grid().Coord(n.Tail(c), d) == 0
	})
}

// Line implements model.DimensionOrdered.
func (r cut) Line(d int) (model.Relation, error) {
	line, err := r.DimensionOrdered.Line(d)
	if d != r.dim || err != nil {
		return line, err
	}
	return cut{line.(model.DimensionOrdered), 0}, nil
}

// TestLineThatLosesPackets checks that the states decide if a line drops packets.
func TestLineThatLosesPackets(t *testing.T) {
	for dim := range 2 {
		r := cut{named(t, "mesh:3x4", "dor", route.Options{}).(model.DimensionOrdered), dim}
		a, b := check(t, r), check(t, whole{r})
		if a.Connected.Verdict != verify.Refuted || a.LivelockFree.Verdict != verify.Proved {
			t.Errorf("connected %s, livelock-free %s", a.Connected.Verdict, a.LivelockFree.Verdict)
		}
		for i, claim := range a.Claims() {
			equal(t, claim.Name, claim.Verdict, b.Claims()[i].Verdict)
		}
		equal(t, "counts", a.Counts, b.Counts)
	}
}

// TestProductCertificates checks that the certificate file is accepted, and that claims that the
// lines do not support are rejected.
func TestProductCertificates(t *testing.T) {
	for _, spec := range []string{"torus:4x3,vcs=2", "torus:4x4"} {
		c := check(t, named(t, spec, "dor", route.Options{})).Certificate
		var b bytes.Buffer
		if err := cert.Write(&b, c); err != nil {
			t.Fatal(err)
		}
		back, err := cert.Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		if err := cert.Check(back); err != nil {
			t.Fatal(err)
		}
		for what, change := range map[string]func(*cert.Certificate){
			"verdict": func(c *cert.Certificate) {
				flip := map[string]string{cert.Proved: cert.Refuted, cert.Refuted: cert.Proved}
				c.Claims[0].Verdict = flip[c.Claims[0].Verdict]
			},
			"pairs":       func(c *cert.Certificate) { *c.Claims[2].Pairs++ },
			"hops":        func(c *cert.Certificate) { *c.Claims[3].Hops-- },
			"hosts":       func(c *cert.Certificate) { c.Subject.Product.Hosts = 0 },
			"more hosts":  func(c *cert.Certificate) { c.Subject.Product.Hosts = 2 },
			"a line less": func(c *cert.Certificate) { c.Subject.Product.Lines = c.Subject.Product.Lines[:1] },
			"no lines":    func(c *cert.Certificate) { c.Subject.Product.Lines = nil },
			"a rank": func(c *cert.Certificate) {
				l := &c.Subject.Product.Lines[1].Claims[0]
				if l.Ranks == nil {
					l.Packets = l.Packets[1:]
					return
				}
				(*l.Ranks)[0] = (*l.Ranks)[1]
			},
			"a VC more":     func(c *cert.Certificate) { c.Subject.Product.Lines[1].Network.VCs++ },
			"an endpoint":   func(c *cert.Certificate) { c.Subject.Product.Lines[0].Network.Attach[0] = 1 },
			"a destination": func(c *cert.Certificate) { c.Subject.Product.Lines[0].Relation.Destinations[1] = 0 },
			"a network":     func(c *cert.Certificate) { c.Subject.Network.VCs = 1 },
			"a line's connected": func(c *cert.Certificate) { // nor the whole's: only the hops rest on it
				l := &c.Subject.Product.Lines[1]
				l.Claims = slices.DeleteFunc(l.Claims, func(x cert.Claim) bool { return x.Claim == cert.ClaimConnected })
				c.Claims = slices.DeleteFunc(c.Claims, func(x cert.Claim) bool { return x.Claim == cert.ClaimConnected })
			},
			"line's claims": func(c *cert.Certificate) { c.Subject.Product.Lines[0].Claims = c.Subject.Product.Lines[0].Claims[:1] },
		} {
			m := check(t, named(t, spec, "dor", route.Options{})).Certificate
			change(m)
			if err := cert.Check(m); err == nil {
				t.Errorf("%s: changed %s: accepted", spec, what)
			}
		}
	}
}

// TestMillionSwitches takes a few seconds, so it runs with the long tests only.
func TestMillionSwitches(t *testing.T) {
	if os.Getenv("TURNPROOF_LONG") == "" {
		t.Skip("TURNPROOF_LONG is not set")
	}
	rep := check(t, named(t, "torus:1024x1024,vcs=2", "dor", route.Options{}))
	if rep.Verdict() != verify.Proved || rep.Counts.Dependencies < 8<<20 {
		t.Errorf("%s, %+v", rep.Verdict(), rep.Counts)
	}
}

func BenchmarkLines(b *testing.B) {
	for _, k := range []int{32, 128, 512, 1024} {
		r := named(b, fmt.Sprintf("torus:%dx%d,vcs=2", k, k), "dor", route.Options{})
		b.Run(fmt.Sprintf("torus/%dx%d", k, k), func(b *testing.B) {
			for b.Loop() {
				if _, err := verify.Check(context.Background(), r, verify.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(r.Network().NumLinkVCs())*float64(b.N)/b.Elapsed().Seconds(), "VCs/s")
		})
	}
}

// BenchmarkAdaptive explores every state of Duato's protocol.
func BenchmarkAdaptive(b *testing.B) {
	for _, s := range []model.Switching{model.CutThrough, model.Wormhole} {
		for _, k := range []int{3, 6, 12, 24} {
			r := named(b, fmt.Sprintf("torus:%dx%d,vcs=3", k, k), "duato", route.Options{})
			b.Run(fmt.Sprintf("%s/torus/%dx%d", s, k, k), func(b *testing.B) {
				for b.Loop() {
					if rep, err := verify.Check(context.Background(), r, verify.Options{Switching: s}); err != nil || rep.Verdict() != verify.Proved {
						b.Fatal(rep, err)
					}
				}
				b.ReportMetric(float64(r.Network().NumLinkVCs())*float64(b.N)/b.Elapsed().Seconds(), "VCs/s")
			})
		}
	}
}
