package runs

import (
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/syntax"
)

// This file executes statements. Each function returns all cases in which it can end.

// state is what a case knows and has computed. A state does not change: each change makes another one.
type state struct {
	known   []*Condition
	facts   map[string]bool // conditions by their keys
	least   map[string]int64
	most    map[string]int64 // bounds of forms
	frames  map[int]map[string]any
	lists   map[int]*seq
	frozen  map[int]bool // lists that may not change
	inner   bool         // within a loop over a bag
	mark    int          // lists below are from outside of the innermost such loop
	effects []effect
	line    int          // of the return that ends the function
	chosen  int          // the line where any element of a list was taken, 0 if none
	reads   map[int]bool // lists from outside that the loop reads; shared by all its cases
	work    int
}

// effect is what a loop over a bag appends to a list from outside.
type effect struct {
	list  int
	added *seq
}

// How a statement ends.
type ending int

const (
	goesOn ending = iota
	returns
	breaks
	continues
)

// result is a case in which an evaluation or execution ends.
type result struct {
	*state
	value any
	how   ending
	err   error
}

// Limits of a run.
const (
	mostResults = 20_000
	mostWork    = 20_000
	mostTerms   = 1 << 15
	mostNumber  = 1 << 40
)

// limit is the panic of a run that is too large.
type limit struct{ error }

// machine executes a program.
type machine struct {
	parent   map[int]int // by frame
	names    map[int]map[string]bool
	frames   int
	lists    int
	terms    Term
	total    int
	pure     bool // the run defines a condition: it may not choose
	created  bool // the packet has just been created
	vc       int
	calls    []string
	attrs    func(name string) bool
	defaults map[string]any
}

func (s *state) fork() *state {
	t := *s
	t.known, t.effects = slices.Clip(s.known), slices.Clip(s.effects)
	return &t
}

// with returns the state with a value of a name.
func (s *state) with(frame int, name string, v any) *state {
	t := s.fork()
	t.frames = maps.Clone(s.frames)
	t.frames[frame] = maps.Clone(s.frames[frame])
	if t.frames[frame] == nil {
		t.frames[frame] = map[string]any{}
	}
	t.frames[frame][name] = v
	return t
}

// put returns the state with contents of a list.
func (s *state) put(list int, contents *seq) *state {
	t := s.fork()
	t.lists = maps.Clone(s.lists)
	if t.lists == nil {
		t.lists = map[int]*seq{}
	}
	t.lists[list] = contents
	return t
}

// extend returns the state with more elements of a list. Within a loop over a bag, this is an effect if the list is from outside.
func (s *state) extend(list int, added *seq) *state {
	if s.inner && list <= s.mark {
		t := s.fork()
		t.effects = append(t.effects, effect{list, added})
		return t
	}
	return s.put(list, &seq{slices.Concat(s.lists[list].items, added.items)})
}

// noteRead notes that a loop over a bag reads a list from outside.
func (s *state) noteRead(list int) {
	if s.inner && list <= s.mark {
		s.reads[list] = true
	}
}

func (s *state) freeze(list int) *state {
	t := s.fork()
	t.frozen = maps.Clone(s.frozen)
	if t.frozen == nil {
		t.frozen = map[int]bool{}
	}
	t.frozen[list] = true
	return t
}

func done(s *state, v any) []result { return []result{{state: s, value: v}} }

func fails(s *state, at syntax.Node, format string, args ...any) []result {
	text := fmt.Sprintf(format, args...)
	if at != nil {
		start, _ := at.Span()
		text = fmt.Sprintf("line %d: %s", start.Line, text)
	}
	return []result{{state: s, err: fmt.Errorf("%s", text)}}
}

// then continues each case that has not failed.
func then(list []result, next func(*state, any) []result) (out []result) {
	for _, r := range list {
		if r.err != nil {
			out = append(out, r)
			continue
		}
		out = append(out, next(r.state, r.value)...)
	}
	return out
}

// split continues with true where a condition holds, and with false where it does not.
func (m *machine) split(s *state, c *Condition, next func(*state, bool) []result) (out []result) {
	if t := s.assume(c); t != nil {
		out = next(t, true)
	}
	if t := s.assume(not(c)); t != nil {
		out = append(out, next(t, false)...)
	}
	m.spend(len(out))
	return out
}

// either returns the result of split as a bool.
func (m *machine) either(s *state, c *Condition) []result {
	return m.split(s, c, func(s *state, b bool) []result { return done(s, b) })
}

func (m *machine) spend(results int) {
	if results > mostResults {
		panic(limit{fmt.Errorf("more than %d paths", mostResults)})
	}
	if m.total++; m.total > 100*mostResults {
		panic(limit{fmt.Errorf("the runs have more than %d steps", 100*mostResults)})
	}
}

func (m *machine) fresh() Term {
	if m.terms++; m.terms > mostTerms {
		panic(limit{fmt.Errorf("more than %d switches", mostTerms)})
	}
	return m.terms - 1
}

// newList returns a list with these contents.
func (m *machine) newList(s *state, contents *seq) (*state, ref) {
	m.lists++
	return s.put(m.lists, contents), ref(m.lists)
}

// chooses returns why a run may not choose freely in a state, or "".
func (m *machine) chooses(s *state) string {
	if m.pure || s.inner {
		return "one of an unknown number of elements is selected in a condition or within another loop, which is not supported"
	}
	return ""
}

// block executes statements.
func (m *machine) block(s *state, frame int, list []syntax.Stmt) []result {
	if len(list) == 0 {
		return done(s, nil)
	}
	var out []result
	for _, r := range m.statement(s, frame, list[0]) {
		if r.err != nil || r.how != goesOn {
			out = append(out, r)
			continue
		}
		out = append(out, m.block(r.state, frame, list[1:])...)
	}
	m.spend(len(out))
	return out
}

func ends(list []result, how ending) []result {
	for i := range list {
		list[i].how = how
	}
	return list
}

// at notes the line of a return.
func at(list []result, x syntax.Node) []result {
	start, _ := x.Span()
	for i := range list {
		list[i].state = list[i].fork()
		list[i].line = int(start.Line)
	}
	return list
}

func (m *machine) statement(s *state, frame int, x syntax.Stmt) []result {
	s = s.fork()
	if s.work++; s.work > mostWork {
		return fails(s, x, "more than %d steps", mostWork)
	}
	switch x := x.(type) {
	case *syntax.DefStmt:
		return done(s.with(frame, x.Name.Name, &closure{x, frame}), nil)
	case *syntax.ReturnStmt:
		if x.Result == nil {
			return ends(done(s, nil), returns)
		}
		return at(ends(m.eval(s, frame, x.Result), returns), x)
	case *syntax.IfStmt:
		return then(m.test(s, frame, x.Cond), func(s *state, v any) []result {
			if v.(bool) {
				return m.block(s, frame, x.True)
			}
			return m.block(s, frame, x.False)
		})
	case *syntax.ForStmt:
		return then(m.eval(s, frame, x.X), func(s *state, over any) []result { return m.loop(s, frame, x, over) })
	case *syntax.AssignStmt:
		return m.assignment(s, frame, x)
	case *syntax.ExprStmt:
		return then(m.eval(s, frame, x.X), func(s *state, _ any) []result { return done(s, nil) })
	case *syntax.BranchStmt:
		how := map[syntax.Token]ending{syntax.BREAK: breaks, syntax.CONTINUE: continues, syntax.PASS: goesOn}[x.Token]
		return ends(done(s, nil), how)
	}
	return fails(s, x, "a statement that is not supported")
}

// test evaluates an expression and its truth.
func (m *machine) test(s *state, frame int, x syntax.Expr) []result {
	return then(m.eval(s, frame, x), func(s *state, v any) []result { return m.truth(s, x, v) })
}

var operatorOf = map[syntax.Token]syntax.Token{syntax.PLUS_EQ: syntax.PLUS, syntax.MINUS_EQ: syntax.MINUS, syntax.STAR_EQ: syntax.STAR,
	syntax.SLASHSLASH_EQ: syntax.SLASHSLASH, syntax.PERCENT_EQ: syntax.PERCENT}

// assignment executes x = y, x op= y and x[i] = y.
func (m *machine) assignment(s *state, frame int, x *syntax.AssignStmt) []result {
	if at, ok := x.LHS.(*syntax.IndexExpr); ok && x.Op == syntax.EQ {
		return then(m.evalAll(s, frame, []syntax.Expr{at.X, at.Y, x.RHS}), func(s *state, v any) []result {
			a := v.([]any)
			return m.set(s, x, a[0], a[1], a[2])
		})
	}
	if x.Op == syntax.EQ {
		return then(m.eval(s, frame, x.RHS), func(s *state, v any) []result { return m.assign(s, frame, x.LHS, v) })
	}
	op, ok := operatorOf[x.Op]
	if _, isName := x.LHS.(*syntax.Ident); !ok || !isName {
		return fails(s, x, "an assignment that is not supported")
	}
	return then(m.evalAll(s, frame, []syntax.Expr{x.LHS, x.RHS}), func(s *state, v any) []result {
		a := v.([]any)
		if l, ok := a[0].(ref); ok && op == syntax.PLUS {
			more, ok := m.contents(s, a[1])
			if !ok {
				return fails(s, x, "a list can be extended by a list only")
			}
			if why := m.fixedList(s, l); why != "" {
				return fails(s, x, "%s", why)
			}
			return done(s.put(int(l), &seq{slices.Concat(s.lists[int(l)].items, more.items)}), nil)
		}
		return then(m.arithmetic(s, x, op, a[0], a[1]), func(s *state, v any) []result { return m.assign(s, frame, x.LHS, v) })
	})
}

// fixedList returns why a list may not be changed other than by append, or "".
func (m *machine) fixedList(s *state, l ref) string {
	switch {
	case s.frozen[int(l)]:
		return "a list of the top level, within another list, or in a loop over it, is changed"
	case s.inner && int(l) <= s.mark:
		return "a change of a list within a loop over an unknown number of elements is not supported; append is"
	}
	return ""
}

// set executes list[at] = v.
func (m *machine) set(s *state, x syntax.Node, list, at, v any) []result {
	l, ok := list.(ref)
	if !ok {
		return fails(s, x, "only elements of lists can be assigned to")
	}
	if why := m.fixedList(s, l); why != "" {
		return fails(s, x, "%s", why)
	}
	contents := s.lists[int(l)]
	k, ok := at.(int64)
	if n := int64(len(contents.items)); ok && k < 0 {
		k += n
	}
	if !ok || !contents.known() || k < 0 || k >= int64(len(contents.items)) {
		return fails(s, x, "an index that is not a known number within the list")
	}
	items := slices.Clone(contents.items)
	items[k] = item{value: v}
	return done(s.put(int(l), &seq{items}), nil)
}

// assign gives values to names.
func (m *machine) assign(s *state, frame int, target syntax.Expr, v any) []result {
	switch x := target.(type) {
	case *syntax.ParenExpr:
		return m.assign(s, frame, x.X, v)
	case *syntax.Ident:
		return done(s.with(m.owner(frame, x.Name), x.Name, v), nil)
	case *syntax.TupleExpr:
		return m.assignAll(s, frame, x, x.List, v)
	case *syntax.ListExpr:
		return m.assignAll(s, frame, x, x.List, v)
	}
	return fails(s, target, "an assignment that is not supported")
}

func (m *machine) assignAll(s *state, frame int, at syntax.Node, targets []syntax.Expr, v any) []result {
	contents, ok := m.contents(s, v)
	if !ok || !contents.known() || len(contents.items) != len(targets) {
		return fails(s, at, "cannot assign to %d names", len(targets))
	}
	out := done(s, nil)
	for i, t := range targets {
		out = then(out, func(s *state, _ any) []result { return m.assign(s, frame, t, contents.items[i].value) })
	}
	return out
}

// owner returns the frame that binds a name, or -1.
func (m *machine) owner(frame int, name string) int {
	for frame >= 0 && !m.names[frame][name] {
		frame = m.parent[frame]
	}
	return frame
}

// open makes a frame for these names.
func (m *machine) open(parent int, names map[string]bool) int {
	m.frames++
	m.parent[m.frames], m.names[m.frames] = parent, names
	return m.frames
}
