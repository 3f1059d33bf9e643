package engine

import "turnproof/model"

// This file asks the relation, once for each state that packets come to.
//
// Memory: four bytes for each VC that enters a switch, destination and class, as
// far as that is not more than maxCached; beyond, the relation is asked anew.

const maxCached = 1 << 26

// routeCache keeps what heads may ask for.
type routeCache struct {
	classes, dests int
	row            []int32 // by VC, destination and class: 1 + place in sets; 0: not known
	sets           [][]hopSet
	hops           []model.Hop
}

func (r *routeCache) init(s *Sim) {
	r.classes, r.dests = s.rel.Classes(), s.rel.Destinations()
	if k := s.net.NumVCs() * r.classes * r.dests; k <= maxCached {
		r.row = make([]int32, k)
	}
}

// of returns what a head on VC v may ask for.
func (r *routeCache) of(s *Sim, v int32, d model.DestID, class model.Class) []hopSet {
	at := (int(v)*r.dests+int(d))*r.classes + int(class)
	if r.row != nil && r.row[at] > 0 {
		return r.sets[r.row[at]-1]
	}
	list := r.ask(s, v, d, class)
	if r.row != nil {
		r.sets = append(r.sets, list)
		r.row[at] = int32(len(r.sets))
	}
	return list
}

// ask asks the relation. VCs in a row on one channel with one class become one
// set; at the destination's switch all VCs of its channel do.
func (r *routeCache) ask(s *Sim, v int32, d model.DestID, class model.Class) (list []hopSet) {
	c, _ := s.net.Channel(model.VCID(v))
	at := model.VCID(v)
	if s.net.Kind(c) == model.Inject {
		at = s.net.VC(c, 0) // where packets start, whatever the VC
	}
	r.hops = s.rel.Next(model.State{VC: at, Dest: d, Class: class}, r.hops[:0])
	for _, h := range r.hops {
		o, _ := s.net.Channel(h.VC)
		if s.net.Kind(o) == model.Eject {
			list = append(list, hopSet{int32(s.net.VC(o, 0)), int16(s.vcs), int16(h.Class)})
			continue
		}
		if k := len(list); k > 0 && list[k-1].lo+int32(list[k-1].n) == int32(h.VC) && list[k-1].class == int16(h.Class) && int(list[k-1].lo)/s.vcs == int(o) {
			list[k-1].n++
			continue
		}
		list = append(list, hopSet{int32(h.VC), 1, int16(h.Class)})
	}
	return list
}
