package ethernet

import (
	"slices"
	"strings"
)

// This file orders names with numbers in them.

// compareNatural compares names, with numbers in them by their values: swp2 is less than swp10.
func compareNatural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == 0 || y == 0 {
			if a[0] != b[0] {
				return int(a[0]) - int(b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
		if len(m) != len(n) {
			return len(m) - len(n)
		}
		if c := strings.Compare(m, n); c != 0 {
			return c
		}
		a, b = a[x:], b[y:]
	}
	return len(a) - len(b)
}

// digits returns the number of digits at the beginning of a text.
func digits(s string) int {
	k := 0
	for k < len(s) && s[k] >= '0' && s[k] <= '9' {
		k++
	}
	return k
}

func compareEnds(a, b end) int {
	if a.sw != b.sw {
		return a.sw - b.sw
	}
	return compareNatural(a.port, b.port)
}

// sortedEnds returns the keys by switch, in the natural order of their ports.
func sortedEnds[T any](m map[end]T) []end {
	list := make([]end, 0, len(m))
	for e := range m {
		list = append(list, e)
	}
	slices.SortFunc(list, compareEnds)
	return list
}
