package agree

// This file draws networks.

// network draws a network: irregular, a ring, a mesh or a torus, sometimes without a link. A switch has
// any number of hosts.
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

// irregular draws a tree and some more links, which may be parallel. Sometimes the tree is incomplete.
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

// out returns the channels between switches that leave u.
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

// distances returns the distance of each switch to a switch; 1<<20 if there is no path.
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
