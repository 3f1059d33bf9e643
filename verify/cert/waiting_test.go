package cert_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	. "github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/summary"
)

// This file holds how packets wait (waiting.go) against its definition.

// waitAs gives the subject another waiting: "", one, or mixed with drawn flags. It returns false
// where there is no mixture.
func waitAs(rng *rand.Rand, s Subject, waiting string) (Subject, bool) {
	r := *s.Relation
	s.Waiting, s.Relation, r.Commits = waiting, &r, nil
	if waiting != WaitingMixed {
		return s, true
	}
	flags, there := Ints{}, [2]bool{}
	for i := 0; i < len(r.States); i += 4 + 2*int(r.States[i+3]) {
		flag := int32(0)
		if r.States[i+3] > 1 {
			flag = int32(rng.IntN(2))
			there[flag] = true
		}
		flags = append(flags, flag)
	}
	r.Commits = &flags
	return s, there[0] && there[1]
}

// TestWaiting makes certificates by brute force for each waiting. They are accepted, also after
// writing and reading. They are rejected under another waiting with another verdict.
func TestWaiting(t *testing.T) {
	t.Parallel()
	tried, other := map[string]int{}, 0
	for seed := range longtest.Share[uint64](300, 3) {
		rng := rand.New(rand.NewPCG(seed, 17))
		drawn := randomRelation(rng, seed%2 == 0)
		verdicts, list := map[string]string{}, map[string]*Certificate{}
		for _, waiting := range []string{"", WaitingOne, WaitingMixed} {
			s, ok := waitAs(rng, drawn, waiting)
			if !ok {
				continue
			}
			c := certify(s)
			if err := Check(c); err != nil {
				t.Fatalf("seed %d, waiting %q: %v", seed, waiting, err)
			}
			var file bytes.Buffer
			if err := Write(&file, c); err != nil {
				t.Fatal(err)
			}
			text := file.String()
			read, err := Read(&file)
			if err != nil {
				t.Fatal(err)
			}
			var again bytes.Buffer
			if err := errors.Join(Check(read), Write(&again, read)); err != nil || again.String() != text {
				t.Fatalf("seed %d, waiting %q: %v, or written otherwise", seed, waiting, err)
			}
			acceptedInBlocks(t, c)
			list[waiting], verdicts[waiting] = c, verdictOn(c, ClaimDeadlockFree)
			tried[waiting+" "+verdicts[waiting]]++
		}
		for a, from := range list {
			for b, to := range list {
				if verdicts[a] == "" || verdicts[b] == "" || verdicts[a] == verdicts[b] {
					continue
				}
				other++
				c := &Certificate{Schema: Schema, Subject: to.Subject, Claims: from.Claims}
				if Check(c) == nil {
					t.Errorf("seed %d: what is %s under waiting %q is accepted under %q", seed, verdicts[a], a, b)
				}
				// The same with the choices put in, each packet's first hop.
				if claim := c.Claim(ClaimDeadlockFree); claim.Verdict == Refuted {
					changed := *claim
					changed.Chosen = nil
					if b != "" {
						chosen := make(Ints, len(claim.Packets))
						n := explore(&to.Subject)
						for i, p := range claim.Packets {
							at := state{p.Path[len(p.Path)-2], p.Path[len(p.Path)-1]}
							if chosen[i] = -1; n.commits(p.Destination, at) {
								chosen[i] = n.next(p.Destination, at)[0].vc
							}
						}
						changed.Chosen = &chosen
					}
					*claim = changed
					if Check(c) == nil {
						t.Errorf("seed %d: a refutation under waiting %q is accepted under %q with other choices", seed, a, b)
					}
				}
			}
		}
	}
	for _, what := range []string{" proved", " refuted", "one proved", "one refuted", "mixed proved", "mixed refuted"} {
		if tried[what] < longtest.Share(20, 3) {
			t.Errorf("waiting and verdict %q: %d cases", what, tried[what])
		}
	}
	if other < longtest.Share(50, 3) {
		t.Errorf("%d verdicts that differ", other)
	}
}

// TestWaitingRejects changes one thing in kept certificates.
func TestWaitingRejects(t *testing.T) {
	for _, c := range []struct {
		of     string
		change func(c *Certificate)
		why    string
	}{
		{"waiting-one", func(c *Certificate) { c.Subject.Waiting = "any" }, "waiting \"any\", not one or mixed"},
		{"waiting-one", func(c *Certificate) { c.Subject.Waiting = "" }, "evidence deadlock-configuration has no chosen"},
		{"waiting-one", func(c *Certificate) { c.Subject.Waiting = WaitingMixed }, "commits belong to waiting mixed"},
		{"waiting-one", func(c *Certificate) { c.Subject.Relation.Commits = &Ints{} }, "commits belong to waiting mixed"},
		{"waiting-one", func(c *Certificate) { c.Claims[1].Chosen = nil }, "needs chosen"},
		{"waiting-one", func(c *Certificate) { *c.Claims[1].Chosen = (*c.Claims[1].Chosen)[1:] }, "of them the chosen VC"},
		{"waiting-one", func(c *Certificate) { (*c.Claims[1].Chosen)[0] = -1 }, "waits for one next hop, and none leads to VC -1"},
		{"waiting-one", func(c *Certificate) { (*c.Claims[1].Chosen)[0]++ }, "waits for one next hop, and none leads to VC"},
		{"waiting-one", func(c *Certificate) { c.Claims[0].Chosen = &Ints{} }, "evidence cycle has no chosen"},
		{"waiting-mixed", func(c *Certificate) { c.Subject.Waiting = WaitingOne }, "commits belong to waiting mixed"},
		{"waiting-mixed", func(c *Certificate) { c.Subject.Relation.Commits = nil }, "commits belong to waiting mixed"},
		{"waiting-mixed", func(c *Certificate) { clear(*c.Subject.Relation.Commits) }, "no mixture"},
		{"waiting-mixed", func(c *Certificate) { (*c.Subject.Relation.Commits)[0] = 2 }, "commits: flag 2"},
		{"waiting-mixed", func(c *Certificate) {
			for i := range *c.Subject.Relation.Commits {
				(*c.Subject.Relation.Commits)[i] = 1
			}
		}, "so nothing is chosen there"},
		{"waiting-mixed", func(c *Certificate) { *c.Subject.Relation.Commits = append(*c.Subject.Relation.Commits, 0) }, "flags for"},
		{"messages", func(c *Certificate) {
			c.Subject.Waiting, c.Subject.Relation, c.Subject.Table = WaitingOne, nil, &Table{}
		}, "without a relation"},
		{"product", func(c *Certificate) { c.Subject.Waiting = WaitingMixed }, "without a relation"},
		{"gates-any", func(c *Certificate) { c.Subject.Waiting = WaitingOne }, "gates are judged of packets that wait for any next hop"},
		{"family-mesh2-free", func(c *Certificate) { c.Subject.Waiting = WaitingOne }, "without a relation"},
		{"closed", func(c *Certificate) { c.Subject.Waiting = WaitingOne }, "without a relation"},
	} {
		k := kept(t, c.of)
		c.change(k)
		if err := Check(k); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, not %q", c.of, err, c.why)
		}
	}
}

// TestWaitingSummary: the summary says how packets wait.
func TestWaitingSummary(t *testing.T) {
	for of, line := range map[string]string{
		"waiting-one": "waiting: one\n", "waiting-mixed": "waiting: mixed, for one next hop in ",
	} {
		if text := summary.Text(kept(t, of)); !strings.Contains(text, line) || !strings.Contains(text, "chosen when it arrived") {
			t.Errorf("%s: %s", of, text)
		}
	}
}

// verdictOn returns the verdict on a claim, or "".
func verdictOn(c *Certificate, name string) string {
	if claim := c.Claim(name); claim != nil {
		return claim.Verdict
	}
	return ""
}
