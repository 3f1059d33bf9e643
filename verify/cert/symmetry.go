package cert

import (
	"math/bits"
	"slices"
)

// This file judges symmetries, and what follows from them.
//
// A relation with symmetries has a block for one set of destinations of each orbit. The states of packets to the
// others are images of these, by definition (blocks.go).
//
// Claims. A symmetry maps the network onto itself, so it maps reachable states to reachable states and
// next hops to next hops. A packet to the image of a destination is delivered, gets lost or comes back to a state if
// and only if the packet that it is the image of does. So reach.go counts the pairs of one block, and takes them once
// for each set of its orbit.
//
// Dependencies are those of the blocks, and their images. This file collects the former, adds images until
// the symmetries lead to no other dependency, and compares them all with the ranks. These include all dependencies,
// so the proof holds.
// Cost: linear in the symmetries, and in the dependencies times the symmetries. Memory: one bit for each two VCs of
// which one enters a switch that the other leaves.

// symmetry is a validated Symmetry.
type symmetry struct {
	*Symmetry
	dests []int32 // by destination: its image
}

// evidenceOfImages are the kinds of evidence that are judged for a relation with symmetries.
var evidenceOfImages = []string{EvidenceNumbering, EvidenceAcyclic, EvidenceWalk, EvidenceLostPacket, EvidenceLongest, EvidenceLoop}

// newSymmetries judges the symmetries of a subject.
func newSymmetries(c *Certificate, r *relation) (list []symmetry, err error) {
	if len(r.Symmetries) == 0 {
		return nil, nil
	}
	if c.Subject.Multicast != nil {
		return nil, Reject("subject", "symmetries and multicast groups do not go together")
	}
	for i := range c.Claims {
		if claim := &c.Claims[i]; !slices.Contains(evidenceOfImages, claim.Evidence) {
			return nil, Reject(claim.Claim, "evidence %s is not for a relation with symmetries", claim.Evidence)
		}
	}
	destOf := make([]int32, r.Endpoints) // by endpoint: 1 + its destination
	for d, e := range r.Destinations {
		if destOf[e] != 0 {
			return nil, Reject("subject", "symmetries, and two destinations at %s", r.EndpointName(e))
		}
		destOf[e] = int32(d) + 1
	}
	for i := range r.Symmetries {
		g := symmetry{Symmetry: &r.Symmetries[i]}
		if err := r.checkMaps(i, &g); err != nil {
			return nil, err
		}
		for d, e := range r.Destinations {
			image := destOf[g.Endpoints[e]]
			if image == 0 {
				return nil, Reject("subject", "symmetry %d maps destination %d to %s, which has no destination", i, d, r.EndpointName(g.Endpoints[e]))
			}
			g.dests = append(g.dests, image-1)
		}
		list = append(list, g)
	}
	return list, nil
}

// checkMaps judges that symmetry i maps links and endpoints one to one, and switches with them. No two switches have
// one image then: each cable end has its own image, and the images of the ends at a switch are at its image.
func (r *relation) checkMaps(i int, g *symmetry) error {
	if len(g.Channels) != int(r.links/2) || len(g.Endpoints) != int(r.Endpoints) {
		return Reject("subject", "symmetry %d maps %d links and %d endpoints, not %d and %d", i, len(g.Channels), len(g.Endpoints), r.links/2, r.Endpoints)
	}
	taken := make([]bool, int(r.links/2)+len(g.Endpoints))
	take := func(k int32) bool {
		was := taken[k]
		taken[k] = true
		return !was
	}
	switches := make([]int32, r.Switches) // by switch: 1 + its image
	moves := func(from, to int32) error {
		if switches[from] != 0 && switches[from] != to+1 {
			return Reject("subject", "symmetry %d maps switch %d to switches %d and %d", i, from, switches[from]-1, to)
		}
		switches[from] = to + 1
		return nil
	}
	for l, c := range g.Channels {
		if c < 0 || c >= r.links || !take(c/2) {
			return Reject("subject", "symmetry %d maps link %d to channel %d, out of range or an image before", i, l, c)
		}
		for end := range int32(2) {
			if err := moves(r.Head[2*int32(l)+end], r.Head[c^end]); err != nil {
				return err
			}
		}
	}
	for e, f := range g.Endpoints {
		if f < 0 || f >= r.Endpoints || !take(r.links/2+f) {
			return Reject("subject", "symmetry %d maps endpoint %d to %d, out of range or an image before", i, e, f)
		}
		if (e < r.Sources) != (int(f) < r.Sources) || (int32(e) < r.Hosts) != (f < r.Hosts) {
			return Reject("subject", "symmetry %d maps %s to %s, of another kind", i, r.EndpointName(int32(e)), r.EndpointName(f))
		}
		if err := moves(r.Head[r.Injection(int32(e))], r.Head[r.Injection(f)]); err != nil {
			return err
		}
	}
	return nil
}

// vc returns the image of a VC between switches.
func (g *symmetry) vc(v, vcs int32) int32 {
	c := v / vcs
	return (g.Channels[c/2]^c&1)*vcs + v%vcs
}

// image returns the images of destinations, ascending.
func (g *symmetry) image(dests []int32) []int32 {
	list := make([]int32, len(dests))
	for i, d := range dests {
		list[i] = g.dests[d]
	}
	slices.Sort(list)
	return list
}

// orbit is sets of destinations, the images of the first.
type orbit struct {
	sets   [][]int32
	parent []int // by set: the set that it is the image of, and under which symmetry
	by     []int
}

// orbitOf returns the orbit of a set of destinations. It rejects sets that overlap.
func orbitOf(list []symmetry, dests []int32) (*orbit, error) {
	o := &orbit{[][]int32{dests}, []int{-1}, []int{-1}}
	set := make(map[int32]int, len(dests)) // by destination: 1 + its set
	for _, d := range dests {
		set[d] = 1
	}
	for i := 0; i < len(o.sets); i++ {
		for k := range list {
			image := list[k].image(o.sets[i])
			for _, d := range image {
				if set[d] != set[image[0]] {
					return nil, Reject("subject", "symmetries map the destinations of a block to sets that overlap at destination %d", d)
				}
			}
			if set[image[0]] > 0 {
				continue // as large as the images of all sets, so the same
			}
			o.sets, o.parent, o.by = append(o.sets, image), append(o.parent, i), append(o.by, k)
			for _, d := range image {
				set[d] = len(o.sets)
			}
		}
	}
	return o, nil
}

// dependencies is a set of dependencies between VCs. A row has a bit for each VC that leaves the switch which a VC enters.
type dependencies struct {
	*relation
	start []int   // by VC between switches: the first word of its row; and one more. If each row is one word, it is nil.
	bit   []int32 // by VC between switches: its bit in the rows of the VCs that enter the switch it leaves
	words []uint64
}

func newDependencies(r *relation) *dependencies {
	d := &dependencies{relation: r, start: make([]int, r.LinkVCs()+1), bit: make([]int32, r.LinkVCs())}
	for v := range d.bit {
		c := int32(v) / r.VCs
		u := r.Head[c]
		d.start[v+1] = d.start[v] + ((r.first[u+1]-r.first[u])*int(r.VCs)+63)/64
		d.bit[v] = r.slot[c^1]*r.VCs + int32(v)%r.VCs
	}
	d.words = make([]uint64, d.start[len(d.bit)])
	if len(d.words) == len(d.bit) { // no row is empty: a VC can lead back
		d.start = nil
	}
	return d
}

// row returns the bits of the VCs that a VC leads to.
func (d *dependencies) row(v int32) []uint64 {
	if d.start == nil {
		return d.words[v : v+1]
	}
	return d.words[d.start[v]:d.start[v+1]]
}

// add adds the dependency of VC y on VC x, and reports whether it is new.
func (d *dependencies) add(x, y int32) bool {
	bit := d.bit[y]
	word, mask := &d.row(x)[bit/64], uint64(1)<<(bit%64)
	was := *word&mask != 0
	*word |= mask
	return !was
}

// addAll adds the dependencies of the VCs between switches in a list on VC x.
func (d *dependencies) addAll(x int32, list []int32) {
	if d.start != nil {
		for _, y := range list {
			if y >= 0 && int(y) < len(d.bit) {
				d.add(x, y)
			}
		}
		return
	}
	mask := uint64(0)
	for _, y := range list {
		if y >= 0 && int(y) < len(d.bit) {
			mask |= 1 << d.bit[y]
		}
	}
	if w := &d.words[x]; *w&mask != mask {
		*w |= mask
	}
}

// each calls visit for the VCs that a VC leads to.
func (d *dependencies) each(x int32, visit func(y int32)) {
	u := d.Head[x/d.VCs]
	for i, word := range d.row(x) {
		for ; word != 0; word &= word - 1 {
			bit := int32(64*i + bits.TrailingZeros64(word))
			visit(d.cables[d.first[u]+int(bit/d.VCs)].out*d.VCs + bit%d.VCs)
		}
	}
}

// merge returns the union of two sets, of which it can change the first. Either can be nil.
func (d *dependencies) merge(o *dependencies) *dependencies {
	if d == nil || o == nil {
		if d == nil {
			return o
		}
		return d
	}
	for i, w := range o.words {
		d.words[i] |= w
	}
	return d
}

// close adds the images of all dependencies until there is no other.
func (d *dependencies) close(list []symmetry) {
	waiting := make([]bool, d.LinkVCs())
	var queue []int32
	for x := range int32(len(waiting)) {
		if slices.ContainsFunc(d.row(x), func(w uint64) bool { return w != 0 }) {
			waiting[x] = true
			queue = append(queue, x)
		}
	}
	for i := 0; i < len(queue); i++ { // first in, first out: few VCs get more dependencies after their images
		x := queue[i]
		waiting[x] = false
		for k := range list {
			image, more := list[k].vc(x, d.VCs), false
			d.each(x, func(y int32) { more = d.add(image, list[k].vc(y, d.VCs)) || more })
			if more && !waiting[image] {
				waiting[image] = true
				queue = append(queue, image)
			}
		}
		if i == len(waiting) { // forget what is done
			queue = append(queue[:0], queue[i+1:]...)
			i = -1
		}
	}
}

// obey compares all dependencies with the orders.
func (d *dependencies) obey(orders []order) (err error) {
	for x := range int32(d.LinkVCs()) {
		d.each(x, func(y int32) {
			for i := range orders {
				if o := &orders[i]; o.ranks[x] >= o.ranks[y] && err == nil {
					err = Reject(o.claim, "rank of VC %d is not below that of VC %d, which a packet may take next", x, y)
				}
			}
		})
	}
	return err
}
