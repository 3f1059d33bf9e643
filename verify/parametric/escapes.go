package parametric

import (
	"fmt"
	"iter"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
)

// This file finds escapes. The search tries the
// escape that the program names, sets of VCs (small ones first), the first or last outputs,
// then sets of directions with VCs. It skips escapes that small networks contradict.

// maxEscapeSets bounds the sets of directions with VCs that are tried.
const maxEscapeSets = 1 << 12

// escapes yields the escapes that small networks do not contradict. Under wormhole switching
// it yields sets of channels only.
func (p *prover) escapes() iter.Seq[*escape] {
	return func(yield func(*escape) bool) {
		given, judged := 0, 0
		for e := range p.allEscapes() {
			if judged++; judged > maxJudged || given == maxEscapes {
				return
			}
			if !p.isOffered(e) {
				judged-- // this test is cheap
				continue
			}
			if !p.isAcyclic(e) {
				continue
			}
			if given++; !yield(e) {
				return
			}
		}
	}
}

const (
	maxEscapes = 6   // escapes that are tried
	maxJudged  = 300 // escapes whose dependencies are checked
)

// allEscapes yields all escapes, starting with the one that the program names.
func (p *prover) allEscapes() iter.Seq[*escape] {
	return func(yield func(*escape) bool) {
		vcs := p.program.VCs
		if e := p.namedEscape(); e != nil {
			if !yield(e) {
				return
			}
			if p.report.Notes == nil { // the caller continues after the first escape
				p.report.Notes = []string{"the escape that the program names could not be shown to be an escape; another one was searched for"}
			}
		}
		for _, set := range bySize(1<<min(vcs, 8) - 1) {
			if !yield(p.escapeOf(func(i int) bool { return set>>(i%vcs)&1 == 1 })) {
				return
			}
		}
		if p.Switching != model.Wormhole && !p.complete() && !(yield(&escape{}) && yield(&escape{last: true})) {
			return
		}
		if channels := int(p.numDirs()) * vcs; 1<<channels <= maxEscapeSets {
			for _, set := range bySize(1 << channels) {
				if !yield(p.escapeOf(func(i int) bool { return set>>i&1 == 1 })) {
					return
				}
			}
		}
	}
}

// escapeOf returns the escape of the channels that fits accepts, numbered by direction and VC.
func (p *prover) escapeOf(fits func(i int) bool) *escape {
	nodes := map[node]bool{}
	for i := range int(p.numDirs()) * p.program.VCs {
		if dir := program.Dir(i / p.program.VCs); fits(i) && !(p.complete() && dir.Minus()) {
			nodes[node{dir: program.Dir(i / p.program.VCs), vc: i % p.program.VCs}] = true
		}
	}
	return &escape{nodes: nodes}
}

// namedEscape returns the escape that the program names, or nil.
func (p *prover) namedEscape() *escape {
	for i := range p.paths {
		if named := p.paths[i].escape; named != nil {
			nodes := map[node]bool{}
			for _, o := range named {
				if !(p.complete() && o.Dir.Minus()) {
					nodes[node{dir: o.Dir, vc: o.VC}] = true
				}
			}
			return &escape{nodes: nodes}
		}
	}
	return nil
}

// isOffered reports whether on small networks every path that is taken offers the escape.
func (p *prover) isOffered(e *escape) bool {
	for i := range p.paths {
		if q := &p.paths[i]; p.facts.taken[i] && !q.ejects && len(e.outputsOf(q)) == 0 {
			return false
		}
	}
	return true
}

// isAcyclic reports whether on small networks the dependencies of the escape have no cycle.
func (p *prover) isAcyclic(e *escape) bool {
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

// channelKey returns a key for a channel of a small network.
func (p *prover) channelKey(n node, tail []int64) string {
	if p.pathsOnly {
		return fmt.Sprint(n, tail)
	}
	return fmt.Sprint(n.dir, n.vc, tail[:p.dims], tail[3*p.dims:])
}
