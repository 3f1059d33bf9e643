package cdg

import (
	"fmt"
	"iter"
	"math"
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// Graph is a channel dependency graph. Its vertices are the VCs between switches. Memory: four
// bytes per dependency, four bytes and one bit per VC.
type Graph struct {
	net   *model.Network
	start []int32      // by VC, into next
	next  []model.VCID // ascending within a VC
	used  []uint64     // one bit per VC: whether some packet can be on it
}

// Network returns the network whose VCs are the vertices.
func (g *Graph) Network() *model.Network { return g.net }

// NumVCs returns the number of vertices, including VCs without packets.
func (g *Graph) NumVCs() int { return len(g.start) - 1 }

// NumDependencies returns the number of edges.
func (g *Graph) NumDependencies() int { return len(g.next) }

// Bytes returns the memory of the graph in bytes.
func (g *Graph) Bytes() int { return 4*cap(g.start) + 4*cap(g.next) + 8*cap(g.used) }

// Next returns the VCs that depend on v, ascending. The caller must not change the slice.
func (g *Graph) Next(v model.VCID) []model.VCID { return g.next[g.start[v]:g.start[v+1]] }

// Has reports whether b depends on a. Cost: O(out-degree of a).
func (g *Graph) Has(a, b model.VCID) bool {
	for _, v := range g.Next(a) {
		if v == b {
			return true
		}
	}
	return false
}

// Used reports whether some packet can be on v.
func (g *Graph) Used(v model.VCID) bool { return g.used[v/64]>>(v%64)&1 != 0 }

// NumUsed returns the number of VCs that some packet can be on.
func (g *Graph) NumUsed() int {
	k := 0
	for _, w := range g.used {
		k += bits.OnesCount64(w)
	}
	return k
}

// All yields the dependencies, ascending.
func (g *Graph) All() iter.Seq[model.Turn] {
	return func(yield func(model.Turn) bool) {
		for v := range model.VCID(g.NumVCs()) {
			for _, w := range g.Next(v) {
				if !yield(model.Turn{In: v, Out: w}) {
					return
				}
			}
		}
	}
}

// Turns returns the dependencies as a set of turns.
func (g *Graph) Turns() *model.TurnSet {
	s := model.NewTurnSet(g.net)
	for t := range g.All() {
		s.Add(t)
	}
	return s
}

// FromTurns returns the graph of all turns that a turn set allows.
func FromTurns(s *model.TurnSet) *Graph { return FromDependencies(s.Network(), s.All()) }

// FromDependencies returns the graph with the given dependencies. Every VC counts as used.
func FromDependencies(n *model.Network, deps iter.Seq[model.Turn]) *Graph {
	b := newBuilder(n)
	for v := range model.VCID(n.NumLinkVCs()) {
		b.use(v)
	}
	for t := range deps {
		b.add(t.In, t.Out)
	}
	return b.graph()
}

// Check returns all inconsistencies of the graph: dependencies that are not sorted or unique,
// that connect VCs at different switches, or that involve an unused VC. Cost: O(dependencies).
func (g *Graph) Check() []error {
	var errs []error
	for v := range model.VCID(g.NumVCs()) {
		in, _ := g.net.Channel(v)
		for i, w := range g.Next(v) {
			out, _ := g.net.Channel(w)
			if g.net.Head(in) != g.net.Tail(out) {
				errs = append(errs, fmt.Errorf("cdg: VC %d does not begin where VC %d ends", w, v))
			}
			if i > 0 && g.Next(v)[i-1] >= w {
				errs = append(errs, fmt.Errorf("cdg: dependencies of VC %d are not ascending", v))
			}
			if !g.Used(v) || !g.Used(w) {
				errs = append(errs, fmt.Errorf("cdg: dependency of VC %d on unused VC %d", w, v))
			}
		}
	}
	return errs
}

// builder collects dependencies without duplicates. Each used VC has a row with one bit per VC
// out of its head. A row of a 36-port switch is one word with one VC, and five words with eight
// VCs. A graph has about four dependencies per row, so rows need a few bytes per dependency.
type builder struct {
	net   *model.Network
	row   []int32 // by VC: 1 + first word of its row; 0 if it has no row
	words []uint64
	local []int32 // by VC: its bit in the rows of VCs into its tail
	used  []uint64
	deps  int
	// If every row is one word, row v is word v, and masks are the rows of the states to add, by key.
	narrow bool
	masks  []uint64
}

func newBuilder(n *model.Network) *builder {
	b := &builder{net: n, row: make([]int32, n.NumLinkVCs()), local: make([]int32, n.NumLinkVCs()), used: make([]uint64, (n.NumLinkVCs()+63)/64)}
	for v := range b.local {
		c, i := n.Channel(model.VCID(v))
		b.local[v] = int32(n.OutIndex(c)*n.VCs() + i)
	}
	if b.narrow = isNarrow(n); b.narrow {
		b.words = make([]uint64, len(b.row))
		for v := range b.row {
			b.row[v] = int32(v) + 1
		}
	}
	return b
}

// isNarrow reports whether the VCs out of each switch fit into a word.
func isNarrow(n *model.Network) bool {
	for u := range model.SwitchID(n.NumSwitches()) {
		if len(n.Out(u))*n.VCs() > 64 {
			return false
		}
	}
	return true
}

func (b *builder) use(v model.VCID) { b.used[v/64] |= 1 << (v % 64) }

// add adds the dependency of out on in.
func (b *builder) add(in, out model.VCID) {
	r := b.row[in]
	if r == 0 {
		r = b.newRow(in)
	}
	at := b.local[out]
	w := &b.words[int(r-1)+int(at>>6)]
	if bit := uint64(1) << (at & 63); *w&bit == 0 {
		*w |= bit
		b.deps++
	}
}

// merge adds what another builder of the same network has collected.
func (b *builder) merge(o *builder) {
	for i, w := range o.used {
		b.used[i] |= w
	}
	for v, from := range o.row {
		if from == 0 {
			continue
		}
		to := b.row[v]
		if to == 0 {
			to = b.newRow(model.VCID(v))
		}
		width := b.width(model.VCID(v))
		for i := range width {
			old, more := &b.words[int(to-1)+i], o.words[int(from-1)+i]
			b.deps += bits.OnesCount64(more &^ *old)
			*old |= more
		}
	}
}

// width returns the number of words of the row of a VC.
func (b *builder) width(in model.VCID) int {
	c, _ := b.net.Channel(in)
	return (len(b.net.Out(b.net.Head(c)))*b.net.VCs() + 63) / 64
}

func (b *builder) newRow(in model.VCID) int32 {
	width := b.width(in)
	if len(b.words)+width > math.MaxInt32 {
		panic(fmt.Sprintf("cdg: more than %d bits of dependencies", 64*math.MaxInt32))
	}
	b.row[in] = int32(len(b.words)) + 1
	b.words = append(b.words, make([]uint64, width)...)
	return b.row[in]
}

// graph converts the rows to a Graph.
func (b *builder) graph() *Graph {
	g := &Graph{net: b.net, start: make([]int32, len(b.row)+1), next: make([]model.VCID, 0, b.deps), used: b.used}
	vcs := b.net.VCs()
	for v, r := range b.row {
		if r != 0 {
			c, _ := b.net.Channel(model.VCID(v))
			out := b.net.Out(b.net.Head(c))
			for i := range (len(out)*vcs + 63) / 64 {
				for w := b.words[int(r-1)+i]; w != 0; w &= w - 1 {
					at := 64*i + bits.TrailingZeros64(w)
					g.next = append(g.next, b.net.VC(out[at/vcs], at%vcs))
				}
			}
			sortVCs(g.next[g.start[v]:])
		}
		g.start[v+1] = int32(len(g.next))
	}
	return g
}
