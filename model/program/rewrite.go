package program

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file replaces every operator of a program by a call of this package. It refuses anything
// that a routing program may not use, with its position.
//
// Reason: the interpreter answers symbol == 3 with False without asking the symbol, because the
// types differ. The same holds within tuples, for "in", and for keys of dictionaries. Moreover
// forty steps of x + x create a list without a practical bound. After the rewriting the
// interpreter executes no operator, index or dictionary itself. It only asks for the truth of
// values ("if", "and", "or", "not", conditional expressions), which a symbol can answer.
//
// The called function is an identifier that no program can spell: "<", "[]", "{}".

// operators maps tokens of the syntax tree to names of functions.
var operators = map[syntax.Token]string{
	syntax.PLUS: "+", syntax.MINUS: "-", syntax.STAR: "*", syntax.SLASHSLASH: "//", syntax.PERCENT: "%",
	syntax.EQL: "==", syntax.NEQ: "!=", syntax.LT: "<", syntax.LE: "<=", syntax.GT: ">", syntax.GE: ">=",
	syntax.IN: "in", syntax.NOT_IN: "not in",
}

// attributes are the attributes that a program may use.
var attributes = append([]string{"append", "dir", "dim", "sign", "vc", "wrap"}, coordinateNames...)

// networkAttributes are further attributes of programs for any network. Besides, such a program can use any name that is not a
// method of the interpreter's own types, as the name of an attribute of switches.
var networkAttributes = append([]string{"back", "id", "name", "number", "port", "prev", "to"}, attributes...)

// methods are the methods of the interpreter's types. They would not count the elements that they create.
var methods = slices.Concat(starlark.NewList(nil).AttrNames(), starlark.NewDict(0).AttrNames(), starlark.String("").AttrNames())

type rewriter struct {
	anyNetwork bool
	err        error
}

// rewrite rewrites a file in place. It fails if the program uses something that is not
// available. anyNetwork is true for programs for any network.
func rewrite(file *syntax.File, anyNetwork bool) error {
	r := &rewriter{anyNetwork: anyNetwork}
	r.stmts(file.Stmts)
	return r.err
}

func (r *rewriter) refuse(n syntax.Node, format string, args ...any) {
	if r.err == nil {
		start, _ := n.Span()
		r.err = at(start, "%s", fmt.Sprintf(format, args...))
	}
}

// call returns a call of function name at position pos.
func call(name string, pos syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: &syntax.Ident{Name: name, NamePos: pos}, Lparen: pos, Args: args, Rparen: pos}
}

func (r *rewriter) stmts(list []syntax.Stmt) {
	for i, s := range list {
		list[i] = r.stmt(s)
	}
}

func (r *rewriter) stmt(s syntax.Stmt) syntax.Stmt {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return r.assign(s)
	case *syntax.BranchStmt:
	case *syntax.DefStmt:
		r.params(s.Params)
		r.stmts(s.Body)
	case *syntax.ExprStmt:
		s.X = r.expr(s.X)
	case *syntax.ForStmt:
		r.target(s.Vars)
		s.X = r.expr(s.X)
		r.stmts(s.Body)
	case *syntax.IfStmt:
		s.Cond = r.expr(s.Cond)
		r.stmts(s.True)
		r.stmts(s.False)
	case *syntax.ReturnStmt:
		if s.Result != nil {
			s.Result = r.expr(s.Result)
		}
	case *syntax.WhileStmt:
		r.refuse(s, "while is not available: loops run over lists and ranges")
	case *syntax.LoadStmt:
		r.refuse(s, "load is not available: a program is one file")
	default:
		r.refuse(s, "a statement of this kind is not available")
	}
	return s
}

// assign rewrites a += b to an assignment and a[i] = b to a call.
func (r *rewriter) assign(s *syntax.AssignStmt) syntax.Stmt {
	s.RHS = r.expr(s.RHS)
	if s.Op != syntax.EQ {
		op, known := map[syntax.Token]string{
			syntax.PLUS_EQ: "+=", syntax.MINUS_EQ: "-", syntax.STAR_EQ: "*", syntax.SLASHSLASH_EQ: "//", syntax.PERCENT_EQ: "%",
		}[s.Op]
		x, name := s.LHS.(*syntax.Ident)
		if !known || !name {
			r.refuse(s, "%s is available for names and the operators += -= *= //= %%= only", s.Op)
			return s
		}
		s.Op, s.RHS = syntax.EQ, call(op, s.OpPos, &syntax.Ident{Name: x.Name, NamePos: x.NamePos}, s.RHS)
		return s
	}
	if x, ok := s.LHS.(*syntax.IndexExpr); ok {
		return &syntax.ExprStmt{X: call("[]=", s.OpPos, r.expr(x.X), r.expr(x.Y), s.RHS)}
	}
	r.target(s.LHS)
	return s
}

// target checks the left side of an assignment: names, tuples and lists of names.
func (r *rewriter) target(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Ident:
	case *syntax.ParenExpr:
		r.target(x.X)
	case *syntax.TupleExpr:
		for _, y := range x.List {
			r.target(y)
		}
	case *syntax.ListExpr:
		for _, y := range x.List {
			r.target(y)
		}
	default:
		r.refuse(x, "only names, and tuples of names, can be assigned to here")
	}
}

// params checks parameters: names, optionally with a default.
func (r *rewriter) params(list []syntax.Expr) {
	for _, p := range list {
		switch p := p.(type) {
		case *syntax.Ident:
		case *syntax.BinaryExpr: // name = default
			p.Y = r.expr(p.Y)
		default:
			r.refuse(p, "parameters are names, optionally with a default; *args is not available")
		}
	}
}

func (r *rewriter) exprs(list []syntax.Expr) {
	for i, x := range list {
		list[i] = r.expr(x)
	}
}

func (r *rewriter) expr(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.Ident:
	case *syntax.Literal:
		if x.Token == syntax.FLOAT || x.Token == syntax.BYTES {
			r.refuse(x, "%s is not available: numbers are whole", x.Raw)
		}
	case *syntax.ParenExpr:
		x.X = r.expr(x.X)
	case *syntax.BinaryExpr:
		return r.binary(x)
	case *syntax.UnaryExpr:
		return r.unary(x)
	case *syntax.CallExpr:
		r.call(x)
	case *syntax.CondExpr:
		x.Cond, x.True, x.False = r.expr(x.Cond), r.expr(x.True), r.expr(x.False)
	case *syntax.Comprehension:
		r.comprehension(x)
	case *syntax.DictExpr:
		var args []syntax.Expr
		for _, e := range x.List {
			e := e.(*syntax.DictEntry)
			args = append(args, r.expr(e.Key), r.expr(e.Value))
		}
		// The entries are one list, because a call has at most 255 arguments.
		return call("{}", x.Lbrace, &syntax.ListExpr{Lbrack: x.Lbrace, List: args, Rbrack: x.Rbrace})
	case *syntax.DotExpr:
		known := attributes
		if r.anyNetwork {
			known = networkAttributes
		}
		if !slices.Contains(known, x.Name.Name) && !(r.anyNetwork && !slices.Contains(methods, x.Name.Name)) {
			r.refuse(x.Name, "no attribute %s; known are %s", x.Name.Name, strings.Join(known, ", "))
		}
		x.X = r.expr(x.X)
	case *syntax.IndexExpr:
		return call("[]", x.Lbrack, r.expr(x.X), r.expr(x.Y))
	case *syntax.LambdaExpr:
		r.params(x.Params)
		x.Body = r.expr(x.Body)
	case *syntax.ListExpr:
		r.exprs(x.List)
	case *syntax.TupleExpr:
		r.exprs(x.List)
	case *syntax.SliceExpr:
		r.refuse(x, "slices are not available")
	default:
		r.refuse(x, "an expression of this kind is not available")
	}
	return x
}

func (r *rewriter) binary(x *syntax.BinaryExpr) syntax.Expr {
	x.X, x.Y = r.expr(x.X), r.expr(x.Y)
	if x.Op == syntax.AND || x.Op == syntax.OR {
		return x // these operators only ask for truth
	}
	op, ok := operators[x.Op]
	if !ok {
		r.refuse(x, "operator %s is not available; known are + - * // %% == != < <= > >= in, not in, and, or, not", x.Op)
		return x
	}
	return call(op, x.OpPos, x.X, x.Y)
}

func (r *rewriter) unary(x *syntax.UnaryExpr) syntax.Expr {
	if x.X != nil {
		x.X = r.expr(x.X)
	}
	switch x.Op {
	case syntax.NOT:
		return x // this operator only asks for truth
	case syntax.MINUS:
		return call("-x", x.OpPos, x.X)
	case syntax.PLUS:
		return call("+x", x.OpPos, x.X)
	}
	r.refuse(x, "operator %s is not available", x.Op)
	return x
}

func (r *rewriter) call(x *syntax.CallExpr) {
	x.Fn = r.expr(x.Fn)
	for i, arg := range x.Args {
		switch a := arg.(type) {
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ { // name = value
				a.Y = r.expr(a.Y)
				continue
			}
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				r.refuse(a, "*args is not available")
				continue
			}
		}
		x.Args[i] = r.expr(arg)
	}
}

func (r *rewriter) comprehension(x *syntax.Comprehension) {
	if x.Curly {
		r.refuse(x, "comprehensions make lists only")
		return
	}
	x.Body = r.expr(x.Body)
	for _, c := range x.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			r.target(c.Vars)
			c.X = r.expr(c.X)
		case *syntax.IfClause:
			c.Cond = r.expr(c.Cond)
		}
	}
}

// mentions reports whether an identifier occurs in a file.
func mentions(file *syntax.File, name string) (found bool) {
	syntax.Walk(file, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		found = found || ok && id.Name == name
		return true
	})
	return found
}
