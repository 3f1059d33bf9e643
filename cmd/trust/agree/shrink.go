package agree

import "iter"

// This file makes a case smaller as long as something stays wrong with it: destinations,
// hosts, links, switches, VCs, classes, injections, states, hops and entries are struck out one
// by one, and the two ends of links made one, the large things first, until nothing can be.

// mostTries is how many smaller cases are looked at.
const mostTries = 20_000

// shrink returns a case with which wrong still holds, and none of the smaller ones next to
// it, unless tries ran out.
func shrink(c *Case, wrong func(*Case) bool) *Case {
	if c.Named != nil {
		r, err := c.relation()
		if err != nil {
			return c
		}
		spelled := written(c.Kind, c.Switching, r)
		spelled.Waiting = c.Waiting
		if !wrong(spelled) {
			return c // it takes the name
		}
		c = spelled
	}
	tries := 0
	for smaller := true; smaller && tries < mostTries; {
		smaller = false
		for _, strike := range strikes {
			for i := 0; i < strike.count(c) && tries < mostTries; {
				less := strike.out(c, i)
				if tries++; less != nil && wrong(less) {
					c, smaller = less, true // what was number i+1 is number i now
				} else {
					i++
				}
			}
		}
	}
	return c
}

// parts says what is struck out, none: nothing of the kind. Links and hosts go with their
// switch, destinations with their host, hops with their channel.
type parts struct{ dest, host, link, sw, vc, class int }

const none = -1

var nothing = parts{none, none, none, none, none, none}

// renumbered gives new numbers, none for what is struck out.
func renumbered(n int, gone func(i int) bool) []int {
	list := make([]int, n)
	k := 0
	for i := range list {
		if list[i] = none; !gone(i) {
			list[i] = k
			k++
		}
	}
	return list
}

// struck is a case with things struck out, in the making.
type struck struct {
	c                           *Case
	sw, host, link, dest, v, kl []int // new numbers; v: of VCs, kl: of classes
}

// without returns a copy of c without some parts, and without states that no packet gets into.
func (c *Case) without(p parts) *Case {
	s := &struck{c: c}
	s.sw = renumbered(c.Switches, func(u int) bool { return u == p.sw })
	s.host = renumbered(len(c.Hosts), func(h int) bool { return h == p.host || c.Hosts[h] == p.sw })
	s.link = renumbered(len(c.Links), func(l int) bool { return l == p.link || c.Links[l][0] == p.sw || c.Links[l][1] == p.sw })
	s.dest = renumbered(len(c.Dests), func(d int) bool { return d == p.dest || s.host[c.Dests[d]] == none })
	s.v = renumbered(c.VCs, func(v int) bool { return v == p.vc })
	s.kl = renumbered(c.classCount(), func(k int) bool { return k == p.class })
	less := &Case{Kind: c.Kind, Switching: c.Switching, Waiting: c.Waiting, VCs: c.VCs, Switches: c.Switches - boolInt(p.sw != none)}
	if p.vc != none {
		less.VCs--
	}
	for h := range left(s.host) {
		less.Hosts = append(less.Hosts, s.sw[c.Hosts[h]])
	}
	for l := range left(s.link) {
		less.Links = append(less.Links, [2]int{s.sw[c.Links[l][0]], s.sw[c.Links[l][1]]})
	}
	for d := range left(s.dest) {
		less.Dests = append(less.Dests, s.host[c.Dests[d]])
	}
	if c.Table != nil {
		less.Table = s.table()
		return less
	}
	s.states(less)
	return less
}

// left yields what is not struck out.
func left(list []int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, k := range list {
			if k != none && !yield(i) {
				return
			}
		}
	}
}

// channel gives a channel its new number, false if it is struck out.
func (s *struck) channel(ch int) (int, bool) {
	if ch < 0 {
		h := s.host[-1-ch]
		return -1 - h, h != none
	}
	l := s.link[ch/2]
	return 2*l + ch%2, l != none
}

func (s *struck) table() *Table {
	t, less := s.c.Table, &Table{}
	for d := range left(s.dest) {
		var row []int
		for u := range left(s.sw) {
			out := t.Out[d][u]
			if out != noEntry && out != deadPort {
				var ok bool
				if out, ok = s.channel(out); !ok {
					out = noEntry
				}
			}
			row = append(row, out)
		}
		less.Out = append(less.Out, row)
		if t.Sets != nil {
			sets := []int{}
			for h := range left(s.host) {
				sets = append(sets, t.Sets[d][h])
			}
			less.Sets = append(less.Sets, sets)
		}
	}
	for _, m := range t.Maps {
		in, ok := s.channel(m[0])
		out, too := s.channel(m[1])
		if ok && too && less.Sets != nil {
			less.Maps = append(less.Maps, [4]int{in, out, m[2], m[3]})
		}
	}
	return less
}

// states writes the relation of what is left into less.
func (s *struck) states(less *Case) {
	old := s.c.States
	var inject [][3]int
	for _, i := range old.Inject {
		if s.host[i[0]] != none && s.dest[i[1]] != none && s.kl[i[2]] != none && s.host[i[0]] != less.Dests[s.dest[i[1]]] {
			inject = append(inject, [3]int{s.host[i[0]], s.dest[i[1]], s.kl[i[2]]})
		}
	}
	type key struct {
		dest int
		at   place
	}
	moved := func(p place) (place, bool) {
		ch, ok := s.channel(p.Channel)
		if p.Channel < 0 {
			return place{ch, 0, max(s.kl[p.Class], 0)}, ok && s.kl[p.Class] != none
		}
		return place{ch, s.v[p.VC], s.kl[p.Class]}, ok && s.v[p.VC] != none && s.kl[p.Class] != none
	}
	steps := map[key][]place{}
	for _, x := range old.Steps {
		at, ok := moved(x.At)
		if !ok || s.dest[x.Dest] == none {
			continue
		}
		var hops []place
		for _, h := range x.Hops {
			if to, ok := moved(h); ok {
				hops = append(hops, to)
			}
		}
		steps[key{s.dest[x.Dest], at}] = hops
	}
	classes := 0
	for range left(s.kl) {
		classes++
	}
	less.fill(classes, inject, func(d int, at place) []place { return steps[key{d, at}] })
	for _, v := range old.Escape {
		if v < len(s.v) && s.v[v] != none {
			less.States.Escape = append(less.States.Escape, s.v[v])
		}
	}
}
