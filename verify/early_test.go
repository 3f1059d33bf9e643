package verify_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// earlyBlocks are blocks that were judged before. They fail if they are read.
type earlyBlocks struct{ early *cert.Early }

var errRead = errors.New("the blocks are read")

func (earlyBlocks) Each(int, func(int, *cert.Block) error) error { return errRead }
func (b earlyBlocks) Early() *cert.Early                         { return b.early }

// judgeEarly returns the certificate of an acyclic relation with blocks that were judged before.
func judgeEarly(t *testing.T, r model.Relation, workers int) *cert.Certificate {
	t.Helper()
	report, err := verify.Check(context.Background(), r, verify.Options{AllStates: true})
	if err != nil || report.Acyclic.Verdict != verify.Proved {
		t.Fatal(err)
	}
	c := *report.Certificate
	e, err := cert.NewEarly(&c.Subject, workers)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Blocks.Each(workers, func(w int, b *cert.Block) error {
		e.Judge(w, b)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	c.Blocks = earlyBlocks{e}
	return &c
}

// meshRelation returns up*/down* routing on a mesh.
func meshRelation(t *testing.T) model.Relation { return upDownOn(t, "mesh:4x3") }

func upDownOn(t *testing.T, spec string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("updown", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestEarlyRanks: ranks are judged by the dependencies of all blocks. Of two exchanged ranks, the checker rejects exactly those
// that it rejects when it reads the blocks.
func TestEarlyRanks(t *testing.T) {
	for workers, spec := range map[int]string{1: "mesh:4x3", 2: "mesh:3x2,vcs=40", 3: "mesh:4x3"} { // 40 VCs need several words for a row
		r := upDownOn(t, spec)
		good := judgeEarly(t, r, workers)
		if err := cert.Check(good); err != nil {
			t.Fatal(err)
		}
		read := *good
		report, err := verify.Check(context.Background(), r, verify.Options{AllStates: true})
		if err != nil {
			t.Fatal(err)
		}
		read.Blocks = report.Certificate.Blocks
		rejected := 0
		rng := rand.New(rand.NewPCG(27, 5))
		for range 300 {
			ranks := slices.Clone(*good.Claims[0].Ranks)
			i, j := rng.IntN(len(ranks)), rng.IntN(len(ranks))
			ranks[i], ranks[j] = ranks[j], ranks[i]
			claims := slices.Clone(good.Claims)
			claims[0].Ranks = &ranks
			early, late := *good, read
			early.Claims, late.Claims = claims, claims
			got, want := cert.Check(&early), cert.Check(&late)
			if errors.Is(got, errRead) || (got == nil) != (want == nil) {
				t.Fatalf("ranks of VCs %d and %d exchanged: judged early %v, by the blocks %v", i, j, got, want)
			}
			if got != nil {
				rejected++
			}
		}
		if rejected == 0 || rejected == 300 {
			t.Fatalf("%d of 300 rejected", rejected)
		}
	}
}

// TestEarlyReadsAgain: what was judged early counts for the same relation and for claims that need no more.
func TestEarlyReadsAgain(t *testing.T) {
	for name, change := range map[string]func(c *cert.Certificate){
		"another network": func(c *cert.Certificate) {
			c.Subject.Network.Attach = slices.Clone(c.Subject.Network.Attach)
			c.Subject.Network.Attach[0], c.Subject.Network.Attach[2] = c.Subject.Network.Attach[2], c.Subject.Network.Attach[0]
		},
		"another relation": func(c *cert.Certificate) {
			rel := *c.Subject.Relation
			rel.Destinations = slices.Clone(rel.Destinations)
			rel.Destinations[0], rel.Destinations[1] = rel.Destinations[1], rel.Destinations[0]
			c.Subject.Relation = &rel
		},
		"another waiting": func(c *cert.Certificate) { c.Subject.Waiting = cert.WaitingOne },
		"one next hop of several": func(c *cert.Certificate) {
			c.Claims = []cert.Claim{{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceElimination, Ranks: c.Claims[0].Ranks}}
		},
		"a rejected block": func(c *cert.Certificate) {
			e, err := cert.NewEarly(&c.Subject, 1)
			if err != nil {
				t.Fatal(err)
			}
			e.Judge(0, &cert.Block{})
			c.Blocks = earlyBlocks{e}
		},
	} {
		c := judgeEarly(t, meshRelation(t), 1)
		if change(c); !errors.Is(cert.Check(c), errRead) {
			t.Errorf("%s: %v; want the blocks read again", name, cert.Check(c))
		}
	}
}

// TestEarlyMissesDestinations: blocks that lack a destination are no proof.
func TestEarlyMissesDestinations(t *testing.T) {
	c := judgeEarly(t, meshRelation(t), 1)
	e, err := cert.NewEarly(&c.Subject, 1)
	if err != nil {
		t.Fatal(err)
	}
	c.Blocks = earlyBlocks{e}
	if err := cert.Check(c); err == nil || errors.Is(err, errRead) {
		t.Fatalf("a proof without blocks: %v", err)
	}
}
