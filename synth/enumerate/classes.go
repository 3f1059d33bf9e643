package enumerate

import (
	"fmt"
	"math/big"

	"github.com/turnproof/turnproof/model/space"
)

// This file counts sets up to symmetry without listing them. The number of classes is the average
// number of sets that a symmetry leaves invariant (the lemma of Cauchy, Frobenius and Burnside). A
// set that is invariant under a symmetry consists of whole orbits of turns, so counting such sets
// takes fewer choices. Conjugate symmetries have equal numbers of invariant sets.

// invariants returns the counts from which the numbers of classes follow: for each conjugacy class of
// symmetries the sets that one of them leaves invariant, and the same together with the reversal of
// all channels. The first is the count of all sets.
func (e *Enumerator) invariants() (list []invariant) {
	reverse := e.Space.Reversal()
	for k, kind := range e.conjugates() {
		to := e.Space.Image(e.Space.Symmetries[kind[0]])
		back := make([]int, len(to))
		for t := range to {
			back[t] = reverse[to[t]]
		}
		if k == 0 {
			to = nil
		}
		list = append(list, invariant{to: to, size: len(kind)}, invariant{to: back, size: len(kind), reversed: true})
	}
	return list
}

// invariant is a count of the sets that a symmetry leaves invariant.
type invariant struct {
	to       []int // by turn: its image; nil for the identity
	size     int   // number of symmetries with the same count
	reversed bool  // whether all channels are reversed, too
}

// classes returns the number of orbits of the free sets under the symmetries of the family, and under
// these together with the reversal of all channels. free has the counts of invariants.
func (e *Enumerator) classes(list []invariant, free []*big.Int) (classes, reversal *big.Int, err error) {
	sum, both := new(big.Int), new(big.Int)
	for k, x := range list {
		fixed := new(big.Int).Mul(big.NewInt(int64(x.size)), free[k])
		both.Add(both, fixed)
		if !x.reversed {
			sum.Add(sum, fixed)
		}
	}
	n := int64(len(e.Space.Symmetries))
	var left, left2 big.Int
	classes, _ = new(big.Int).QuoRem(sum, big.NewInt(n), &left)
	reversal, _ = new(big.Int).QuoRem(both, big.NewInt(2*n), &left2)
	if left.Sign() != 0 || left2.Sign() != 0 {
		return nil, nil, fmt.Errorf("enumerate: internal error, %v and %v sets that symmetries leave as they are", sum, both)
	}
	return classes, reversal, nil
}

// conjugates returns the conjugacy classes of the symmetries, by their numbers. The identity comes
// first.
func (e *Enumerator) conjugates() (kinds [][]int) {
	all := e.Space.Symmetries
	number := map[string]int{}
	for i, g := range all {
		number[key(g)] = i
	}
	seen := make([]bool, len(all))
	by := e.generators(number)
	for i := range all {
		if seen[i] {
			continue
		}
		seen[i] = true
		kind := []int{i}
		for k := 0; k < len(kind); k++ {
			for _, h := range by {
				if j := number[key(conjugate(all[h], all[kind[k]]))]; !seen[j] {
					seen[j] = true
					kind = append(kind, j)
				}
			}
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

// generators returns symmetries that generate the group. It adds a symmetry if the earlier ones do
// not generate it.
func (e *Enumerator) generators(number map[string]int) (by []int) {
	all := e.Space.Symmetries
	made := make([]bool, len(all))
	made[0] = true
	list := []int{0}
	for i := range all {
		if made[i] {
			continue
		}
		by = append(by, i)
		for k := 0; k < len(list); k++ {
			for _, h := range by {
				product := make([]int, len(all[h]))
				for d := range product {
					product[d] = all[h][all[list[k]][d]]
				}
				if j := number[key(product)]; !made[j] {
					made[j] = true
					list = append(list, j)
				}
			}
		}
	}
	return by
}

func key(g []int) string {
	text := make([]byte, len(g))
	for i, x := range g {
		text[i] = byte(x)
	}
	return string(text)
}

// conjugate returns h∘g∘h⁻¹.
func conjugate(h, g []int) []int {
	image := make([]int, len(g))
	for d := range g {
		image[h[d]] = h[g[d]]
	}
	return image
}

// Group assigns sets to classes. It returns the class of each set, numbered in the order of first
// appearance, and the number of classes under symmetries, and under symmetries and reversal.
func (e *Enumerator) Group(sets []space.Set) (class []int, classes, reversal int) {
	var images [][]int
	for _, g := range e.Space.Symmetries {
		images = append(images, e.Space.Image(g))
	}
	reverse := e.Space.Reversal()
	of, joined := map[space.Set]int{}, map[space.Set]bool{}
	class = make([]int, len(sets))
	for i, set := range sets {
		k, known := of[set]
		if !known {
			k = classes
			classes++
			if !joined[set] {
				reversal++
			}
			for _, to := range images {
				image := set.Map(to)
				of[image] = k
				joined[image], joined[image.Map(reverse)] = true, true
			}
		}
		class[i] = k
	}
	return class, classes, reversal
}
