package gates_test

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestWhole checks verdicts where packets are stored whole, or alone in a VC, and that the checker rejects runs of other packets.
func TestWhole(t *testing.T) {
	swapped := false
	saf, alone := model.StoreAndForward, facts.Facts{Packet: 8, Buffer: 16, Reuse: facts.WhenEmpty}
	for _, c := range []struct {
		spec, rule string
		switching  model.Switching
		facts      facts.Facts
		want       verify.Verdict
	}{
		{"ring:4", "injection,level=8,unit=packet", saf, facts.Facts{}, verify.Refuted}, // all hosts send at once
		{"ring:6", "injection,level=0,unit=packet,hops=1", saf, facts.Facts{}, verify.Refuted},
		{"ring:6", "injection,level=0,unit=packet,hops=1", "", alone, verify.Refuted},
		{"ring:6", "injection,level=0,unit=flit,hops=1", "", alone, verify.Refuted},
		{"torus:4x4,vcs=2", "both,level=8,unit=packet", saf, facts.Facts{}, verify.Proved},
		{"torus:4x4,vcs=2", "both,level=8,unit=packet", "", alone, verify.Proved},
	} {
		g := gating(t, c.rule)
		g.Buffer = max(g.Buffer, c.facts.Buffer)
		r := named(t, c.spec, "dor", route.Options{})
		if c.spec == "ring:6" { // half of the packets move twice before they block each other
			r = model.WithFlows(r, []model.Flow{{Source: 0, Dest: 3}, {Source: 2, Dest: 5}, {Source: 4, Dest: 1}})
		}
		rep, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{g}, Switching: c.switching, Facts: c.facts})
		if err != nil || rep.DeadlockFree.Verdict != c.want {
			t.Errorf("%s, %s: %v, error %v; want %s", c.spec, c.rule, rep, err, c.want)
			continue
		}
		if c.want == verify.Refuted {
			swapped = rejects(t, rep) || swapped
		}
	}
	if !swapped {
		t.Error("no head was moved before its packet")
	}
}

// rejects checks that the checker rejects a run of a report after changes. It reports whether it has moved a head before its packet.
func rejects(t *testing.T, rep *verify.Report) (swapped bool) {
	t.Helper()
	c := rep.Certificate
	k := 0
	for c.Claims[k].Claim != cert.ClaimDeadlockFree {
		k++
	}
	refused := func(what, want string) {
		if err := cert.Check(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", what, err, want)
		}
	}
	saved := c.Claims[k]
	var steps cert.Ints
	if saved.Steps != nil {
		steps = append(steps, *saved.Steps...)
	}
	for i := 0; i+2 < len(steps); i += 2 {
		if steps[i] == steps[i+2] && steps[i+1]+1 == steps[i+3] && c.Subject.Switching == "saf" {
			steps[i+1], steps[i+3] = steps[i+3], steps[i+1]
			c.Claims[k].Steps = &steps
			refused("a head before its packet", "has not arrived there as a whole")
			swapped = true
			break
		}
	}
	c.Claims[k] = saved
	if c.Subject.Switching != "saf" {
		return false
	}
	c.Claims[k].Evidence, c.Claims[k].Steps = cert.EvidenceGatedConfiguration, nil
	flits := cert.Ints{}
	for _, p := range saved.Packets {
		for range len(p.Path)/2 - 1 {
			flits = append(flits, 0)
		}
		flits = append(flits, int32(c.Subject.Gates.Packet))
	}
	c.Claims[k].Flits = &flits
	refused("packets in place", "want a run")
	c.Claims[k] = saved
	c.Subject.Gates.ByFlit = true
	refused("gates by flit", "gates by flit with switching saf")
	c.Subject.Gates.ByFlit = false
	return swapped
}
