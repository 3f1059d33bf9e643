package input

import (
	"iter"

	"github.com/turnproof/turnproof/model"
)

// way is what becomes of a packet, one of the ways that it may take.
type way struct {
	Class model.Class // on injection; -1: none to send with
	Path  []model.State
	End   string // "delivered", or how it is lost
}

// Paths yields the ways from an endpoint to a destination that is not its own:
// all of them, for each class that may be used. There can be many.
func (in *Input) Paths(from model.HostID, d model.DestID) iter.Seq[way] {
	return func(yield func(way) bool) {
		r := in.Rel
		if !model.Sends(r, from, d) {
			return
		}
		classes := r.Inject(from, d, nil)
		if len(classes) == 0 {
			yield(way{-1, nil, "no service level"})
		}
		for _, k := range classes {
			w := walker{r: r, class: k, yield: yield, on: map[model.State]bool{}}
			if !w.from(model.InjectState(r, from, d, k)) {
				return
			}
		}
	}
}

// walker goes all ways from a state on, depth first.
type walker struct {
	r     model.Relation
	class model.Class
	path  []model.State
	on    map[model.State]bool // those on path
	yield func(way) bool
}

// from goes on from s; it returns false when the caller has had enough.
func (w *walker) from(s model.State) bool {
	n := w.r.Network()
	w.path = append(w.path, s)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	end := func(what string) bool {
		return w.yield(way{w.class, append([]model.State(nil), w.path...), what})
	}
	c, _ := n.Channel(s.VC)
	switch {
	case n.HostOf(c) == w.r.DestinationHost(s.Dest) && n.Kind(c) == model.Eject:
		return end("delivered")
	case n.Kind(c) == model.Eject:
		return end("wrong host")
	case w.on[s]:
		return end("forwarding loop")
	}
	w.on[s] = true
	defer delete(w.on, s)
	hops := w.r.Next(s, nil)
	if len(hops) == 0 {
		return end("dropped")
	}
	for _, h := range hops {
		if !w.from(model.State{VC: h.VC, Dest: s.Dest, Class: h.Class}) {
			return false
		}
	}
	return true
}
