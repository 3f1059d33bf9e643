package everysize

import (
	"strings"
	"testing"
)

// TestTableNumbers: tables with other numbers or switches have nothing in common. Each condition is true of some tables and false of others.
func TestTableNumbers(t *testing.T) {
	for _, condition := range []string{"cur.a(dst, 0) == cur.a(dst, 1)", "cur.a(dst) == dst.a(cur)", "cur.a(dst, 0) == cur.a(dst)", "cur.a(dst) == cur.a",
		"cur.a(dst) == cur.b(dst)", "cur.a(dst, 1, 2) == cur.a(dst, 12)"} {
		th := theoremOf(t, "    return neighbours(cur) if "+condition+" else []\n")
		full, empty := 0, 0
		for _, r := range th.runs {
			if len(r.outputs) > 0 {
				full++
			} else {
				empty++
			}
		}
		if full == 0 || empty == 0 {
			t.Errorf("%s: %d runs with outputs, %d without", condition, full, empty)
		}
	}
	if th := theoremOf(t, "    return neighbours(cur) if cur.a(dst, 3) == cur.a(dst, 3) else []\n"); len(th.runs) != 2 {
		t.Errorf("a table differs from itself: %d runs", len(th.runs))
	}
}

// TestTableArguments: other arguments are errors of the run, which no proof can leave out.
func TestTableArguments(t *testing.T) {
	for call, want := range map[string]string{
		"cur.a()": "0 arguments", "cur.a(1, dst)": "a switch after a number", "cur.a(dst, inp.port)": "no switch", "cur.a(dst, 1, 2, 3, 4)": "5 arguments",
		"cur.a(dst, cur.id)": "no known number",
	} {
		for _, r := range theoremOf(t, "    return neighbours(cur) if "+call+" > 0 else []\n").runs {
			if r.failed == nil || !strings.Contains(r.failed.Error(), want) {
				t.Errorf("%s: %v, want %s", call, r.failed, want)
			}
		}
	}
}

func theoremOf(t *testing.T, body string) *netTheorem {
	t.Helper()
	p, err := read("family = network()\n\ndef route(cur, dst, inp):\n"+body, 0)
	if err != nil {
		t.Fatal(err)
	}
	th, err := newNetTheorem(p)
	if err != nil {
		t.Fatal(err)
	}
	return th
}
