package everysize

import (
	"fmt"
	"strings"
)

// This file has the tables of programs for any network: integers that belong to two switches or more, written u.next(d) or
// u.rank(v, 1). Nothing is known of them but the premise of the program, and that equal switches have equal integers. Arguments are
// switches, then known numbers, which are a part of the name: the tables rank(v, 0) and rank(v, 1) have nothing in common.

// maxTableArguments bounds the arguments of a table.
const maxTableArguments = 4

// table returns u.name(arguments).
func (m *machine) table(u node, name string, a []any) any {
	if len(a) == 0 || len(a) > maxTableArguments {
		fail("%.40s of a switch with %d arguments; a table has 1 to %d", name, len(a), maxTableArguments)
	}
	terms := []term{u.term}
	var numbers []string
	for _, x := range a {
		switch x := x.(type) {
		case node:
			if len(numbers) > 0 {
				fail("a switch after a number in %.40s of a switch", name)
			}
			terms = append(terms, x.term)
		case int64:
			numbers = append(numbers, fmt.Sprint(x))
		default:
			fail("an argument of %.40s of a switch that is no switch and no known number", name)
		}
	}
	return value(m.net.of("."+name+"("+strings.Join(numbers, ",")+")", terms...), 1)
}

// IsTable returns the name of a table and its known numbers, if fn is the function of a variable that is one.
func IsTable(fn string) (name, numbers string, ok bool) {
	name, numbers, ok = strings.Cut(strings.TrimSuffix(strings.TrimPrefix(fn, "."), ")"), "(")
	return name, numbers, ok
}
