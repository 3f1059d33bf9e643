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

// This file decides which assignments of VLANs have a cycle of dependencies.

// acyclic reports whether the paths of a set have no cycle of dependencies. Most pairs of hosts have no path.
func acyclic(ctx context.Context, s *vlan.Set) (bool, error) {
	rep, err := verify.Check(ctx, s.Relation(), verify.Options{})
	if err != nil {
		return false, err
	}
	return rep.Acyclic.Verdict == verify.Proved, nil
}

// smallUses are the two assignments of section 2.2 on the 2x2 mesh of figure 2.
var smallUses = [2][]ringUse{{{0, 3, 1}, {1, 2, 1}, {2, 1, 0}, {3, 0, 0}}, {{0, 3, 1}, {2, 1, 1}, {1, 2, 0}, {3, 0, 0}}}

// smallRing counts, among the four ways to number the two VLANs and the two dimensions, those for which
// the first assignment has a cycle and the second one, of dimension order, has none. The text of the paper
// does not give its numbering.
func smallRing(ctx context.Context, r *paper.Result) error {
	fit := 0.0
	for numbering := range 4 {
		var free [2]bool
		for i, uses := range smallUses {
			s, err := smallSet(numbering, uses)
			if err != nil {
				return err
			}
			if free[i], err = acyclic(ctx, s); err != nil {
				return err
			}
		}
		if !free[0] && free[1] {
			fit++
		}
	}
	r.AddRow("numberings of the VLANs and dimensions", "all", "", nan, 4)
	r.AddRow("numberings of the VLANs and dimensions", "first assignment cyclic, second not", "", nan, fit)
	return nil
}

func smallSet(numbering int, uses []ringUse) (*vlan.Set, error) {
	n, err := topo.Parse("mesh:2x2")
	if err != nil {
		return nil, err
	}
	dor, err := vlan.DimensionOrder(n, [][]int{{0, 1}, {1, 0}}[numbering&1], 1)
	if err != nil {
		return nil, err
	}
	s, err := vlan.New(n, []vlan.VLAN{*dor.At(0), *dor.At(1)})
	if err != nil {
		return nil, err
	}
	for _, u := range uses {
		if err := s.SetUse(u.from, u.to, u.vlan^numbering>>1); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// ringChoices counts the rings of figure 3 that fit the text: three orders of the four switches, and
// twelve choices of the links that VLAN 2 and VLAN 3 leave out.
func ringChoices(ctx context.Context, r *paper.Result) error {
	all, equal, fit := 0.0, 0.0, 0.0
	for _, order := range [][]model.SwitchID{{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}} {
		for out2 := range model.LinkID(4) {
			for out3 := range model.LinkID(4) {
				if out2 == out3 {
					continue
				}
				same, right, err := ringFits(ctx, order, out2, out3)
				if err != nil {
					return err
				}
				all++
				if same {
					equal++
				}
				if same && right {
					fit++
				}
			}
		}
	}
	r.AddRow("rings with two VLANs", "all", "", nan, all)
	r.AddRow("rings with two VLANs", "all pairs two hops apart", "", nan, equal)
	r.AddRow("rings with two VLANs", "and only DL has a cycle", "", nan, fit)
	return loads(r)
}

// ringFits reports whether all pairs of both assignments have two hops, and whether DF has no cycle and DL
// has one.
func ringFits(ctx context.Context, order []model.SwitchID, out2, out3 model.LinkID) (same, right bool, err error) {
	var free [2]bool
	same = true
	for i := range free {
		s, err := ringBy(assignments[i].uses, order, out2, out3)
		if err != nil {
			return false, false, err
		}
		for _, u := range assignments[i].uses {
			same = same && len(channelsOf(s, u)) == 2
		}
		if free[i], err = acyclic(ctx, s); err != nil {
			return false, false, err
		}
	}
	return same, free[0] && !free[1], nil
}

// channelsOf returns the channels between switches on the path of a pair.
func channelsOf(s *vlan.Set, u ringUse) (list []model.ChannelID) {
	n := s.Network()
	at, to := n.Host(u.from).Switch, n.Host(u.to).Switch
	for at != to {
		c := s.Next(s.Use(u.from, u.to), at, u.to)
		list, at = append(list, c), n.Head(c)
	}
	return list
}

// loads adds the number of channels that each assignment uses, and the most paths on one.
func loads(r *paper.Result) error {
	for _, a := range assignments[:2] {
		s, err := ringOfSwitches(a.uses)
		if err != nil {
			return err
		}
		count, most := map[model.ChannelID]int{}, 0
		for _, u := range a.uses {
			for _, c := range channelsOf(s, u) {
				count[c]++
				most = max(most, count[c])
			}
		}
		r.AddRow(a.name, "channels used", "", nan, float64(len(count)))
		r.AddRow(a.name, "most paths on one channel", "", nan, float64(most))
	}
	return nil
}

func smallRingClaims() []paper.Claim {
	return []paper.Claim{{Name: "vlan/assignment-decides", Section: "section 2.2",
		Statement: "On the 2x2 mesh one assignment of the two VLANs has a cycle of dependencies, and that of dimension order has none",
		Judge: paper.Needs([][2]string{{"numberings of the VLANs and dimensions", "first assignment cyclic, second not"}}, func(v []float64) paper.Finding {
			return paper.Decide(v[0] > 0, fmt.Sprintf("true for %g of 4 numberings of figure 2", v[0]))
		})}}
}

func ringClaims() []paper.Claim {
	fit := [2]string{"rings with two VLANs", "and only DL has a cycle"}
	return []paper.Claim{
		{Name: "vlan/equal-hops", Statement: "All pairs have the same number of hops, DF has no cycle and DL has one", Published: "equal",
			Judge: paper.Needs([][2]string{fit}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] > 0, fmt.Sprintf("true for %g of 36 rings, each the mirror image of the other", v[0]))
			})},
		{Name: "vlan/equal-load", Statement: "The same number of paths cross a channel in DF and DL", Published: "equal",
			Reason: "DF uses eight channels once each, DL four channels twice",
			Judge: paper.Needs([][2]string{{"DF", "most paths on one channel"}, {"DL", "most paths on one channel"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == v[1], fmt.Sprintf("at most %g in DF, %g in DL", v[0], v[1]))
			})},
	}
}
