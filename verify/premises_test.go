package verify_test

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/summary"
)

// relationOf returns a routing by name on a spec.
func relationOf(t *testing.T, spec, name string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(name, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func checkWith(t *testing.T, r model.Relation, o verify.Options) *verify.Report {
	t.Helper()
	rep, err := verify.Check(context.Background(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestOpenDisciplines checks that every discipline is decided where the input leaves it open.
func TestOpenDisciplines(t *testing.T) {
	for _, x := range []struct {
		spec, routing string
		want          []string // by entry: disciplines and verdict
	}{
		{"mesh:4x4", "west-first", []string{"vct, saf, wormhole: proved"}},
		{"torus:4x4", "dor", []string{"vct, saf, wormhole: refuted"}},
		{"torus:4x4,vcs=3", "duato", []string{"vct, saf: proved", "wormhole: proved"}},
		{"torus:4x4", "minimal", []string{"vct, saf, wormhole: refuted"}},
	} {
		rep := checkWith(t, relationOf(t, x.spec, x.routing), verify.Options{Open: true})
		var got []string
		for _, d := range rep.Disciplines {
			var words []string
			for _, s := range d.Switching {
				words = append(words, string(s))
			}
			got = append(got, strings.Join(words, ", ")+": "+string(d.Claim.Verdict))
		}
		if strings.Join(got, "; ") != strings.Join(x.want, "; ") {
			t.Errorf("%s %s: %v, want %v", x.spec, x.routing, got, x.want)
		}
		if rep.Switching != model.Wormhole || rep.Certificate.Subject.Switching != "wormhole" {
			t.Errorf("%s %s: the report is of %s, the certificate of %s", x.spec, x.routing, rep.Switching, rep.Certificate.Subject.Switching)
		}
		for _, s := range []model.Switching{model.CutThrough, model.Wormhole} {
			alone := checkWith(t, relationOf(t, x.spec, x.routing), verify.Options{Switching: s})
			for _, d := range rep.Disciplines {
				for _, of := range d.Switching {
					if of == s && d.Claim.Verdict != alone.DeadlockFree.Verdict {
						t.Errorf("%s %s under %s: %s together, %s alone", x.spec, x.routing, s, d.Claim.Verdict, alone.DeadlockFree.Verdict)
					}
				}
			}
		}
	}
}

// TestDoubt checks that a doubt suspends the claims that it names, in the report and the certificate.
func TestDoubt(t *testing.T) {
	for _, routing := range []string{"west-first", "minimal"} {
		rep := checkWith(t, relationOf(t, "mesh:3x3", routing), verify.Options{Known: model.Known{Doubts: []model.Doubt{{Premise: model.PremiseLevels, Reason: "several VLs", Next: "saquery PR"}}}})
		if rep.DeadlockFree.Verdict != verify.Undecided || rep.Verdict() != verify.Undecided || rep.Connected.Verdict != verify.Proved {
			t.Errorf("%s: deadlock-free %s, connected %s", routing, rep.DeadlockFree.Verdict, rep.Connected.Verdict)
		}
		if want := "several VLs; next: saquery PR"; rep.DeadlockFree.Reason != want {
			t.Errorf("%s: reason %q, want %q", routing, rep.DeadlockFree.Reason, want)
		}
		for _, c := range rep.Certificate.Claims {
			if c.Claim == cert.ClaimDeadlockFree {
				t.Errorf("%s: the certificate claims deadlock-free", routing)
			}
		}
	}
}

// TestStrict checks which assumed premises make which verdicts undecided.
func TestStrict(t *testing.T) {
	stated := func(names ...string) (list []model.Premise) {
		for _, n := range names {
			list = append(list, model.Premise{Name: n, Value: "stated", Source: "--flag"})
		}
		return list
	}
	for _, x := range []struct {
		spec, routing string
		stated        []string
		want          verify.Verdict
	}{
		{"mesh:4x4", "west-first", nil, verify.Undecided}, // messages are assumed independent
		{"mesh:4x4", "west-first", []string{model.PremiseMessages}, verify.Proved},
		{"torus:4x4,vcs=3", "duato", []string{model.PremiseMessages}, verify.Undecided},
		{"torus:4x4,vcs=3", "duato", []string{model.PremiseMessages, model.PremiseWaiting, model.PremiseBuffers}, verify.Proved},
		{"torus:4x4", "minimal", []string{model.PremiseMessages}, verify.Undecided}, // not all pairs may talk
		{"torus:4x4", "minimal", []string{model.PremiseFlows, model.PremiseBuffers}, verify.Refuted},
	} {
		rep := checkWith(t, relationOf(t, x.spec, x.routing), verify.Options{Open: true, Known: model.Known{Strict: true, Premises: stated(x.stated...)}})
		if rep.DeadlockFree.Verdict != x.want {
			t.Errorf("%s %s with %v: %s (%s), want %s", x.spec, x.routing, x.stated, rep.DeadlockFree.Verdict, rep.DeadlockFree.Reason, x.want)
		}
	}
}

// TestPremisesInCertificate checks that certificates carry the premises, and that the
// checker rejects malformed ones.
func TestPremisesInCertificate(t *testing.T) {
	c := checkWith(t, relationOf(t, "mesh:3x3", "west-first"), verify.Options{Open: true}).Certificate
	if !strings.Contains(summary.Text(c), "premise: messages: independent (assumed)\n") {
		t.Errorf("the summary does not print the premises:\n%s", summary.Text(c))
	}
	good := c.Subject.Premises
	for name, bad := range map[string][]cert.Premise{
		"empty":     {{Name: "LMC", Value: "", Source: "assumed"}},
		"twice":     {{Name: "LMC", Value: "0", Source: "assumed"}, {Name: "LMC", Value: "1", Source: "assumed"}},
		"line end":  {{Name: "LMC", Value: "0\nclaim: deadlock-free proved", Source: "assumed"}},
		"escape":    {{Name: "LMC", Value: "\x1b[2J", Source: "assumed"}},
		"switching": {{Name: "switching", Value: "vct", Source: "assumed"}},
	} {
		c.Subject.Premises = bad
		if err := cert.Check(c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if c.Subject.Premises = good; cert.Check(c) != nil {
		t.Error("rejected as it was")
	}
}

// TestDoubtAgainst checks that a doubt against one verdict leaves the other.
func TestDoubtAgainst(t *testing.T) {
	for _, x := range []struct {
		routing string
		against model.Against
		want    verify.Verdict
	}{
		{"west-first", model.AgainstProof, verify.Undecided},
		{"west-first", model.AgainstRefutation, verify.Proved},
		{"minimal", model.AgainstProof, verify.Refuted},
		{"minimal", model.AgainstRefutation, verify.Undecided},
	} {
		rep := checkWith(t, relationOf(t, "mesh:3x3", x.routing), verify.Options{Known: model.Known{Doubts: []model.Doubt{{Premise: model.PremiseLMC, Against: x.against, Reason: "why"}}}})
		claimed := false
		for _, c := range rep.Certificate.Claims {
			claimed = claimed || c.Claim == cert.ClaimDeadlockFree
		}
		if suspended := x.want == verify.Undecided; rep.DeadlockFree.Verdict != x.want || claimed == suspended || len(rep.Doubts) == 1 != suspended {
			t.Errorf("%s, doubt against %s: %s, claimed %v, doubts %v", x.routing, x.against, rep.DeadlockFree.Verdict, claimed, rep.Doubts)
		}
	}
}
