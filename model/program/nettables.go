package program

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
)

// This file defines the tables of programs for any network: integers of two switches or more, read as u.next(d) or u.rank(v, 1).
//
// A program names a generator, tables = "lash". It gives the tables of a network on which the program runs. A theorem is about all
// tables for which the premise of the program holds, wherever they come from.

// generator makes the tables of a network. Variant 0 has the tables of the documentation. Others have random ones, for the search for
// counterexamples; they need not satisfy a premise.
type generator struct {
	Name string
	make func(v *view, vcs, variant int) (tablesOf, error)
}

// generators is the table of all generators.
var generators = []generator{
	{"lash", lashTables},
	{"turn-addition", additionTables},
	{"updown", updownTables},
}

// readTables reads tables = "NAME".
func (p *Program) readTables(s *syntax.AssignStmt) error {
	l, ok := s.RHS.(*syntax.Literal)
	name, isText := "", false
	if ok {
		name, isText = l.Value.(string)
	}
	if !isText {
		return at(s.OpPos, "tables is no text; want the name of a generator, as in tables = \"lash\"")
	}
	if _, err := registry.Find("generator of tables", name, generators, func(g generator) string { return g.Name }); err != nil {
		return at(s.OpPos, "%v", err)
	}
	p.Tables = name
	return nil
}

// table returns the table of a name as a method of a switch, or nil.
func (s node) table(name string) (starlark.Value, error) {
	t := &s.view.tables
	t.once.Do(func() {
		if t.of == nil || t.of.Tables == "" {
			return
		}
		for _, g := range generators {
			if g.Name == t.of.Tables {
				if t.list, t.err = g.make(s.view, t.of.VCs, t.of.variant); t.err != nil {
					t.err = fmt.Errorf("tables %q: %w", g.Name, t.err)
				}
			}
		}
	})
	x, ok := t.list[name]
	if !ok || t.err != nil {
		return nil, t.err
	}
	want := strings.TrimSuffix(strings.Repeat("switch, ", x.switches-1)+strings.Repeat("number, ", x.numbers), ", ")
	return builtin(name, x.switches-1+x.numbers, func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
		a := []int{int(s.u)}
		for i, v := range args {
			if i < x.switches-1 {
				u, err := switchArgument(v)
				if err != nil {
					return nil, fmt.Errorf("%s(%s): %w", name, want, err)
				}
				a = append(a, int(u.u))
				continue
			}
			k, ok := small(v)
			if !ok || k < 0 || k >= model.MaxVCs {
				return nil, fmt.Errorf("%s(%s): want a number from 0 to %d, got %s", name, want, model.MaxVCs-1, show(v))
			}
			a = append(a, k)
		}
		return starlark.MakeInt(x.value(a)), nil
	}), nil
}
