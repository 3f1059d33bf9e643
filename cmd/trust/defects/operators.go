package defects

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// This file makes the mutants of a file. Each becomes a call that asks whether it is the
// one that is on, so that all of them are compiled at once:
//
//	a < b          boundary: a <= b; likewise <=, >, >=
//	a == b         negated; likewise !=, and conditions that are no comparison
//	a && b         without a; without b; likewise ||
//	a + 1          a; likewise a - 1, a ^ 1
//	a + b          a - b, and the other way round, of integers
//	min(a, b)      max, and the other way round
//	return true    false, and the other way round
//	return x       not, where the code goes on behind
//	return x, err  no error, where nothing is behind, and err is made by a call
//	x = y          not; likewise x++, x += y and calls for their effect
//	continue       break, and the other way round
//
// "Without a" and "without b" are harder to notice than || for &&: each set of inputs that
// shows one of them shows that, too.

// Mutant is one of them.
type Mutant struct {
	// Name tells it by file, function, rule and text, and by a number where that is there
	// more than once.
	Name string
	Line int
}

// mutator makes the mutants of a package, a file after the other.
type mutator struct {
	fset *token.FileSet
	info *types.Info
	list []Mutant
	seen map[string]int // by name without number

	// of the file at hand:
	name     string
	text     string
	function string
	edits    *edits
	last     map[ast.Stmt]bool // statements that a function ends with
	inside   []ast.Node        // loops, switches and functions, the innermost last
}

// file makes the mutants of a file, and returns its text with all of them.
func (m *mutator) file(name, text string, f *ast.File) string {
	m.name, m.text, m.edits = name, text, &edits{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Name.Name == "String" || fn.Name.Name == "Error" {
			continue
		}
		m.function, m.inside, m.last = fn.Name.Name, nil, map[ast.Stmt]bool{}
		m.endsWith(fn.Body)
		m.walk(fn.Body)
	}
	return m.edits.apply(text)
}

func (m *mutator) offset(p token.Pos) int { return m.fset.Position(p).Offset }

// add notes a mutant and returns its number.
func (m *mutator) add(rule string, n ast.Node) int {
	what := strings.Join(strings.Fields(m.text[m.offset(n.Pos()):m.offset(n.End())]), " ")
	if r := []rune(what); len(r) > 90 {
		what = string(r[:90]) + "…"
	}
	name := fmt.Sprintf("%s %s: %s: %s", m.name, m.function, rule, what)
	if m.seen[name]++; m.seen[name] > 1 {
		name += fmt.Sprintf(" (%d)", m.seen[name])
	}
	m.list = append(m.list, Mutant{name, m.fset.Position(n.Pos()).Line})
	return len(m.list) - 1
}

// wrap puts text before and behind a node.
func (m *mutator) wrap(n ast.Node, before, behind string) {
	m.edits.wrap(m.offset(n.Pos()), m.offset(n.End()), before, behind)
}

// endsWith notes the statements that a function ends with: a return among them cannot be
// left out.
func (m *mutator) endsWith(s ast.Stmt) {
	m.last[s] = true
	switch s := s.(type) {
	case *ast.BlockStmt:
		if len(s.List) > 0 {
			m.endsWith(s.List[len(s.List)-1])
		}
	case *ast.IfStmt:
		m.endsWith(s.Body)
		if s.Else != nil {
			m.endsWith(s.Else)
		}
	case *ast.SwitchStmt:
		m.clausesEnd(s.Body)
	case *ast.TypeSwitchStmt:
		m.clausesEnd(s.Body)
	case *ast.LabeledStmt:
		m.endsWith(s.Stmt)
	}
}

func (m *mutator) clausesEnd(b *ast.BlockStmt) {
	for _, c := range b.List {
		if list := c.(*ast.CaseClause).Body; len(list) > 0 {
			m.endsWith(list[len(list)-1])
		}
	}
}

// walk makes the mutants of a node and of what is in it, outer ones first.
func (m *mutator) walk(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			last, inside := m.last, m.inside
			m.last, m.inside = map[ast.Stmt]bool{}, nil
			m.endsWith(n.Body)
			m.walk(n.Body)
			m.last, m.inside = last, inside
			return false
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if n == root {
				break
			}
			m.inside = append(m.inside, n)
			m.statement(n.(ast.Stmt))
			m.walk(n)
			m.inside = m.inside[:len(m.inside)-1]
			return false
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.BlockStmt:
			m.block(n.List)
		case *ast.CaseClause:
			m.block(n.Body)
		case *ast.IfStmt:
			m.condition(n.Cond)
		case *ast.ReturnStmt:
			m.returned(n)
		case *ast.BranchStmt:
			m.branch(n)
		case *ast.BinaryExpr:
			m.binary(n)
		case *ast.CallExpr:
			m.call(n)
		}
		return true
	})
}

// statement is for statements that walk leaves to a walk of their own.
func (m *mutator) statement(ast.Stmt) {}

// block makes the mutants that leave out a statement.
func (m *mutator) block(list []ast.Stmt) {
	for _, s := range list {
		rule := ""
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE && !blank(s.Lhs) {
				rule = "no assignment"
			}
		case *ast.IncDecStmt:
			rule = "no assignment"
		case *ast.ExprStmt:
			if c, ok := s.X.(*ast.CallExpr); ok && !named(c.Fun, "panic") {
				rule = "no call"
			}
		case *ast.ReturnStmt:
			if !m.last[s] {
				rule = "no return"
			}
		}
		if rule != "" {
			m.wrap(s, fmt.Sprintf("if !mutantOn(%d) { ", m.add(rule, s)), " }")
		}
	}
}

func blank(list []ast.Expr) bool {
	for _, e := range list {
		if !named(e, "_") {
			return false
		}
	}
	return true
}

func named(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// condition negates a condition of if that holds no comparison at its top.
func (m *mutator) condition(c ast.Expr) {
	if _, ok := c.(*ast.BinaryExpr); !ok {
		m.wrap(c, "((", fmt.Sprintf(") != mutantOn(%d))", m.add("negated", c)))
	}
}

// returned changes what is returned.
func (m *mutator) returned(r *ast.ReturnStmt) {
	for i, x := range r.Results {
		switch c, isCall := x.(*ast.CallExpr); {
		case named(x, "true"), named(x, "false"):
			m.wrap(x, "(", fmt.Sprintf(" != mutantOn(%d))", m.add("negated", r)))
		case isCall && i == len(r.Results)-1 && m.last[r] && m.isError(c):
			m.wrap(x, fmt.Sprintf("mutantNoError(%d, ", m.add("no error", r)), ")")
		}
	}
}

func (m *mutator) isError(e ast.Expr) bool {
	t := m.info.TypeOf(e)
	return t != nil && t.String() == "error"
}

// branch makes break of continue, and the other way round, in a loop that ends by itself.
func (m *mutator) branch(b *ast.BranchStmt) {
	if b.Label != nil || len(m.inside) == 0 {
		return
	}
	ends := false
	switch loop := m.inside[len(m.inside)-1].(type) {
	case *ast.ForStmt:
		ends = loop.Cond != nil
	case *ast.RangeStmt:
		ends = true
	}
	switch {
	case ends && b.Tok == token.CONTINUE:
		m.wrap(b, fmt.Sprintf("if mutantOn(%d) { break }; ", m.add("break", b)), "")
	case ends && b.Tok == token.BREAK:
		m.wrap(b, fmt.Sprintf("if mutantOn(%d) { continue }; ", m.add("continue", b)), "")
	}
}

// comparisons has the functions that compare, on request with the other boundary.
var comparisons = map[token.Token]string{token.LSS: "mutantLess", token.LEQ: "mutantAtMost", token.GTR: "mutantMore", token.GEQ: "mutantAtLeast"}

func (m *mutator) binary(b *ast.BinaryExpr) {
	if v, ok := m.info.Types[b]; ok && v.Value != nil {
		return // a constant
	}
	switch b.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		m.function2(b, comparisons[b.Op], "boundary")
	case token.EQL, token.NEQ:
		m.wrap(b, "((", fmt.Sprintf(") != mutantOn(%d))", m.add("negated", b)))
	case token.LAND:
		m.wrap(b.X, fmt.Sprintf("(mutantOn(%d) || (", m.add("without "+m.short(b.X), b)), "))")
		m.wrap(b.Y, fmt.Sprintf("(mutantOn(%d) || (", m.add("without "+m.short(b.Y), b)), "))")
	case token.LOR:
		m.wrap(b.X, fmt.Sprintf("(!mutantOn(%d) && (", m.add("without "+m.short(b.X), b)), "))")
		m.wrap(b.Y, fmt.Sprintf("(!mutantOn(%d) && (", m.add("without "+m.short(b.Y), b)), "))")
	case token.ADD, token.SUB:
		m.sum(b)
	case token.XOR:
		if v := m.info.Types[b.Y]; v.Value != nil {
			m.function2(b, "mutantXor", "left alone")
		}
	}
}

// sum drops a constant, or changes the sign.
func (m *mutator) sum(b *ast.BinaryExpr) {
	t, ok := m.info.TypeOf(b).Underlying().(*types.Basic)
	if !ok || t.Info()&types.IsInteger == 0 {
		return
	}
	what := map[token.Token]string{token.ADD: "mutantPlus", token.SUB: "mutantMinus"}[b.Op]
	switch {
	case m.info.Types[b.Y].Value != nil:
		m.function2(b, what+"Nothing", "left alone")
	default:
		m.function2(b, what, "sign")
	}
}

// function2 turns a binary expression into the call of a function.
func (m *mutator) function2(b *ast.BinaryExpr, name, rule string) {
	m.wrap(b, fmt.Sprintf("%s(%d, ", name, m.add(rule, b)), ")")
	m.edits.replace(m.offset(b.OpPos), len(b.Op.String()), ",")
}

// short is the text of an expression, cut.
func (m *mutator) short(e ast.Expr) string {
	text := strings.Join(strings.Fields(m.text[m.offset(e.Pos()):m.offset(e.End())]), " ")
	if r := []rune(text); len(r) > 50 {
		return string(r[:50]) + "…"
	}
	return text
}

// call exchanges min and max.
func (m *mutator) call(c *ast.CallExpr) {
	id, ok := c.Fun.(*ast.Ident)
	if !ok || len(c.Args) != 2 {
		return
	}
	if _, builtin := m.info.Uses[id].(*types.Builtin); !builtin || id.Name != "min" && id.Name != "max" {
		return
	}
	n := m.add("the other", c)
	name := map[string]string{"min": "mutantMin", "max": "mutantMax"}[id.Name]
	m.edits.replace(m.offset(id.Pos()), len(id.Name), name)
	m.edits.wrap(m.offset(c.Args[0].Pos()), m.offset(c.Args[0].Pos()), fmt.Sprintf("%d, ", n), "")
}
