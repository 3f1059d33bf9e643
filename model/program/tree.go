package program

import (
	"cmp"

	"go.starlark.net/starlark"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file defines the functions about the spanning tree of a network: the canonical one, from switch 0. It is breadth-first, so the
// depth of a switch is its distance from the root. The spread of a switch is its number in preorder.

// spanningTree returns the tree. It fails if the network is not connected.
func (v *view) spanningTree() (*spanning, error) {
	s := &v.spanning
	s.once.Do(func() {
		if s.tree, s.err = hv.NewTree(v.net, 0, hv.Options{}); s.err != nil {
			return
		}
		order := s.tree.Preorder
		s.children, s.size = make([][]starlark.Value, len(order)), make([]int32, len(order))
		for _, u := range order[1:] {
			up := v.net.Head(s.tree.Up[u])
			s.children[up] = append(s.children[up], node{v, u})
		}
		for i := len(order) - 1; i >= 0; i-- {
			u := order[i]
			s.size[u]++
			if i > 0 {
				s.size[v.net.Head(s.tree.Up[u])] += s.size[u]
			}
		}
	})
	return s, s.err
}

// below reports whether u is in the subtree of v.
func (s *spanning) below(u, v model.SwitchID) bool {
	first := s.tree.Spread[v]
	return s.tree.Spread[u] >= first && s.tree.Spread[u] < first+s.size[v]
}

// addTreeFunctions adds the functions about the spanning tree.
func addTreeFunctions(d starlark.StringDict) {
	add := func(name string, f func(t *starlark.Thread, s *spanning, u node) (starlark.Value, error)) {
		d[name] = builtin(name, 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
			u, err := switchArgument(a[0])
			if err != nil {
				return nil, err
			}
			s, err := u.spanningTree()
			if err != nil {
				return nil, err
			}
			return f(t, s, u)
		})
	}
	add("depth", func(_ *starlark.Thread, s *spanning, u node) (starlark.Value, error) {
		return starlark.MakeInt(int(s.tree.Depth[u.u])), nil
	})
	add("spread", func(_ *starlark.Thread, s *spanning, u node) (starlark.Value, error) {
		return starlark.MakeInt(int(s.tree.Spread[u.u])), nil
	})
	add("children", func(t *starlark.Thread, s *spanning, u node) (starlark.Value, error) {
		return listOf(t, s.children[u.u])
	})
	add("parents", func(t *starlark.Thread, s *spanning, u node) (starlark.Value, error) {
		if u.u == s.tree.Root {
			return listOf(t, nil)
		}
		return listOf(t, []starlark.Value{node{u.view, u.net.Head(s.tree.Up[u.u])}})
	})
	d["below"] = builtin("below", 2, func(_ *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		u, err := switchArgument(a[0])
		v, err2 := switchArgument(a[1])
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		s, err := u.spanningTree()
		if err != nil {
			return nil, err
		}
		return starlark.Bool(s.below(u.u, v.u)), nil
	})
}
