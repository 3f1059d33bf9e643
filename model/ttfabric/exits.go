package ttfabric

import (
	"math"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file computes the exit tables: by which chip and over which cable packets leave a mesh for another one.
//
// Source: routing_table_generator.cpp of tenstorrent/tt-metal. Paths between meshes are shortest by a breadth-first search. A chip compares the exit
// chips of these paths in the order in which the search finds them: it takes itself if it is one, else the nearest without wrap links. The
// first candidate that is as near as the best so far replaces it, once (the weights of all links are 0).

// exit is a cable by which packets leave a mesh.
type exit struct {
	chip    int // in its mesh
	next    int // index of the mesh behind the cable
	channel model.ChannelID
}

// addExits computes the cables of each mesh and the tables. It returns the distances between meshes, -1 where no path exists.
func (f *Fabric) addExits() [][]int {
	n := len(f.meshes)
	leaving := make([][]exit, n) // by mesh, in the order of chips and next meshes
	for c := range model.ChannelID(f.Net.NumLinkChannels()) {
		if f.kinds[c].cable >= 0 {
			u, v := f.Net.Tail(c), f.Net.Head(c)
			m := f.at[u]
			leaving[m] = append(leaving[m], exit{int(u) - f.meshes[m].first, f.at[v], c})
		}
	}
	for _, list := range leaving {
		slices.SortFunc(list, func(a, b exit) int {
			return slices.Compare([]int{a.chip, a.next, int(a.channel)}, []int{b.chip, b.next, int(b.channel)})
		})
	}
	f.exits = make([][][]exit, n)
	distances := make([][]int, n)
	for m := range f.meshes {
		var first [][]exit
		distances[m], first = searchMeshes(m, leaving)
		f.exits[m] = make([][]exit, f.meshes[m].Chips())
		for chip := range f.exits[m] {
			f.exits[m][chip] = make([]exit, n)
			for t, candidates := range first {
				f.exits[m][chip][t] = f.meshes[m].choose(chip, candidates)
			}
		}
	}
	f.leaving = leaving
	return distances
}

// searchMeshes returns by mesh the distance from mesh m in cables, and the first cables of all shortest paths in the order in which the
// search finds the paths. Of the paths that begin with one cable it keeps two: more do not change a choice.
func searchMeshes(m int, leaving [][]exit) (distance []int, first [][]exit) {
	distance, first = make([]int, len(leaving)), make([][]exit, len(leaving))
	for i := range distance {
		distance[i] = -1
	}
	distance[m] = 0
	queue := []int{m}
	for k := 0; k < len(queue); k++ {
		at := queue[k]
		for _, e := range leaving[at] {
			if distance[e.next] < 0 {
				distance[e.next] = distance[at] + 1
				queue = append(queue, e.next)
			}
			if distance[e.next] != distance[at]+1 {
				continue
			}
			begins := first[at]
			if at == m {
				begins = []exit{e}
			}
			for _, b := range begins {
				if count(first[e.next], b) < 2 {
					first[e.next] = append(first[e.next], b)
				}
			}
		}
	}
	return distance, first
}

func count(list []exit, e exit) (n int) {
	for _, x := range list {
		if x == e {
			n++
		}
	}
	return n
}

// choose returns the exit that a chip takes among candidates, or one of chip -1 if there are none.
func (m *mesh) choose(chip int, candidates []exit) exit {
	best, least, replaced := exit{chip: -1}, math.MaxInt, false
	for _, e := range candidates {
		d := abs(e.chip/m.Dims[1]-chip/m.Dims[1]) + abs(e.chip%m.Dims[1]-chip%m.Dims[1])
		switch {
		case d == 0:
			return e
		case d < least:
			best, least = e, d
		case d == least && !replaced:
			best, replaced = e, true
		}
	}
	return best
}

func abs(x int) int { return max(x, -x) }
