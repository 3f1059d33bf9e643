package parametric

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
)

// This file is escapes: what a packet is always permitted, and a rank rises along, while
// the whole dependency graph has cycles.
//
// An escape is the outputs onto certain channels, or the first or the last output of
// each path. Under virtual cut-through and store-and-forward it is enough that every
// waiting packet is permitted one channel of higher rank than that on which it is; it
// may wait for others, too. Tried are the escape that the program names; else sets of
// VCs, the small ones first; then the outputs that the program names first, or last;
// then sets of directions with VCs. What the small networks contradict is left out.

// escape chooses among the outputs of a path.
type escape struct {
	nodes map[node]bool // whole ones; nil: by order
	last  bool          // by order: the last output, else the first
}

// of are the outputs of a path that belong to the escape.
func (e *escape) of(p *path) []program.Output {
	switch {
	case e.nodes != nil:
		return slices.DeleteFunc(slices.Clone(p.outputs), func(o program.Output) bool { return !e.nodes[node{dir: o.Dir, vc: o.VC}] })
	case len(p.outputs) == 0:
		return nil
	case e.last:
		return p.outputs[len(p.outputs)-1:]
	}
	return p.outputs[:1]
}

// has reports whether a dependency is one of the escape, that must rise.
func (e *escape) has(d dependency) bool {
	switch {
	case e == nil:
		return true
	case e.nodes != nil:
		return e.nodes[d.from.whole()] && e.nodes[d.to.whole()]
	case e.last:
		return d.last
	}
	return d.first
}

// ranks reports whether channels of a node have a rank of the escape.
func (e *escape) ranks(n node) bool { return e == nil || e.nodes == nil || e.nodes[n.whole()] }

// leads reports whether the escape's outputs of a path lead to class c; without an
// escape all outputs count.
func (e *escape) leads(p *path, c class) bool {
	if e == nil {
		return p.leads(c)
	}
	return slices.ContainsFunc(e.of(p), func(o program.Output) bool { return o.Dir == c.dir && o.VC == c.vc && o.State == c.state })
}

// maxEscapeSets bounds the sets of directions with VCs that are looked at.
const maxEscapeSets = 1 << 12

// escapes are the escapes to try that small networks do not contradict, each looked for
// only when those before it have failed. Under wormhole switching only sets of channels
// count.
func (p *prover) escapes() iter.Seq[*escape] {
	return func(yield func(*escape) bool) {
		given, judged := 0, 0
		for e := range p.conceivable() {
			if judged++; judged > maxJudged || given == maxEscapes {
				return
			}
			if !p.offered(e) {
				judged-- // cheap
				continue
			}
			if !p.acyclic(e) {
				continue
			}
			if given++; !yield(e) {
				return
			}
		}
	}
}

const (
	maxEscapes = 6   // that are tried
	maxJudged  = 300 // whose dependencies are looked at
)

// conceivable are all escapes to try.
func (p *prover) conceivable() iter.Seq[*escape] {
	return func(yield func(*escape) bool) {
		vcs := p.program.VCs
		if e := p.namedEscape(); e != nil {
			if !yield(e) {
				return
			}
			if p.report.Notes == nil { // somebody asks for more
				p.report.Notes = []string{"what the program names as its escape was not shown to be one; another was looked for"}
			}
		}
		for _, set := range bySize(1<<min(vcs, 8) - 1) {
			if !yield(p.channels(func(i int) bool { return set>>(i%vcs)&1 == 1 })) {
				return
			}
		}
		if p.Switching != model.Wormhole && !(yield(&escape{}) && yield(&escape{last: true})) {
			return
		}
		if channels := 2 * p.dims * vcs; 1<<channels <= maxEscapeSets {
			for _, set := range bySize(1 << channels) {
				if !yield(p.channels(func(i int) bool { return set>>i&1 == 1 })) {
					return
				}
			}
		}
	}
}

// channels is the escape of those channels, numbered by direction and VC, that fit.
func (p *prover) channels(fits func(i int) bool) *escape {
	nodes := map[node]bool{}
	for i := range 2 * p.dims * p.program.VCs {
		if fits(i) {
			nodes[node{dir: program.Dir(i / p.program.VCs), vc: i % p.program.VCs}] = true
		}
	}
	return &escape{nodes: nodes}
}

// namedEscape is the escape that the program names, nil if it names none.
func (p *prover) namedEscape() *escape {
	for i := range p.paths {
		if named := p.paths[i].escape; named != nil {
			nodes := map[node]bool{}
			for _, o := range named {
				nodes[node{dir: o.Dir, vc: o.VC}] = true
			}
			return &escape{nodes: nodes}
		}
	}
	return nil
}

// bySize lists the sets below a power of two, but the empty one, the small ones first.
func bySize(end uint) (sets []uint) {
	for s := uint(1); s < end; s++ {
		sets = append(sets, s)
	}
	slices.SortStableFunc(sets, func(a, b uint) int { return bits.OnesCount(a) - bits.OnesCount(b) })
	return sets
}

// offered reports whether on small networks every path that is taken offers the escape.
func (p *prover) offered(e *escape) bool {
	for i := range p.paths {
		if q := &p.paths[i]; p.facts.taken[i] && !q.ejects && len(e.of(q)) == 0 {
			return false
		}
	}
	return true
}

// acyclic reports whether on small networks the escape's dependencies have no cycle.
func (p *prover) acyclic(e *escape) bool {
	into := map[string]int{}
	next := map[string][]string{}
	for _, d := range p.facts.dependencies {
		if e.has(d) {
			a, b := p.channelKey(d.from, d.fromTail), p.channelKey(d.to, d.toTail)
			into[b]++
			into[a] += 0
			next[a] = append(next[a], b)
		}
	}
	var todo []string
	for c, k := range into {
		if k == 0 {
			todo = append(todo, c)
		}
	}
	done := 0
	for ; len(todo) > 0; done++ {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, b := range next[c] {
			if into[b]--; into[b] == 0 {
				todo = append(todo, b)
			}
		}
	}
	return done == len(into)
}

// channelKey names a channel of a small network.
func (p *prover) channelKey(n node, tail []int64) string {
	return fmt.Sprint(n.dir, n.vc, tail[:p.dims], tail[3*p.dims:])
}
