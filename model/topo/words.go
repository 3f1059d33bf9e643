package topo

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file builds Kautz and de Bruijn networks.
//
// Switches are words of a fixed length; a word is linked to the words that follow it when its first letter is dropped and a letter is
// appended. De Bruijn: all words over d letters, d^n switches. Kautz: words over d+1 letters without equal
// neighbours, (d+1)d^(n-1) switches. Both have diameter at most n. Cables are bidirectional, so these are the undirected graphs: words that
// follow each other in both directions have one link, words that follow themselves none. Degrees are at most 2d. Source: de Bruijn, A
// combinatorial problem, Proc. KNAW 49, 1946; Kautz, Bounds on directed (d,k) graphs, 1968; Pradhan, Reddy, A fault-tolerant
// communication architecture for distributed systems, IEEE Trans. Computers 31(9), 1982 (undirected de Bruijn).

// DeBruijn returns the undirected de Bruijn network of words of length n over d letters. The number of a switch has the word as its
// digits in base d.
func DeBruijn(d, n int, o Options) (*model.Network, error) {
	if d < 2 || d > model.MaxPort || n < 1 || n > MaxDims {
		return nil, fmt.Errorf("a de Bruijn network with d=%d and length %d, allowed are 2 to %d and 1 to %d", d, n, model.MaxPort, MaxDims)
	}
	count := product(slices.Repeat([]int{d}, n)...)
	word := func(u int) []int {
		w := make([]int, n)
		for i := n - 1; i >= 0; i-- {
			w[i], u = u%d, u/d
		}
		return w
	}
	next := func(u, x int) int { return u*d%count + x }
	return wordNetwork(count, d, word, next, o)
}

// Kautz returns the undirected Kautz network of words of length n over d+1 letters, whose diameter is at most n. Switches are numbered by their words in
// alphabetical order.
func Kautz(d, n int, o Options) (*model.Network, error) {
	if d < 1 || d > model.MaxPort || n < 1 || n > MaxDims {
		return nil, fmt.Errorf("a Kautz network with d=%d and length %d, allowed are 1 to %d and 1 to %d", d, n, model.MaxPort, MaxDims)
	}
	tail := product(slices.Repeat([]int{d}, n-1)...)
	word := func(u int) []int {
		w, size := make([]int, n), tail
		w[0], u = u/size, u%size
		for i := 1; i < n; i++ { // digit k stands for letter k, or k+1 from the letter before on
			size /= d
			w[i] = u / size
			if u %= size; w[i] >= w[i-1] {
				w[i]++
			}
		}
		return w
	}
	number := func(w []int) int {
		u := w[0]
		for i := 1; i < n; i++ {
			k := w[i]
			if k > w[i-1] {
				k--
			}
			u = u*d + k
		}
		return u
	}
	next := func(u, x int) int {
		w := word(u)
		if x >= w[n-1] {
			x++
		}
		return number(append(w[1:], x))
	}
	return wordNetwork(product(d+1, tail), d, word, next, o)
}

// wordNetwork links each switch u to next(u, 0), ..., next(u, d-1).
func wordNetwork(count, d int, word func(u int) []int, next func(u, x int) int, o Options) (*model.Network, error) {
	hosts := o.hosts(1)
	draft, err := newDraft(size{switches: count, links: product(count, d), hosts: product(count, hosts), ports: 2*d + hosts}, o)
	if err != nil {
		return nil, err
	}
	var pairs []edge
	for u := range count {
		for x := range d {
			if v := next(u, x); u != v {
				pairs = append(pairs, edge{int32(min(u, v)), int32(max(u, v))})
			}
		}
	}
	draft.joinAll(pairs)
	draft.attachAll(hosts)
	draft.name = func(u model.SwitchID) string { return "s" + dotted(word(int(u))...) }
	return draft.build()
}

// joinAll adds a link for each pair of switches, once, in the order of their numbers. It sorts the pairs.
func (d *draft) joinAll(pairs []edge) {
	slices.SortFunc(pairs, func(e, f edge) int { return slices.Compare(e[:], f[:]) })
	for _, e := range slices.Compact(pairs) {
		d.join(int(e[0]), int(e[1]))
	}
}
