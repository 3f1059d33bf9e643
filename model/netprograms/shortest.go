package netprograms

// This file makes programs that take shortest paths, and select among the next hops by tests on lists and by counters.

// shortest makes the body of route. With two VCs, paths have up to two hops, and each hop has a VC of its own.
func (m *maker) shortest() {
	m.line(1, "near = [s for s in neighbours(cur) if distance(s, dst) < distance(cur, dst)]")
	for range 1 + m.IntN(2) {
		m.selection()
	}
	m.returned(1, m.pick("near", "near", "near", "[near[0]]", "[]"))
	if m.o.VCs > 1 {
		m.line(0, "")
		m.line(0, "def premise(u, v):")
		m.line(1, "return distance(u, v) <= 2")
	}
}

// returned makes a return of a list of switches.
func (m *maker) returned(depth int, list string) {
	if m.o.VCs > 1 {
		list = "[(s, 1 if inp.port else 0) for s in " + list + "]"
	}
	m.line(depth, "return %s", list)
}

// some returns a list of next hops, which is rarely a wrong one.
func (m *maker) some(l string) string {
	return m.pick(l, l, "near", "near", "["+l+"[0]]", "[near[-1]]", "[]", "neighbours(cur)")
}

// selection makes statements that select next hops.
func (m *maker) selection() {
	l := m.name("l")
	switch m.IntN(5) {
	case 0:
		m.line(1, "%s = [s for s in near if %s]", l, m.about("s"))
		m.line(1, "if %s:", m.test(l))
		m.returned(2, m.some(l))
	case 1:
		m.line(1, "for s in near:")
		for range 1 + m.IntN(2) {
			m.line(2, "if %s:", m.about("s"))
			m.returned(3, m.pick("[s]", "[s]", "near", "[dst]", "[]"))
		}
	case 2:
		n := m.name("n")
		m.line(1, "%s = 0", n)
		m.line(1, "for s in near:")
		m.line(2, "if %s:", m.about("s"))
		m.line(3, "%s", m.pick(n+" = "+n+" + 1", n+" += 1", n+" += 2"))
		m.line(1, "if %s:", m.pick(n, n+" > 0", n+" == 0", n+" >= 2", "not "+n, n+" == 1"))
		m.returned(2, m.some("near"))
	case 3:
		m.line(1, "%s = []", l)
		m.line(1, "for s in near:")
		m.line(2, "if %s:", m.about("s"))
		m.line(3, "%s.append(s)", l)
		m.line(2, "elif %s:", m.about("s"))
		m.line(3, "%s.append(%s)", l, m.pick("s", "dst", "cur"))
		m.line(1, "if %s:", m.test(l))
		m.returned(2, m.some(l))
	case 4:
		m.line(1, "if %s:", m.pick("dst in near", "dst not in near", "len(near) > 0", "len(near) > 1", "inp.prev in near"))
		m.returned(2, m.pick("[dst]", "near", "near", "[near[0]]"))
	}
}
