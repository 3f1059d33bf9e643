package vlan

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/verify"
)

// This file checks theorem 1 and definitions 3 and 4 on meshes.

// theorem1 checks all N^M meshes with at most 256 switches.
func theorem1(ctx context.Context, r *paper.Result) error {
	var list [][2]int
	for m := 1; m <= 3; m++ {
		for n := 2; pow(n, m) <= 256; n++ {
			if m > 1 || n <= 16 {
				list = append(list, [2]int{n, m})
			}
		}
	}
	values, err := r.Points(ctx, len(list), func(i int) string { return fmt.Sprintf("N=%d, M=%d", list[i][0], list[i][1]) },
		func(ctx context.Context, i int) ([]float64, error) { return checkMesh(ctx, list[i][0], list[i][1]) })
	if err != nil {
		return err
	}
	for m := 1; m <= 3; m++ {
		var sum [5]float64
		swapped := 0.0
		for i, x := range list {
			if x[1] == m {
				for k := range sum {
					sum[k] += values[i][k]
				}
				if values[i][1] == 1 && pow(m, x[0]-1) == pow(x[0], m-1) {
					swapped++
				}
			}
		}
		item := fmt.Sprintf("M = %d", m)
		for k, name := range []string{"meshes", "with N^(M-1) VLANs", "with (N^M-1)/(N-1) lines a VLAN", "with all pairs on dimension order",
			"free of deadlock"} {
			r.AddRow(item, name, "", nan, sum[k])
		}
		r.AddRow(item, withSwapped, "", nan, swapped)
	}
	return nil
}

// withSwapped is the number of VLANs in the abstract, where N is k and M is n.
const withSwapped = "with M^(N-1) VLANs"

func pow(n, m int) int {
	p := 1
	for range m {
		p *= n
	}
	return p
}

// checkMesh returns 1, and 1 for each property that the VLAN set of an N^M mesh has.
func checkMesh(ctx context.Context, side, dims int) ([]float64, error) {
	spec := fmt.Sprintf("mesh:%d", side)
	for range dims - 1 {
		spec += fmt.Sprintf("x%d", side)
	}
	n, err := topo.Parse(spec)
	if err != nil {
		return nil, err
	}
	s, err := vlan.DimensionOrder(n, nil, 1)
	if err != nil {
		return nil, err
	}
	rep, err := verify.Check(ctx, s.Relation(), verify.Options{})
	if err != nil {
		return nil, err
	}
	one := func(ok bool) float64 {
		if ok {
			return 1
		}
		return 0
	}
	lines := true
	for k := range s.Len() {
		lines = lines && len(s.At(k).Links) == pow(side, dims)-1 && (pow(side, dims)-1)%(side-1) == 0 && lineCount(n, s.At(k)) == (pow(side, dims)-1)/(side-1)
	}
	return []float64{1, one(s.Len() == pow(side, dims-1)), one(lines), one(allInOrder(n, s)),
		one(rep.DeadlockFree.Verdict == verify.Proved && rep.Connected.Verdict == verify.Proved)}, nil
}

// lineCount counts the straight lines of a VLAN: a line begins at each switch that has a link up in a
// dimension and none down.
func lineCount(n *model.Network, v *vlan.VLAN) (lines int) {
	g := n.Grid()
	begins := map[[2]int]int{}
	for _, l := range v.Links {
		d, _, _ := g.PortDirection(n.Link(l).APort)
		begins[[2]int{int(n.Link(l).A), d}]++
		begins[[2]int{int(n.Link(l).B), d}]++
	}
	for _, ends := range begins {
		lines += ends & 1 // an end of a line has one link in its dimension
	}
	return lines / 2
}

// allInOrder reports whether the path of each pair of hosts corrects x, then y, and so on, and is shortest.
func allInOrder(n *model.Network, s *vlan.Set) bool {
	g := n.Grid()
	for a := range model.HostID(n.NumHosts()) {
		for b := range model.HostID(n.NumHosts()) {
			u, v := n.Host(a).Switch, n.Host(b).Switch
			for u != v {
				want := 0
				for g.Coord(u, want) == g.Coord(v, want) {
					want++
				}
				step := 1
				if g.Coord(u, want) > g.Coord(v, want) {
					step = -1
				}
				w := n.Head(s.Next(s.Use(a, b), u, b))
				if g.Coord(w, want)-g.Coord(u, want) != step {
					return false
				}
				u = w
			}
		}
	}
	return true
}
