package enumerate

import (
	"fmt"
	"testing"
	"time"

	"turnproof/model/space"
)

func TestX(t *testing.T) {
	for _, c := range []struct {
		name string
		u    bool
		c    Choices
	}{{"mesh:2", false, All}, {"mesh:2", true, All}, {"mesh:2", false, OnePerCycle}, {"mesh:3", false, OnePerCycle}, {"mesh:4", false, OnePerCycle}, {"torus:2,vcs=2", false, All}, {"hv", false, All}} {
		s, err := space.Parse(c.name, space.Options{UTurns: c.u})
		if err != nil {
			t.Fatal(err)
		}
		e, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		tally, err := e.Count(t.Context(), c.c)
		if err != nil {
			t.Fatal(err)
		}
		t1 := time.Since(began)
		a, b, err := e.Classes(t.Context(), c.c, tally.Free)
		fmt.Println(c.name, c.u, c.c, tally.Free, tally.Connected, a, b, err, t1, time.Since(began))
	}
	for _, name := range []string{"mesh:1", "mesh:2", "mesh:3", "mesh:4"} {
		for _, u := range []bool{false, true} {
			s, err := space.Parse(name, space.Options{UTurns: u})
			if err != nil {
				t.Fatal(err)
			}
			e, err := New(s)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			list, err := e.ByOrders(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			connected := 0
			for _, m := range list {
				if e.Connected(m) {
					connected++
				}
			}
			_, k, r := e.Group(list)
			fmt.Println(name, u, len(list), connected, k, r, time.Since(began))
		}
	}
}
