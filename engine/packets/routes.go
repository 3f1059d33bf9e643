package packets

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file asks the relation once for each state and numbers the different answers.
//
// Memory: two bytes for each port, destination and class, and for each host and destination, as
// long as there are at most maxCached of them. Beyond, and for answers with large numbers, every
// lookup asks the relation. Answers are few, since they name ports by their places.

const maxCached = 1 << 27

// hop is a channel that a head may request.
type hop struct {
	place int32 // place of the output port
	class model.Class
	rank  int32 // in the relation's order of preference
}

type routes struct {
	rel            model.Relation
	net            *model.Network
	classes, dests int
	answer         []uint16 // by port, destination and class: 1 + its number, or 0 if not known
	first          []int32  // by answer: index into hops, with one more entry at the end
	hops           []hop    // hops of the answers, by ascending place
	number         map[string]int32
	sends          []uint16 // by host and destination: 3 + the class in which it sends; 2: no route; 1: several classes; 0: not known
	asked          []model.Hop
	injects        []model.Class
	weights        []uint32
	text           []byte
	wrong          error // error for an invalid answer
}

func newRoutes(r model.Relation, ports int) *routes {
	x := &routes{rel: r, net: r.Network(), classes: r.Classes(), dests: r.Destinations(), first: []int32{0}, number: map[string]int32{}}
	if k := ports * x.classes * x.dests; k <= maxCached {
		x.answer = make([]uint16, k)
	}
	if k := r.Sources() * x.dests; k <= maxCached {
		x.sends = make([]uint16, k)
	}
	return x
}

// of returns the number of the answer for a head that came by port v, which is on channel c.
func (r *routes) of(v, c int32, d model.DestID, class model.Class) int32 {
	if r.answer == nil {
		return r.ask(c, d, class)
	}
	at := &r.answer[(int(v)*r.dests+int(d))*r.classes+int(class)]
	if *at != 0 {
		return int32(*at) - 1
	}
	k := r.ask(c, d, class)
	if k < math.MaxUint16 {
		*at = uint16(1 + k)
	}
	return k
}

// list returns the hops of an answer.
func (r *routes) list(answer int32) []hop { return r.hops[r.first[answer]:r.first[answer+1]] }

// ask asks the relation. If a channel is named twice with two classes, the first class counts. An
// invalid answer permits nothing.
func (r *routes) ask(c int32, d model.DestID, class model.Class) int32 {
	r.asked = r.rel.Next(model.State{VC: model.VCID(c), Dest: d, Class: class}, r.asked[:0])
	from := len(r.hops)
	for i, h := range r.asked {
		out := model.ChannelID(h.VC)
		if r.net.Tail(out) != r.net.Head(model.ChannelID(c)) {
			r.wrong = fmt.Errorf("packets: on channel %d to destination %d channel %d is permitted, which leaves another switch", c, d, out)
			r.hops = r.hops[:from]
			break
		}
		x := hop{int32(r.net.OutIndex(out)), h.Class, int32(i)}
		if !slices.ContainsFunc(r.hops[from:], func(y hop) bool { return y.place == x.place }) {
			r.hops = append(r.hops, x)
		}
	}
	slices.SortFunc(r.hops[from:], func(a, b hop) int { return int(a.place - b.place) })
	return r.numbered(from)
}

// numbered returns the number of the answer whose hops start at index from.
func (r *routes) numbered(from int) int32 {
	r.text = r.text[:0]
	for _, h := range r.hops[from:] {
		for _, x := range []int32{h.place, int32(h.class), h.rank} {
			r.text = binary.LittleEndian.AppendUint32(r.text, uint32(x))
		}
	}
	k, known := r.number[string(r.text)]
	if known {
		r.hops = r.hops[:from]
		return k
	}
	k = int32(len(r.first) - 1)
	r.first = append(r.first, int32(len(r.hops)))
	r.number[string(r.text)] = k
	return k
}

// several marks a pair for which the relation offers several classes.
const several = model.Class(-2)

// class returns the class in which host h sends to d, or several. It returns false if the
// relation offers no class. The class of packets from a host to itself is 0.
func (r *routes) class(h model.HostID, d model.DestID) (model.Class, bool) {
	if r.sends == nil {
		k := r.askClass(h, d)
		return model.Class(k - 3), k != 2
	}
	at := &r.sends[int(h)*r.dests+int(d)]
	if *at != 0 {
		return model.Class(*at) - 3, *at != 2
	}
	k := r.askClass(h, d)
	if k <= math.MaxUint16 {
		*at = uint16(k)
	}
	return model.Class(k - 3), k != 2
}

// askClass returns the entry of sends for a pair.
func (r *routes) askClass(h model.HostID, d model.DestID) int32 {
	if r.rel.DestinationHost(d) == h {
		return 3
	}
	r.injects = r.rel.Inject(h, d, r.injects[:0])
	switch len(r.injects) {
	case 0:
		return 2
	case 1:
		return 3 + int32(r.injects[0])
	}
	return 1
}

// draw returns one of the several classes in which host h sends to d, by the random number x.
func (r *routes) draw(h model.HostID, d model.DestID, x uint64) model.Class {
	r.injects = r.rel.Inject(h, d, r.injects[:0])
	r.weights = model.Weights(r.rel, h, d, r.injects, r.weights[:0])
	return r.injects[model.Choose(r.weights, x)]
}
