package cert_test

import (
	"slices"
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// clockedClaim returns a kept certificate of a network without pauses, and its claim.
func clockedClaim(t *testing.T, name string) (*Certificate, *Claim) {
	t.Helper()
	c := kept(t, name)
	return c, c.Claim(ClaimDeadlockFree)
}

// wantRejected wants the judge to reject c for a reason.
func wantRejected(t *testing.T, c *Certificate, why string) {
	t.Helper()
	c.Digest = ""
	if err := Check(c); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("want %q, got %v", why, err)
	}
}

// TestClockedRunRejects changes a run by hand. A run that leaves out the move of one head has a pause.
func TestClockedRunRejects(t *testing.T) {
	_, claim := clockedClaim(t, "clocked-run")
	moves := slices.Clone(*claim.Moves)
	pauses, total := 0, 0
	for i, p := range moves {
		if p < 0 {
			continue
		}
		total++
		c, k := clockedClaim(t, "clocked-run")
		less := slices.Delete(slices.Clone(moves), i, i+1)
		k.Moves, c.Digest = &less, ""
		err := Check(c)
		if err == nil {
			t.Errorf("accepted without the move of packet %d, entry %d", p, i)
			continue
		}
		if strings.Contains(err.Error(), "stays, and could enter VC") {
			pauses++
		}
	}
	if pauses < total/2 {
		t.Errorf("%d of %d runs with a move less have a pause", pauses, total)
	}
	clocks := func(n int) Ints { // the first n clocks
		end := 0
		for range n {
			end += slices.Index(moves[end:], -1) + 1
		}
		return slices.Clone(moves[:end])
	}
	count := len(slices.DeleteFunc(slices.Clone(moves), func(p int32) bool { return p >= 0 }))
	last := clocks(count - 1)
	for _, x := range []struct {
		why    string
		change func(*Claim)
	}{
		{"no packets wait for each other", func(k *Claim) { k.Moves = &last }},
		{"the last clock has no end", func(k *Claim) { *k.Moves = (*k.Moves)[:len(*k.Moves)-1] }},
		{"has 0 flits", func(k *Claim) { (*k.Holds)[0] = 0 }},
		{"lengths for", func(k *Claim) { *k.Holds = (*k.Holds)[1:] }},
		{"has no further hop", func(k *Claim) { (*k.Moves)[0] = int32(len(k.Packets)) }},
		{"cannot enter VC", func(k *Claim) { // both packets of the first two clocks that start at a host, in one
			*k.Moves = append(Ints{(*k.Moves)[0], (*k.Moves)[0]}, (*k.Moves)[1:]...)
		}},
	} {
		c, k := clockedClaim(t, "clocked-run")
		x.change(k)
		wantRejected(t, c, x.why)
	}
}

// TestClockedStatesRejects exchanges proof and refutation, and changes the number of states.
func TestClockedStatesRejects(t *testing.T) {
	for _, d := range []int32{-1, 1} {
		c, k := clockedClaim(t, "clocked-states")
		(*k.Steps)[0] += d
		wantRejected(t, c, "runs without pauses reach")
	}
	c, k := clockedClaim(t, "clocked-run")
	*k = Claim{Claim: k.Claim, Verdict: Proved, Evidence: EvidenceClockedStates, Steps: &Ints{1000}}
	wantRejected(t, c, "reaches a deadlock")
}
