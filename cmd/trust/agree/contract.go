package agree

// This file makes the two ends of a link one switch, so that cycles get shorter.

// contracted returns c with link l and those parallel to it gone and one switch in place of
// their ends. What took such a link does at once what it would have done after it.
func (c *Case) contracted(l int) *Case {
	u, v := c.Links[l][0], c.Links[l][1]
	inside := func(ch int) bool {
		return ch >= 0 && (c.Links[ch/2] == [2]int{u, v} || c.Links[ch/2] == [2]int{v, u})
	}
	less := c.without(nothing)
	if c.Table != nil {
		for _, row := range less.Table.Out {
			if out := row[u]; out >= 0 && inside(out) {
				row[u] = row[v]
			}
			if out := row[u]; out >= 0 && inside(out) { // a loop between the two
				row[u] = noEntry
			}
		}
	} else {
		less.shortcut(inside)
	}
	for i := range less.Links {
		for end := range 2 {
			if less.Links[i][end] == v {
				less.Links[i][end] = u
			}
		}
	}
	for h := range less.Hosts {
		if less.Hosts[h] == v {
			less.Hosts[h] = u
		}
	}
	for i := len(less.Links) - 1; i >= 0; i-- {
		if less.Links[i][0] == less.Links[i][1] {
			p := nothing
			p.link = i
			less = less.without(p)
		}
	}
	p := nothing
	p.sw = v
	return less.without(p)
}

// shortcut replaces hops to some channels by what follows them.
func (c *Case) shortcut(inside func(channel int) bool) {
	hops := c.hops()
	for i := range c.States.Steps {
		s := &c.States.Steps[i]
		seen := map[place]bool{}
		var out []place
		for list := s.Hops; len(list) > 0; list = list[1:] {
			h := list[0]
			if seen[h] {
				continue
			}
			if seen[h] = true; inside(h.Channel) {
				list = append(list[:len(list):len(list)], hops(s.Dest, h)...)
			} else {
				out = append(out, h)
			}
		}
		s.Hops = out
	}
}
