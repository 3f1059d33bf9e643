package cert

import (
	"slices"
	"sync"
)

// This file validates a relation whose states come in blocks (version 2).
//
// It keeps the blocks of the destinations of the packets that the evidence shows, so that these can be
// followed once all blocks are judged. For evidence about protocols and fewest pairs it keeps all blocks.

// streamed is a validated Relation without its states, and the blocks that are kept.
type streamed struct {
	relation
	subject *Subject
	blocks  Blocks
	kept    map[int]*keptBlock // by destination
	images  []symmetry
	claims  []Claim
}

// keptBlock is a block in which states are found.
type keptBlock struct {
	*Block
	first []int32       // by state: the place of its first next hop; and one more
	place map[State]int // the number of a state
	end   int32         // the VC that Home stands for
	own   int32         // the injection VC of the destination's endpoint
}

func newStreamed(c *Certificate, wires *Wiring) (*streamed, error) {
	base, err := newRelation(&c.Subject, wires)
	if err != nil {
		return nil, err
	}
	w := c.Subject.Relation
	if len(w.Inject)+len(w.States) > 0 || w.Commits != nil && len(*w.Commits) > 0 {
		return nil, Reject("subject", "states in the relation, and blocks besides")
	}
	images, err := newSymmetries(c, &base)
	if err != nil {
		return nil, err
	}
	r := &streamed{base, &c.Subject, c.Blocks, map[int]*keptBlock{}, images, c.Claims}
	for i := range c.Claims {
		claim := &c.Claims[i]
		if claim.Escape != nil && len(*claim.Escape) > 0 {
			return nil, Reject(claim.Claim, "escape flags in the claim, and blocks besides")
		}
		if claim.Protocol != nil && claim.Evidence != EvidenceNetworkOrder || claim.Evidence == EvidenceFewestPairs {
			for d := range w.Destinations {
				r.kept[d] = nil
			}
		}
		for _, p := range claim.Packets {
			if p.Destination >= 0 && p.Destination < len(w.Destinations) {
				r.kept[p.Destination] = nil
			}
		}
	}
	return r, nil
}

// enumerate judges the blocks, and keeps some of them. If they were judged before, it uses that.
func (r *streamed) enumerate(orders []order, escapes *escapeOrder) (*facts, error) {
	if b, ok := r.blocks.(EarlyBlocks); ok {
		if e := b.Early(); e.fits(r, orders, escapes) {
			return combine(&r.relation, e.list, orders, nil, nil)
		}
	}
	f, err := judgeBlocks(&r.relation, keeping{r, new(sync.Mutex)}, orders, escapes, r.images)
	if err != nil {
		return nil, err
	}
	for i := range r.claims {
		for _, p := range r.claims[i].Packets {
			if d := p.Destination; d >= 0 && d < len(r.Destinations) && r.kept[d] == nil {
				return nil, Reject("subject", "a packet is shown to destination %d, which has no block", d)
			}
		}
	}
	return f, nil
}

// keeping is the blocks of a relation, some of which it keeps.
type keeping struct {
	*streamed
	lock *sync.Mutex
}

// Each implements Blocks.
func (k keeping) Each(workers int, visit func(worker int, b *Block) error) error {
	return k.blocks.Each(workers, func(w int, b *Block) error {
		if err := visit(w, b); err != nil {
			return err
		}
		k.lock.Lock()
		defer k.lock.Unlock()
		var copied *Block
		for _, d := range b.Destinations {
			if _, wanted := k.kept[int(d)]; wanted {
				if copied == nil {
					copied = b.clone()
				}
				k.kept[int(d)] = k.keep(copied, int(d))
			}
		}
		return nil
	})
}

// clone returns a copy of b.
func (b *Block) clone() *Block {
	return &Block{slices.Clone(b.Destinations), slices.Clone(b.VCs), slices.Clone(b.Classes), slices.Clone(b.Counts), slices.Clone(b.Hops),
		slices.Clone(b.HopClasses), slices.Clone(b.Commits), slices.Clone(b.Escape)}
}

// keep returns a judged block, in which the states of packets to destination d are found.
func (r *streamed) keep(b *Block, d int) *keptBlock {
	e := r.Destinations[d]
	k := &keptBlock{Block: b, first: []int32{0}, place: make(map[State]int, len(b.VCs)), end: r.Ejection(e) * r.VCs, own: r.Injection(e) * r.VCs}
	for i, vc := range b.VCs {
		k.place[State{vc, class(b.Classes, i)}] = i
		k.first = append(k.first, k.first[i]+b.Counts[i])
	}
	return k
}

// find returns the number of a state of packets to destination d, or -1.
func (r *streamed) find(d int, at State) (*keptBlock, int) {
	b := r.kept[d]
	if b == nil || at.VC == b.own {
		return b, -1
	}
	if i, ok := b.place[at]; ok {
		return b, i
	}
	return b, -1
}

func (r *streamed) starts(e, d int, k int32) bool {
	at := r.Injection(int32(e)) * r.VCs
	if k >= 0 {
		_, i := r.find(d, State{at, k})
		return i >= 0
	}
	b := r.kept[d]
	return b != nil && at != b.own && slices.Contains(b.VCs, at)
}

func (r *streamed) Next(d int, at State, list []State) []State {
	b, i := r.find(d, at)
	if i < 0 {
		return list
	}
	for j := b.first[i]; j < b.first[i+1]; j++ {
		list = append(list, b.hop(int(j)))
	}
	return list
}

// hop returns where next hop j leads.
func (b *keptBlock) hop(j int) State {
	vc := b.Hops[j]
	if vc == Home {
		vc = b.end
	}
	return State{vc, class(b.HopClasses, j)}
}

func (r *streamed) permits(d int, from, to State) bool {
	b, i := r.find(d, from)
	if i < 0 {
		return false
	}
	for j := b.first[i]; j < b.first[i+1]; j++ {
		if b.hop(int(j)) == to {
			return true
		}
	}
	return false
}

func (r *streamed) commits(d int, at State) bool {
	b, i := r.find(d, at)
	return i >= 0 && (r.one || r.mixed && b.Commits[i] == 1)
}

// arrives searches forward from a state.
func (r *streamed) arrives(d int, at State) bool {
	b := r.kept[d]
	if b == nil || at.VC/r.VCs == b.end/r.VCs {
		return b != nil
	}
	seen := map[State]bool{at: true}
	for queue := []State{at}; len(queue) > 0; queue = queue[1:] {
		for _, to := range r.Next(d, queue[0], nil) {
			if to.VC/r.VCs == b.end/r.VCs {
				return true
			}
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return false
}
