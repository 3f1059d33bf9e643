package family

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/model/space"
)

// This file builds H/V graphs that contain a cycle.
//
// A closed walk of directions is drawn at random, by allowed turns. The switches of the walk
// get depths and numbers. If a switch has no parent, a chain of new switches connects it to the
// root. Canonical trees are enumerated instead (canonicaltree.go).
// Promise: each result has been checked. Its tree gives the coordinates, and the allowed turns
// close a cycle.

// attempts bounds the search.
const attempts = 30000

func (d *Decider) refuteTree(ctx context.Context, set space.Set) (best *Witness, err error) {
	random := rand.New(rand.NewPCG(2003, 44))
	for try := range attempts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m, err := d.drawMember(random, set, 4+try*9/attempts)
		if err != nil {
			return nil, err
		}
		if m == nil || best != nil && m.Net.NumSwitches() >= best.Net.NumSwitches() {
			continue
		}
		w, err := m.cycle(ctx, set)
		if err != nil {
			return nil, err
		}
		if w == nil {
			continue
		}
		if used, err := m.Used(ctx, set); err != nil {
			return nil, err
		} else if used {
			best = w
		}
		if best != nil && try > attempts/4 {
			break
		}
	}
	return best, nil
}

// drawMember draws a closed walk and returns a network that contains it. If the walk does not
// close, it returns nil.
func (d *Decider) drawMember(random *rand.Rand, set space.Set, steps int) (*Member, error) {
	walk := d.drawWalk(random, set, steps)
	if walk == nil {
		return nil, nil
	}
	at := d.drawCoordinates(random, walk)
	if at == nil {
		return nil, nil
	}
	var links [][2]int
	for i := range at {
		links = append(links, [2]int{i, (i + 1) % len(at)})
	}
	return addTree(d.space, at, links)
}

// drawWalk draws a walk of places with the given number of steps. If the walk does not close, it
// returns nil.
func (d *Decider) drawWalk(random *rand.Rand, set space.Set, steps int) []int {
	may := make([][]int, len(d.space.Places))
	for _, e := range d.space.Steps(set) {
		may[e.From] = append(may[e.From], e.To)
	}
	walk := []int{random.IntN(len(may))}
	for len(walk) < steps {
		next := may[walk[len(walk)-1]]
		walk = append(walk, next[random.IntN(len(next))])
	}
	if !slices.Contains(may[walk[steps-1]], walk[0]) {
		return nil
	}
	return walk
}

// depthBy are the possible changes of depth of LU, LD, RU, RD.
var depthBy = [][2]int{{-1, -1}, {0, 1}, {-1, 0}, {1, 1}}

// drawCoordinates draws coordinates for the switches of a closed walk. Channel i of the walk
// leaves switch i. Steps in the first coordinate have random lengths whose sums in both
// directions are equal. If the walk does not close, it returns nil.
func (d *Decider) drawCoordinates(random *rand.Rand, walk []int) [][]int {
	length, sum := make([]float64, len(walk)), [2]float64{}
	for i, p := range walk {
		length[i] = 0.1 + random.Float64()
		sum[d.sense(p)] += length[i]
	}
	if sum[0] == 0 || sum[1] == 0 {
		return nil
	}
	x, depth := make([]float64, len(walk)+1), make([]int, len(walk)+1)
	for i, p := range walk {
		x[i+1] = x[i] + float64(1-2*d.sense(p))*length[i]/sum[d.sense(p)]
		depth[i+1] = depth[i] + depthBy[d.space.Places[p].Direction][random.IntN(2)]
	}
	if depth[len(walk)] != 0 {
		return nil
	}
	order := make([]int, len(walk))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	at := make([][]int, len(walk))
	for k, i := range order {
		at[i] = []int{k, depth[i]}
	}
	return at
}

// sense returns 1 for places whose channels decrease the first coordinate, 0 for others.
func (d *Decider) sense(p int) int {
	if d.moves[p].sign[0].down {
		return 1
	}
	return 0
}

// addTree adds a root and chains of switches. The shortest-path tree with ordered children then
// gives the depths and the order of the numbers.
func addTree(s *space.Space, at [][]int, links [][2]int) (*Member, error) {
	least := at[0][1]
	for _, x := range at {
		least = min(least, x[1])
	}
	order := make([]int, len(at)) // from left to right
	for i := range order {
		order[i] = i
		at[i][1] += 1 - least
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(at[a][0], at[b][0]) })
	depth := make([]int, len(at))
	for i := range at {
		depth[i] = at[i][1]
	}
	joined := map[[2]int]bool{}
	for _, l := range links {
		joined[[2]int{min(l[0], l[1]), max(l[0], l[1])}] = true
	}
	link := func(u, v int) {
		if key := [2]int{min(u, v), max(u, v)}; !joined[key] {
			joined[key] = true
			links = append(links, key)
		}
	}
	root := len(depth)
	depth = append(depth, 0)
	number := []int{root} // switches in preorder
	path := []int{root}   // the rightmost path, by depth
	for _, u := range order {
		path = path[:min(len(path), depth[u])]
		for len(path) < depth[u] { // a chain down to the parent
			filler := len(depth)
			depth = append(depth, len(path))
			link(path[len(path)-1], filler)
			number, path = append(number, filler), append(path, filler)
		}
		link(path[len(path)-1], u)
		number, path = append(number, u), append(path, u)
	}
	n, err := network(len(depth), links)
	if err != nil {
		return nil, err
	}
	place := make([][]int, len(depth))
	for h, u := range number {
		place[u] = []int{h, depth[u]}
	}
	return treeMember(s, n, place), nil
}
