package family

import (
	"fmt"
	"testing"
	"time"

	"turnproof/model/space"
)

func TestWitnesses(t *testing.T) {
	for _, c := range []struct {
		name string
		tree space.Tree
	}{{"mesh:2", ""}, {"updown", ""}, {"hv", ""}, {"hv", "coordinates"}, {"hv", "canonical"}, {"torus:2,vcs=2,rule=reset", ""}, {"torus:2,vcs=2,rule=keep", ""}, {"torus:2,vcs=2,rule=stop", ""}, {"torus:2,vcs=2,rule=nf+1", ""}} {
		s, err := space.Parse(c.name, space.Options{Tree: c.tree})
		if err != nil {
			t.Fatal(err)
		}
		d := New(s)
		con, err := NewConnector(s)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		free, connected := 0, 0
		isfree := make([]bool, 1<<len(s.Turns))
		for k := range 1 << len(s.Turns) {
			v, err := d.Decide(space.Set{uint64(k)})
			if err != nil {
				t.Fatal(err)
			}
			if v.Acyclic {
				free++
				isfree[k] = true
				if con.Connected(v.Set) {
					connected++
				}
			}
		}
		minimal, none, none2, largest := 0, 0, 0, 0
		for k := range isfree {
			if isfree[k] {
				continue
			}
			m := true
			for i := range s.Turns {
				if k>>i&1 == 1 && !isfree[k&^(1<<i)] {
					m = false
				}
			}
			if !m {
				continue
			}
			minimal++
			w, err := d.Refute(t.Context(), space.Set{uint64(k)})
			if err != nil {
				t.Fatal(err)
			}
			if w == nil {
				none++
				fmt.Println(c.name, c.tree, s.Names(space.Set{uint64(k)}))
				continue
			}
			if used, _ := w.Used(t.Context(), space.Set{uint64(k)}); !used {
				none2++
			}
			largest = max(largest, w.Net.NumSwitches())
		}
		fmt.Println(c.name, c.tree, "free", free, "connected", connected, "minimal cyclic", minimal, "no witness", none, "unused", none2, "largest", largest, time.Since(began))
	}
}
