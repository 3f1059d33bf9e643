package route

import (
	"iter"

	"github.com/turnproof/turnproof/model"
)

// Walk is one of the paths that a packet may take, and how the path ends.
type Walk struct {
	Class model.Class // on injection, or -1 if the packet has none
	Path  []model.State
	End   string // EndDelivered, or how the packet is lost
}

// EndDelivered is the end of a path that reaches its destination.
const EndDelivered = "delivered"

// Walks yields all paths from an endpoint to a destination that is not its own, for each class that
// the packet may use. Their number can grow exponentially with the network.
func Walks(r model.Relation, from model.HostID, d model.DestID) iter.Seq[Walk] {
	return func(yield func(Walk) bool) {
		if !model.Sends(r, from, d) {
			return
		}
		classes := r.Inject(from, d, nil)
		if len(classes) == 0 {
			yield(Walk{-1, nil, unsent(r)})
		}
		for _, k := range classes {
			w := walker{r: r, class: k, yield: yield, on: map[model.State]bool{}}
			if !w.from(model.InjectState(r, from, d, k)) {
				return
			}
		}
	}
}

// unsent says why a source has no class for a packet: of forwarding tables, paths have service levels.
func unsent(r model.Relation) string {
	if f, ok := r.(model.Flowing); ok {
		r = f.AllPairs()
	}
	if _, isTable := r.(*model.Table); isTable {
		return "no service level"
	}
	return "no path"
}

// walker follows all paths from a state, depth first.
type walker struct {
	r     model.Relation
	class model.Class
	path  []model.State
	on    map[model.State]bool // the states of path
	yield func(Walk) bool
}

// from follows the paths from s. It returns false if yield returned false.
func (w *walker) from(s model.State) bool {
	n := w.r.Network()
	w.path = append(w.path, s)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	end := func(what string) bool {
		return w.yield(Walk{w.class, append([]model.State(nil), w.path...), what})
	}
	c, _ := n.Channel(s.VC)
	switch {
	case n.HostOf(c) == w.r.DestinationHost(s.Dest) && n.Kind(c) == model.Eject:
		return end(EndDelivered)
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
