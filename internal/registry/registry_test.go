package registry

import (
	"strings"
	"testing"
)

type fruit struct{ name string }

func nameOf(f fruit) string { return f.name }

var fruits = []fruit{{"apple"}, {"cherry"}}

func TestFind(t *testing.T) {
	f, err := Find("fruit", "cherry", fruits, nameOf)
	if err != nil || f.name != "cherry" {
		t.Errorf("found %v, %v", f, err)
	}
	for _, c := range []struct{ name, want string }{
		{"chery", `no fruit "chery" (did you mean cherry?), known are apple, cherry`},
		{"plum", `no fruit "plum", known are apple, cherry`},
		{"", `no fruit "", known are apple, cherry`},
		{strings.Repeat("é", 40), `no fruit "` + strings.Repeat("é", 20) + `...", known are apple, cherry`},
		{"a" + strings.Repeat("é", 40), `no fruit "a` + strings.Repeat("é", 19) + `...", known are apple, cherry`},
	} {
		if f, err := Find("fruit", c.name, fruits, nameOf); err == nil || err.Error() != c.want || f != (fruit{}) {
			t.Errorf("%s: %v, %v; want %s", c.name, f, err, c.want)
		}
	}
}
