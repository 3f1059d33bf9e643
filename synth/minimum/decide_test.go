package minimum

import (
	"context"
	"math/bits"
	"os"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/synth/engines"
)

// fewest tries all sets: the fewest decisions prohibited without a cycle, with all pairs
// joined if that is asked for.
func (x *instance) fewest(joined bool) int {
	row, of := x.decisions()
	best := len(of) + 1
	for set := range uint32(1) << len(of) {
		if k := bits.OnesCount32(set); k < best && x.holds(func(t int32) bool { return set>>row[t]&1 == 0 }, joined) {
			best = k
		}
	}
	return best
}

// holds walks: by powers of the matrix of allowed turns.
func (x *instance) holds(allowed func(t int32) bool, joined bool) bool {
	k := x.channels()
	leads := make([][]bool, k)
	for c := range leads {
		leads[c] = make([]bool, k)
	}
	for t, pair := range x.turns {
		leads[pair.in][pair.out] = allowed(int32(t))
	}
	for m := range k {
		for a := range k {
			for b := range k {
				leads[a][b] = leads[a][b] || leads[a][m] && leads[m][b]
			}
		}
	}
	comes := map[[2]int32]bool{}
	for a := range k {
		if leads[a][a] {
			return false
		}
		comes[[2]int32{x.tail[a], x.head[a]}] = true
		for b := range k {
			if leads[a][b] {
				comes[[2]int32{x.tail[a], x.head[b]}] = true
			}
		}
	}
	for u := range int32(x.switches) {
		for v := range int32(x.switches) {
			if joined && u != v && x.hosted[u] && x.hosted[v] && !comes[[2]int32{u, v}] {
				return false
			}
		}
	}
	return true
}

// TestDecide compares the decisions with all sets of small networks, under all options. It removes
// cycles from the packings, so that the decider has something to search for.
func TestDecide(t *testing.T) {
	proofs := 0
	small := func(rt *rapid.T) {
		x := newInstance(modeltest.Network(rt, 5))
		x.both = rapid.Bool().Draw(rt, "both")
		joined := rapid.Bool().Draw(rt, "joined")
		_, of := x.decisions()
		if len(of) > 12 {
			rt.Skip("too many turns")
		}
		want := x.fewest(joined)
		if want > len(of) {
			rt.Skip("not connected")
		}
		p := x.newPacker(1)
		p.pack(t.Context(), func(float64) bool { return false })
		pack := p.packing()
		if n := len(pack.Weights); n > 1 {
			n = rapid.IntRange(1, n).Draw(rt, "cycles")
			pack.Weights, pack.Cycles = pack.Weights[:n], pack.Cycles[:n]
		}
		first := rapid.Bool().Draw(rt, "prohibited first")
		for k := pack.Bound(); k <= want+3; k++ { // also with larger limits, which accept more sets
			d := x.newDecider(k, pack, joined, func(int32) bool { return first })
			a := d.decide(context.Background(), never)
			if a == undecided || (a == found) != (k >= want) {
				rt.Fatalf("%d links, at most %d prohibited (both %v, joined %v): %v, the fewest are %d", x.net.NumLinks(), k, x.both, joined, a, want)
			}
			if a == found {
				rank := d.ranks()
				if !x.holds(func(t int32) bool { return d.value[2*d.row[t]] < 0 }, joined) || len(rank) != x.channels() {
					rt.Fatal("a set that does not hold was found")
				}
				continue
			}
			if len(pack.Weights) > 0 {
				proofs++
				accepts(t, x, d, pack, k)
			}
		}
	}
	for range 10 {
		rapid.Check(t, small)
	}
	if proofs < 50 {
		t.Errorf("%d proofs only", proofs)
	}
}

// rejected lets the independent checker judge steps that claim that k are not enough. It returns why
// they do not show it, or "".
func rejected(t *testing.T, x *instance, pack *Packing, steps []int32, k int) string {
	t.Helper()
	c := Claimed{Packing: pack, Steps: steps, Least: k + 1, Both: x.both}
	if x.both {
		c.Least *= 2
	}
	reason, err := checker(x.net, c)
	if err != nil {
		t.Fatal(err)
	}
	return reason
}

// accepts fails if the checker rejects the proof that k are not enough.
func accepts(t *testing.T, x *instance, d *decider, pack *Packing, k int) {
	t.Helper()
	if reason := rejected(t, x, pack, d.proof.written(d), k); reason != "" {
		t.Fatalf("%d are not enough: %v", k, reason)
	}
}

// TestStepsChanged changes or removes single numbers of a proof. The checker rejects the result,
// or it is another valid proof of the same bound.
func TestStepsChanged(t *testing.T) {
	for _, both := range []bool{false, true} {
		x := newInstance(network(t, "complete:4"))
		x.both = both
		p := x.newPacker(1)
		p.pack(t.Context(), func(float64) bool { return false })
		pack := p.packing()
		k := pack.Bound() - 1
		pack.Weights, pack.Cycles = pack.Weights[3:], pack.Cycles[3:]
		d := x.newDecider(k, pack, true, func(int32) bool { return true })
		if a := d.decide(t.Context(), never); a != refuted {
			t.Fatal(a)
		}
		steps := d.proof.written(d)
		try := func(steps []int32, k int) string { return rejected(t, x, pack, steps, k) }
		if reason := try(steps, k); reason != "" {
			t.Fatal(reason)
		}
		if try(steps, k+1) == "" {
			t.Error("the steps show one more than they do")
		}
		accepted := 0
		for i := range steps {
			for _, by := range []int32{-2, -1, 1, 2, 1 << 30} {
				changed := slices.Clone(steps)
				changed[i] += by
				if try(changed, k) == "" {
					accepted++
				}
			}
			if try(slices.Delete(slices.Clone(steps), i, i+1), k) == "" {
				accepted++
			}
		}
		if accepted > len(steps)/20 {
			t.Errorf("%d of %d changes are accepted", accepted, 6*len(steps))
		}
		t.Logf("%d numbers, %d changes accepted", len(steps), accepted)
	}
}

// TestOrderOfPorts uses switches whose output channels are not in the order of their numbers, as
// on grids. The checker then numbers turns differently from the search. It still accepts the
// proofs.
func TestOrderOfPorts(t *testing.T) {
	proofs := 0
	for _, spec := range []string{"mesh:2x3", "hypercube:3"} {
		for _, both := range []bool{false, true} {
			x := newInstance(network(t, spec))
			x.both = both
			p := x.newPacker(1)
			p.pack(t.Context(), func(float64) bool { return false })
			pack := p.packing()
			pack.Weights, pack.Cycles = pack.Weights[:1], pack.Cycles[:1]
			for k := pack.Bound(); k < pack.Bound()+3; k++ {
				d := x.newDecider(k, pack, true, func(int32) bool { return true })
				if d.decide(t.Context(), never) != refuted {
					break
				}
				proofs++
				accepts(t, x, d, pack, k)
			}
		}
	}
	if proofs < 6 {
		t.Errorf("%d proofs only", proofs)
	}
}

// TestRefuted uses random networks of 20 switches and degree 4 whose packing is one below the
// optimum, or on which annealing does not find the optimum at once. The checker accepts the steps
// of the proof.
func TestRefuted(t *testing.T) {
	if os.Getenv("TURNPROOF_LONG") == "" {
		t.Skip("TURNPROOF_LONG is not set; TestNamed checks the steps of smaller networks")
	}
	for spec, want := range map[string]int{"random:switches=20,degree=4,seed=1": 51, "random:switches=20,degree=4,seed=2": 51,
		"random:switches=20,degree=4,seed=6": 52} {
		n := network(t, spec)
		r, err := Find(t.Context(), n, Options{Time: 60 * time.Second})
		if err != nil || r.Least != want || r.Bound != want {
			t.Fatalf("%s: %+v, %v", spec, r, err)
		}
		acceptsResult(t, newInstance(n), r)
	}
}

// acceptsResult lets the checker judge the steps of a result, and reports whether there are any.
func acceptsResult(t *testing.T, x *instance, r *Result) bool {
	t.Helper()
	if r.Steps == nil {
		return false
	}
	if reason := rejected(t, x, r.Packing, r.Steps, r.Bound-1); reason != "" {
		t.Error(reason)
	}
	return true
}

// BenchmarkDecide proves that 50 turns are not enough on a network of 20 switches.
func BenchmarkDecide(b *testing.B) {
	x := newInstance(network(b, "random:switches=20,degree=4,seed=2"))
	p := x.newPacker(1)
	p.pack(b.Context(), func(float64) bool { return false })
	pack := p.packing()
	for b.Loop() {
		d := x.newDecider(50, pack, true, func(int32) bool { return false })
		if a := d.decide(b.Context(), never); a != refuted {
			b.Fatal(a)
		}
		b.ReportMetric(float64(d.conflicts), "conflicts")
	}
}

// TestEngines checks that gini and Z3 give the same answers as our search.
func TestEngines(t *testing.T) {
	for spec, fewest := range map[string]int{"complete:4": 8, "mesh:3x3": 8, "hypercube:3": 12, "random:switches=8,degree=3,seed=1": -1} {
		x := newInstance(network(t, spec))
		if fewest < 0 {
			r, err := Find(t.Context(), x.net, Options{Time: 20 * time.Second})
			if err != nil || r.Least != r.Bound {
				t.Fatalf("%s: %v", spec, err)
			}
			fewest = r.Least
		}
		for _, e := range engines.Engines() {
			if e.New == nil {
				t.Log("this build has no", e.Name)
				continue
			}
			for k, want := range map[int]answer{fewest - 1: refuted, fewest: found} {
				rank, a := x.ask(t.Context(), e.New(), k, true)
				if a != want {
					t.Errorf("%s: %s says %d of %d turns", spec, e.Name, a, k)
				}
				if a == found && !x.holds(func(t int32) bool { return rank[x.turns[t].in] < rank[x.turns[t].out] }, true) {
					t.Errorf("%s: %s found a set that does not hold", spec, e.Name)
				}
			}
		}
	}
}

// BenchmarkEngines puts the same question to each engine: that one turn less than the fewest is not
// enough. Our own is given the packing, as in Find; the others count.
func BenchmarkEngines(b *testing.B) {
	for _, c := range []struct {
		spec string
		k    int
	}{{"complete:4", 7}, {"hypercube:3", 11}, {"random:switches=8,degree=3,seed=1", 7}} {
		x := newInstance(network(b, c.spec))
		p := x.newPacker(1)
		p.pack(b.Context(), func(float64) bool { return false })
		b.Run("own/"+c.spec, func(b *testing.B) {
			for b.Loop() {
				if a := x.newDecider(c.k, p.packing(), true, func(int32) bool { return false }).decide(b.Context(), never); a != refuted {
					b.Fatal(a)
				}
			}
		})
		for _, e := range engines.Engines() {
			if e.New == nil {
				continue
			}
			b.Run(e.Name+"/"+c.spec, func(b *testing.B) {
				for b.Loop() {
					if _, a := x.ask(b.Context(), e.New(), c.k, true); a != refuted {
						b.Fatal(a)
					}
				}
			})
		}
	}
}

// never lets a decision run to its end.
func never() bool { return false }
