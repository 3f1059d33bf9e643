package program

import (
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/model"
)

// TestUpdownTables: the numbers are those of a search that goes forwards from each switch, over switches and whether a packet has gone down.
func TestUpdownTables(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 29))
	far := 0
	for k := range 40 {
		n := 2 + k%7
		v := newView(randomNetwork(t, r, n))
		tables, err := updownTables(v, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		depth := func(u int) int { d, _ := v.distance(model.SwitchID(u), 0); return d }
		for u := range n {
			for phase, name := range []string{"hops", "down"} {
				type state struct{ at, down int }
				links := map[state]int{{u, phase}: 0}
				list := []state{{u, phase}}
				least := map[int]int{u: 0}
				for len(list) > 0 {
					x := list[0]
					list = list[1:]
					for _, s := range v.neighbours[x.at] {
						y := state{int(s.(node).u), x.down}
						up := depth(y.at) < depth(x.at) || depth(y.at) == depth(x.at) && y.at < x.at
						if up && x.down == 1 {
							continue
						}
						if !up {
							y.down = 1
						}
						if _, seen := links[y]; seen {
							continue
						}
						links[y] = links[x] + 1
						list = append(list, y)
						if _, seen := least[y.at]; !seen {
							least[y.at] = links[y]
						}
					}
				}
				for d := range n {
					want, ok := least[d]
					if !ok {
						want = -1
					}
					if got := tables[name].value([]int{u, d}); got != want || name == "hops" && !ok {
						t.Errorf("network %d: %s(%d, %d) is %d, want %d", k, name, u, d, got, want)
					}
					if shortest, _ := v.distance(model.SwitchID(u), model.SwitchID(d)); want > shortest {
						far++
					}
				}
			}
		}
	}
	if far == 0 {
		t.Error("every shortest path is permitted")
	}
}
