package program

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file defines the functions that programs can call: operators under names that no program
// can spell, the functions below, and the functions of prelude.star.

//go:embed prelude.star
var preludeText string

const preludeName = "prelude.star"

// comparison returns the function x op y. If swapped, it is y op x; if negated, the result is
// inverted.
func comparison(op syntax.Token, swapped, negated bool) function {
	return func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		x, y := a[0], a[1]
		if swapped {
			x, y = y, x
		}
		var holds bool
		var err error
		switch op {
		case syntax.EQL:
			holds, err = equal(t, x, y)
		case syntax.IN:
			holds, err = within(t, x, y)
		default:
			holds, err = ordered(op, x, y)
		}
		return boolean(holds != negated, err)
	}
}

func calculation(op syntax.Token) function {
	return func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		return arithmetic(t, op, a[0], a[1])
	}
}

// operatorTable returns the builtins of the rewritten operators.
func operatorTable() starlark.StringDict {
	d := starlark.StringDict{}
	add := func(name string, arity int, f function) { d[name] = builtin(name, arity, f) }
	for op, name := range map[syntax.Token]string{syntax.PLUS: "+", syntax.MINUS: "-", syntax.STAR: "*", syntax.SLASHSLASH: "//", syntax.PERCENT: "%"} {
		add(name, 2, calculation(op))
	}
	add("==", 2, comparison(syntax.EQL, false, false))
	add("!=", 2, comparison(syntax.EQL, false, true))
	add("<", 2, comparison(syntax.LT, false, false))
	add("<=", 2, comparison(syntax.LE, false, false))
	add(">", 2, comparison(syntax.LT, true, false))
	add(">=", 2, comparison(syntax.LE, true, false))
	add("in", 2, comparison(syntax.IN, false, false))
	add("not in", 2, comparison(syntax.IN, false, true))
	add("+=", 2, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) { return extended(t, a[0], a[1]) })
	add("[]", 2, func(_ *starlark.Thread, a []starlark.Value) (starlark.Value, error) { return item(a[0], a[1]) })
	add("[]=", 3, func(_ *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		return starlark.None, setItem(a[0], a[1], a[2])
	})
	add("{}", 1, dictionary)
	add("-x", 1, negative)
	add("+x", 1, func(_ *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		if !isNumber(a[0]) {
			return nil, fmt.Errorf("+%s is not known", a[0].Type())
		}
		return a[0], nil
	})
	return d
}

// dictionary returns the dictionary of a list that alternates keys and values.
func dictionary(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
	entries := a[0].(*starlark.List)
	d := starlark.NewDict(entries.Len() / 2)
	for i := 0; i < entries.Len(); i += 2 {
		if err := setItem(d, entries.Index(i), entries.Index(i+1)); err != nil {
			return nil, err
		}
	}
	return d, work(t, entries.Len())
}

// negative returns -x for a number or direction.
func negative(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
	if d, ok := a[0].(direction); ok {
		return direction(Dir(d).Reverse()), nil
	}
	return arithmetic(t, syntax.MINUS, starlark.MakeInt(0), a[0])
}

// functionTable returns the functions that programs call by name.
func functionTable() starlark.StringDict {
	d := starlark.StringDict{}
	add := func(name string, arity int, f function) { d[name] = builtin(name, arity, f) }
	addNumbers(add)
	addLists(add)
	addTargets(add)
	addDimensions(add)
	add("fail", -1, func(_ *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		var words []string
		for _, v := range a[:min(len(a), 10)] {
			words = append(words, show(v))
		}
		return nil, &failure{"fail: " + strings.Join(words, " ")}
	})
	add("works", 2, works)
	for name := range starlark.Universe {
		if _, known := d[name]; !known && name != "None" && name != "True" && name != "False" {
			add(name, -1, func(*starlark.Thread, []starlark.Value) (starlark.Value, error) {
				return nil, fmt.Errorf("%s is not available in routing programs", name)
			})
		}
	}
	return d
}

// addNumbers adds the functions of numbers.
func addNumbers(add func(name string, arity int, f function)) {
	add("abs", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		if less, err := ordered(syntax.LT, a[0], starlark.MakeInt(0)); !less || err != nil {
			return a[0], err
		}
		return negative(t, a)
	})
	add("min", -1, extreme(false))
	add("max", -1, extreme(true))
}

// addLists adds the functions of lists and of truth.
func addLists(add func(name string, arity int, f function)) {
	add("len", 1, func(_ *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		if n := starlark.Len(a[0]); n >= 0 {
			return starlark.MakeInt(n), nil
		}
		return nil, fmt.Errorf("a %s has no length", a[0].Type())
	})
	add("range", -1, numberRange)
	add("any", 1, quantifier(true))
	add("all", 1, quantifier(false))
	add("bool", 1, func(_ *starlark.Thread, a []starlark.Value) (starlark.Value, error) { return a[0].Truth(), nil })
	add("list", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		list, err := walk(t, a[0])
		return starlark.NewList(list), err
	})
	add("tuple", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		list, err := walk(t, a[0])
		return starlark.Tuple(list), err
	})
	add("reversed", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		list, err := walk(t, a[0])
		for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
			list[i], list[j] = list[j], list[i]
		}
		return starlark.NewList(list), err
	})
	add("enumerate", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		list, err := walk(t, a[0])
		for i, v := range list {
			list[i] = starlark.Tuple{starlark.MakeInt(i), v}
		}
		return starlark.NewList(list), err
	})
	add("zip", 2, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		x, err := walk(t, a[0])
		if err != nil {
			return nil, err
		}
		y, err := walk(t, a[1])
		list := make([]starlark.Value, min(len(x), len(y)))
		for i := range list {
			list[i] = starlark.Tuple{x[i], y[i]}
		}
		return starlark.NewList(list), err
	})
}

// addDimensions adds the functions whose argument is a dimension.
func addDimensions(add func(name string, arity int, f function)) {
	add("plus", 1, dirOf(0))
	add("minus", 1, dirOf(1))
	add("side", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		i, d, err := dimension(t, a[0])
		if err != nil {
			return nil, err
		}
		return i.sides[d], nil
	})
	add("ring", 1, func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		i, d, err := dimension(t, a[0])
		return starlark.Bool(err == nil && i.program.Family.WrapsIn(d)), err
	})
}

func walk(t *starlark.Thread, v starlark.Value) ([]starlark.Value, error) {
	list, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("cannot iterate over a %s", v.Type())
	}
	if err := work(t, length(v)); err != nil {
		return nil, err
	}
	return elements(list), nil
}

// extreme returns the function max if most is set, else min. It takes several arguments or one
// list.
func extreme(most bool) function {
	return func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		if len(a) == 1 {
			var err error
			if a, err = walk(t, a[0]); err != nil {
				return nil, err
			}
		}
		if len(a) == 0 {
			return nil, fmt.Errorf("min and max of nothing")
		}
		best := a[0]
		for _, v := range a[1:] {
			x, y := v, best
			if most {
				x, y = y, x
			}
			less, err := ordered(syntax.LT, x, y)
			if err != nil {
				return nil, err
			}
			if less {
				best = v
			}
		}
		return best, nil
	}
}

// quantifier returns the function any if some is set, else all.
func quantifier(some bool) function {
	return func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		list, err := walk(t, a[0])
		for _, v := range list {
			if bool(v.Truth()) == some {
				return starlark.Bool(some), err
			}
		}
		return starlark.Bool(!some), err
	}
}

func numberRange(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
	bounds := []int{0, 0, 1}
	if len(a) < 1 || len(a) > 3 {
		return nil, fmt.Errorf("range takes 1 to 3 arguments; got %d", len(a))
	}
	for i, v := range a {
		k, ok := small(v)
		if _, symbol := v.(Symbol); symbol {
			return nil, fmt.Errorf("a loop over a range whose length is not known: it depends on a size or a coordinate")
		}
		if !ok {
			return nil, fmt.Errorf("range of a %s", v.Type())
		}
		if len(a) == 1 {
			i = 1
		}
		bounds[i] = k
	}
	from, to, step := bounds[0], bounds[1], bounds[2]
	if step == 0 {
		return nil, fmt.Errorf("range with step 0")
	}
	n := max(0, FloorDiv(to-from+step-sign(step), step))
	if n > maxRange {
		return nil, fmt.Errorf("a range of %d numbers, allowed are %d", n, maxRange)
	}
	if err := work(t, n); err != nil {
		return nil, err
	}
	list := make([]starlark.Value, n)
	for i := range list {
		list[i] = starlark.MakeInt(from + i*step)
	}
	return starlark.NewList(list), nil
}

func sign(k int) int {
	if k < 0 {
		return -1
	}
	return 1
}

func dirOf(minus int) function {
	return func(t *starlark.Thread, a []starlark.Value) (starlark.Value, error) {
		i, d, err := dimensionBelow(t, a[0], func(i *Instance) int { return i.program.Family.NumAxes(len(i.sides)) })
		if err == nil && i.program.Family.complete() {
			err = fmt.Errorf("hops of hyperx have no direction; use to(d, v), others(d) or deroutes(d)")
		}
		return direction(2*d + minus), err
	}
}

// library returns all predeclared names except sizes. It is built once and frozen.
var library = sync.OnceValue(func() starlark.StringDict {
	d := operatorTable()
	for name, v := range functionTable() {
		d[name] = v
	}
	file, err := (&syntax.FileOptions{}).Parse(preludeName, preludeText, 0)
	if err == nil {
		err = rewrite(file, false)
	}
	if err != nil {
		panic(err) // it is ours
	}
	code, err := starlark.FileProgram(file, d.Has)
	if err != nil {
		panic(err)
	}
	prelude, err := code.Init(&starlark.Thread{Name: preludeName}, d)
	if err != nil {
		panic(err)
	}
	prelude.Freeze()
	for name, v := range prelude {
		d[name] = v
	}
	for a := range Dir(len(dirNames)) {
		d[dirNames[a]] = direction(a)
	}
	d[ejectName] = eject{}
	return d
})

// reserved reports whether a name is predeclared.
func reserved(name string) bool {
	_, known := library()[name]
	return known || name == "None" || name == "True" || name == "False"
}

// predeclared returns all names that a program can use, with the values of the given sizes. If
// sides is nil, only the names matter.
func (p *Program) predeclared(sides []starlark.Value) starlark.StringDict {
	d := starlark.StringDict{}
	for name, v := range library() {
		d[name] = v
	}
	if p.Family.Kind == AnyNetwork {
		for name, v := range networkFunctions() {
			d[name] = v
		}
	}
	for i, s := range p.Family.Sides {
		if s.Name != "" {
			d[s.Name] = starlark.None
			if sides != nil {
				d[s.Name] = sides[i]
			}
		}
	}
	if name := p.Family.AnyDims; name != "" {
		d[name] = starlark.Tuple(sides)
		if p.Family.Kind == "hypercube" {
			d[name] = starlark.MakeInt(len(sides))
		}
	}
	return d
}
