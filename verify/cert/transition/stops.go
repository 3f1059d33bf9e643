package transition

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges that few destinations cannot stop so that all others change in service.

// mostBranches bounds the search for destinations that meet all groups.
const mostBranches = 1 << 21

// fewestStops judges the evidence transition-stops.
func (x *change) fewestStops(claim *cert.Claim) error {
	if x.t.Parts != "destination" || x.t.Drained {
		return cert.Reject(claim.Claim, "the evidence %s is for destinations in service", claim.Evidence)
	}
	if err := x.exact(claim, false); err != nil {
		return err
	}
	var groups [][]int32
	for list := []int32(*claim.Steps); len(list) > 0; {
		group, rest, err := readSet(claim, list, x.changed)
		if err != nil {
			return err
		}
		if len(group) == 0 || len(rest) == 0 || rest[0] < 1 {
			return cert.Reject(claim.Claim, "group %d is empty, or has no sets", len(groups))
		}
		var sets [][]int32
		left := rest[0]
		for list = rest[1:]; left > 0; left-- {
			var s []int32
			if s, list, err = readSet(claim, list, group); err != nil {
				return err
			}
			sets = append(sets, s)
		}
		p := newDestinations(x, group)
		if err := closed(claim, p, group, sets); err != nil {
			return err
		}
		groups = append(groups, group)
	}
	h := hitting{left: mostBranches}
	switch met := h.meets(groups, int(*claim.Bound)-1, nil); {
	case *claim.Bound < 1 || *claim.Bound > int64(len(x.changed)):
		return cert.Reject(claim.Claim, "a bound of %d destinations", *claim.Bound)
	case h.left < 0:
		return cert.Reject(claim.Claim, "more than %d branches to try", mostBranches)
	case met:
		return cert.Reject(claim.Claim, "%d destinations meet all groups", *claim.Bound-1)
	}
	return nil
}

// hitting searches destinations that meet groups.
type hitting struct{ left int }

// meets reports whether at most k destinations, none of them in without, meet all groups. If left becomes negative, the answer means nothing.
func (h *hitting) meets(groups [][]int32, k int, without []int32) bool {
	if h.left--; h.left < 0 {
		return false
	}
	if len(groups) == 0 {
		return true
	}
	var small []int32
	used, apart := map[int32]bool{}, 0 // groups that have no destination in common
	for _, g := range groups {
		g = slices.DeleteFunc(slices.Clone(g), func(d int32) bool { return slices.Contains(without, d) })
		if small == nil || len(g) < len(small) {
			if small = g; len(g) == 0 {
				return false
			}
		}
		if !slices.ContainsFunc(g, func(d int32) bool { return used[d] }) {
			apart++
			for _, d := range g {
				used[d] = true
			}
		}
	}
	if apart > k {
		return false
	}
	for i, d := range small {
		rest := slices.DeleteFunc(slices.Clone(groups), func(g []int32) bool { return slices.Contains(g, d) })
		if h.meets(rest, k-1, append(slices.Clone(without), small[:i]...)) {
			return true
		}
	}
	return false
}
