package replay

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/model"
)

// This file finds paths from hosts to the place of a packet.
//
// Cost: one search over the states of each destination that occurs.

// leadIns caches, for each destination searched so far, the predecessors of each state.
type leadIns struct {
	r    model.Relation
	from map[model.DestID]map[model.State][]model.State
}

func newLeadIns(r model.Relation) *leadIns {
	return &leadIns{r, map[model.DestID]map[model.State][]model.State{}}
}

// before returns the predecessors of each reachable state of destination d. States in which
// packets are injected have an entry, which may be empty.
func (l *leadIns) before(d model.DestID) map[model.State][]model.State {
	if known, ok := l.from[d]; ok {
		return known
	}
	from := map[model.State][]model.State{}
	var queue []model.State
	for h := range model.HostID(l.r.Sources()) {
		if !model.Sends(l.r, h, d) {
			continue
		}
		for _, class := range l.r.Inject(h, d, nil) {
			s := model.InjectState(l.r, h, d, class)
			from[s] = nil
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if c, _ := l.r.Network().Channel(s.VC); l.r.Network().Kind(c) == model.Eject {
			continue
		}
		for _, h := range l.r.Next(s, nil) {
			next := model.State{VC: h.VC, Dest: d, Class: h.Class}
			if _, known := from[next]; !known {
				queue = append(queue, next)
			}
			from[next] = append(from[next], s)
		}
	}
	l.from[d] = from
	return from
}

// draw returns a random path from a host to the first VC that h holds, followed by the path of h
// to its last VC.
func (l *leadIns) draw(h Held, random *rand.Rand) (injection, bool) {
	n := l.r.Network()
	from := l.before(h.Dest)
	held := h.Path[len(h.Path)-h.Holds:]
	back := []model.State{held[0]}
	seen := map[model.State]bool{held[0]: true}
	for {
		s := back[len(back)-1]
		if c, _ := n.Channel(s.VC); n.Kind(c) == model.Inject {
			break
		}
		choice := from[s]
		if len(choice) == 0 {
			return injection{}, false
		}
		next := choice[random.IntN(len(choice))]
		if seen[next] {
			return injection{}, false
		}
		seen[next] = true
		back = append(back, next)
	}
	w := h.along(nil)
	for i := len(back) - 1; i >= 0; i-- {
		w.path = append(w.path, back[i])
	}
	w.path = append(w.path, held[1:]...)
	c, _ := n.Channel(w.path[0].VC)
	return injection{source: n.HostOf(c), way: w}, true
}
