package protocols

import (
	"encoding/binary"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file collects what the messages of a protocol wait for.
//
// A message at the front of a place waits for one of several alternatives: each permitted next hop
// is one. An alternative is a set of places, all of which must get room: a next VC alone, or all
// that the host needs before it consumes the message. A multicast message has one alternative,
// the places of all its copies. A table has one alternative, too.

// messageWait is a wait at a place.
type messageWait struct {
	place  int32
	any    [][]int32   // alternatives, ascending
	free   bool        // an alternative needs nothing
	class  int         // of the message; of the join for a table
	packet *cdg.Packet // nil for a table
}

// Waits is a collection of different waits.
type Waits struct {
	*Places
	list   []messageWait
	copies [][2]int32 // a place, and a place that a packet of a multicast group there waits for
	seen   map[string]bool
	key    []byte
}

// Collect returns the waits of all messages and tables. It fails if a multicast class
// has no tree of paths.
// Cost: O(classes × reachable states × hops).
func Collect(x *Places, commits func(model.State) bool) (*Waits, error) {
	w := &Waits{Places: x, seen: map[string]bool{}}
	for c := range x.p.Rules {
		if x.p.Rules[c].Multicast {
			if err := w.collectCopies(c); err != nil {
				return nil, err
			}
			continue
		}
		for d := range model.DestID(x.r.Destinations()) {
			switch from := x.sendersOf(c, d); {
			case len(from) == 0:
			case x.namesSources(c):
				for i := range from {
					w.collect(c, d, from[i:i+1], commits)
				}
			default:
				w.collect(c, d, from, commits)
			}
		}
	}
	for i := range x.tables {
		t := &x.tables[i]
		if all := x.tableWait(t); len(all) > 0 {
			w.add(messageWait{place: int32(x.networks*(x.links+x.endpoints) + i), any: [][]int32{all}, class: t.join}, nil)
		}
	}
	return w, nil
}

// collect collects the waits of class c from some hosts to destination d.
func (w *Waits) collect(c int, d model.DestID, from []model.HostID, commits func(model.State) bool) {
	walk := newMessageWalk(w.r, d)
	end := w.n.EjectChannel(w.r.DestinationHost(d))
	home := w.consumption(c, from[0], w.r.DestinationHost(d))
	for _, h := range from {
		if model.Sends(w.r, h, d) {
			for _, k := range w.r.Inject(h, d, nil) {
				walk.start(model.InjectState(w.r, h, d, k))
			}
		}
	}
	for i := 0; i < len(walk.states); i++ {
		hops, at := walk.expand(i), walk.states[i]
		var any [][]int32
		moves := len(hops) == 0
		for _, hop := range hops {
			channel, _ := w.n.Channel(hop.VC)
			switch {
			case channel == end && len(home) > 0:
				any = append(any, home)
			case w.n.Kind(channel) == model.Eject:
				any = append(any, nil)
			default:
				any = append(any, []int32{w.at(c, model.State{VC: hop.VC})})
			}
		}
		if commits != nil && commits(at) {
			for _, one := range any {
				w.add(messageWait{place: w.at(c, at), any: [][]int32{one}, class: c}, func() *cdg.Packet { return walk.packet(i) })
			}
		} else if !moves {
			w.add(messageWait{place: w.at(c, at), any: any, class: c}, func() *cdg.Packet { return walk.packet(i) })
		}
	}
}

// add adds a wait unless it is known.
func (w *Waits) add(m messageWait, packet func() *cdg.Packet) {
	copied := packet != nil && w.p.Rules[m.class].Multicast // OrderCopies tells these apart
	w.key = binary.LittleEndian.AppendUint32(append(w.key[:0], boolByte(copied)), uint32(m.place))
	slices.SortFunc(m.any, slices.Compare)
	for _, all := range m.any {
		m.free = m.free || len(all) == 0
		for _, q := range all {
			w.key = binary.LittleEndian.AppendUint32(w.key, uint32(q))
		}
		w.key = binary.LittleEndian.AppendUint32(w.key, 1<<31)
	}
	if w.seen[string(w.key)] {
		return
	}
	w.seen[string(w.key)] = true
	if packet != nil {
		m.packet = packet()
	}
	w.list = append(w.list, m)
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// messageWalk visits the states that packets to a destination can reach, in breadth-first order.
type messageWalk struct {
	r      model.Relation
	d      model.DestID
	states []model.State
	before []int32
	seen   map[model.State]bool
	hops   []model.Hop
}

func newMessageWalk(r model.Relation, d model.DestID) *messageWalk {
	return &messageWalk{r: r, d: d, seen: map[model.State]bool{}}
}

// start adds the state of a packet that enters the network.
func (w *messageWalk) start(s model.State) { w.visit(s, -1) }

func (w *messageWalk) visit(s model.State, before int32) {
	if !w.seen[s] {
		w.seen[s] = true
		w.states, w.before = append(w.states, s), append(w.before, before)
	}
}

// expand visits the states after state i, except those at hosts. It returns the next hops of state i, which are
// valid until the next call.
func (w *messageWalk) expand(i int) []model.Hop {
	w.hops = w.r.Next(w.states[i], w.hops[:0])
	for _, hop := range w.hops {
		if w.r.Network().IsLinkVC(hop.VC) {
			w.visit(model.State{VC: hop.VC, Dest: w.d, Class: hop.Class}, int32(i))
		}
	}
	return w.hops
}

// packet returns a packet whose path ends in state i.
func (w *messageWalk) packet(i int) *cdg.Packet {
	p := &cdg.Packet{Dest: w.d}
	for k := int32(i); k >= 0; k = w.before[k] {
		p.Path = append(p.Path, w.states[k])
	}
	slices.Reverse(p.Path)
	channel, _ := w.r.Network().Channel(p.Path[0].VC)
	p.Source = w.r.Network().HostOf(channel)
	return p
}
