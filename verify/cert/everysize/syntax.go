package everysize

import (
	"fmt"
	"slices"
)

// This file parses a routing program: a part of Starlark without load, lambda, dictionaries,
// slices, default values and named arguments.

// expr is an expression. Kind is the operator, or one of the words below.
type expr struct {
	kind   string // "name", "number", "text", "list", "tuple", "call", "item", "dot", "if", "each", "negative", "positive", or an operator
	text   string // of a name, a text or an attribute
	number int64
	args   []*expr
	each   []clause // of a comprehension
	line   int
}

// clause is "for target in from", or "if from" without a target, of a comprehension.
type clause struct {
	target *expr
	from   *expr
}

// stmt is a statement.
type stmt struct {
	kind   string // "def", "return", "if", "for", "assign", "set", "call", "pass", "break", "continue"
	line   int
	name   string   // of a function
	params []string // of a function
	local  map[string]bool
	target *expr
	op     string // of an assignment: "=" or an operator such as "+"
	value  *expr
	body   []*stmt
	other  []*stmt // of else
}

type parser struct {
	tokens []token
	depth  int
	loops  int // that enclose the statement, within its function
	nested int // functions that enclose the statement
}

// maxNesting bounds the depth of nested expressions and blocks.
const maxNesting = 100

// parse parses a program.
func parse(text string) (list []*stmt, err error) {
	tokens, err := scan(text)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	defer func() {
		if x := recover(); x != nil {
			wrong, ok := x.(syntaxError)
			if !ok {
				panic(x)
			}
			list, err = nil, wrong.error
		}
	}()
	for p.tokens[0].kind != endToken {
		list = append(list, p.statement()...)
	}
	return list, nil
}

// syntaxError ends a parse.
type syntaxError struct{ error }

func (p *parser) fail(format string, args ...any) {
	panic(syntaxError{fmt.Errorf("line %d: %s", p.tokens[0].line, fmt.Sprintf(format, args...))})
}

func (p *parser) next() token {
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

func (p *parser) at(sign string) bool {
	return p.tokens[0].kind == signToken && p.tokens[0].text == sign
}

// take skips a sign if it is next.
func (p *parser) take(sign string) bool {
	if p.at(sign) {
		p.next()
		return true
	}
	return false
}

func (p *parser) want(sign string) {
	if !p.take(sign) {
		p.fail("want %q, got %.20q", sign, p.tokens[0].text)
	}
}

func (p *parser) name() string {
	if p.tokens[0].kind != nameToken {
		p.fail("want a name, got %.20q", p.tokens[0].text)
	}
	return p.next().text
}

// enter counts a level of nesting, until the returned function is called.
func (p *parser) enter() func() {
	if p.depth++; p.depth > maxNesting {
		p.fail("nested more than %d deep", maxNesting)
	}
	return func() { p.depth-- }
}

// statement parses a compound statement, or a line of simple ones.
func (p *parser) statement() []*stmt {
	defer p.enter()()
	s := &stmt{line: p.tokens[0].line}
	switch {
	case p.take("def"):
		return []*stmt{p.function(s)}
	case p.at("if") || p.at("for"):
		if p.nested == 0 {
			p.fail("%s outside a function", p.tokens[0].text)
		}
		if p.take("if") {
			return []*stmt{p.branch(s)}
		}
		p.next()
		s.kind, s.target = "for", p.target()
		p.want("in")
		s.value = p.list()
		p.loops++
		s.body = p.block()
		p.loops--
		return []*stmt{s}
	}
	var list []*stmt
	for {
		list = append(list, p.simple())
		if !p.take(";") || p.tokens[0].kind == lineToken {
			break
		}
	}
	if p.next().kind != lineToken {
		p.fail("the line does not end after a statement")
	}
	return list
}

// branch parses an if statement after its first word.
func (p *parser) branch(s *stmt) *stmt {
	defer p.enter()()
	s.kind, s.value, s.body = "if", p.test(), p.block()
	switch {
	case p.at("elif"):
		deeper := &stmt{line: p.next().line}
		s.other = []*stmt{p.branch(deeper)}
	case p.take("else"):
		s.other = p.block()
	}
	return s
}

// block parses the body of a statement after its head.
func (p *parser) block() (list []*stmt) {
	p.want(":")
	if p.tokens[0].kind != lineToken {
		if p.at("def") || p.at("if") || p.at("for") {
			p.fail("want a simple statement after a colon")
		}
		return p.statement()
	}
	p.next()
	if p.next().kind != indentToken {
		p.fail("want an indented block")
	}
	for p.tokens[0].kind != dedentToken {
		list = append(list, p.statement()...)
	}
	p.next()
	return list
}

func (p *parser) function(s *stmt) *stmt {
	s.kind, s.name = "def", p.name()
	p.want("(")
	for !p.take(")") {
		name := p.name()
		if slices.Contains(s.params, name) {
			p.fail("parameter %q occurs twice", name)
		}
		if s.params = append(s.params, name); !p.at(")") {
			p.want(",")
		}
	}
	loops := p.loops
	p.loops = 0
	p.nested++
	s.body = p.block()
	p.nested--
	p.loops = loops
	s.local = map[string]bool{}
	for _, name := range s.params {
		s.local[name] = true
	}
	bind(s.local, s.body)
	return s
}

// bind adds the names that statements bind, without those of inner functions.
func bind(names map[string]bool, list []*stmt) {
	for _, s := range list {
		switch s.kind {
		case "def":
			names[s.name] = true
		case "for", "assign":
			bindTarget(names, s.target)
		}
		if s.kind != "def" {
			bind(names, s.body)
			bind(names, s.other)
		}
	}
}

func bindTarget(names map[string]bool, x *expr) {
	if x.kind == "name" {
		names[x.text] = true
	}
	for _, y := range x.args {
		bindTarget(names, y)
	}
}

// simple parses a statement of one line.
func (p *parser) simple() *stmt {
	s := &stmt{line: p.tokens[0].line}
	for _, word := range []string{"pass", "break", "continue"} {
		if p.take(word) {
			if s.kind = word; word != "pass" && p.loops == 0 {
				p.fail("%s outside a loop", word)
			}
			return s
		}
	}
	if p.take("return") {
		if s.kind = "return"; p.nested == 0 {
			p.fail("return outside a function")
		}
		if p.tokens[0].kind != lineToken && !p.at(";") {
			s.value = p.list()
		}
		return s
	}
	s.value = p.list()
	for _, op := range []string{"=", "+=", "-=", "*=", "//=", "%="} {
		if !p.take(op) {
			continue
		}
		s.target, s.value = s.value, p.list()
		switch s.op = op[:len(op)-1]; {
		case op == "=" && s.target.kind == "item":
			s.kind = "set"
		case op == "=" && isTarget(s.target) || s.target.kind == "name":
			s.kind = "assign"
		default:
			p.fail("only names, tuples of names, and elements of lists can be assigned to")
		}
		if p.at("=") {
			p.fail("two assignments in one statement")
		}
		return s
	}
	s.kind = "call"
	return s
}

// isTarget reports whether x is a name, or a tuple or list of targets.
func isTarget(x *expr) bool {
	if x.kind == "tuple" || x.kind == "list" {
		return len(x.args) > 0 && !slices.ContainsFunc(x.args, func(y *expr) bool { return !isTarget(y) })
	}
	return x.kind == "name"
}

// target parses the variables of a loop.
func (p *parser) target() *expr {
	var list []*expr
	line, comma := p.tokens[0].line, false
	for {
		x := p.primary()
		if !isTarget(x) {
			p.fail("want names before in")
		}
		list = append(list, x)
		if !p.take(",") {
			break
		}
		comma = true
	}
	if !comma {
		return list[0]
	}
	return &expr{kind: "tuple", args: list, line: line}
}

// list parses an expression, or a tuple without brackets.
func (p *parser) list() *expr {
	x := p.test()
	if !p.at(",") {
		return x
	}
	x = &expr{kind: "tuple", args: []*expr{x}, line: x.line}
	for p.take(",") {
		if p.tokens[0].kind == lineToken || p.at("=") || p.at(":") || p.at(")") {
			p.fail("a tuple without brackets ends with a comma")
		}
		x.args = append(x.args, p.test())
	}
	return x
}

// test parses an expression.
func (p *parser) test() *expr {
	defer p.enter()()
	x := p.binary(0)
	if !p.at("if") {
		return x
	}
	line := p.next().line
	cond := p.binary(0)
	p.want("else")
	return &expr{kind: "if", args: []*expr{cond, x, p.test()}, line: line}
}

// levels are the binary operators by precedence, weak ones first. Level 2 is the prefix "not"; those of level 3 are
// comparisons, of which two do not follow each other.
var levels = [][]string{{"or"}, {"and"}, nil, {"==", "!=", "<", "<=", ">", ">=", "in", "not in"}, {"+", "-"}, {"*", "//", "%"}}

func (p *parser) binary(level int) *expr {
	if level == len(levels) {
		return p.unary()
	}
	if level == 2 {
		if !p.at("not") {
			return p.binary(3)
		}
		defer p.enter()()
		return &expr{kind: "not", line: p.next().line, args: []*expr{p.binary(2)}}
	}
	x := p.binary(level + 1)
	for count := 0; ; count++ {
		op := p.operator(levels[level])
		if op == "" {
			return x
		}
		if level == 3 && count > 0 {
			p.fail("two comparisons in a row")
		}
		line := p.next().line
		if op == "not in" {
			p.want("in")
		}
		x = &expr{kind: op, args: []*expr{x, p.binary(level + 1)}, line: line}
	}
}

// operator returns the operator of a list that is next, or "".
func (p *parser) operator(list []string) string {
	for _, op := range list {
		if p.at(op) || op == "not in" && p.at("not") {
			return op
		}
	}
	return ""
}

func (p *parser) unary() *expr {
	line := p.tokens[0].line
	for sign, kind := range map[string]string{"-": "negative", "+": "positive"} {
		if p.take(sign) {
			defer p.enter()()
			return &expr{kind: kind, args: []*expr{p.unary()}, line: line}
		}
	}
	return p.primary()
}

// primary parses an operand with its calls, indices and attributes.
func (p *parser) primary() *expr {
	x := p.operand()
	for {
		line := p.tokens[0].line
		switch {
		case p.take("("):
			x = &expr{kind: "call", args: append([]*expr{x}, p.items(")")...), line: line}
		case p.take("["):
			x = &expr{kind: "item", args: []*expr{x, p.test()}, line: line}
			p.want("]")
		case p.take("."):
			x = &expr{kind: "dot", text: p.name(), args: []*expr{x}, line: line}
		default:
			return x
		}
	}
}

// items parses expressions up to a closing bracket.
func (p *parser) items(end string) (list []*expr) {
	for !p.take(end) {
		list = append(list, p.test())
		if !p.at(end) {
			p.want(",")
		}
	}
	return list
}

func (p *parser) operand() *expr {
	defer p.enter()()
	t := p.next()
	x := &expr{line: t.line, text: t.text, number: t.number}
	switch {
	case t.kind == nameToken:
		x.kind = "name"
	case t.kind == numberToken:
		x.kind = "number"
	case t.kind == textToken:
		x.kind = "text"
	case t.kind == signToken && t.text == "(":
		return p.round(x)
	case t.kind == signToken && t.text == "[":
		return p.square(x)
	default:
		p.tokens = append([]token{t}, p.tokens...)
		p.fail("%.20q is outside the supported language here", t.text)
	}
	return x
}

// round parses a tuple or an expression in brackets.
func (p *parser) round(x *expr) *expr {
	x.kind = "tuple"
	if p.take(")") {
		return x
	}
	first := p.test()
	if p.take(")") {
		return first
	}
	p.want(",")
	x.args = append([]*expr{first}, p.items(")")...)
	return x
}

// square parses a list or a comprehension.
func (p *parser) square(x *expr) *expr {
	x.kind = "list"
	if p.take("]") {
		return x
	}
	first := p.test()
	if !p.at("for") {
		if !p.at("]") {
			p.want(",")
		}
		x.args = append([]*expr{first}, p.items("]")...)
		return x
	}
	x.kind, x.args = "each", []*expr{first}
	for !p.take("]") {
		c := clause{}
		if p.take("if") {
			c.from = p.binary(0)
		} else {
			p.want("for")
			c.target = p.target()
			p.want("in")
			c.from = p.binary(0)
		}
		x.each = append(x.each, c)
	}
	return x
}
