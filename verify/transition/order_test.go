package transition

import "testing"

// TestInOrder: two packets pass the same two switches the other way round. Each met the new entry first and the old one then: each asks for the
// change that the other denies. Where each switch changes at once, their destinations do not matter.
func TestInOrder(t *testing.T) {
	packet := func(part Part, dest int, sets ...Entries) (list []Lookup) {
		for i, set := range sets {
			u := []int{1, 2}[i]
			if dest == 1 {
				u = 3 - u
			}
			key := [2]int{dest, u}
			if part == Switch {
				key[0] = -1
			}
			list = append(list, Lookup{key, set})
		}
		return list
	}
	for _, c := range []struct {
		what string
		part Part
		a, b []Entries
		want bool
	}{
		{"contrary", Switch, []Entries{NewEntry, OldEntry}, []Entries{NewEntry, OldEntry}, false},
		{"old first", Switch, []Entries{OldEntry, NewEntry}, []Entries{OldEntry, NewEntry}, true},
		{"one is free", Switch, []Entries{NewEntry, OldEntry}, []Entries{BothEntries, OldEntry}, true},
		{"entries of two destinations", Entry, []Entries{NewEntry, OldEntry}, []Entries{NewEntry, OldEntry}, true},
	} {
		if got := InOrder([][]Lookup{packet(c.part, 0, c.a...), packet(c.part, 1, c.b...)}); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	if InOrder([][]Lookup{{{[2]int{0, 1}, NewEntry}, {[2]int{0, 1}, OldEntry}}}) {
		t.Error("a packet met the new entry of a switch and then the old one")
	}
}
