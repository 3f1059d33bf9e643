package agree

// This file draws forwarding tables.

// table draws a forwarding table by rows. Half of the tables have classes.
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

// vcMaps draws the VC of a class for some pairs of a channel in and a channel out.
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

// inTree draws for each switch a channel to a switch that is nearer to the destination.
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

// anyEntry draws any entries, also loops, holes and wrong hosts.
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

// upDownEntry draws for each switch a down channel on a path of down channels to the destination, or an
// up channel if there is no such path. A table has one entry for all packets at a switch.
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

// row returns the entries for d: at its switch to its host, at others the result of at.
func (c *Case) row(d int, at func(u int) int) []int {
	row := make([]int, c.Switches)
	for u := range row {
		if row[u] = at(u); u == c.Hosts[c.Dests[d]] {
			row[u] = -1 - c.Dests[d]
		}
	}
	return row
}
