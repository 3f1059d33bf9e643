package transition

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file enumerates the states of packets to one destination while entries are old, new, or either.

// The entries of a switch that packets to a destination may meet, as a set.
const (
	meetsOld = 1
	meetsNew = 2
	both     = meetsOld | meetsNew
)

// turn is a dependency between two VCs.
type turn struct{ from, to int32 }

// walk enumerates states. Its memory is reused.
type walk struct {
	x     *change
	seen  []int32 // by VC and class: the round that has reached the state
	round int32
	queue []cert.State
	hops  []cert.State
	from  []int32 // with edges: the numbers in queue of both states of a hop, one after the other
	place []int32 // by VC and class: its number in queue
	edges bool
	extra []cert.State // more states to begin with
	// anyLevel: sources send with the classes of old and of new entries, whatever entries packets meet.
	anyLevel bool
}

const classes = 16

func (w *walk) init(x *change) {
	w.x = x
	w.seen = make([]int32, int(x.old.VCs)*(len(x.old.Head)+int(x.old.Endpoints))*classes)
	w.place = make([]int32, len(w.seen))
}

// each visits the states of packets to destination d that meet at switch u the entries of the set meets(u). It calls visit for each
// dependency between VCs of links, once or several times.
func (w *walk) each(d int, meets func(u int32) int, visit func(turn)) {
	w.round++
	w.queue, w.from = w.queue[:0], w.from[:0]
	for _, s := range w.x.starts[d] {
		if w.anyLevel || s.by&meets(w.x.first(s)) != 0 {
			w.reach(s.State)
		}
	}
	for _, s := range w.extra {
		w.reach(s)
	}
	links := int32(w.x.old.LinkVCs())
	for i := 0; i < len(w.queue); i++ {
		at := w.queue[i]
		channel := at.VC / w.x.old.VCs
		if int(channel) >= len(w.x.old.Head) {
			continue // ejected
		}
		set := meets(w.x.old.Head[channel])
		w.hops = w.hops[:0]
		stranded := false
		if set&meetsOld != 0 {
			w.hops = w.x.old.Next(d, at, w.hops)
			stranded = len(w.hops) == 0
		}
		if before := len(w.hops); set&meetsNew != 0 {
			w.hops = w.x.now.Next(d, at, w.hops)
			stranded = stranded || len(w.hops) == before
		}
		if stranded && w.x.holds() && at.VC < links {
			visit(turn{at.VC, at.VC})
		}
		for _, to := range w.hops {
			place := w.reach(to)
			if w.edges {
				w.from = append(w.from, int32(i), place)
			}
			if at.VC < links && to.VC < links {
				visit(turn{at.VC, to.VC})
			}
		}
	}
}

// reach notes a state, and returns its number in the queue.
func (w *walk) reach(s cert.State) int32 {
	i := int(s.VC)*classes + int(s.Class)
	if w.seen[i] != w.round {
		w.seen[i] = w.round
		w.place[i] = int32(len(w.queue))
		w.queue = append(w.queue, s)
	}
	return w.place[i]
}

// dependencies returns the different dependencies of packets to destination d.
func (w *walk) dependencies(d int, meets func(u int32) int) []turn {
	var list []turn
	w.each(d, meets, func(t turn) { list = append(list, t) })
	slices.SortFunc(list, func(a, b turn) int {
		if a.from != b.from {
			return int(a.from) - int(b.from)
		}
		return int(a.to) - int(b.to)
	})
	return slices.Compact(list)
}

// loops reports whether a packet to destination d can come back to a state: whether removing states without a hop that remains, one
// after the other, leaves any.
func (w *walk) loops(d int, meets func(u int32) int) bool {
	w.edges = true
	w.each(d, meets, func(turn) {})
	w.edges = false
	left := make([]int32, len(w.queue)) // by state: hops to states that remain
	into := make([][]int32, len(w.queue))
	for i := 0; i < len(w.from); i += 2 {
		left[w.from[i]]++
		into[w.from[i+1]] = append(into[w.from[i+1]], w.from[i])
	}
	var done []int32
	for i, k := range left {
		if k == 0 {
			done = append(done, int32(i))
		}
	}
	for i := 0; i < len(done); i++ {
		for _, before := range into[done[i]] {
			if left[before]--; left[before] == 0 {
				done = append(done, before)
			}
		}
	}
	return len(done) < len(w.queue)
}

// afterwards calls f while walks begin in the states of the last walk as well: packets that were there meet other entries from now on.
func (w *walk) afterwards(f func() bool) bool {
	w.extra = slices.Clone(w.queue)
	defer func() { w.extra = nil }()
	return f()
}

// all returns a function that gives one set for all switches.
func all(set int) func(int32) int { return func(int32) int { return set } }
