package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file explores the states of a relation. If the relation has symmetries, it explores one group of
// destinations of each orbit first. If the graph is acyclic then, the certificate has the symmetries, and states for
// these groups only. Otherwise everything is explored: the evidence of a cycle and of what follows
// from it shows packets to any destination.

// mayUseSymmetries reports whether symmetries can decide the claims that the options ask for. If all packets wait for one hop, an acyclic
// graph proves the same, and explore does without symmetries for any other evidence.
func (r *Report) mayUseSymmetries(o Options) bool {
	return r.blocks != nil && (r.commits == nil || r.Waiting == model.WaitOne) && !o.AllStates && o.Ranks == nil && r.rules == nil
}

// explore builds the graph and follows the routes of a relation. It returns a numbering of the graph, or nil if
// there is none.
func (r *Report) explore(ctx context.Context, o Options) ([]int32, error) {
	if _, isTable := r.Relation.(*model.Table); isTable {
		return r.exploreGroups(ctx, nil, nil)
	}
	groups := cdg.Groups(r.Relation)
	if s, ok := r.Relation.(model.Symmetric); ok && r.mayUseSymmetries(o) {
		symmetries := s.Symmetries()
		if orbits := cdg.Orbits(r.Relation, groups, symmetries); len(orbits) < len(groups) {
			if err := checkImages(r.Relation, symmetries); err != nil {
				return nil, err
			}
			if ranks, err := r.exploreGroups(ctx, orbits, symmetries); ranks != nil || err != nil {
				r.Symmetries, r.Orbits, r.Groups, r.blocks.groups = symmetries, len(orbits), len(groups), orbits
				r.subject.Relation.Symmetries = makeSymmetries(r.Relation.Network(), symmetries)
				return ranks, err
			}
		}
	}
	return r.exploreGroups(ctx, groups, nil)
}

// exploreGroups does the same for some groups of destinations and their images under symmetries. If groups is nil, the relation is a
// table.
func (r *Report) exploreGroups(ctx context.Context, groups []cdg.Group, symmetries []*model.Automorphism) (ranks []int32, err error) {
	follow, visit := followers(nil), cdg.Visit(nil)
	if groups != nil {
		follow = newFollowers(r.Relation)
		step := r.step("exploring the states", len(groups))
		judge := cdg.Visit(func(int, *cdg.Group, *cdg.Space) {})
		if symmetries == nil {
			if judge, err = r.prepareEarly(ctx, groups); err != nil {
				return nil, err
			}
		}
		visit = func(worker int, group *cdg.Group, s *cdg.Space) {
			follow.visit(worker, group, s)
			judge(worker, group, s)
			step()
		}
	}
	if symmetries != nil {
		r.Graph, err = cdg.BuildSymmetric(ctx, r.Relation, groups, symmetries, visit)
	} else {
		r.Graph, err = cdg.BuildMulticast(ctx, r.Relation, r.Multicast(), visit)
	}
	if err != nil {
		return nil, err
	}
	r.Routes = follow.routes()
	if ranks, ok := r.Graph.Numbering(); ok {
		return ranks, nil
	}
	if r.blocks != nil {
		r.blocks.early = nil
	}
	return nil, nil
}

// checkImages compares the states of packets to the first destination with those to its images. It fails if the relation
// does not have the symmetries that it says.
func checkImages(r model.Relation, symmetries []*model.Automorphism) error {
	x, y := cdg.NewExplorer(r), cdg.NewExplorer(r)
	s := x.Explore(0)
	for i, a := range symmetries {
		d := model.DestID(0)
		for r.DestinationHost(d) != a.Host(r.DestinationHost(0)) {
			d++
		}
		if !isImage(s, y.Explore(d), a) {
			return fmt.Errorf("internal error: symmetry %d of the routing does not map the states to destination 0 to those to destination %d", i, d)
		}
	}
	return nil
}

// isImage reports whether a maps the states and hops of s to those of t.
func isImage(s, t *cdg.Space, a *model.Automorphism) bool {
	type key struct {
		vc    model.VCID
		class model.Class
	}
	if len(s.States) != len(t.States) {
		return false
	}
	place := make(map[key]int, len(t.States))
	for i, at := range t.States {
		place[key{at.VC, at.Class}] = i
	}
	order := func(g, h model.Hop) int { return cmp.Or(cmp.Compare(g.VC, h.VC), cmp.Compare(g.Class, h.Class)) }
	var want, got []model.Hop
	for i, at := range s.States {
		j, ok := place[key{a.VC(at.VC), at.Class}]
		if !ok {
			return false
		}
		hops, _ := s.HopsOf(i)
		want = want[:0]
		for _, h := range hops {
			want = append(want, model.Hop{VC: a.VC(h.VC), Class: h.Class})
		}
		hops, _ = t.HopsOf(j)
		got = append(got[:0], hops...)
		slices.SortFunc(want, order)
		slices.SortFunc(got, order)
		if !slices.Equal(slices.Compact(want), slices.Compact(got)) {
			return false
		}
	}
	return true
}
