package messages

import (
	"maps"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges protocols with multicast classes under wormhole switching, whose messages can be longer than a buffer.
//
// A message that is copied holds the places of a branch, without flits there, while another branch waits. So an order of places does not
// suffice; package cert has the theorem (copyorder.go). A message begins in the queue of its source, which is the first place of its
// tree. Tables and messages of other classes have no tree.

// copiesMessages reports whether messages of the protocol are copied under wormhole switching.
func (x *protocol) copiesMessages() bool {
	return x.Certificate.Subject.Switching == "wormhole" && slices.ContainsFunc(x.Classes, func(k cert.MessageClass) bool { return k.Multicast })
}

// judgeCopyOrder judges an order of copies.
func (x *protocol) judgeCopyOrder(claim *cert.Claim) error {
	if len(*claim.Tables) > 0 {
		return cert.Reject(claim.Claim, "an order of copies has no tables")
	}
	var trees []cert.CopyTree
	for c := range x.Classes {
		for _, s := range x.Classes[c].From {
			if !x.Classes[c].Multicast {
				break
			}
			tree, err := x.copyTree(c, s)
			if err != nil {
				return err
			}
			trees = append(trees, tree)
		}
	}
	return cert.JudgeCopyOrder(claim.Claim, *claim.Ranks, x.places(), trees, x.eachSingleWait)
}

// eachSingleWait calls f for each place where a table, or a message of a class that is not multicast, waits for another place.
func (x *protocol) eachSingleWait(f func(at, to int32) error) error {
	for c := range x.Classes {
		if x.Classes[c].Multicast {
			continue
		}
		err := x.eachWait(c, true, func(at int, any [][]int, _ bool) error {
			for _, to := range slices.Concat(any...) {
				if err := f(int32(at), int32(to)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for i := range x.tables {
		for _, to := range x.tableNeeds(&x.tables[i]) {
			if err := f(int32(x.firstTable()+i), int32(to)); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyTree returns the places of multicast messages of class c from endpoint s, ascending.
func (x *protocol) copyTree(c int, s int32) (cert.CopyTree, error) {
	if _, err := x.copies(c, s); err != nil { // the paths form a tree
		return cert.CopyTree{}, err
	}
	before, needs := map[int32]int32{}, map[int32][]int32{} // by place
	for _, e := range x.Classes[c].To {
		if e == s || !x.sends(c, s, e) {
			continue
		}
		last := int32(-1)
		for _, at := range x.pathTo(s, e) {
			p := int32(x.place(c, at.VC))
			before[p], last = last, p
		}
		for _, p := range x.needs(c, s, e) {
			needs[last] = append(needs[last], int32(p))
		}
	}
	t := cert.CopyTree{Places: slices.Sorted(maps.Keys(before))}
	for _, p := range t.Places {
		i, found := slices.BinarySearch(t.Places, before[p])
		if !found {
			i = -1
		}
		t.Before, t.Needs = append(t.Before, int32(i)), append(t.Needs, needs[p])
	}
	return t, nil
}
