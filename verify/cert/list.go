package cert

import "slices"

// This file converts certificates of version 2 to version 1.

// List returns the certificate of version 1 with the same subject and claims as c, without a digest. All states are in
// memory then. It reads the blocks of c, and judges nothing. If c has no blocks, it returns c.
func List(c *Certificate) (*Certificate, error) {
	if c.Blocks == nil {
		return c, nil
	}
	lists, escapes, err := readLists(c)
	if err != nil {
		return nil, err
	}
	r := *c.Subject.Relation
	r.Symmetries = nil
	var flags Ints
	var commits Ints
	r.States, r.Inject = Ints{}, Ints{}
	for _, l := range lists {
		r.States = append(r.States, l.states...)
		flags, commits = append(flags, l.escape...), append(commits, l.commits...)
	}
	for e := range int32(r.Sources) {
		for d := range lists {
			for l := &lists[d]; len(l.starts) > 0 && l.starts[0] == e; l.starts = l.starts[2:] {
				r.Inject = append(r.Inject, e, int32(d), l.starts[1])
			}
		}
	}
	if r.Commits != nil {
		r.Commits = &commits
	}
	v1 := *c
	v1.Schema, v1.Blocks, v1.Digest, v1.Subject.Relation, v1.Claims = Schema, nil, "", &r, slices.Clone(c.Claims)
	for i := range v1.Claims {
		if v1.Claims[i].Escape != nil && escapes {
			v1.Claims[i].Escape = &flags
		}
	}
	return &v1, nil
}

// readLists reads the blocks of a certificate and their images. It returns the states by destination, and whether a block
// has an escape.
func readLists(c *Certificate) (lists []perDestination, escapes bool, err error) {
	wires, err := Rebuild(&c.Subject.Network)
	if err != nil {
		return nil, false, err
	}
	r := c.Subject.Relation
	base, err := newRelation(&c.Subject, wires)
	if err != nil {
		return nil, false, err
	}
	images, err := newSymmetries(c, &base)
	if err != nil {
		return nil, false, err
	}
	lists = make([]perDestination, len(r.Destinations))
	err = c.Blocks.Each(1, func(_ int, b *Block) error {
		if !b.isSorted() {
			b.sort()
		}
		escapes = escapes || len(b.Escape) > 0
		for _, d := range b.Destinations {
			if d < 0 || int(d) >= len(lists) {
				return Reject("subject", "a block with destination %d of %d", d, len(lists))
			}
		}
		return base.eachImage(b, images, func(b *Block) {
			for _, d := range b.Destinations {
				lists[d].add(wires, b, d, r.Destinations[d])
			}
		})
	})
	return lists, escapes, err
}

// eachImage calls visit with a block and its images, one for each set of destinations. The blocks are sorted.
func (r *relation) eachImage(b *Block, images []symmetry, visit func(b *Block)) error {
	o, err := orbitOf(images, b.Destinations)
	if err != nil {
		return err
	}
	blocks := make([]*Block, len(o.sets))
	for i, from := range o.parent {
		if blocks[i] = b; from >= 0 {
			blocks[i] = r.imageOf(blocks[from], &images[o.by[i]])
		}
		visit(blocks[i])
	}
	return nil
}

// imageOf returns the image of a block.
func (r *relation) imageOf(b *Block, g *symmetry) *Block {
	c := b.clone()
	c.Destinations = g.image(b.Destinations)
	for i, vc := range c.VCs {
		if int(vc) < r.LinkVCs() {
			c.VCs[i] = g.vc(vc, r.VCs)
		} else {
			c.VCs[i] = r.Injection(g.Endpoints[vc/r.VCs-r.links])*r.VCs + vc%r.VCs
		}
	}
	for j, vc := range c.Hops {
		switch first := r.Ejection(0) * r.VCs; {
		case vc >= first:
			c.Hops[j] = r.Ejection(g.Endpoints[(vc-first)/r.VCs])*r.VCs + vc%r.VCs
		case vc >= 0:
			c.Hops[j] = g.vc(vc, r.VCs)
		}
	}
	c.sort()
	return c
}

// perDestination is the states of packets to one destination, in the form of version 1.
type perDestination struct {
	states, escape, commits Ints
	starts                  []int32 // endpoints that send, with a class, in turn
}

// add adds the states of a block for destination d, at endpoint end.
func (l *perDestination) add(wires *Wiring, b *Block, d, end int32) {
	j := 0
	for i, vc := range b.VCs {
		from := j
		j += int(b.Counts[i])
		if vc == wires.Injection(end)*wires.VCs {
			continue // the endpoint does not send to itself
		}
		k := class(b.Classes, i)
		if int(vc) >= wires.LinkVCs() {
			l.starts = append(l.starts, vc/wires.VCs-wires.links, k)
		}
		l.states = append(l.states, d, vc, k, b.Counts[i])
		type hop struct{ vc, class, escape int32 }
		var hops []hop
		for h := from; h < j; h++ {
			to := hop{b.Hops[h], class(b.HopClasses, h), class(b.Escape, h)}
			if to.vc == Home {
				to.vc = wires.Ejection(end) * wires.VCs
			}
			hops = append(hops, to)
		}
		slices.SortStableFunc(hops, func(x, y hop) int { return slices.Compare([]int32{x.vc, x.class}, []int32{y.vc, y.class}) })
		for _, h := range hops {
			l.states = append(l.states, h.vc, h.class)
			if b.Escape != nil {
				l.escape = append(l.escape, h.escape)
			}
		}
		l.commits = appendAt(l.commits, b.Commits, int32(i))
	}
}
