package workload

import (
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// Closed forms of collectives on idle networks.
//
// A message of one packet of L flits over H switches takes from the start of its send to the start
// of what requires its receive:
//
//	model booksim: 5H + 2 + L clocks
//	model paper:   3(H+1) + L clocks
//
// docs/simulator-reference.md has one clock less, since a packet arrives in a clock, and what waits for it
// starts in the next one. All forms below count the clocks of one chain of messages. No two
// messages of a chain or beside it use a channel at the same time; where that is not plain, the
// comment says why.
type closedForm struct {
	network, routing string
	o                CollectiveOptions
	shares           int // the bytes are shares × L flits
	// end = switches × (clocks of a switch) + messages × (the rest of a message)
	switches, messages int
}

var closedForms = []closedForm{
	// Ring of N hosts, ring all-reduce: 2(N-1) steps to the next host. All hosts send at the same
	// time on different channels; each message passes 2 switches.
	{"ring:8,vcs=2", "dor", CollectiveOptions{Kind: "ring-all-reduce"}, 8, 14 * 2, 14},
	{"ring:5,vcs=2", "dor", CollectiveOptions{Kind: "ring-all-reduce"}, 5, 8 * 2, 8},
	{"ring:8,vcs=2", "dor", CollectiveOptions{Kind: "all-gather"}, 1, 7 * 2, 7},
	{"ring:8,vcs=2", "dor", CollectiveOptions{Kind: "reduce-scatter"}, 8, 7 * 2, 7},
	// Repeated three times, each host goes on after its own last step: 3 × 14 steps.
	{"ring:8,vcs=2", "dor", CollectiveOptions{Kind: "ring-all-reduce", Repeat: 3}, 8, 42 * 2, 42},
	// Pipeline of one chunk: 7 messages one after the other.
	{"ring:8,vcs=2", "dor", CollectiveOptions{Kind: "pipeline"}, 1, 7 * 2, 7},
	// Binomial tree on a ring of 16: the deepest chain is 0→8→12→14→15 over 9, 5, 3 and 2 switches.
	{"ring:16,vcs=2", "dor", CollectiveOptions{Kind: "broadcast"}, 1, 19, 4},
	// Mesh 4x4, ranks by rows. The ring has 12 edges in rows (2 switches), 3 from a row's end to the
	// next row (3 hops back, 1 down: 5 switches), and one from the last host to the first (7
	// switches). The hops back use channels of direction -x, which no other message of a row needs.
	// The longest chain of 30 steps leaves out two edges in rows of 32, and these pass
	// 2(12×2 + 3×5 + 7) - 2×2 = 88 switches.
	{"mesh:4x4", "dor", CollectiveOptions{Kind: "ring-all-reduce"}, 16, 88, 30},
	// The all-gather has 15 steps. A chain leaves out one edge in a row of 16: 46 - 2 = 44 switches.
	{"mesh:4x4", "dor", CollectiveOptions{Kind: "all-gather"}, 1, 44, 15},
	// Broadcast: 0→8 (2 hops), 8→12 (1), 12→14 (2), 14→15 (1) pass 3 + 2 + 3 + 2 switches. Each is
	// the first send of its rank. Every other chain is shorter by at least 10 clocks, and a send that
	// waits for k others of its rank starts only k×L clocks later.
	{"mesh:4x4", "dor", CollectiveOptions{Kind: "broadcast"}, 1, 10, 4},
	{"mesh:4x4", "dor", CollectiveOptions{Kind: "reduce"}, 1, 10, 4},
	{"mesh:4x4", "dor", CollectiveOptions{Kind: "tree-all-reduce"}, 1, 20, 8},
	// Fat tree of 4-port switches, 16 hosts: 1 switch within an edge switch (ranks 2i and 2i+1), 3
	// within a pod (4 ranks), 5 between pods. Broadcast: 0→8 (5), 8→12 (5), 12→14 (3), 14→15 (1).
	{"fattree:k=4", "updown", CollectiveOptions{Kind: "broadcast"}, 1, 14, 4},
	{"fattree:k=4", "updown", CollectiveOptions{Kind: "reduce"}, 1, 14, 4},
	{"fattree:k=4", "updown", CollectiveOptions{Kind: "tree-all-reduce"}, 1, 28, 8},
	// Its ring has 8 edges of 1 switch, 4 of 3 and 4 of 5. The chain of 30 leaves out the two
	// neighbouring edges of 1 and 3 switches: 2(8 + 12 + 20) - 4 = 76. In a step, only one host of an
	// edge switch sends upwards.
	{"fattree:k=4", "updown", CollectiveOptions{Kind: "ring-all-reduce"}, 16, 76, 30},
	{"fattree:k=4", "updown", CollectiveOptions{Kind: "all-gather"}, 1, 39, 15},
}

func (c closedForm) end(timing engine.Timing, flits int) engine.Clock {
	if timing == engine.Paper {
		return engine.Clock(3*c.switches + (3+flits)*c.messages)
	}
	return engine.Clock(5*c.switches + (2+flits)*c.messages)
}

func TestClosedForms(t *testing.T) {
	for _, c := range closedForms {
		r := relation(t, c.network, c.routing)
		for _, s := range []engine.Options{{}, {Timing: engine.Paper, Switching: model.CutThrough}} {
			for _, flits := range []int{1, 4, 8} {
				c.o.Ranks, c.o.Bytes = r.Network().NumHosts(), int64(c.shares*flits*16)
				g := mustCollective(t, c.o)
				res := mustRun(t, r, g, Settings{Engine: s, Check: true})
				timing := s.Timing
				if want := c.end(timing, flits); res.End != want {
					t.Errorf("%s on %s, model %s, %d flits: %d clocks, want %d", c.o.Kind, c.network, timing, flits, res.End, want)
				}
				checkPath(t, g, res)
			}
		}
	}
}

// checkPath fails if the critical path has a gap, or does not begin at 0 and end at the end.
func checkPath(t testing.TB, g *Graph, res *Result) {
	t.Helper()
	at := res.End
	for _, s := range res.Path {
		if s.To != at || s.From > s.To {
			t.Fatalf("the critical path has the step %+v (%s) before time %d", s, g.Describe(s.Op), at)
		}
		at = s.From
	}
	if at != 0 {
		t.Fatalf("the critical path begins at time %d", at)
	}
}

// TestLongMessages: with one VC, the head of a packet is routed only after the tail of the packet
// before it has left. The head then wins the switch 3 clocks after that tail, in place of 1. So a
// message of k packets and F flits takes 5H + 2 + F + 2(k-1) clocks. In a pipeline, chunks follow
// each other like packets: C chunks of L flits take (N-1)(12+L) + (C-1)(L+2) clocks.
func TestLongMessages(t *testing.T) {
	r := relation(t, "ring:4,vcs=2", "dor") // dor uses one of the VCs before the dateline
	for flits := 1; flits < 100; flits += 7 {
		g := mustCollective(t, CollectiveOptions{Kind: "pipeline", Bytes: int64(16 * flits), Ranks: 2})
		packets := (flits + 7) / 8
		if res, want := mustRun(t, r, g, Settings{Check: true}), engine.Clock(12+flits+2*(packets-1)); res.End != want {
			t.Errorf("%d flits: %d clocks, want %d", flits, res.End, want)
		}
		g = mustCollective(t, CollectiveOptions{Kind: "pipeline", Bytes: int64(64 * flits), Ranks: 4, Chunks: flits})
		if res, want := mustRun(t, r, g, Settings{Check: true}), engine.Clock(3*16+6*(flits-1)); res.End != want {
			t.Errorf("%d chunks: %d clocks, want %d", flits, res.End, want)
		}
	}
}

// TestCollectiveSums: each collective has as many messages and bytes as its definition says.
func TestCollectiveSums(t *testing.T) {
	for _, c := range []struct {
		kind            string
		ranks           int
		messages, bytes int64 // of 1000 bytes
	}{
		{"ring-all-reduce", 7, 2 * 6 * 7, 2 * 6 * 1000}, // each of 12 steps moves all parts
		{"reduce-scatter", 7, 6 * 7, 6 * 1000},
		{"all-gather", 7, 6 * 7, 6 * 7 * 1000},
		{"tree-all-reduce", 7, 12, 12 * 1000},
		{"reduce", 13, 12, 12 * 1000},
		{"broadcast", 13, 12, 12 * 1000},
		{"doubling-all-reduce", 8, 3 * 8, 3 * 8 * 1000},
		{"doubling-all-reduce", 7, 2*4 + 2*3, (2*4 + 2*3) * 1000}, // 3 ranks fold, 4 exchange
		{"all-to-all", 7, 6 * 7, 6 * 1000},                        // all parts but a rank's own, of all ranks
		{"scatter", 7, 6, 1000 - 143},                             // 1000 = 6×143 + 142; rank 0 keeps 143
		{"gather", 7, 6, 6000},
		{"pipeline", 7, 6, 6000},
		{"barrier", 7, 3 * 7, 0},
	} {
		g := mustCollective(t, CollectiveOptions{Kind: c.kind, Bytes: 1000, Ranks: c.ranks})
		if messages, bytes := g.Messages(); messages != c.messages || bytes != c.bytes || g.Count(Recv) != int(messages) {
			t.Errorf("%s of %d ranks: %d messages of %d bytes, want %d of %d", c.kind, c.ranks, messages, bytes, c.messages, c.bytes)
		}
	}
}

// TestReduced follows the data of the collectives: after an all-reduce every rank has the parts of
// all ranks. A send passes on what its rank has at its start, for the part that the step moves.
func TestReduced(t *testing.T) {
	for _, kind := range []string{"tree-all-reduce", "doubling-all-reduce", "barrier", "ring-all-reduce", "all-gather"} {
		for ranks := 2; ranks <= 17; ranks++ {
			g := mustCollective(t, CollectiveOptions{Kind: kind, Bytes: 1, Ranks: ranks})
			if err := informs(g, mustRun(t, relation(t, fmt.Sprintf("ring:%d,vcs=2", max(ranks, 3)), "dor"), g, Settings{Check: true})); err != nil {
				t.Errorf("%s of %d ranks: %v", kind, ranks, err)
			}
		}
	}
}

// informs fails if some rank never hears of another: what a rank knows when a send starts reaches
// the receiver when the receive ends.
func informs(g *Graph, res *Result) error {
	know := make([]map[int32]engine.Clock, g.Ranks) // by rank: since when it knows another
	for r := range know {
		know[r] = map[int32]engine.Clock{int32(r): 0}
	}
	for changed := true; changed; {
		changed = false
		for _, m := range res.Messages {
			o := &g.Ops[m.Send]
			for who, since := range know[o.Rank] {
				if at, known := know[o.Peer][who]; since <= m.Started && (!known || at > m.Received) {
					know[o.Peer][who], changed = m.Received, true
				}
			}
		}
	}
	for r := range know {
		if len(know[r]) != g.Ranks {
			return fmt.Errorf("rank %d hears of %d ranks only", r, len(know[r]))
		}
	}
	return nil
}

func TestParseBytes(t *testing.T) {
	for word, want := range map[string]int64{"0": 0, "7": 7, "7B": 7, "3kB": 3000, "2MB": 2e6, "1GB": 1e9, "3KiB": 3072, "2MiB": 2 << 20, "1GiB": 1 << 30,
		"1024GiB": 1 << 40, "1025GiB": -1, "-1": -1, "KiB": -1, "1.5MB": -1, "5KB": -1, "9223372036854775807GiB": -1} {
		if got, err := ParseBytes(word); (err == nil) != (want >= 0) || err == nil && got != want {
			t.Errorf("%s: %d, %v; want %d", word, got, err, want)
		}
	}
}
