package turns

import (
	"math/bits"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges a tree along which all turns are allowed (evidence
// "turn-tree").
//
// Why a tree suffices: between any two switches of a tree, the path along the tree never turns
// back over a cable. Each of its turns is a turn between two VCs of the tree. The place of the
// root has no effect.
// Cost: O(switches + words of the turns allowed after VCs of the tree).

// treeCheck is a tree and the set of turns that it is compared with.
type treeCheck struct {
	*Set
	tree     []int32
	children []int    // by switch
	mask     []uint64 // by bit: VCs of the tree, up and down
}

// tree judges the tree of a claim.
func (t *Set) tree(claim *cert.Claim) error {
	if err := t.countPairs(claim); err != nil {
		return err
	}
	if len(*claim.Tree) != t.Switches {
		return cert.Reject(claim.Claim, "a tree of %d entries for %d switches", len(*claim.Tree), t.Switches)
	}
	k := &treeCheck{Set: t, tree: *claim.Tree, children: make([]int, t.Switches), mask: make([]uint64, t.words[t.Switches])}
	for _, step := range []func(claim string) error{k.checkEntries, k.checkRooted, k.checkTurns} {
		if err := step(claim.Claim); err != nil {
			return err
		}
	}
	return nil
}

// checkEntries judges each entry alone, and that the tree has the right switches and one root.
func (k *treeCheck) checkEntries(claim string) error {
	roots := 0
	for u, v := range k.tree {
		switch {
		case v == cert.TreeOutside && k.HostsAt[u] > 0:
			return cert.Reject(claim, "switch %d has hosts, but is not in the tree", u)
		case v == cert.TreeOutside:
		case v == cert.TreeRoot:
			roots++
		case v < 0 || int(v) >= len(k.Enters) || int(k.Tail[v]) != u:
			return cert.Reject(claim, "VC %d does not leave switch %d", v, u)
		case k.Closed[v] || k.Closed[k.back(v)]:
			return cert.Reject(claim, "VC %d, or its reverse, is closed", v)
		default:
			k.children[k.Enters[v]]++
		}
	}
	for u, v := range k.tree {
		if v != cert.TreeOutside && k.HostsAt[u] == 0 && k.children[u] == 0 {
			return cert.Reject(claim, "switch %d is in the tree, though it has no hosts and no children", u)
		}
	}
	if roots != 1 {
		return cert.Reject(claim, "a tree has %d roots; want 1", roots)
	}
	return nil
}

// checkRooted judges that the path up from each switch of the tree ends at its root.
func (k *treeCheck) checkRooted(claim string) error {
	met := make([]int, k.Switches) // by switch: 1 + the switch whose path up visited it first
	for u := range k.tree {
		at := u
		for k.tree[at] >= 0 && met[at] == 0 {
			met[at] = u + 1
			at = int(k.Enters[k.tree[at]])
		}
		switch {
		case k.tree[at] >= 0 && met[at] == u+1:
			return cert.Reject(claim, "the path up from switch %d returns to switch %d", u, at)
		case k.tree[at] == cert.TreeOutside && at != u:
			return cert.Reject(claim, "the parent of some switch is switch %d, which is not in the tree", at)
		}
	}
	return nil
}

// checkTurns judges that each VC of the tree may be followed by all VCs of the tree out of the
// switch that it enters, except the VC back over the same cable.
func (k *treeCheck) checkTurns(claim string) error {
	var list []int32 // VCs of the tree
	for _, v := range k.tree {
		if v >= 0 {
			list = append(list, v, k.back(v))
		}
	}
	for _, v := range list {
		k.mask[k.bit[v]/64] |= 1 << (k.bit[v] % 64)
	}
	for _, v := range list {
		u, onward := k.Enters[v], 0
		for _, x := range k.follows(v) {
			onward += bits.OnesCount64(x.bits & k.mask[x.at])
		}
		if k.allows(v, k.back(v)) {
			onward--
		}
		degree := k.children[u]
		if k.tree[u] >= 0 {
			degree++
		}
		if onward != degree-1 {
			return cert.Reject(claim, "of %d VCs of the tree that lead on from VC %d at switch %d, %d may follow it", degree-1, v, u, onward)
		}
	}
	return nil
}
