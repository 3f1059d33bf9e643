package verify_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// alone hides that a relation is model.SwitchRouted, so that each destination is explored.
type alone struct{ model.Relation }

// aloneEscaper is alone for a relation with escape VCs.
type aloneEscaper struct{ model.Escaper }

func hide(r model.Relation) model.Relation {
	if e, ok := r.(model.Escaper); ok {
		return aloneEscaper{e}
	}
	return alone{r}
}

// randomTurns returns the relation of random turns on a random network with several hosts at a switch. Some
// pairs can be without a path.
func randomTurns(t *testing.T, r *rand.Rand) model.Relation {
	t.Helper()
	spec := fmt.Sprintf("random:switches=%d,degree=%d,hosts=%d,seed=%d", 2*(2+r.IntN(2)), 2+r.IntN(2), 1+r.IntN(3), r.IntN(1000))
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(spec, err)
	}
	n = n.WithVCs(1 + r.IntN(2))
	set := model.NewTurnSet(n)
	for turn := range model.Turns(n, false) {
		if r.IntN(4) > 0 {
			set.Add(turn)
		}
	}
	if r.IntN(3) == 0 {
		return route.AnyPath(set)
	}
	return route.FromTurns(set, r.IntN(2) == 0)
}

// TestBlocks: destinations at one switch are decided together as they are one by one, and states in blocks as states in
// a list. The certificates are the same.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 1))
	var list []model.Relation
	for range 300 {
		list = append(list, randomTurns(t, r))
	}
	for _, x := range []struct{ network, routing string }{{"mesh:3x3,hosts=3", "west-first"}, {"torus:4x4,vcs=3,hosts=2", "duato"},
		{"fattree:k=4,levels=3", "updown"}, {"torus:4x4,hosts=2", "minimal"}, {"mesh:3x3,vcs=2,hosts=2", "fully-adaptive"}} {
		list = append(list, relationOf(t, x.network, x.routing))
	}
	tally := map[string]int{}
	for i, rel := range list {
		for _, o := range []verify.Options{{Open: true}, {Switching: model.CutThrough}, {Switching: model.Wormhole, Waiting: model.WaitOne}} {
			o.NoSearch, o.AllStates, o.NoPairs = true, true, true
			shared, err := verify.Check(t.Context(), rel, o)
			if err != nil {
				t.Fatal(i, err)
			}
			single, err := verify.Check(t.Context(), hide(rel), o)
			if err != nil {
				t.Fatal(i, err)
			}
			o.Listed = true
			listed, err := verify.Check(t.Context(), rel, o)
			if err != nil {
				t.Fatal(i, err)
			}
			tally[fmt.Sprint("deadlock-free ", shared.DeadlockFree.Verdict)]++
			tally[fmt.Sprint("connected ", shared.Connected.Verdict)]++
			tally[fmt.Sprint("livelock-free ", shared.LivelockFree.Verdict)]++
			if shared.Certificate.Blocks == nil || listed.Certificate.Blocks != nil {
				t.Fatal("no blocks, or blocks")
			}
			want := listedFile(t, listed.Certificate)
			for name, other := range map[string]*verify.Report{"together": shared, "one by one": single} {
				if a, b := facts(other), facts(listed); a != b {
					t.Fatalf("relation %d, %s: %s, as a list %s", i, name, a, b)
				}
				if got := listedFile(t, other.Certificate); !bytes.Equal(got, want) {
					t.Fatalf("relation %d, %s: certificate\n%s\nas a list\n%s", i, name, got, want)
				}
				var file bytes.Buffer
				if err := cert.Write(&file, other.Certificate); err != nil {
					t.Fatal(err)
				}
				read, err := cert.Read(&file)
				if err != nil {
					t.Fatal(err)
				}
				if err := cert.Check(read); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, claim := range []string{"deadlock-free", "connected", "livelock-free"} {
		for _, verdict := range []verify.Verdict{verify.Proved, verify.Refuted} {
			if tally[fmt.Sprint(claim, " ", verdict)] < 30 {
				t.Errorf("too few cases: %v", tally)
			}
		}
	}
}

func facts(r *verify.Report) string {
	f := r.Routes
	return fmt.Sprint(r.DeadlockFree.Verdict, r.Acyclic.Verdict, r.Connected.Verdict, r.LivelockFree.Verdict, r.Counts, f.Pairs, f.Unreachable, f.Pathless,
		f.Longest, f.LostEnd, f.Lost != nil, f.Loop != nil)
}

func listedFile(t *testing.T, c *cert.Certificate) []byte {
	t.Helper()
	c, err := cert.List(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := cert.Check(c); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := cert.Write(&file, c); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}
