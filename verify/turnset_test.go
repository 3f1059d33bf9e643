package verify_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

func build(t testing.TB, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// allTurns returns all turns except U-turns.
func allTurns(n *model.Network) *model.TurnSet {
	return model.NewTurnSet(n).Complement()
}

// breadthFirst returns the tree of a search from switch 0, by switch the channel to the
// parent, and the order in which the search found the switches.
func breadthFirst(n *model.Network) (tree []model.ChannelID, place []int) {
	tree, place = make([]model.ChannelID, n.NumSwitches()), make([]int, n.NumSwitches())
	for u := range tree {
		tree[u] = model.NoChannel
	}
	queue := []model.SwitchID{0}
	for i := 0; i < len(queue); i++ {
		place[queue[i]] = i
		for _, c := range n.Out(queue[i]) {
			if v := n.Head(c); n.Kind(c) == model.SwitchToSwitch && v != 0 && tree[v] == model.NoChannel {
				tree[v] = n.Reverse(c)
				queue = append(queue, v)
			}
		}
	}
	return tree, place
}

// upDown allows all turns except those from down to up. Up leads towards switch 0.
func upDown(n *model.Network, place []int) *model.TurnSet {
	up := func(v model.VCID) bool {
		c, _ := n.Channel(v)
		return place[n.Head(c)] < place[n.Tail(c)]
	}
	s := model.NewTurnSet(n)
	for t := range model.Turns(n, false) {
		if up(t.In) || !up(t.Out) {
			s.Add(t)
		}
	}
	return s
}

func checkTurns(t interface {
	Helper()
	Fatal(args ...any)
}, s *model.TurnSet, tree []model.ChannelID) *verify.TurnReport {
	t.Helper()
	rep, err := verify.CheckTurns(context.Background(), s, verify.TurnOptions{Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestTurnSets checks sets with known verdicts.
func TestTurnSets(t *testing.T) {
	upDownOf := func(n *model.Network) (*model.TurnSet, []model.ChannelID) {
		tree, place := breadthFirst(n)
		return upDown(n, place), tree
	}
	for _, c := range []struct {
		name, spec string
		set        func(n *model.Network) (*model.TurnSet, []model.ChannelID)
		acyclic    verify.Verdict
		cycle      int // VCs
		connected  string
		lost       int64
		first      [2]model.HostID
	}{
		{"all turns", "ring:4", func(n *model.Network) (*model.TurnSet, []model.ChannelID) { return allTurns(n), nil },
			verify.Refuted, 4, cert.EvidenceTurnSearch, 0, [2]model.HostID{-1, -1}},
		{"one U-turn at either end", "line:2", func(n *model.Network) (*model.TurnSet, []model.ChannelID) {
			s := model.NewTurnSet(n)
			s.Add(model.Turn{In: 0, Out: 1})
			s.Add(model.Turn{In: 1, Out: 0})
			return s, nil
		}, verify.Refuted, 2, cert.EvidenceTurnSearch, 0, [2]model.HostID{-1, -1}},
		{"up*/down*", "ring:4", upDownOf, verify.Proved, 0, cert.EvidenceTurnTree, 0, [2]model.HostID{-1, -1}},
		{"up*/down* on two VCs", "torus:4x4,vcs=2", upDownOf, verify.Proved, 0, cert.EvidenceTurnTree, 0, [2]model.HostID{-1, -1}},
		{"up*/down*, no tree given", "torus:4x4", func(n *model.Network) (*model.TurnSet, []model.ChannelID) {
			s, _ := upDownOf(n)
			return s, nil
		}, verify.Proved, 0, cert.EvidenceTurnSearch, 0, [2]model.HostID{-1, -1}},
		{"switches without hosts", "fattree:k=4,levels=3", upDownOf, verify.Proved, 0, cert.EvidenceTurnTree, 0, [2]model.HostID{-1, -1}},
		// Host 0 reaches its neighbours, and not host 2; so do the others.
		{"no turns", "ring:4", func(n *model.Network) (*model.TurnSet, []model.ChannelID) { return model.NewTurnSet(n), nil },
			verify.Proved, 0, cert.EvidenceTurnUnreached, 4, [2]model.HostID{0, 2}},
		{"no turns, a tree nonetheless", "ring:4", func(n *model.Network) (*model.TurnSet, []model.ChannelID) {
			tree, _ := breadthFirst(n)
			return model.NewTurnSet(n), tree
		}, verify.Proved, 0, cert.EvidenceTurnUnreached, 4, [2]model.HostID{0, 2}},
		{"no turns, two hosts a switch", "ring:4,hosts=2", func(n *model.Network) (*model.TurnSet, []model.ChannelID) {
			return model.NewTurnSet(n), nil
		}, verify.Proved, 0, cert.EvidenceTurnUnreached, 16, [2]model.HostID{0, 4}},
		// More sources than there are bits in a word.
		{"no turns, 100 switches", "star:100", func(n *model.Network) (*model.TurnSet, []model.ChannelID) {
			return model.NewTurnSet(n), nil
		}, verify.Proved, 0, cert.EvidenceTurnUnreached, 99 * 98, [2]model.HostID{1, 2}},
		{"all turns, 100 switches", "star:100", func(n *model.Network) (*model.TurnSet, []model.ChannelID) {
			return allTurns(n), nil
		}, verify.Proved, 0, cert.EvidenceTurnSearch, 0, [2]model.HostID{-1, -1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, tree := c.set(build(t, c.spec))
			rep := checkTurns(t, s, tree)
			equal(t, "acyclic", rep.Acyclic.Verdict, c.acyclic)
			equal(t, "cycle", len(rep.Cycle), c.cycle)
			equal(t, "evidence", rep.Certificate.Claims[1].Evidence, c.connected)
			equal(t, "refuted", rep.Connected.Verdict == verify.Refuted, c.lost > 0)
			equal(t, "unreachable", rep.Unreachable, c.lost)
			equal(t, "first", rep.Lost, c.first)
			equal(t, "ranks", rep.Ranks != nil, c.acyclic == verify.Proved)
			for _, claim := range []verify.Claim{rep.Acyclic, rep.Connected} {
				if claim.Theorem == "" || (claim.Reason == "") != (claim.Verdict == verify.Proved) {
					t.Errorf("claim %+v", claim)
				}
			}
		})
	}
}

// TestTurnsByMatrix compares verdicts and counts with powers of the matrix of turns, and the
// evidence with walks along the tree.
func TestTurnsByMatrix(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 6).WithVCs(rapid.IntRange(1, 2).Draw(t, "VCs"))
		s := drawTurns(t, n)
		tree, _ := breadthFirst(n)
		if rapid.IntRange(0, 3).Draw(t, "any tree") == 0 {
			for u := range tree {
				tree[u] = model.ChannelID(rapid.IntRange(-1, n.NumLinkChannels()).Draw(t, "up"))
			}
		}
		rep, blind := checkTurns(t, s, tree), checkTurns(t, s, nil)
		cycle, lost, first := byMatrix(s)
		if len(rep.Cycle) != cycle || (rep.Acyclic.Verdict == verify.Proved) != (cycle == 0) {
			t.Fatalf("acyclic %s, cycle %v; by the matrix %d VCs", rep.Acyclic.Verdict, rep.Cycle, cycle)
		}
		for _, turn := range cdg.Dependencies(rep.Cycle) {
			if !s.Has(turn) {
				t.Fatalf("cycle %v: turn %v is not allowed", rep.Cycle, turn)
			}
		}
		if rep.Unreachable != lost || rep.Lost != first || blind.Unreachable != lost || blind.Lost != first || (rep.Connected.Verdict == verify.Proved) != (lost == 0) {
			t.Fatalf("connected %s, %d pairs not, first %v; by the matrix %d, %v", rep.Connected.Verdict, rep.Unreachable, rep.Lost, lost, first)
		}
		evidence := rep.Certificate.Claims[1].Evidence
		if got, want := evidence == cert.EvidenceTurnTree, joins(s, tree); got != want {
			t.Fatalf("evidence %s; paths along the tree connect all hosts: %v", evidence, want)
		}
		seen[evidence]++
		seen[string(rep.Acyclic.Verdict)]++
	})
	t.Log(seen)
}

// drawTurns draws a share of all turns, or of those of up*/down*.
func drawTurns(t *rapid.T, n *model.Network) *model.TurnSet {
	_, place := breadthFirst(n)
	from := upDown(n, place)
	if rapid.Bool().Draw(t, "any turns") {
		from = allTurns(n)
		if rapid.Bool().Draw(t, "U-turns") {
			for turn := range model.Turns(n, true) {
				from.Add(turn)
			}
		}
	}
	share := rapid.SampledFrom([]int{0, 3, 8, 10, 10}).Draw(t, "share")
	s := model.NewTurnSet(n)
	for turn := range from.All() {
		if share == 10 || rapid.IntRange(0, 9).Draw(t, "turn") < share {
			s.Add(turn)
		}
	}
	return s
}

// byMatrix returns the length of a shortest cycle, or 0, the number of pairs that are not
// connected, and the first of them. Entry (v, w) of the k-th power of the matrix is set if and
// only if k turns lead from VC v to VC w.
func byMatrix(s *model.TurnSet) (cycle int, lost int64, first [2]model.HostID) {
	n := s.Network()
	size := model.VCID(n.NumLinkVCs())
	square := func() [][]bool {
		m := make([][]bool, size)
		for v := range m {
			m[v] = make([]bool, size)
		}
		return m
	}
	power, ways := square(), square() // ways: of any number of turns
	for v := range size {
		power[v][v], ways[v][v] = true, true
	}
	for k := range int(size) {
		next := square()
		for v := range size {
			for w := range size {
				for x := range size {
					if power[v][w] && meets(n, w, x) && s.Has(model.Turn{In: w, Out: x}) {
						next[v][x], ways[v][x] = true, true
					}
				}
			}
		}
		for v := range size {
			if power = next; next[v][v] && cycle == 0 {
				cycle = k + 1
			}
		}
	}
	first = [2]model.HostID{model.NoHost, model.NoHost}
	for a := range model.HostID(n.NumHosts()) {
		for b := range model.HostID(n.NumHosts()) {
			found := n.Host(a).Switch == n.Host(b).Switch
			for v := range size {
				for w := range size {
					c, _ := n.Channel(v)
					d, _ := n.Channel(w)
					found = found || ways[v][w] && n.Tail(c) == n.Host(a).Switch && n.Head(d) == n.Host(b).Switch
				}
			}
			if !found {
				if lost++; lost == 1 {
					first = [2]model.HostID{a, b}
				}
			}
		}
	}
	return cycle, lost, first
}

// meets reports whether VC w leaves the switch that VC v enters.
func meets(n *model.Network, v, w model.VCID) bool {
	c, _ := n.Channel(v)
	d, _ := n.Channel(w)
	return n.Head(c) == n.Tail(d)
}

// joins reports whether tree has one root for all hosts, and the path along it from each switch
// to each other is allowed on VCs of index 0. It considers the switches with hosts
// and those between them and the root.
func joins(s *model.TurnSet, tree []model.ChannelID) bool {
	n := s.Network()
	ways := make([][]model.ChannelID, len(tree)) // by switch: up to its root
	for u := range tree {
		at := model.SwitchID(u)
		for tree[at] != model.NoChannel {
			if c := tree[at]; int(c) >= n.NumLinkChannels() || n.Tail(c) != at || len(ways[u]) > len(tree) {
				return false
			}
			ways[u] = append(ways[u], tree[at])
			at = n.Head(tree[at])
		}
	}
	var list []model.SwitchID
	roots := map[model.SwitchID]bool{}
	for h := range model.HostID(n.NumHosts()) {
		at := n.Host(h).Switch
		list = append(list, at)
		for _, c := range ways[at] {
			at = n.Head(c)
			list = append(list, at)
		}
		roots[at] = true
	}
	for _, u := range list {
		for _, v := range list {
			if !allowedAlong(s, ways[u], ways[v]) {
				return false
			}
		}
	}
	return len(roots) == 1
}

// allowedAlong reports whether the path up a and down b is allowed.
func allowedAlong(s *model.TurnSet, a, b []model.ChannelID) bool {
	n := s.Network()
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	way := slices.Clone(a)
	for _, c := range slices.Backward(b) {
		way = append(way, n.Reverse(c))
	}
	for i := 1; i < len(way); i++ {
		if !s.Has(model.Turn{In: n.VC(way[i-1], 0), Out: n.VC(way[i], 0)}) {
			return false
		}
	}
	return true
}

// TestTurnCertificates checks that the certificate file is accepted and names its inputs, and that
// one turn more or less is detected where it matters.
func TestTurnCertificates(t *testing.T) {
	n := build(t, "mesh:3x3")
	tree, place := breadthFirst(n)
	set := upDown(n, place)
	sum := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // of nothing
	rep, err := verify.CheckTurns(context.Background(), set, verify.TurnOptions{Tree: tree, Inputs: []cert.Input{{Name: "a.turns", SHA256: sum}}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := cert.Write(&b, rep.Certificate); err != nil {
		t.Fatal(err)
	}
	back, err := cert.Read(&b)
	if err != nil || back.Subject.Inputs[0].Name != "a.turns" {
		t.Fatal(err)
	}
	for turn := range model.Turns(n, false) {
		changed := set.Clone()
		changed.Add(turn)
		back.Subject.Turns = checkTurns(t, changed, nil).Certificate.Subject.Turns
		if err := cert.Check(back); (err == nil) != (set.Has(turn) || rep.Ranks[turn.In] < rep.Ranks[turn.Out]) {
			t.Errorf("turn %v added: %v", turn, err)
		}
		changed.Remove(turn)
		back.Subject.Turns = checkTurns(t, changed, nil).Certificate.Subject.Turns
		if err := cert.Check(back); (err == nil) != joins(changed, tree) {
			t.Errorf("turn %v taken off: %v", turn, err)
		}
	}
}

func TestTurnsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	n := build(t, "mesh:3x3")
	_, place := breadthFirst(n)
	for _, s := range []*model.TurnSet{allTurns(n), upDown(n, place)} {
		if _, err := verify.CheckTurns(ctx, s, verify.TurnOptions{}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
}

// benchTurns are sets with and without cycles, and with a tree, over three sizes.
func benchTurns(b *testing.B, run func(b *testing.B, s *model.TurnSet, tree []model.ChannelID)) {
	for _, size := range []string{"40,degree=8", "320,degree=16", "2560,degree=26"} {
		n := build(b, "random:switches="+size+",hosts=4,seed=1")
		tree, place := breadthFirst(n)
		some := upDown(n, place)
		for _, c := range []struct {
			name string
			set  *model.TurnSet
			tree []model.ChannelID
		}{{"up-down, tree", some, tree}, {"up-down, search", some, nil}, {"all turns", allTurns(n), nil}} {
			b.Run(fmt.Sprintf("random/%s/%s", size, c.name), func(b *testing.B) { run(b, c.set, c.tree) })
		}
	}
}

// BenchmarkCheckTurns measures CheckTurns on a set in memory.
func BenchmarkCheckTurns(b *testing.B) {
	benchTurns(b, func(b *testing.B, s *model.TurnSet, tree []model.ChannelID) {
		for b.Loop() {
			checkTurns(b, s, tree)
		}
		b.ReportMetric(float64(s.Len())*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
	})
}

// BenchmarkTurnChecker measures the independent checker alone.
func BenchmarkTurnChecker(b *testing.B) {
	benchTurns(b, func(b *testing.B, s *model.TurnSet, tree []model.ChannelID) {
		c := checkTurns(b, s, tree).Certificate
		for b.Loop() {
			if err := cert.Check(c); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(s.Len())*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
	})
}

// TestTurnTreeSiblings prohibits each single turn between two children of the root. The
// tree then no longer shows connectivity, whichever child has the larger number.
func TestTurnTreeSiblings(t *testing.T) {
	n, err := topo.Parse("complete:4")
	if err != nil {
		t.Fatal(err)
	}
	tree, _ := breadthFirst(n)
	all := model.NewTurnSet(n)
	for turn := range model.Turns(n, false) {
		all.Add(turn)
	}
	tried := 0
	for _, b := range tree {
		for _, c := range tree {
			if b == model.NoChannel || c == model.NoChannel || b == c {
				continue
			}
			s, turn := all.Clone(), model.Turn{In: n.VC(b, 0), Out: n.VC(n.Reverse(c), 0)}
			if s.Remove(turn); s.Equal(all) {
				t.Fatalf("turn %v is none of the network", turn)
			}
			if got := checkTurns(t, s, tree).Certificate.Claims[1].Evidence; got == cert.EvidenceTurnTree {
				t.Errorf("without turn %v the tree is still evidence", turn)
			}
			tried++
		}
	}
	if tried != 6 {
		t.Errorf("%d turns tried, want 6: the tree is no star", tried)
	}
}
