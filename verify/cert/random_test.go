package cert_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	. "github.com/turnproof/turnproof/verify/cert"
)

// This file makes random subjects, small enough for brute force.

// randomNetwork is connected, with parallel links, several endpoints to a
// switch, gaps among the ports, and management endpoints.
func randomNetwork(rng *rand.Rand) Network {
	n := 2 + rng.IntN(4)
	w := Network{VCs: 1 + rng.IntN(3)}
	port := make([]int32, n)
	plug := func(u int) int32 {
		port[u] += 1 + int32(rng.IntN(8)/7)*int32(1+rng.IntN(200))
		return port[u]
	}
	for u := range n {
		w.Switches = append(w.Switches, fmt.Sprintf("switch %d", u))
		if u > 0 {
			v := rng.IntN(u)
			w.Links = append(w.Links, int32(u), plug(u), int32(v), plug(v))
		}
	}
	for range rng.IntN(4) {
		u := rng.IntN(n)
		v := (u + 1 + rng.IntN(n-1)) % n
		w.Links = append(w.Links, int32(u), plug(u), int32(v), plug(v))
	}
	for e := range 1 + n + rng.IntN(2) {
		u := e % n
		w.Endpoints = append(w.Endpoints, fmt.Sprintf("host <%d>", e))
		w.Attach = append(w.Attach, int32(u), plug(u))
	}
	w.Hosts = len(w.Endpoints)
	if rng.IntN(3) == 0 {
		for u := range n {
			w.Endpoints = append(w.Endpoints, "management")
			w.Attach = append(w.Attach, int32(u), 0)
		}
	}
	return w
}

// randomTable routes along shortest paths. If wild is true, a few entries are random.
func randomTable(rng *rand.Rand, wild bool) Subject {
	w := randomNetwork(rng)
	t := &Table{Sources: len(w.Endpoints)}
	if rng.IntN(4) == 0 {
		t.Sources = w.Hosts
	}
	for e := range w.Endpoints {
		t.Destinations = append(t.Destinations, int32(e))
		t.LIDs = append(t.LIDs, int32(e+1)*int32(rng.IntN(2)))
		for u := range int32(len(w.Switches)) {
			p := shortest(&w, u, int32(e), rng)
			if wild && rng.IntN(8) == 0 {
				p = portsOf(&w, u)[rng.IntN(len(portsOf(&w, u)))]
			} else if wild && rng.IntN(24) == 0 {
				p = -1 + int32(rng.IntN(2))*1000
			}
			t.Ports = append(t.Ports, p)
		}
	}
	if rng.IntN(2) == 0 {
		randomRows(rng, &w, t, wild)
	}
	if rng.IntN(2) == 0 {
		randomClasses(rng, &w, t, wild)
	}
	return Subject{Switching: []string{"vct", "saf", "wormhole"}[rng.IntN(3)], Network: w, Table: t}
}

// shortest returns the port of u on some shortest path to endpoint e.
func shortest(w *Network, u, e int32, rng *rand.Rand) int32 {
	if w.Attach[2*e] == u {
		return w.Attach[2*e+1]
	}
	far := distances(w, w.Attach[2*e])
	var list []int32
	for c := range int32(len(w.Links) / 2) {
		x, p := enters(w, c)
		if y, _ := enters(w, c^1); x == u && far[y] < far[u] {
			list = append(list, p)
		}
	}
	return list[rng.IntN(len(list))]
}

func distances(w *Network, to int32) []int {
	far := make([]int, len(w.Switches))
	for i := range far {
		far[i] = len(far)
	}
	far[to] = 0
	for range far {
		for c := range int32(len(w.Links) / 2) {
			x, _ := enters(w, c)
			y, _ := enters(w, c^1)
			far[x] = min(far[x], far[y]+1)
		}
	}
	return far
}

func randomRows(rng *rand.Rand, w *Network, t *Table, wild bool) {
	pool := map[string]int32{}
	var list []Ints
	for range 1 + rng.IntN(4) {
		row := make(Ints, 16)
		for k := range row {
			row[k] = int32(rng.IntN(w.VCs))
			if wild && rng.IntN(40) == 0 {
				row[k] = 15
			}
		}
		list = append(list, row)
	}
	slices.SortFunc(list, func(a, b Ints) int { return slices.Compare(a, b) })
	size := 0
	for u := range w.Switches {
		size += len(portsOf(w, int32(u))) * len(portsOf(w, int32(u)))
	}
	rows, of := Ints{}, Ints{}
	for _, row := range list {
		if _, ok := pool[fmt.Sprint(row)]; !ok && len(pool) < size {
			pool[fmt.Sprint(row)] = int32(len(pool))
			rows = append(rows, row...)
		}
	}
	for i := range size {
		if i < len(pool) {
			of = append(of, int32(i))
		} else {
			of = append(of, int32(rng.IntN(len(pool))))
		}
	}
	rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	t.VCRows, t.VCRowOf = &rows, &of
}

func randomClasses(rng *rand.Rand, w *Network, t *Table, wild bool) {
	sets := Ints{}
	most := w.VCs
	if t.VCRows != nil {
		most = 16
	}
	for range w.Hosts * w.Hosts {
		set := int32(1) << rng.IntN(most)
		if wild && rng.IntN(4) == 0 {
			set |= 1 << rng.IntN(most)
		}
		if wild && rng.IntN(40) == 0 {
			set = 0
		}
		sets = append(sets, set)
	}
	t.Classes = &sets
}

// randomRelation lets a packet take some of the VCs that bring it nearer, and,
// when wild, some others.
func randomRelation(rng *rand.Rand, wild bool) Subject {
	w := randomNetwork(rng)
	w.VCs = min(w.VCs, 2)
	r := &Relation{Classes: 1 + rng.IntN(2), Sources: w.Hosts}
	s := Subject{Switching: []string{"vct", "vct", "wormhole"}[rng.IntN(3)], Network: w, Relation: r}
	var inject [][]int32
	for d := range w.Hosts {
		r.Destinations = append(r.Destinations, int32(d))
		for e := range w.Hosts {
			for k := range r.Classes {
				if e != d && (k == 0 && !(wild && rng.IntN(30) == 0) || rng.IntN(3) == 0) {
					inject = append(inject, []int32{int32(e), int32(d), int32(k)})
				}
			}
		}
	}
	slices.SortFunc(inject, slices.Compare)
	r.Inject = slices.Concat(inject...)
	r.States = Ints{}
	for d := range r.Destinations {
		r.States = append(r.States, randomStates(rng, &s, d, wild)...)
	}
	return s
}

func randomStates(rng *rand.Rand, s *Subject, d int, wild bool) Ints {
	w, r := &s.Network, s.Relation
	links, vcs := int32(len(w.Links)/2), int32(w.VCs)
	far := distances(w, w.Attach[2*r.Destinations[d]])
	hops := map[state][]state{}
	var list []state
	for i := 0; i < len(r.Inject); i += 3 {
		if int(r.Inject[i+1]) == d {
			list = append(list, state{(links + r.Inject[i]) * vcs, r.Inject[i+2]})
		}
	}
	for i := 0; i < len(list); i++ {
		at := list[i]
		if _, ok := hops[at]; ok {
			continue
		}
		u, _ := enters(w, at.vc/vcs)
		var next []state
		for _, p := range portsOf(w, u) {
			c := leaves(w, u, p)
			nearer := c-links-int32(len(w.Endpoints)) == r.Destinations[d]
			if c < links {
				v, _ := enters(w, c)
				nearer = far[v] < far[u]
			}
			for v := range vcs {
				if nearer && rng.IntN(4) > 0 || wild && rng.IntN(25) == 0 {
					next = append(next, state{c*vcs + v, int32(rng.IntN(r.Classes))})
				}
			}
			if nearer && len(next) == 0 && !wild {
				next = append(next, state{c * vcs, at.class})
			}
		}
		slices.SortFunc(next, func(a, b state) int { return int(a.vc - b.vc) })
		hops[at] = next
		for _, to := range next {
			if to.vc/vcs < links {
				list = append(list, to)
			}
		}
	}
	slices.SortFunc(list, func(a, b state) int {
		if a.vc != b.vc {
			return int(a.vc - b.vc)
		}
		return int(a.class - b.class)
	})
	var states Ints
	for _, at := range slices.Compact(list) {
		states = append(states, int32(d), at.vc, at.class, int32(len(hops[at])))
		for _, to := range hops[at] {
			states = append(states, to.vc, to.class)
		}
	}
	return states
}
