package agree

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// This file draws random cases with rapid. The case depends only on its seed and number.

// drawer makes the random choices of a case. When rapid shrinks a case, it chooses the first of several
// alternatives, and smaller numbers.
type drawer struct{ *rapid.T }

var bit = rapid.Bool()

// IntN returns a number from 0 to n-1. All are equally likely, unlike those of rapid.IntRange.
func (r drawer) IntN(n int) int {
	v, values := 0, 1
	for values < 16*n {
		v, values = 2*v, 2*values
		if bit.Draw(r.T, "") {
			v++
		}
	}
	return v * n / values
}

// one returns true with probability 1/k.
func (r drawer) one(k int) bool { return r.IntN(k) == k-1 }

func pick[T any](r drawer, list ...T) T { return list[r.IntN(len(list))] }

// kind is a kind of case; make draws one.
type kind struct {
	name   string
	weight int
	make   func(r drawer) *Case
}

var kinds = []kind{
	{"table, in-trees", 10, func(r drawer) *Case { return table(r, (*Case).inTree) }},
	{"table, entries at random", 10, func(r drawer) *Case { return table(r, (*Case).anyEntry) }},
	{"table, up*/down*", 10, func(r drawer) *Case { return table(r, (*Case).upDownEntry) }},
	{"table, up*/down*, some entries at random", 10, func(r drawer) *Case {
		return table(r, func(c *Case, r drawer, d int) []int {
			row := c.upDownEntry(r, d)
			for u, out := range c.anyEntry(r, d) {
				if r.one(8) {
					row[u] = out
				}
			}
			return row
		})
	}},
	{"adaptive, shortest paths", 15, func(r drawer) *Case { return adaptive(r, shorter, 3) }},
	{"adaptive, any hops", 10, func(r drawer) *Case { return adaptive(r, anyHop, 6) }},
	{"adaptive, ring with changes of VC", 10, rings},
	{"adaptive with an escape", 15, escapes},
	{"turns at random", 10, turnSets},
	{"turns of a method", 5, methodSets},
	{"grid, by name", 15, named},
}

// cases generates cases of all kinds.
var cases = rapid.Custom(func(t *rapid.T) *Case {
	r, total := drawer{t}, 0
	for _, k := range kinds {
		total += k.weight
	}
	at := r.IntN(total)
	for _, k := range kinds {
		if at -= k.weight; at < 0 {
			c := k.make(r)
			c.Kind, c.Switching = k.name, pick(r, "vct", "vct", "saf", "wormhole", "wormhole")
			c.Waiting = pick(r, "", "", waitsOne, waitsMixed)
			return c
		}
	}
	panic("agree: weights")
})

// draw returns case number k of a seed.
func draw(seed, k uint64) *Case { return cases.Example(rapidSeed(seed, k)) }

// rapidSeed returns the seed of rapid for case number k of a seed.
func rapidSeed(seed, k uint64) int { return int(rand.NewPCG(seed, k).Uint64()>>2) + 1 }

// turnSets draws a turn set and routes on all of its paths, or on all of its shortest paths.
func turnSets(r drawer) *Case {
	c := network(r, 1+r.IntN(2))
	n, err := c.network()
	if err != nil {
		panic(err)
	}
	set := randomTurns(r, n)
	if r.one(4) {
		return written("", "", route.AnyPath(set))
	}
	return written("", "", route.FromTurns(set, r.one(3)))
}

// methodSets routes on the shortest paths of a turn set of a method.
func methodSets(r drawer) *Case {
	c := network(r, 1+r.IntN(2))
	n, err := c.network()
	if err != nil {
		panic(err)
	}
	method := pick(r, synth.Published()...)
	made, err := synth.New(context.Background(), method, n, synth.Options{Release: r.one(2), Seed: uint64(r.IntN(1 << 20))})
	if err != nil { // not connected
		return written("", "", route.FromTurns(randomTurns(r, n), false))
	}
	return written("", "", route.FromTurns(synth.Lift(made.Allowed, n), r.one(3)))
}

// named draws a topology and a routing by name.
func named(r drawer) *Case {
	for {
		side := func() int { return 2 + r.IntN(3) }
		spec := pick(r,
			fmt.Sprintf("ring:%d,vcs=%d", 3+r.IntN(4), 1+r.IntN(4)), fmt.Sprintf("line:%d,vcs=%d", side(), 1+r.IntN(3)),
			fmt.Sprintf("mesh:%dx%d,vcs=%d", side(), 2+r.IntN(2), 1+r.IntN(3)), fmt.Sprintf("torus:%dx%d,vcs=%d", 2+r.IntN(3), 2+r.IntN(2), 1+r.IntN(4)),
			fmt.Sprintf("hypercube:%d,vcs=%d", 1+r.IntN(3), 1+r.IntN(2)), fmt.Sprintf("complete:%d,vcs=%d", 2+r.IntN(3), 1+r.IntN(2)))
		if r.one(4) {
			spec += ",hosts=2"
		}
		x := Named{Spec: spec, Routing: pick(r, route.Routings()...).Name}
		if r.one(3) {
			x.Options.VCRule = pick(r, route.RuleDateline, route.RulePlain, route.RulePosition, route.RuleEntry, route.RuleBalanced)
		}
		if r.one(4) {
			x.Options.BothWays = true
		}
		if r.one(3) {
			x.Options.EscapeVCs = 1 + r.IntN(2)
		}
		if r.one(3) {
			x.Options.StayOnEscape = true
		}
		c := &Case{Named: &x}
		if n, err := topo.Parse(spec); err != nil || n.NumLinkVCs() > 150 {
			continue
		}
		if _, err := c.relation(); err == nil {
			return c
		}
	}
}
