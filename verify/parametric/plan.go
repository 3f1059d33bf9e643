package parametric

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file finds what is to be proved: ranks, on all channels or on an escape, with the
// invariants that they need; classes are split where nothing else helps.

// plan finds what is to be proved: a rank on all channels, else on an escape. It tries
// the last hop as invariant, then what every hop keeps, then split classes.
func (p *prover) plan() (*proof, string, error) {
	why := ""
	attempt := func() (*proof, error) {
		made, fail, err := p.ranked()
		if fail != nil {
			why = fail.reason
			for _, d := range fail.points {
				p.hints = append(p.hints, p.lengths(d.toTail))
			}
		}
		return made, err
	}
	if !p.remembers() {
		p.Progress("ranks")
		if err := p.find(); err != nil {
			return nil, "", err
		}
		if made, err := attempt(); made != nil || err != nil {
			return made, why, err
		}
	}
	p.Progress("what every hop keeps")
	if err := p.findKept(); err != nil {
		return nil, "", err
	}
	if made, err := attempt(); made != nil || err != nil {
		return made, why, err
	}
	escapes := p.escapes()
	if !p.cyclic {
		escapes = slices.Values([]*escape{nil})
	}
	for e := range escapes {
		open, err := p.unranked(e, nil)
		if err != nil {
			return nil, "", err
		}
		if len(open) == 0 { // splitting cannot help
			why = "the invariants leave dependencies possible on which no rank rises, though one does on those of small networks"
			continue
		}
		p.Progress("splitting classes")
		if split, err := p.split(e, open); err != nil {
			return nil, "", err
		} else if split == nil {
			continue
		}
		p.classes, p.kept = nil, nil
		if err := p.findKept(); err != nil {
			return nil, "", err
		}
		if made, err := attempt(); made != nil || err != nil {
			return made, why, err
		}
	}
	return nil, why, nil
}

// unranked are the whole nodes that take part in strong components for which no rank
// of the template rises on the dependencies of small networks; only components with
// nodes among those given are looked at, all of them if that is nil.
func (p *prover) unranked(e *escape, among map[node]bool) (map[node]bool, error) {
	req := requirement{}
	seen := map[pair]bool{}
	for _, d := range p.facts.dependencies {
		if e.has(d) {
			req.known = append(req.known, d)
			seen[pair{d.from, d.to}] = true
		}
	}
	req.pairs = sortedPairs(seen)
	open := map[node]bool{}
	for _, nodes := range strong(req.pairs) {
		t := p.newTemplate(nodes, inside(nodes, req.pairs), req)
		if len(t.pairs) == 0 || among != nil && !slices.ContainsFunc(nodes, func(n node) bool { return among[n.whole()] }) {
			continue
		}
		t.length, t.level = maxTuple, len(levels)-1
		if err := t.begin(); err != nil {
			return nil, err
		}
		found, err := t.cegis("")
		if err != nil {
			return nil, err
		}
		for _, n := range nodes {
			if found == nil {
				open[n.whole()] = true
			}
		}
	}
	return open, nil
}

// findKept finds what every hop keeps, and the classes that are left.
func (p *prover) findKept() error {
	p.link()
	if err := p.keep(); err != nil {
		return err
	}
	return p.find()
}

// remembers reports whether the program asks for the VC that a packet came on: then
// the last hop tells too little.
func (p *prover) remembers() bool {
	return slices.ContainsFunc(p.paths, func(q path) bool { return q.vc >= 0 || q.state >= 0 })
}

// ranked looks for ranks with the classes and invariants at hand.
func (p *prover) ranked() (*proof, *failure, error) {
	if !p.cyclic {
		found, fail, err := p.rank(p.dependencies(nil))
		if found == nil {
			return nil, fail, err
		}
		return &proof{system: p.system, ranks: found}, nil, nil
	}
	fail := &failure{reason: "the dependency graph has cycles, and no escape was found"}
	worms := p.Switching == model.Wormhole
	for e := range p.escapes() {
		made := &proof{system: p.system, escape: e}
		req := p.dependencies(e)
		if worms {
			var err error
			if err = made.wander(); err == nil {
				req, err = made.afterDetours()
			}
			if err != nil {
				return nil, nil, err
			}
		}
		found, why, err := p.rank(req)
		if err != nil {
			return nil, nil, err
		}
		if found == nil {
			fail = why
			continue
		}
		for _, c := range p.classes[1:] { // channels that no pair names
			if _, ok := found[c.node()]; !ok && e.ranks(c.node()) {
				found[c.node()] = found.least(p.family)
			}
		}
		made.ranks = found
		made.far, made.groups = true, p.groups()
		return made, nil, nil
	}
	return nil, fail, nil
}

// rank is the program's own rank while that is being judged, else one that is
// synthesised.
func (p *prover) rank(req requirement) (ranks, *failure, error) {
	if p.judging {
		return p.judge(req)
	}
	found, fail, err := p.synthesise(req)
	if found == nil {
		return nil, fail, err
	}
	return found.ranks(), nil, nil
}

// least is a rank of zeros, as long as the others.
func (r ranks) least(f *family) []piece {
	longest := 1
	for _, list := range r {
		for _, p := range list {
			longest = max(longest, len(p.tuple))
		}
	}
	tuple := make([]form, longest)
	for i := range tuple {
		tuple[i] = f.number(0)
	}
	return []piece{{nil, tuple}}
}

// groups numbers the strong components of the graph of classes.
func (p *prover) groups() map[class]int {
	index := map[class]int{}
	for i, c := range p.classes {
		index[c] = i
	}
	var pairs []pair // classes stand as nodes with a number of their own
	for key := range p.edges {
		pairs = append(pairs, pair{node{vc: index[key[0]]}, node{vc: index[key[1]]}})
	}
	groups := map[class]int{}
	for number, nodes := range strong(sortedUnique(pairs)) {
		for _, n := range nodes {
			groups[p.classes[n.vc]] = number
		}
	}
	return groups
}

func sortedUnique(pairs []pair) []pair {
	seen := map[pair]bool{}
	for _, p := range pairs {
		seen[p] = true
	}
	return sortedPairs(seen)
}
