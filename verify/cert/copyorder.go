package cert

// This file judges an order of copies: ranks that show that messages of any lengths, some of which are copied, do not block each other
// under wormhole switching. Package messages uses it for protocols.
//
// A place is held from the clock in which it is given to a packet until the tail has left it. A packet that is copied where its paths
// part holds branches that it has been given, although it has no flit for them while another branch waits: the flits that all
// branches need stay where the paths part. So a packet that holds a place waits for every place of its tree that it has not been
// given, on whichever branch. Only the places before the one that it holds have been given to it.
//
// A holder is a place with a label: the tree whose packet holds the place, or none for any other packet. A holder leads to another
// one if its packet can wait for the place of the other one, which a packet of the other label holds.
//
// Theorem. If every holder leads to holders of greater rank only, no deadlock exists.
//
// Proof. Suppose packets that never move, after all other moves. The owner of a place is the first packet that has been given the place and has
// not left it. A packet that owns all places that it has been given, and need not wait for another owner, has a flit that moves. So
// each of these packets waits for a place w that another one owns, after a place that it owns, or first of all. Follow the owners: there is a ring of
// packets. Each owns the place u that the one before waits for, and waits for w. It has been given the places before u, so w is none of them
// and not u. For packets without a label, dependencies lead from u to w. So the holders form a ring of which each leads to the next
// one, if no two neighbours in the ring have the same tree. Suppose that p waits for w, which q owns, and both have the same tree. Their source
// sends in order, and no packet overtakes another one on a place. So q is ahead, and waits for a place w' that p has not been
// given. So the holder of p leads to the owner of w' as well: leave out q. If this leaves one tree alone, the packet ahead of
// all others waits for a packet ahead of it, which is impossible. So the ranks rise around a ring, which is impossible, too.
//
// Premises: a copy takes its place when it gets it, whatever the others wait for. A source sends its packets in order.

// CopyTree is the places of packets of one source, which are copied where their paths part. A place occurs once.
type CopyTree struct {
	Places []int32   // ascending
	Before []int32   // by index in Places: the index of the place before it on the paths, or -1
	Needs  [][]int32 // by index in Places: places that must get room before the copy there is consumed
}

// isBefore reports whether place j of t is place i, or before it.
func (t *CopyTree) isBefore(j, i int32) bool {
	for i >= 0 && i != j {
		i = t.Before[i]
	}
	return i == j
}

// A holding is a rank, and the number of the tree whose packets hold with this rank. It is -1 for other packets.
type holding struct{ rank, tree int32 }

// copyOrder is ranks of holders.
type copyOrder struct {
	claim string
	ranks Ints
	trees []CopyTree
	first []int        // by tree: the rank of its first place
	least [][2]holding // by place: the least ranks of two different labels, ascending
}

// JudgeCopyOrder judges ranks of holders: by place for packets without a tree, then for each tree by its places. waits calls its argument for each
// place from which packets without a tree wait for another place.
func JudgeCopyOrder(claim string, ranks Ints, places int, trees []CopyTree, waits func(func(at, to int32) error) error) error {
	o := copyOrder{claim: claim, ranks: ranks, trees: trees, least: make([][2]holding, places)}
	next := places
	for i := range trees {
		o.first = append(o.first, next)
		next += len(trees[i].Places)
	}
	if len(ranks) != next {
		return Reject(claim, "%d ranks for %d holders of places", len(ranks), next)
	}
	for at := range o.least {
		o.least[at] = [2]holding{{ranks[at], -1}, {1<<31 - 1, -1}}
	}
	for k := range trees {
		for i, at := range trees[k].Places {
			o.add(at, holding{ranks[o.first[k]+i], int32(k)})
		}
	}
	err := waits(func(at, to int32) error { return o.leads(ranks[at], to, -1) })
	for k := 0; k < len(trees) && err == nil; k++ {
		err = o.judgeTree(int32(k))
	}
	return err
}

// add adds a holder of a place.
func (o *copyOrder) add(at int32, h holding) {
	switch two := &o.least[at]; {
	case h.rank < two[0].rank:
		two[0], two[1] = h, two[0]
	case h.rank < two[1].rank:
		two[1] = h
	}
}

// leads judges that a holder of a rank and a tree leads to holders of a place of greater rank. A packet without a tree can follow
// another one.
func (o *copyOrder) leads(rank, to, tree int32) error {
	least := o.least[to][0]
	if tree >= 0 && least.tree == tree {
		least = o.least[to][1]
	}
	if rank >= least.rank {
		return Reject(o.claim, "a packet of tree %d holds a place with rank %d, and waits for place %d, held with rank %d by tree %d",
			tree, rank, to, least.rank, least.tree)
	}
	return nil
}

// judgeTree judges that the holders of tree k lead to greater ranks.
func (o *copyOrder) judgeTree(k int32) error {
	t := &o.trees[k]
	for i := range t.Places {
		rank := o.ranks[o.first[k]+i]
		for j, to := range t.Places {
			if t.isBefore(int32(j), int32(i)) {
				continue
			}
			if err := o.leads(rank, to, k); err != nil {
				return err
			}
		}
		for _, needs := range t.Needs {
			for _, to := range needs {
				if err := o.leads(rank, to, -1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
