package transition_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/verify/transition"
)

// goneCase is two states of a random fabric, in the second of which hosts and at times a switch are gone. Ports are numbered from 1: those of
// switch u to switch v are v + 1, and those to host h are 100 + h.
type goneCase struct {
	switches int
	cables   [][2]int
	hosts    []int // by host: its switch
	gone     []bool
	lost     int               // the switch that is gone, or -1
	ports    [2]map[[2]int]int // by state, of switch and host: the port
	levels   map[[2]int]int    // of two hosts: the service level, in both states
}

// drawGone draws a case.
func drawGone(r *rand.Rand) *goneCase {
	c := &goneCase{switches: 3 + r.IntN(3), lost: -1, ports: [2]map[[2]int]int{{}, {}}, levels: map[[2]int]int{}}
	for u := range c.switches {
		for v := range u {
			if r.IntN(3) > 0 || v == u-1 {
				c.cables = append(c.cables, [2]int{v, u})
			}
		}
	}
	if r.IntN(3) == 0 {
		c.lost = r.IntN(c.switches)
	}
	for h := range 3 + r.IntN(3) {
		u := r.IntN(c.switches)
		c.hosts, c.gone = append(c.hosts, u), append(c.gone, u == c.lost || r.IntN(3) == 0 && h > 0)
	}
	for h, at := range c.hosts {
		for g := range c.hosts {
			c.levels[[2]int{g, h}] = r.IntN(2)
		}
		for side := range 2 {
			for u := range c.switches {
				if side == 1 && (u == c.lost || c.gone[h]) || r.IntN(12) == 0 {
					continue
				}
				var to []int
				for _, x := range c.cables {
					if x[0] == u {
						to = append(to, x[1]+1)
					} else if x[1] == u {
						to = append(to, x[0]+1)
					}
				}
				if c.ports[side][[2]int{u, h}] = to[r.IntN(len(to))]; u == at {
					c.ports[side][[2]int{u, h}] = 100 + h
				}
			}
		}
	}
	return c
}

// table returns a state. Numbers of switches and hosts are GUIDs, so that both states know them.
func (c *goneCase) table(t *testing.T, side int) *model.Table {
	t.Helper()
	b, id := model.NewBuilder(), map[int]model.SwitchID{}
	for u := range c.switches {
		if side == 0 || u != c.lost {
			id[u] = b.AddSwitch(model.Switch{GUID: uint64(u + 1), Name: fmt.Sprint("s", u)})
		}
	}
	for _, x := range c.cables {
		if side == 0 || x[0] != c.lost && x[1] != c.lost {
			b.AddLink(id[x[0]], model.Port(x[1]+1), id[x[1]], model.Port(x[0]+1))
		}
	}
	var kept []int
	for h, u := range c.hosts {
		if side == 0 || !c.gone[h] {
			b.AddHost(model.Host{Name: fmt.Sprint("h", h), Switch: id[u], Port: model.Port(100 + h), LID: uint16(h + 1), PortGUID: uint64(100 + h)})
			kept = append(kept, h)
		}
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	table := model.NewTable(n, model.AllAddresses(n))
	sets := make([]model.ClassSet, len(kept)*len(kept))
	for d, h := range kept {
		for u, v := range id {
			if p, ok := c.ports[side][[2]int{u, h}]; ok {
				table.SetPort(v, model.DestID(d), model.Port(p))
			}
		}
		for g, from := range kept {
			sets[d*len(kept)+g] = 1 << c.levels[[2]int{from, h}]
		}
	}
	table.SetClasses(sets, nil)
	return table
}

// circles reports whether packets of hosts that are left can wait in a circle by old and new entries together: the judge.
func (c *goneCase) circles() bool {
	cable := map[[2]int]bool{}
	for _, x := range c.cables {
		if x[0] != c.lost && x[1] != c.lost {
			cable[x], cable[[2]int{x[1], x[0]}] = true, true
		}
	}
	type channel struct{ from, to, vl int }
	waits := map[channel]map[channel]bool{}
	for d := range c.hosts {
		outs := func(u, vl int) (list []channel) {
			for side := range 2 {
				if p, ok := c.ports[side][[2]int{u, d}]; ok && p < 100 && cable[[2]int{u, p - 1}] {
					list = append(list, channel{u, p - 1, vl})
				}
			}
			return list
		}
		seen, todo := map[channel]bool{}, []channel{}
		for h, u := range c.hosts {
			if !c.gone[h] && h != d {
				todo = append(todo, outs(u, c.levels[[2]int{h, d}])...)
			}
		}
		for i := 0; i < len(todo); i++ {
			if seen[todo[i]] {
				continue
			}
			seen[todo[i]] = true
			for _, next := range outs(todo[i].to, todo[i].vl) {
				if waits[todo[i]] == nil {
					waits[todo[i]] = map[channel]bool{}
				}
				waits[todo[i]][next] = true
				todo = append(todo, next)
			}
		}
	}
	for again := true; again; { // take away what waits for nothing
		again = false
		for x, list := range waits {
			for y := range list {
				if waits[y] == nil {
					delete(list, y)
				}
			}
			if len(list) == 0 {
				delete(waits, x)
				again = true
			}
		}
	}
	return len(waits) > 0
}

// TestGoneHosts: packets to hosts that are gone follow old entries, as another program finds it.
func TestGoneHosts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 11))
	var found [2]int
	for i := range 3000 {
		c := drawGone(r)
		both, err := compare.Align(c.table(t, 0), c.table(t, 1))
		if err != nil {
			t.Fatal(err)
		}
		change, err := transition.New(both.Old, both.New)
		if err != nil {
			t.Fatal(err)
		}
		m, err := change.Mixture(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		made, err := change.MixtureCertificate(m, transition.About{Switching: model.CutThrough})
		if err != nil || made == nil {
			t.Fatalf("case %d: %v", i, err)
		}
		want := c.circles()
		if m.Safe() == want {
			t.Fatalf("case %d: safe %v, and packets can wait in a circle: %v\n%+v", i, m.Safe(), want, c)
		}
		if want {
			found[1]++
		} else {
			found[0]++
		}
	}
	if min(found[0], found[1]) < 500 {
		t.Errorf("%d safe, %d not", found[0], found[1])
	}
}
