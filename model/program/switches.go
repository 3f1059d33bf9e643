package program

import (
	"cmp"
	"fmt"

	"go.starlark.net/starlark"

	"github.com/turnproof/turnproof/model"
)

// This file defines what programs for any network read of switches and ports, and the functions about them.

func (s node) AttrNames() []string { return append([]string{"id", "name"}, s.net.Attributes()...) }

// Attr implements starlark.HasAttrs.
func (s node) Attr(name string) (starlark.Value, error) {
	switch name {
	case "id":
		return starlark.MakeInt(int(s.u)), nil
	case "name":
		return starlark.String(s.net.SwitchLabel(s.u)), nil
	}
	values := s.attributes[name]
	if values == nil {
		return s.table(name)
	}
	if values[s.u] == model.NoAttribute {
		return nil, fmt.Errorf("switch %s has no attribute %s; has(switch, %q) tells this", s, name, name)
	}
	return starlark.MakeInt(int(values[s.u])), nil
}

func (p port) AttrNames() []string { return []string{"back", "dir", "number", "to"} }

// Attr implements starlark.HasAttrs.
func (p port) Attr(name string) (starlark.Value, error) {
	switch name {
	case "back":
		return port{p.view, p.net.Reverse(p.c)}, nil
	case "dir":
		if g := p.net.Grid(); g != nil {
			if _, _, ok := g.PortDirection(p.net.TailPort(p.c)); ok {
				return direction(p.net.TailPort(p.c) - 1), nil
			}
		}
		return starlark.None, nil
	case "number":
		return starlark.MakeInt(int(p.net.TailPort(p.c))), nil
	case "to":
		return node{p.view, p.net.Head(p.c)}, nil
	}
	return nil, nil
}

func (i switchInput) String() string        { return "inp" }
func (i switchInput) Type() string          { return "input" }
func (i switchInput) Freeze()               {}
func (i switchInput) Truth() starlark.Bool  { return true }
func (i switchInput) Hash() (uint32, error) { return 0, fmt.Errorf("inp cannot be a key") }
func (i switchInput) AttrNames() []string   { return []string{"port", "prev", "vc"} }

// Attr implements starlark.HasAttrs.
func (i switchInput) Attr(name string) (starlark.Value, error) {
	known := map[string]func() starlark.Value{
		"port": func() starlark.Value { return port{i.view, i.net.Reverse(i.in)} },
		"prev": func() starlark.Value { return node{i.view, i.net.Tail(i.in)} },
		"vc":   func() starlark.Value { return starlark.MakeInt(i.vc) },
	}
	of, ok := known[name]
	if !ok {
		return nil, nil
	}
	if *i.read = true; i.in == model.NoChannel {
		if name == "vc" {
			return starlark.MakeInt(0), nil
		}
		return starlark.None, nil
	}
	return of(), nil
}

// networkFunctions returns the functions that only programs for any network can call. They replace functions of the same
// name.
func networkFunctions() starlark.StringDict {
	d := starlark.StringDict{}
	add := func(name string, arity int, f function) { d[name] = builtin(name, arity, f) }
	add("ports", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		s, err := switchArgument(a[0])
		if err != nil {
			return nil, err
		}
		return listOf(t, s.view.ports[s.u])
	})
	add("neighbours", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		s, err := switchArgument(a[0])
		if err != nil {
			return nil, err
		}
		return listOf(t, s.view.neighbours[s.u])
	})
	add("switches", 0, func(t *starlark.Thread, _ []starlark.Value) (starlark.Value, error) {
		v := t.Local(instanceKey).(*Instance).view
		list := make([]starlark.Value, v.net.NumSwitches())
		for u := range list {
			list[u] = node{v, model.SwitchID(u)}
		}
		return listOf(t, list)
	})
	add("has", 2, func(_ *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		s, err := switchArgument(a[0])
		name, ok := a[1].(starlark.String)
		if !ok {
			err = cmp.Or(err, fmt.Errorf("has(switch, name) takes the name of an attribute; got %s", show(a[1])))
		}
		if err != nil {
			return nil, err
		}
		values := s.attributes[string(name)]
		return starlark.Bool(values != nil && values[s.u] != model.NoAttribute), nil
	})
	addDistances(add)
	addTreeFunctions(d)
	return d
}

// addDistances adds the functions of distances between switches.
func addDistances(add func(name string, arity int, f function)) {
	add("distance", 2, func(_ *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		s, err := switchArgument(a[0])
		to, err2 := switchArgument(a[1])
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		if k, ok := s.distance(s.u, to.u); ok {
			return starlark.MakeInt(k), nil
		}
		return starlark.None, nil
	})
	add("productive", 2, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		s, err := switchArgument(a[0])
		to, err2 := switchArgument(a[1])
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		here, ok := s.distance(s.u, to.u)
		var list []starlark.Value
		for _, p := range s.view.ports[s.u] {
			if there, _ := s.distance(s.net.Head(p.(port).c), to.u); ok && there < here {
				list = append(list, p)
			}
		}
		return listOf(t, list)
	})
}
