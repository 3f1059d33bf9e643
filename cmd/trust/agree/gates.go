package agree

import (
	"context"
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file compares verdicts on routings with gates with all states of the network. No verdict may be undecided.

// gatedCase is a routing on a grid, with gates.
type gatedCase struct {
	spec string
	wide int // switches of a row
	rel  *modeltest.Relation
	g    *gate.Setup
	rule *gateRule
}

// gateFunctions are functions of the bits ahead: for verify, and for the judge.
var gateFunctions = []struct {
	f      gate.Func
	closes func(bits []bool) bool
}{
	{gate.Func{Name: "f1", Parameter: "2", Threshold: "0"}, func(bits []bool) bool { return countSet(bits) > 0 }},
	{gate.Func{Name: "f4", Parameter: "2", Threshold: "1"}, func(bits []bool) bool { return countSet(bits) > 1 }},
	{gate.Func{Name: "f3", Parameter: "0.5", Threshold: "0.6"}, func(bits []bool) bool { return bits[0] || countSet(bits[1:]) > 1 }},
}

func countSet(bits []bool) (count int) {
	for _, b := range bits {
		count += boolInt(b)
	}
	return count
}

// gatedCases generates cases.
var gatedCases = rapid.Custom(func(t *rapid.T) *gatedCase {
	r := drawer{t}
	spec := pick(r, "line:2", "ring:3", "line:3", "mesh:2x2", "ring:4", "line:2,vcs=2")
	n, err := topo.Parse(spec)
	if err != nil {
		panic(err)
	}
	x := &gatedCase{spec: spec, wide: n.NumSwitches(), g: &gate.Setup{Packet: pick(r, 2, 2, 2, 1, 3)}}
	if spec == "mesh:2x2" {
		x.wide = 2
	}
	x.g.Buffer = x.g.Packet + r.IntN(4)
	rule := gate.DefaultRule(pick(r, gate.Places()...))
	rule.Unit, rule.VCs, rule.Buffer = pick(r, gate.Units()...), pick(r, gate.Readings()...), pick(r, gate.Buffers()...)
	rule.Hops, rule.WithinRow, rule.Level = 1+r.IntN(3), r.one(2), r.IntN(x.g.Buffer)
	k := r.IntN(len(gateFunctions))
	rule.Func, x.g.Rule = gateFunctions[k].f, rule
	x.g.Rule.Func = gateFunctions[k].f
	x.rule = &gateRule{turns: rule.Place != gate.Injection, injection: rule.Place != gate.Turns, byFlit: rule.Unit == gate.Flit,
		reserved: rule.Buffer == gate.Reserved, withinRow: rule.WithinRow, bits: string(rule.VCs), level: rule.Level, hops: rule.Hops,
		closes: gateFunctions[k].closes, packet: x.g.Packet, buffer: x.g.Buffer}
	x.rel = modeltest.Adaptive(t, n, 1)
	return x
})

// gateTally counts cases.
type gateTally struct {
	cases, judged int
	said          map[string]int // by verdict and evidence
	slowest       time.Duration
	wrong, open   []string
}

// tallyGates judges the cases first to end-1 of a seed, each by at most a number of states.
func tallyGates(ctx context.Context, seed, first, end uint64, states int) (*gateTally, error) {
	t := &gateTally{said: map[string]int{}}
	return t, each(ctx, func(k uint64) bool { return first+k < end && len(t.wrong) < mostFound },
		func(ctx context.Context, k uint64) (gateResult, error) {
			return judgeGates(ctx, gatedCases.Example(rapidSeed(seed, first+k)), states)
		},
		func(k uint64, r gateResult) { t.add(first+k, r) })
}

// gateResult is the result for one case.
type gateResult struct {
	said, text string
	found      bool
	known      bool
	isFooled   bool // the checker accepts a proof although a state is a deadlock
	took       time.Duration
}

// judgeGates asks verify and the judge.
func judgeGates(ctx context.Context, x *gatedCase, states int) (one gateResult, err error) {
	begin := time.Now()
	rep, err := verify.Check(ctx, x.rel, verify.Options{Conditions: []model.Condition{x.g}, NoPairs: true})
	if err != nil {
		return one, err
	}
	one.took = time.Since(begin)
	one.said = string(rep.DeadlockFree.Verdict)
	for _, k := range rep.Certificate.Claims {
		if k.Claim == "deadlock-free" {
			one.said += " by " + k.Evidence
		}
	}
	one.text = fmt.Sprintf("%s, %s, packets of %d in buffers of %d: %s", x.spec, x.g.Rule, x.g.Packet, x.g.Buffer, one.said)
	one.found, one.known = newGatedNet(written("", "vct", x.rel), x.wide, x.rule).reaches(states)
	one.isFooled = one.found && cert.Check(forged(rep.Certificate, x.rel.Net.NumLinkVCs())) == nil
	return one, nil
}

// forged returns a certificate that claims deadlock freedom by all states, with rounds that exclude nothing.
func forged(real *cert.Certificate, vcs int) *cert.Certificate {
	none := make(cert.Ints, vcs)
	for v := range none {
		none[v] = -1
	}
	c := *real
	c.Claims = []cert.Claim{{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceGatedStates, Ranks: &none, Clear: &none}}
	return &c
}

func (t *gateTally) add(k uint64, one gateResult) {
	t.cases++
	t.said[one.said]++
	t.slowest = max(t.slowest, one.took)
	t.judged += boolInt(one.known)
	text := fmt.Sprintf("case %d, %s", k, one.text)
	isProved, isRefuted := strings.HasPrefix(one.said, "proved"), strings.HasPrefix(one.said, "refuted")
	switch {
	case one.isFooled:
		t.wrong = append(t.wrong, text+", and the checker accepts a proof by all states although one is a deadlock")
	case isProved && one.found:
		t.wrong = append(t.wrong, text+", and a state of the network is a deadlock")
	case isRefuted && one.known && !one.found:
		t.wrong = append(t.wrong, text+", and no state of the network is a deadlock")
	case !isProved && !isRefuted && one.known:
		t.wrong = append(t.wrong, text+", and the search over all states has decided")
	case !isProved && !isRefuted:
		t.open = append(t.open, text)
	}
}
