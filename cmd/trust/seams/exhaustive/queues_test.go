package exhaustive

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/seams/states"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/queues"
)

// This file compares refutations by packets that share VCs (evidence queued-run) with all states.

// reuses are the rules of reuse in both forms.
var reuses = map[facts.Reuse]states.Reuse{facts.WhenEmpty: states.WhenEmpty, facts.WhenNotFull: states.WhenRoom, facts.WhenUnused: states.WhenFull}

// TestQueues compares runs of packets of one length, under wormhole switching, with all states. TURNPROOF_CASES and TURNPROOF_FIRST choose more cases.
func TestQueues(t *testing.T) {
	tally := map[string]int{}
	first := number("TURNPROOF_FIRST", 0)
	count := number("TURNPROOF_CASES", longtest.Cases[uint64](40, 1500))
	for k := first; k < first+count; k++ {
		rng := rand.New(rand.NewPCG(k, 46))
		d := &drawn{switching: model.Wormhole}
		if d.drawRouting(rng); d.rel == nil {
			continue
		}
		if d.waiting = pick(rng, model.WaitAny, model.WaitOne, ""); rng.IntN(3) == 0 {
			d.drawFlows(rng)
		}
		d.packet, d.buffer = 1+rng.IntN(6), 1+rng.IntN(4)
		reuse := pick(rng, facts.WhenEmpty, facts.WhenNotFull, facts.WhenUnused, facts.WhenUnused)
		if rng.IntN(4) == 0 {
			d.drawBuffers(rng)
		}
		d.say("", "case %d: waiting %q, packets of %d, buffers of %d, reuse %s", k, d.waiting, d.packet, d.buffer, reuse)
		said, err := d.judgeQueues(t.Context(), reuse)
		if err != nil {
			t.Fatal(err)
		}
		tally[said]++
		if said == "run, FREE" {
			t.Errorf("%s: %s", said, d.describe(""))
		}
		if said == "none, STUCK" && testing.Verbose() {
			t.Logf("missed: %d %s", k, d.text[len(d.text)-1])
		}
	}
	for _, said := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%s: %d", said, tally[said])
	}
	if found, missed := tally["run, STUCK"], tally["none, STUCK"]; uint64(found) < count/8 || missed > found/5 {
		t.Errorf("%d of %d stuck cases found: the search is too weak", found, found+missed)
	}
}

// judgeQueues returns whether package queues finds a run, which verify/cert must accept, and the verdict of all states.
func (d *drawn) judgeQueues(ctx context.Context, reuse facts.Reuse) (string, error) {
	o := verify.Options{Switching: model.Wormhole, Waiting: d.waiting, NoPairs: true, NoSearch: true,
		Facts: facts.Facts{Packet: d.packet, Buffer: d.buffer, Reuse: reuse, Source: "drawn"}}
	rep, err := verify.Check(ctx, d.rel, o)
	if err != nil {
		return "", fmt.Errorf("%s: %w", d.describe(""), err)
	}
	if rep.Acyclic.Verdict == verify.Proved {
		return "acyclic", nil
	}
	said := "none"
	run, err := queues.Find(ctx, d.rel, &queues.Setup{Packet: d.packet, Buffers: o.Facts.On(d.rel.Network()).Links(), Reuse: reuse,
		Commits: model.CommitsIn(d.rel, d.waiting)}, rep.Graph)
	if err != nil {
		return "", err
	}
	if run != nil {
		said = "run"
		if err := cert.Check(withRun(rep.Certificate, run)); err != nil {
			return "", fmt.Errorf("%s: %w", d.describe(""), err)
		}
	}
	c, err := states.Convert(d.rel, states.Options{Switching: model.Wormhole, Waiting: d.waiting, Packets: []int{d.packet}, Buffer: d.buffer,
		Reuse: reuses[reuse]})
	if err != nil {
		return "", err
	}
	found, err := states.Search(ctx, *c, states.Limits{States: 30_000})
	return said + ", " + string(found.Verdict), err
}

// withRun returns a certificate whose claim deadlock-free is refuted by a run.
func withRun(c *cert.Certificate, run *queues.Result) *cert.Certificate {
	claim := cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceQueuedRun,
		Packets: encode.Packets(run.Packets), Moves: (*cert.Ints)(&run.Moves)}
	if c.Subject.Waiting != "" {
		claim.Chosen = &cert.Ints{}
		for _, v := range run.Chosen {
			*claim.Chosen = append(*claim.Chosen, int32(v))
		}
	}
	other := *c
	other.Claims = []cert.Claim{claim}
	return &other
}
