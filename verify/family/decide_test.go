package family

import (
	"fmt"
	"testing"

	"turnproof/model/space"
)

func TestCounts(t *testing.T) {
	for name, want := range map[string]int{"mesh:2": 0, "hv": 0, "updown": 3, "hv canonical": 0, "hv coordinates": 0, "torus:2,vcs=2,rule=reset": 0, "torus:2,vcs=2,rule=keep": 0, "torus:2,vcs=2,rule=stop": 0, "torus:2,vcs=2,rule=nf+1": 0} {
		o := space.Options{}
		kind := name
		if name == "hv canonical" {
			kind, o.Tree = "hv", space.CanonicalTree
		}
		if name == "hv coordinates" {
			kind, o.Tree = "hv", space.AnyCoordinates
		}
		s, err := space.Parse(kind, o)
		if err != nil {
			t.Fatal(err)
		}
		d := New(s)
		free := 0
		isfree := make([]bool, 1<<len(s.Turns))
		for k := range 1 << len(s.Turns) {
			v, err := d.Decide(space.Set{uint64(k)})
			if err != nil {
				t.Fatal(err)
			}
			if v.Acyclic {
				free++
				isfree[k] = true
			}
		}
		max := 0
		for k := range isfree {
			if isfree[k] {
				m := true
				for i := range s.Turns {
					if k>>i&1 == 0 && isfree[k|1<<i] {
						m = false
					}
				}
				if m {
					max++
					if len(s.Turns) == 12 {
						fmt.Println(name, "prohibits", s.Names(s.All().Minus(space.Set{uint64(k)})))
					}
				}
			}
		}
		fmt.Println(name, free, max, want)
	}
}
