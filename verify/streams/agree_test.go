package streams

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/streams"
	"github.com/turnproof/turnproof/verify"
)

// TestAgainstJudge compares the search with the judge on random small problems.
func TestAgainstJudge(t *testing.T) {
	count := map[verify.Verdict]int{}
	seeds, most := longtest.Cases[uint64](600, 20_000), longtest.Cases(1000, 20_000)
	for seed := range seeds {
		p := randomProblem(rand.New(rand.NewPCG(seed, 30)))
		if p == nil {
			continue
		}
		hang, known := newJudge(p).hangs(most)
		if !known {
			continue
		}
		r, err := Check(context.Background(), p, Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := map[bool]verify.Verdict{true: verify.Refuted, false: verify.Proved}[hang]
		if r.Verdict != want {
			t.Fatalf("seed %d: %v (%s), the judge says %v: %+v", seed, r.Verdict, r.Reason, want, p)
		}
		count[want]++
		checkEvidence(t, p, r)
	}
	t.Log(count)
	if count[verify.Proved] < 60 || count[verify.Refuted] < 60 {
		t.Errorf("too few problems of a kind: %v", count)
	}
}

// checkEvidence checks that the checker accepts the evidence, and rejects the other verdict and a changed schedule.
func checkEvidence(t *testing.T, p *streams.Problem, r *Result) {
	t.Helper()
	c, err := Certificate(p, r, nil, nil)
	if err != nil {
		t.Fatalf("%v: %+v", err, p)
	}
	other := *r
	if other.Verdict = verify.Proved; r.Verdict == verify.Proved {
		other.Verdict = verify.Refuted
	}
	if _, err := Certificate(p, &other, nil, nil); err == nil {
		t.Fatalf("the checker accepts both verdicts: %+v", p)
	}
	if n := len(r.Schedule); n > 0 {
		shorter := *r
		shorter.Schedule = r.Schedule[:n-1]
		if _, err := Certificate(p, &shorter, nil, nil); err == nil {
			t.Fatalf("the checker accepts the schedule without its end: %+v", p)
		}
	}
	if len(c.Claims) != 1 {
		t.Fatalf("%d claims", len(c.Claims))
	}
}

// randomProblem returns a small problem, or nil.
func randomProblem(rng *rand.Rand) *streams.Problem {
	p := &streams.Problem{}
	buffers := 2 + rng.IntN(4)
	for range buffers {
		p.Resources = append(p.Resources, streams.Resource{Words: 1 + rng.IntN(2)})
	}
	arbiters := 1 + rng.IntN(3)
	for range arbiters {
		p.Resources = append(p.Resources, streams.Resource{})
	}
	for range 1 + rng.IntN(3) {
		p.Routes = append(p.Routes, randomRoute(rng, buffers, arbiters))
	}
	for range rng.IntN(3) {
		p.Counters = append(p.Counters, streams.Counter{Value: rng.IntN(2)})
	}
	randomAgents(rng, p)
	name(p)
	if p.Validate() != nil {
		return nil
	}
	return p
}

// name gives each object a name.
func name(p *streams.Problem) {
	for i := range p.Resources {
		p.Resources[i].Name = fmt.Sprintf("r%d", i)
	}
	for i := range p.Counters {
		p.Counters[i].Name = fmt.Sprintf("c%d", i)
	}
	for i := range p.Routes {
		p.Routes[i].Name = fmt.Sprintf("route%d", i)
	}
	for i := range p.Agents {
		p.Agents[i].Name = fmt.Sprintf("a%d", i)
	}
}

// randomRoute returns a route of up to eight nodes.
func randomRoute(rng *rand.Rand, buffers, arbiters int) streams.Route {
	nodes := []streams.Node{{Resource: rng.IntN(buffers), Parent: -1}}
	var grow func(parent, depth int)
	grow = func(parent, depth int) {
		at := parent
		for range rng.IntN(3) {
			nodes = append(nodes, streams.Node{Resource: buffers + rng.IntN(arbiters), Parent: at})
			at = len(nodes) - 1
		}
		branches := 1
		if rng.IntN(4) == 0 {
			branches = 2
		}
		for range branches {
			nodes = append(nodes, streams.Node{Resource: rng.IntN(buffers), Parent: at})
			if end := len(nodes) - 1; depth < 1 && rng.IntN(3) == 0 {
				grow(end, depth+1)
			}
		}
	}
	grow(0, 0)
	if len(nodes) > 8 {
		nodes = nodes[:1]
	}
	if last := len(nodes) - 1; last > 0 && rng.IntN(4) == 0 {
		nodes[last].Drop = 1 + rng.IntN(2)
	}
	return streams.Route{Nodes: nodes}
}

// randomAgents adds senders and receivers whose words fit together, and sprinkles acquires and releases.
func randomAgents(rng *rand.Rand, p *streams.Problem) {
	words := map[[2]int]int{} // by buffer and route
	var sends []streams.Action
	for range 1 + rng.IntN(4) {
		x := streams.Action{Kind: streams.Send, Object: rng.IntN(len(p.Routes)), Amount: 1 + rng.IntN(3)}
		sends = append(sends, x)
		leaf := map[int]bool{}
		for i, n := range p.Routes[x.Object].Nodes {
			leaf[i] = true
			delete(leaf, n.Parent)
		}
		for i := range p.Routes[x.Object].Nodes {
			if leaf[i] {
				words[[2]int{p.Routes[x.Object].Nodes[i].Resource, x.Object}] += max(1, x.Amount-p.Routes[x.Object].Nodes[i].Drop)
			}
		}
	}
	senders := 1 + rng.IntN(2)
	for i := range senders {
		a := streams.Agent{Required: true}
		for k, x := range sends {
			if k%senders == i {
				a.Program = append(a.Program, x)
			}
		}
		p.Agents = append(p.Agents, sprinkled(rng, p, a))
	}
	byRoute := rng.IntN(2) == 0
	for b := range p.Resources {
		together := streams.Agent{Required: rng.IntN(4) > 0}
		for i := range p.Routes {
			n := words[[2]int{b, i}]
			if n == 0 {
				continue
			}
			x := streams.Action{Kind: streams.Take, Object: b, Amount: n, Route: i}
			if !byRoute {
				x.Route = -1
				together.Program = append(together.Program, x)
				continue
			}
			p.Agents = append(p.Agents, sprinkled(rng, p, streams.Agent{Required: true, Program: []streams.Action{x}}))
		}
		if len(together.Program) > 0 {
			p.Agents = append(p.Agents, sprinkled(rng, p, together))
		}
	}
}

// sprinkled adds acquires, releases and a loop to a program.
func sprinkled(rng *rand.Rand, p *streams.Problem, a streams.Agent) streams.Agent {
	var list []streams.Action
	for _, x := range a.Program {
		if len(p.Counters) > 0 && rng.IntN(3) == 0 {
			list = append(list, streams.Action{Kind: streams.Acquire, Object: rng.IntN(len(p.Counters)), Amount: 1})
		}
		if x.Kind == streams.Take && x.Amount > 1 && rng.IntN(3) == 0 {
			n := x.Amount
			x.Amount = 1
			list = append(list, streams.Action{Kind: streams.Repeat, Object: 1, Amount: n}, x)
		} else {
			list = append(list, x)
		}
		if len(p.Counters) > 0 && rng.IntN(2) == 0 {
			list = append(list, streams.Action{Kind: streams.Release, Object: rng.IntN(len(p.Counters)), Amount: 1 + rng.IntN(2)})
		}
	}
	if !a.Required && rng.IntN(2) == 0 {
		list = append([]streams.Action{{Kind: streams.Repeat, Object: len(list), Amount: 0}}, list...)
	}
	a.Program = list
	return a
}

// TestUnderWay decides a problem that hangs only if a packet that is still on its path gets an arbiter before another one that
// asks for it from the beginning.
func TestUnderWay(t *testing.T) {
	p, err := streams.Read(`flow-problem: 1
resources: {x: 0, y: 0, sa: 1, sb: 1, sc: 1, m: 1, ra: 1, rb: 1, rc: 1}
packets:
- {name: a, path: [sa, x, ra], words: 4}
- {name: b, path: [sb, y, m, x, rb], words: 4, after: [a]}
- {name: c, path: [sc, y, rc], words: 4}
`, "under-way")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Check(context.Background(), p, Options{})
	if err != nil || r.Verdict != verify.Refuted {
		t.Fatalf("%+v, %v", r, err)
	}
	checkEvidence(t, p, r)
}
