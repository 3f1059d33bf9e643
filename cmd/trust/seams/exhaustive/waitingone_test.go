package exhaustive

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/seams/states"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestFlowControlOne compares verdicts on flow control of rings, with packets that wait for one next hop, with all states. It gives the
// checker the ranks of packets that wait for any hop, too.
// TURNPROOF_CASES and TURNPROOF_FIRST choose more cases.
func TestFlowControlOne(t *testing.T) {
	said, judged, taken := map[string]int{}, 0, 0
	first := number("TURNPROOF_FIRST", 0)
	for k := first; k < first+number("TURNPROOF_CASES", longtest.Cases[uint64](10, 20_000)); k++ {
		rng := rand.New(rand.NewPCG(k, 49))
		d := &drawn{waiting: model.WaitOne}
		if d.drawRouting(rng); d.rel == nil {
			continue
		}
		if rng.IntN(3) == 0 {
			d.drawFlows(rng)
		}
		d.drawFlowControl(rng)
		d.say("", "case %d", k)
		d.waiting = model.WaitAny
		if d.isAcceptedForOne(t) {
			taken++
			if c, err := states.Convert(d.rel, d.one()); err != nil {
				t.Fatal(err)
			} else if found, err := states.Search(t.Context(), *c, states.Limits{States: 20_000}); err != nil {
				t.Fatal(err)
			} else if found.Verdict == states.Stuck {
				t.Error(d.describe("the checker accepts the ranks for packets that wait for one hop, and packets get stuck"))
			}
		}
		d.waiting = model.WaitOne
		one, err := d.judge(t.Context(), 20_000)
		if err != nil {
			t.Fatal(err)
		}
		if one.wrong != "" {
			t.Error(one.wrong)
		}
		if said[one.said]++; strings.Contains(one.said, "FREE") || strings.Contains(one.said, "STUCK") {
			judged++
		}
	}
	t.Log(said, taken)
	if taken == 0 || judged == 0 || said["proved, FREE"] == 0 || said["refuted, STUCK"] == 0 {
		t.Errorf("%v: the test is too weak", said)
	}
}

// isAcceptedForOne reports whether the checker accepts the ranks of packets that wait for any next hop for packets that wait for one.
func (d *drawn) isAcceptedForOne(t *testing.T) bool {
	rep, err := verify.Check(t.Context(), d.rel, d.options())
	if err != nil || rep.Evidence(cert.ClaimDeadlockFree) != cert.EvidenceBubble {
		return false
	}
	c := *rep.Certificate
	c.Subject.Waiting = cert.WaitingOne
	return cert.Check(&c) == nil
}

// one returns the network of the case with packets that wait for one next hop.
func (d *drawn) one() states.Options {
	o := d.searches(verify.Proved)[0]
	o.Waiting = model.WaitOne
	return o
}

// TestCopiesOne compares verdicts on multicast tables, with packets to one destination that wait for one next hop, with all states.
// TURNPROOF_CASES and TURNPROOF_FIRST choose more cases.
func TestCopiesOne(t *testing.T) {
	said := map[string]int{}
	first := number("TURNPROOF_FIRST", 0)
	for k := first; k < first+number("TURNPROOF_CASES", longtest.Cases[uint64](20, 20_000)); k++ {
		rng := rand.New(rand.NewPCG(k, 50))
		d := &drawn{waiting: model.WaitOne, switching: pick(rng, model.CutThrough, model.StoreAndForward, model.Wormhole)}
		if d.drawRouting(rng); d.rel == nil {
			continue
		}
		if rng.IntN(2) == 0 {
			d.drawSizes(rng)
		}
		d.drawGroups(rng)
		d.say("", "%s, case %d", d.switching, k)
		one, err := d.judge(t.Context(), 20_000)
		if err != nil {
			t.Fatal(err)
		}
		if said[one.said+one.refused]++; one.wrong != "" {
			t.Error(one.wrong)
		}
	}
	t.Log(said)
	if said["proved, FREE"] == 0 || said["refuted, STUCK"] == 0 {
		t.Errorf("%v: the test is too weak", said)
	}
}
