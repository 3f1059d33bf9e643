package agree

import (
	"context"
	"fmt"
	"math/rand/v2"

	"turnproof/model/route"
	"turnproof/model/topo"
	"turnproof/synth"
)

// This file draws cases: the same case for the same seed and number, whatever else is drawn.

// drawer makes random choices for one case.
type drawer struct{ *rand.Rand }

// one reports true once in k times.
func (r drawer) one(k int) bool { return r.IntN(k) == 0 }

func pick[T any](r drawer, list ...T) T { return list[r.IntN(len(list))] }

// kind is a kind of case; make fills what is drawn about it.
type kind struct {
	name   string
	weight int
	make   func(r drawer) *Case
}

var kinds = []kind{
	{"table, in-trees", 10, func(r drawer) *Case { return table(r, (*Case).inTree) }},
	{"table, entries at random", 10, func(r drawer) *Case { return table(r, (*Case).anyEntry) }},
	{"table, up*/down*", 10, func(r drawer) *Case { return table(r, (*Case).upDownEntry) }},
	{"table, up*/down* but for some entries", 10, func(r drawer) *Case {
		return table(r, func(c *Case, r drawer, d int) []int {
			row := c.upDownEntry(r, d)
			for u, out := range c.anyEntry(r, d) {
				if r.one(8) {
					row[u] = out
				}
			}
			return row
		})
	}},
	{"adaptive, shortest ways", 15, func(r drawer) *Case { return adaptive(r, shorter, 3) }},
	{"adaptive, any hops", 10, func(r drawer) *Case { return adaptive(r, anyHop, 6) }},
	{"adaptive, ring with changes of VC", 10, rings},
	{"adaptive with an escape", 15, escapes},
	{"turns at random", 10, turnSets},
	{"turns of a method", 5, methodSets},
	{"grid, by name", 15, named},
}

// draw gives case number k of a seed.
func draw(seed, k uint64) *Case {
	r := drawer{rand.New(rand.NewPCG(seed, k))}
	total := 0
	for _, k := range kinds {
		total += k.weight
	}
	at := r.IntN(total)
	for _, k := range kinds {
		if at -= k.weight; at < 0 {
			c := k.make(r)
			c.Kind, c.Switching = k.name, pick(r, "vct", "vct", "saf", "wormhole", "wormhole")
			return c
		}
	}
	panic("agree: weights")
}

// network draws switches, links and hosts: irregular, or a line, ring, mesh or torus, now
// and then with a link less; hosts at some switches, at others several.
func network(r drawer, vcs int) *Case {
	c := &Case{VCs: vcs}
	switch r.IntN(6) {
	case 0:
		c.ring(2+r.IntN(5), true)
	case 1:
		c.grid(2+r.IntN(2), 2+r.IntN(2), false)
	case 2:
		c.grid(2+r.IntN(2), 2+r.IntN(2), true)
	default:
		c.irregular(r)
	}
	if len(c.Links) > 1 && r.one(6) {
		i := r.IntN(len(c.Links))
		c.Links = append(c.Links[:i:i], c.Links[i+1:]...)
	}
	switch r.IntN(3) {
	case 0:
		for u := range c.Switches {
			c.Hosts = append(c.Hosts, u)
		}
	default:
		for range 2 + r.IntN(c.Switches+2) {
			c.Hosts = append(c.Hosts, r.IntN(c.Switches))
		}
	}
	for h := range c.Hosts {
		c.Dests = append(c.Dests, h)
	}
	return c
}

// irregular draws a tree and some links more, parallel ones among them, and now and then
// leaves the tree incomplete.
func (c *Case) irregular(r drawer) {
	c.Switches = 1 + r.IntN(7)
	for u := 1; u < c.Switches; u++ {
		if !r.one(20) {
			c.Links = append(c.Links, [2]int{u, r.IntN(u)})
		}
	}
	for range r.IntN(5) {
		if u := r.IntN(c.Switches); c.Switches > 1 {
			c.Links = append(c.Links, [2]int{u, (u + 1 + r.IntN(c.Switches-1)) % c.Switches})
		}
	}
}

func (c *Case) ring(k int, closed bool) {
	c.Switches = k
	for u := range k {
		if u+1 < k || closed {
			c.Links = append(c.Links, [2]int{u, (u + 1) % k})
		}
	}
}

func (c *Case) grid(x, y int, wrap bool) {
	c.Switches = x * y
	for u := range x * y {
		if u%x+1 < x || wrap && x > 2 {
			c.Links = append(c.Links, [2]int{u, u/x*x + (u%x+1)%x})
		}
		if u/x+1 < y || wrap && y > 2 {
			c.Links = append(c.Links, [2]int{u, (u + x) % (x * y)})
		}
	}
}

// out lists the channels between switches that leave u.
func (c *Case) out(u int) (list []int) {
	for l, ends := range c.Links {
		if ends[0] == u {
			list = append(list, 2*l)
		}
		if ends[1] == u {
			list = append(list, 2*l+1)
		}
	}
	return list
}

// distances gives, by switch, the channels to a switch, a large number where there is no way.
func (c *Case) distances(to int) []int {
	far := make([]int, c.Switches)
	for u := range far {
		far[u] = 1 << 20
	}
	far[to] = 0
	for queue := []int{to}; len(queue) > 0; queue = queue[1:] {
		for _, ch := range c.out(queue[0]) {
			if v := c.head(ch); far[v] > far[queue[0]]+1 {
				far[v] = far[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return far
}

// table draws forwarding tables by rows, on a part of them with classes.
func table(r drawer, row func(c *Case, r drawer, d int) []int) *Case {
	c := network(r, 1)
	c.Table = &Table{}
	for d := range c.Dests {
		c.Table.Out = append(c.Table.Out, row(c, r, d))
	}
	if r.one(2) {
		return c
	}
	wild := r.one(2)
	for range c.Dests {
		var sets []int
		for range c.Hosts {
			if wild {
				sets = append(sets, pick(r, 0, 1, 1, 2, 2, 3, 4, 5, 7, 1<<15, 1<<15|1))
			} else {
				sets = append(sets, pick(r, 1, 2, 3, 4))
			}
		}
		c.Table.Sets = append(c.Table.Sets, sets)
	}
	if r.one(2) {
		c.Table.Maps = [][4]int{}
		c.vcMaps(r, wild)
	}
	return c
}

// vcMaps gives classes VCs by the channels in and out.
func (c *Case) vcMaps(r drawer, wild bool) {
	for u := range c.Switches {
		var cables []int
		for h, v := range c.Hosts {
			if v == u {
				cables = append(cables, -1-h)
			}
		}
		cables = append(cables, c.out(u)...)
		for _, in := range cables {
			if in >= 0 {
				in ^= 1
			}
			for _, out := range cables {
				for k := range 3 {
					if r.one(2) {
						continue
					}
					v := r.IntN(3)
					if wild && r.one(12) {
						v = 15
					}
					c.Table.Maps = append(c.Table.Maps, [4]int{in, out, k, v})
				}
			}
		}
	}
}

// inTree leads each switch one step nearer to the destination.
func (c *Case) inTree(r drawer, d int) []int {
	far := c.distances(c.Hosts[c.Dests[d]])
	return c.row(d, func(u int) int {
		var nearer []int
		for _, ch := range c.out(u) {
			if far[c.head(ch)] < far[u] {
				nearer = append(nearer, ch)
			}
		}
		if len(nearer) == 0 {
			return noEntry
		}
		return pick(r, nearer...)
	})
}

// anyEntry draws entries with loops, holes and wrong hosts.
func (c *Case) anyEntry(r drawer, d int) []int {
	row := c.row(d, func(u int) int {
		if out := c.out(u); len(out) > 0 && !r.one(10) {
			return pick(r, out...)
		}
		return noEntry
	})
	for u := range row {
		switch r.IntN(30) {
		case 0:
			row[u] = noEntry
		case 1:
			row[u] = deadPort
		case 2:
			for h, v := range c.Hosts {
				if v == u {
					row[u] = -1 - h
				}
			}
		}
	}
	return row
}

// upDownEntry leads from each switch to the destination along channels down from an order
// of the switches if that is possible, and else up. In tables there is one channel for all who
// come to a switch, so this takes down wherever it can.
func (c *Case) upDownEntry(r drawer, d int) []int {
	far := c.distances(0) // the root
	to := c.Hosts[c.Dests[d]]
	up := func(ch int) bool {
		u, v := c.tail(ch), c.head(ch)
		return far[v] < far[u] || far[v] == far[u] && v < u
	}
	steps := c.downTo(to, up)
	return c.row(d, func(u int) int {
		var down, ups []int
		for _, ch := range c.out(u) {
			switch {
			case !up(ch) && steps[c.head(ch)] < steps[u]:
				down = append(down, ch)
			case up(ch):
				ups = append(ups, ch)
			}
		}
		switch {
		case len(down) > 0:
			return pick(r, down...)
		case len(ups) > 0:
			return pick(r, ups...)
		}
		return noEntry
	})
}

// row gives the entries for d: to its host where that is, and else what at says.
func (c *Case) row(d int, at func(u int) int) []int {
	row := make([]int, c.Switches)
	for u := range row {
		if row[u] = at(u); u == c.Hosts[c.Dests[d]] {
			row[u] = -1 - c.Dests[d]
		}
	}
	return row
}

// turnSets routes by all, or all shortest, ways of a set of turns drawn at random, on one
// VC or on more.
func turnSets(r drawer) *Case {
	c := network(r, 1+r.IntN(2))
	n, err := c.network()
	if err != nil {
		panic(err)
	}
	set := randomTurns(r, n)
	if r.one(4) {
		return written("", "", route.AnyWay(set))
	}
	return written("", "", route.FromTurns(set, r.one(3)))
}

// methodSets routes by the shortest ways of a set that a method has made.
func methodSets(r drawer) *Case {
	c := network(r, 1+r.IntN(2))
	n, err := c.network()
	if err != nil {
		panic(err)
	}
	method := pick(r, synth.Published()...)
	made, err := synth.New(context.Background(), method, n, synth.Options{Release: r.one(2), Seed: r.Uint64()})
	if err != nil { // not connected
		return written("", "", route.FromTurns(randomTurns(r, n), false))
	}
	return written("", "", route.FromTurns(synth.Lift(made.Allowed, n), r.one(3)))
}

// named draws a grid and one of the routings that are known by name on it.
func named(r drawer) *Case {
	for {
		side := func() int { return 2 + r.IntN(3) }
		spec := pick(r,
			fmt.Sprintf("ring:%d,vcs=%d", 3+r.IntN(4), 1+r.IntN(4)), fmt.Sprintf("line:%d,vcs=%d", side(), 1+r.IntN(3)),
			fmt.Sprintf("mesh:%dx%d,vcs=%d", side(), 2+r.IntN(2), 1+r.IntN(3)), fmt.Sprintf("torus:%dx%d,vcs=%d", 2+r.IntN(3), 2+r.IntN(2), 1+r.IntN(4)),
			fmt.Sprintf("hypercube:%d,vcs=%d", 1+r.IntN(3), 1+r.IntN(2)), fmt.Sprintf("complete:%d,vcs=%d", 2+r.IntN(3), 1+r.IntN(2)))
		if r.one(4) {
			spec += ",hosts=2"
		}
		x := Named{Spec: spec, Routing: pick(r, route.Names()...).Name}
		if r.one(3) {
			x.Options.VCRule = pick(r, route.RuleDateline, route.RulePlain, route.RulePosition, route.RuleEntry, route.RuleBalanced)
		}
		if r.one(4) {
			x.Options.BothWays = true
		}
		if r.one(3) {
			x.Options.EscapeVCs = 1 + r.IntN(2)
		}
		if r.one(3) {
			x.Options.StayOnEscape = true
		}
		c := &Case{Named: &x}
		if n, err := topo.Parse(spec); err != nil || n.NumLinkVCs() > 150 {
			continue
		}
		if _, err := c.relation(); err == nil {
			return c
		}
	}
}
