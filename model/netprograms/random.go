// Package netprograms makes random routing programs for any network, for tests. The programs have loops with several returns,
// lists from comprehensions and appends with several paths, loops over such lists, tests on lists, and counters.
//
// Read first: random.go, graphs.go.
package netprograms

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Options choose what random programs use. The zero value is one VC and switches without attributes.
type Options struct {
	VCs        int      // defaults to 1
	Attributes []string // integers of switches
	Tree       bool     // functions about the spanning tree
	Shape      Shape
}

// Shape is what a program does beside random statements.
type Shape int

const (
	Free     Shape = iota // nothing
	Complete              // it is for complete networks, and a loop finds the destination
	Shortest              // it takes shortest paths, and selects among the next hops
	Descent               // it goes up and down the spanning tree, and a loop finds the child on the path
)

// maker makes one program.
type maker struct {
	*rand.Rand
	o     Options
	lines []string
	names int
	loops int // that enclose the statement
}

// Random returns the text of a program.
func Random(r *rand.Rand, o Options) string {
	o.VCs = max(o.VCs, 1)
	o.Tree = o.Tree && o.Shape != Complete && o.Shape != Shortest || o.Shape == Descent
	m := &maker{Rand: r, o: o}
	m.line(0, "family = network()")
	m.line(0, "vcs = %d", o.VCs)
	helper := o.Shape == Free && m.IntN(3) == 0
	if helper {
		m.helper()
	}
	m.line(0, "")
	m.line(0, "def route(cur, dst, inp):")
	if o.Shape != Free {
		m.shaped()
		return strings.Join(m.lines, "\n") + "\n"
	}
	for range 1 + m.IntN(3) {
		m.statement(1, helper)
	}
	m.line(1, "return %s", m.result("cur", helper))
	return strings.Join(m.lines, "\n") + "\n"
}

func (m *maker) line(depth int, format string, args ...any) {
	m.lines = append(m.lines, strings.Repeat("    ", depth)+fmt.Sprintf(format, args...))
}

func (m *maker) pick(list ...string) string { return list[m.IntN(len(list))] }

// name returns a name that the program does not use yet.
func (m *maker) name(prefix string) string {
	m.names++
	return fmt.Sprintf("%s%d", prefix, m.names)
}

// helper defines a function that returns a switch near u, or None.
func (m *maker) helper() {
	m.line(0, "")
	m.line(0, "def pick(u, d, inp):")
	m.line(1, "for s in neighbours(u):")
	for range 1 + m.IntN(2) {
		m.line(2, "if %s:", strings.ReplaceAll(strings.ReplaceAll(m.about("s"), "cur", "u"), "dst", "d"))
		m.line(3, "return %s", m.pick("s", "s", "d", "None"))
	}
	m.line(1, "return None")
}

// statement makes one statement of route, with the statements that use its names.
func (m *maker) statement(depth int, helper bool) {
	switch m.IntN(12) {
	case 9:
		m.flag(depth, helper)
	case 10:
		m.measured(depth)
	case 11:
		m.extended(depth)
	case 0:
		m.line(depth, "if %s:", m.here())
		m.line(depth+1, "return %s", m.result("cur", helper))
	case 1, 2:
		m.returning(depth, m.list(), helper)
	case 3:
		name := m.name("l")
		m.line(depth, "%s = %s", name, m.list())
		m.use(depth, name, helper)
	case 4, 5:
		m.use(depth, m.appended(depth), helper)
	case 6:
		m.counter(depth, helper)
	case 7:
		m.nested(depth)
	case 8:
		name := m.name("l")
		m.line(depth, "%s = %s + %s", name, m.list(), m.list())
		m.use(depth, name, helper)
	}
}

// shaped makes the body of route of a program with a shape.
func (m *maker) shaped() {
	if m.o.Shape == Shortest {
		m.shortest()
		return
	}
	if m.o.Shape == Complete {
		m.right(1, "neighbours(cur)", "S == dst")
		m.line(1, "return %s", m.pick("[]", "[]", "[dst]"))
		m.line(0, "")
		m.line(0, "def premise(u, v):")
		m.line(1, "return u == v or v in neighbours(u)")
		return
	}
	m.line(1, "if below(dst, cur):")
	m.line(2, "if [s for s in children(cur) if below(dst, s)]:")
	m.right(3, "children(cur)", "below(dst, S)")
	m.line(2, "return []")
	m.line(1, "return parents(cur)")
}

// right makes a loop that finds a next hop by a condition, among other cases. The loop is over a list or over what an earlier loop or a
// comprehension makes of it.
func (m *maker) right(depth int, list, condition string) {
	cases := []string{condition}
	for range 1 + m.IntN(2) {
		cases = append(cases, m.rare("S"))
	}
	m.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	other := m.pick("[]", "parents(cur)", "[S]", "[S]", "neighbours(cur)")
	if !m.o.Tree {
		other = m.pick("[]", "[S]", "[S]", "neighbours(cur)")
	}
	in := func(text, s string) string { return strings.ReplaceAll(text, "S", s) }
	switch m.IntN(3) {
	case 0:
		m.line(depth, "for s in %s:", list)
		for _, c := range cases {
			m.line(depth+1, "if %s:", in(c, "s"))
			if c == condition {
				m.line(depth+2, "return [s]")
			} else {
				m.line(depth+2, "return %s", in(other, "s"))
			}
		}
	case 1:
		m.line(depth, "l = []")
		m.line(depth, "for s in %s:", list)
		for k, c := range cases {
			m.line(depth+1, "%s %s:", []string{"if", "elif"}[min(k, 1)], in(c, "s"))
			m.line(depth+2, "l.append(%s)", map[bool]string{true: "s", false: m.pick("cur", "s")}[c == condition])
		}
		m.line(depth, "for s in l:")
		m.line(depth+1, "return %s if s == cur else [s]", in(other, "s"))
	case 2:
		m.line(depth, "l = [[s] if %s else %s for s in %s if %s]", in(condition, "s"), in(other, "s"), list, in(strings.Join(cases, " or "), "s"))
		m.line(depth, "for x in l:")
		m.line(depth+1, "return x")
	}
}

// rare returns a condition that few switches satisfy.
func (m *maker) rare(s string) string {
	if m.o.Tree {
		return fmt.Sprintf(m.pick("depth(%s) == %d", "%s.id == %d", "depth(%s) > %d"), s, 1+m.IntN(6))
	}
	return fmt.Sprintf(m.pick("%s.id == %d", "%s.id == %d", "%s.id > %d"), s, 1+m.IntN(6))
}

// returning makes a loop over a list of switches that returns.
func (m *maker) returning(depth int, list string, helper bool) {
	s := m.name("s")
	m.line(depth, "for %s in %s:", s, list)
	m.loops++
	for k := range 1 + m.IntN(3) {
		word := "if"
		if k > 0 && m.IntN(2) == 0 {
			word = "elif"
		}
		m.line(depth+1, "%s %s:", word, m.about(s))
		switch {
		case k > 0 && m.IntN(6) == 0:
			m.line(depth+2, "continue")
		default:
			m.line(depth+2, "return %s", m.result(s, helper && m.IntN(4) == 0))
		}
	}
	if m.IntN(6) == 0 {
		m.line(depth+1, "return %s", m.result(s, false))
	}
	m.loops--
}

// use makes statements that use a list of switches.
func (m *maker) use(depth int, name string, helper bool) {
	switch m.IntN(5) {
	case 0:
		m.returning(depth, name, helper)
	case 1:
		m.line(depth, "if %s:", m.test(name))
		m.line(depth+1, "return %s", m.pick("[(s, VC) for s in "+name+"]", name, "[("+name+"[0], VC)]", "["+name+"[-1]]"))
		m.lastVC()
	case 2:
		m.line(depth, "if %s:", m.test(name))
		m.returning(depth+1, name, helper)
	case 3:
		m.line(depth, "if %s:", name)
		m.line(depth+1, "return [%s[%s]]", name, m.pick("0", "-1", "dst.id % len("+name+")"))
	case 4:
		m.line(depth, "for s in %s:", m.pick(name, "reversed("+name+")", "list("+name+")"))
		m.line(depth+1, "return %s", m.result("s", false))
	}
}

// lastVC fills in the VC of the last line.
func (m *maker) lastVC() {
	k := len(m.lines) - 1
	m.lines[k] = strings.ReplaceAll(m.lines[k], "VC", m.vc("s"))
	if !strings.Contains(m.lines[k], "for s in") {
		m.lines[k] = strings.ReplaceAll(m.lines[k], "s.id", "cur.id")
	}
}

func (m *maker) test(name string) string {
	return m.pick(name, "len("+name+") > 0", "len("+name+") != 0", "len("+name+") >= 1", "not "+name, "len("+name+") == 0", "len("+name+") < 1",
		"0 < len("+name+")", "len("+name+") > 1", "len("+name+") == 2", "dst in "+name)
}

// appended makes a loop that appends to a list, and returns its name.
func (m *maker) appended(depth int) string {
	name, s := m.name("l"), m.name("s")
	m.line(depth, "%s = %s", name, m.pick("[]", "[]", "[dst]", "parents_of(cur)"))
	m.fix()
	m.line(depth, "for %s in %s:", s, m.list())
	m.line(depth+1, "if %s:", m.about(s))
	m.line(depth+2, "%s.append(%s)", name, m.pick(s, s, "dst"))
	if m.IntN(2) == 0 {
		m.line(depth+1, "elif %s:", m.about(s))
		m.line(depth+2, "%s.append(%s)", name, m.pick(s, "dst", "cur"))
	}
	if m.IntN(4) == 0 {
		m.line(depth+1, "if %s:", m.about(s))
		m.line(depth+2, "%s.append(%s)", name, m.pick(s, "dst"))
	}
	return name
}

// fix replaces the lists of trees in programs that use none.
func (m *maker) fix() {
	with := "[s for s in neighbours(cur) if s.id < cur.id]"
	if m.o.Tree {
		with = "parents(cur)"
	}
	k := len(m.lines) - 1
	m.lines[k] = strings.ReplaceAll(m.lines[k], "parents_of(cur)", with)
}

// counter makes a loop that counts, and a test of the number.
func (m *maker) counter(depth int, helper bool) {
	name, s := m.name("n"), m.name("s")
	m.line(depth, "%s = %s", name, m.pick("0", "0", "1", "-1"))
	m.line(depth, "for %s in %s:", s, m.list())
	m.line(depth+1, "if %s:", m.about(s))
	m.line(depth+2, "%s", m.pick(name+" = "+name+" + 1", name+" += 1", name+" += 2"))
	m.line(depth, "if %s:", m.pick(name, name+" > 0", name+" == 0", name+" != 1", name+" >= 2", "not "+name))
	m.line(depth+1, "return %s", m.result("cur", helper))
}

// flag makes a loop that assigns to a name, may break, and a use of the name.
func (m *maker) flag(depth int, helper bool) {
	name, s := m.name("f"), m.name("s")
	values := []string{"True", "True", s, "dst", "1", "None"}
	m.line(depth, "%s = %s", name, m.pick("False", "None", "0", "cur"))
	m.line(depth, "for %s in %s:", s, m.list())
	for range 1 + m.IntN(2) {
		m.line(depth+1, "if %s:", m.about(s))
		m.line(depth+2, "%s = %s", name, m.pick(values...))
		if m.IntN(3) == 0 {
			m.line(depth+2, "break")
		}
	}
	m.line(depth, "if %s:", m.pick(name, "not "+name, name+" == dst", name+" != None"))
	m.line(depth+1, "return %s", m.pick("["+name+"]", m.result("cur", helper)))
}

// measured makes a test of the length that a list had before an append.
func (m *maker) measured(depth int) {
	l, n := m.name("l"), m.name("n")
	m.line(depth, "%s = %s", l, m.list())
	m.line(depth, "%s = len(%s)", n, l)
	m.line(depth, "%s.append(dst)", l)
	m.line(depth, "if %s:", m.pick(n+" == 0", n+" > 0", "len("+l+") > 1", n+" + 1 == len("+l+")", n))
	m.line(depth+1, "return [%s[%s]]", l, m.pick("0", "-1", "dst.id % len("+l+")"))
}

// extended makes a loop that appends to the elements of a list of lists.
func (m *maker) extended(depth int) {
	l, x := m.name("l"), m.name("x")
	m.line(depth, "%s = [[s] for s in %s if %s]", l, m.list(), m.about("s"))
	m.line(depth, "for %s in %s:", x, l)
	m.line(depth+1, "%s.append(%s)", x, m.pick("dst", "cur"))
	m.line(depth, "if %s:", l)
	m.line(depth+1, "return %s[0]", l)
}

// nested makes a loop over a list of lists.
func (m *maker) nested(depth int) {
	l, x, s := m.name("l"), m.name("x"), m.name("s")
	m.line(depth, "%s = [%s for s in %s if %s]", l, m.pick("[s] if %s else []", "[s] if %s else [dst]", "[s, dst] if %s else [s]"), m.list(), m.about("s"))
	k := len(m.lines) - 1
	m.lines[k] = strings.Replace(m.lines[k], "%s", m.about("s"), 1)
	m.line(depth, "for %s in %s:", x, l)
	if m.IntN(2) == 0 {
		m.line(depth+1, "return %s", x)
		return
	}
	m.line(depth+1, "for %s in %s:", s, x)
	m.line(depth+2, "if %s:", m.about(s))
	m.line(depth+3, "return [%s]", s)
}

// list returns an expression whose value is a list of switches.
func (m *maker) list() string {
	base := m.pick("neighbours(cur)", "neighbours(cur)", "[p.to for p in ports(cur)]", "[p.to for p in productive(cur, dst)]", "neighbours(dst)", "switches()")
	if m.o.Tree && m.IntN(2) == 0 {
		base = m.pick("children(cur)", "parents(cur)", "children(dst)")
	}
	switch m.IntN(8) {
	case 0:
		return fmt.Sprintf("[s for s in %s if %s]", base, m.about("s"))
	case 1:
		return fmt.Sprintf("[s if %s else dst for s in %s]", m.about("s"), base)
	case 2:
		return fmt.Sprintf("[t for s in %s for t in ([s] if %s else [dst, s])]", base, m.about("s"))
	case 3:
		return fmt.Sprintf("[t for s in %s if %s for t in neighbours(s) if %s]", base, m.about("s"), m.about("t"))
	}
	return base
}

// result returns an expression whose value is a list of outputs.
func (m *maker) result(s string, helper bool) string {
	if helper {
		return "[s for s in [pick(cur, dst, inp)] if s != None]"
	}
	vc := m.vc(s)
	switch k := m.IntN(10); {
	case s != "cur" && k < 5:
		return fmt.Sprintf("[(%s, %s)]", s, vc)
	case k < 6:
		return "[]"
	case k == 6:
		return fmt.Sprintf("[(p, %s) for p in productive(cur, dst)]", vc)
	case k == 7:
		return "neighbours(cur)"
	case k == 8 && m.o.Tree:
		return "parents(cur)"
	}
	return fmt.Sprintf("[(t, %s) for t in neighbours(cur) if %s]", m.vc("t"), m.about("t"))
}

func (m *maker) vc(s string) string {
	if m.o.VCs < 2 {
		return "0"
	}
	return m.pick("0", "1", "inp.vc", "1 if inp.port else 0", "1 if "+s+".id > cur.id else 0")
}

// about returns a condition on switch s.
func (m *maker) about(s string) string {
	list := []string{"s == dst", "s == dst", "s != inp.prev", "s.id > cur.id", "s.id < dst.id", "s.id == K", "s.id > K",
		"distance(s, dst) < distance(cur, dst)",
		"distance(s, dst) == 1", "dst in neighbours(s)", "any([t.id > s.id for t in neighbours(s)])", "len([t for t in neighbours(s) if t.id < s.id]) > 0",
		"inp.prev == None", "cur.id < dst.id"}
	for _, a := range m.o.Attributes {
		list = append(list, "s."+a+" == dst."+a, "s."+a+" < cur."+a, "s."+a+" == K")
	}
	if m.o.Tree {
		list = append(list, "below(dst, s)", "below(dst, s)", "below(s, cur)", "depth(s) < depth(cur)", "depth(s) == K",
			"spread(s) > spread(cur)", "s in children(cur)")
	}
	text := m.pick(list...)
	if m.IntN(4) == 0 {
		text += m.pick(" and ", " or ") + m.pick(list...)
	}
	text = strings.ReplaceAll(text, "K", fmt.Sprint(1+m.IntN(6)))
	return strings.NewReplacer("(s)", "("+s+")", "(s,", "("+s+",", ", s)", ", "+s+")", "s.", s+".", "s ==", s+" ==",
		"s !=", s+" !=", "s in", s+" in").Replace(text)
}

// here returns a condition on the packet.
func (m *maker) here() string {
	list := []string{"dst in neighbours(cur)", "inp.prev == None", "inp.port", "cur.id < dst.id", "distance(cur, dst) > 1",
		"[s for s in neighbours(cur) if " + m.about("s") + "]", "len([s for s in neighbours(cur) if " + m.about("s") + "]) > 0"}
	if m.o.VCs > 1 {
		list = append(list, "inp.vc == 1")
	}
	if m.o.Tree {
		list = append(list, "below(dst, cur)", "below(dst, cur)", "parents(cur)")
	}
	return m.pick(list...)
}
