package verify_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
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
	for range longtest.Share(300, 3) {
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
				if a, b := factsOf(other), factsOf(listed); a != b {
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
			if tally[fmt.Sprint(claim, " ", verdict)] < longtest.Share(30, 3) {
				t.Errorf("too few cases: %v", tally)
			}
		}
	}
}

func factsOf(r *verify.Report) string {
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

// changed is blocks after a change.
type changed struct {
	cert.Blocks
	change func(list []*cert.Block) []*cert.Block
}

// Each implements cert.Blocks.
func (x changed) Each(_ int, visit func(worker int, b *cert.Block) error) error {
	var list []*cert.Block
	err := x.Blocks.Each(1, func(_ int, b *cert.Block) error {
		list = append(list, &cert.Block{Destinations: slices.Clone(b.Destinations), VCs: slices.Clone(b.VCs), Counts: slices.Clone(b.Counts),
			Hops: slices.Clone(b.Hops)})
		return nil
	})
	if err != nil {
		return err
	}
	for _, b := range x.change(list) {
		if err := visit(0, b); err != nil {
			return err
		}
	}
	return nil
}

// TestSeveralDestinations changes the blocks of a fat tree with two hosts at a switch, and its claims about pairs.
func TestSeveralDestinations(t *testing.T) {
	rel := relationOf(t, "fattree:k=4,levels=2", "updown")
	n := rel.Network()
	own := func(h model.HostID) int32 { return int32(n.VC(n.InjectChannel(h), 0)) }
	at := func(b *cert.Block, vc int32) (state, hop int) {
		state = slices.Index(b.VCs, vc)
		for _, k := range b.Counts[:state] {
			hop += int(k)
		}
		return state, hop
	}
	up := func(h model.HostID) int32 { // a VC out of the switch of h
		for _, c := range n.Out(n.Host(h).Switch) {
			if n.Kind(c) == model.SwitchToSwitch {
				return int32(n.VC(c, 0))
			}
		}
		panic("no link")
	}
	for _, c := range []struct {
		name, words string
		change      func(list []*cert.Block) []*cert.Block
	}{
		{"nothing", "", func(list []*cert.Block) []*cert.Block { return list }},
		{"a host of the switch sends to another switch", "in a block with several destinations", func(list []*cert.Block) []*cert.Block {
			_, hop := at(list[0], own(1))
			list[0].Hops[hop] = up(1)
			return list
		}},
		{"a host of the switch does not send", "pairs can get lost", func(list []*cert.Block) []*cert.Block {
			b := list[0]
			state, hop := at(b, own(1))
			b.VCs, b.Counts, b.Hops = slices.Delete(b.VCs, state, state+1), slices.Delete(b.Counts, state, state+1), slices.Delete(b.Hops, hop, hop+1)
			return list
		}},
		{"a host of another switch does not send", "pairs can get lost", func(list []*cert.Block) []*cert.Block {
			b := list[1]
			state, hop := at(b, own(0))
			end := hop + int(b.Counts[state])
			b.VCs, b.Counts, b.Hops = slices.Delete(b.VCs, state, state+1), slices.Delete(b.Counts, state, state+1), slices.Delete(b.Hops, hop, end)
			return list
		}},
		{"to one of the hosts", "is the ejection channel of a destination", func(list []*cert.Block) []*cert.Block {
			for _, vc := range list[0].VCs {
				if _, hop := at(list[0], vc); n.IsLinkVC(model.VCID(vc)) && list[0].Hops[hop] == cert.Home {
					list[0].Hops[hop] = int32(n.VC(n.EjectChannel(0), 0))
					break
				}
			}
			return list
		}},
		{"a destination of another switch", "not at different endpoints of one switch", func(list []*cert.Block) []*cert.Block {
			list[0].Destinations = append(list[0].Destinations, list[1].Destinations...)
			return append(list[:1], list[2:]...)
		}},
		{"a destination less", "in no block", func(list []*cert.Block) []*cert.Block {
			list[0].Destinations = list[0].Destinations[:1]
			state, hop := at(list[0], own(0)) // it does not send to itself
			b := list[0]
			b.VCs, b.Counts, b.Hops = slices.Delete(b.VCs, state, state+1), slices.Delete(b.Counts, state, state+1), slices.Delete(b.Hops, hop, hop+1)
			return list
		}},
		{"a destination alone", "sends to itself", func(list []*cert.Block) []*cert.Block {
			list[0].Destinations = list[0].Destinations[:1]
			return list
		}},
	} {
		rep, err := verify.Check(t.Context(), rel, verify.Options{Switching: model.CutThrough})
		if err != nil {
			t.Fatal(err)
		}
		if c.name == "nothing" && len(mustList(t, rep.Certificate)) == n.NumHosts() {
			t.Fatal("no block has several destinations")
		}
		rep.Certificate.Blocks = changed{rep.Certificate.Blocks, c.change}
		err = cert.Check(rep.Certificate)
		switch {
		case c.words == "" && err != nil:
			t.Error(err)
		case c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.words)
		}
	}
}

func mustList(t *testing.T, c *cert.Certificate) (list []cert.Ints) {
	t.Helper()
	if err := c.Blocks.Each(1, func(_ int, b *cert.Block) error { list = append(list, slices.Clone(b.Destinations)); return nil }); err != nil {
		t.Fatal(err)
	}
	return list
}
