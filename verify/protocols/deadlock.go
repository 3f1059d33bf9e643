package protocols

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file builds a deadlock from places that are not eliminated.

// Deadlock is a deadlock of messages.
type Deadlock struct {
	Places []Place   // ascending by number
	Behind []Message // messages behind those at the front of a place, or at one
	// Worms means that messages hold the places of the last states of their paths (Place.Holds). Otherwise
	// each message holds the place of the last one.
	Worms bool
}

// Message is a message of a class that waits at the end of its path.
type Message struct {
	Class  int
	Packet *cdg.Packet
}

// Place is a place of a deadlock: a VC of a virtual network, the queue of a host, or a table.
type Place struct {
	// Message is the message at the front of the place. Packet is nil for a table, and Class is that
	// of the join.
	Message
	Host    model.HostID // of a table
	Source  model.HostID // of the transactions of a table, or -1 for any
	Missing int          // the class that is missing in a table, or -1 for any
	// Waits are the places that are waited for, as indices of Deadlock.Places: one of each
	// alternative, and one alone for a table.
	Waits []int
	// Awaited is the message that a transaction in a table waits for, as an index of Behind. It is -1 if the
	// transaction waits for the queue of its host, or for a table.
	Awaited int
	// Holds is the number of places that the message holds if Deadlock.Worms is true.
	Holds int
}

// mostChoices bounds the eliminations of findDeadlock.
const mostChoices = 400

// FindDeadlock returns a deadlock of places that p does not eliminate, in which no table occurs twice, or nil if it finds none.
func (w *Waits) FindDeadlock(p *Proof) *Deadlock {
	tries := 0
	return w.findDeadlock(p.left, p.gone, &tries)
}

// findDeadlock eliminates tables until those that are left are different. tries counts eliminations.
func (w *Waits) findDeadlock(left []bool, gone map[int32]bool, tries *int) *Deadlock {
	d := w.deadlock(left)
	twice := d.twice()
	if twice == nil {
		return d
	}
	for _, keep := range append(w.tablesOf[*twice], -1) {
		less := maps.Clone(gone)
		for _, at := range w.tablesOf[*twice] {
			less[at] = less[at] || at != keep
		}
		if keep >= 0 && (!left[keep] || gone[keep]) || *tries >= mostChoices {
			continue
		}
		*tries++
		if order, left := w.eliminate(less, false); len(order) < w.size() {
			if d := w.findDeadlock(left, less, tries); d != nil {
				return d
			}
		}
	}
	return nil
}

// twice returns a table that occurs twice in d, or nil.
func (d *Deadlock) twice() *tableOwner {
	seen := map[tableOwner]bool{}
	for i := range d.Places {
		if m := &d.Places[i]; m.Packet == nil {
			owner := tableOwner{m.Class, m.Host}
			if seen[owner] {
				return &owner
			}
			seen[owner] = true
		}
	}
	return nil
}

// deadlock returns a deadlock of places that are left: a set in which each wait has a place of the set in
// each alternative, and which is smallest among those that follow from one wait of each place.
func (w *Waits) deadlock(left []bool) *Deadlock {
	pick := map[int32]*messageWait{}
	waits := map[int32][]int32{} // by place: a place of each alternative of the picked wait
	for i := range w.list {
		m := &w.list[i]
		if m.free || !left[m.place] || pick[m.place] != nil {
			continue
		}
		var list []int32
		for _, all := range m.any {
			if k := slices.IndexFunc(all, func(q int32) bool { return left[q] }); k >= 0 {
				list = append(list, all[k])
			}
		}
		if len(list) == len(m.any) {
			if slices.Sort(list); m.packet == nil {
				list = list[:1]
			}
			pick[m.place], waits[m.place] = m, slices.Compact(list)
		}
	}
	set := smallestClosure(waits)
	d := &Deadlock{}
	for _, at := range set {
		m := pick[at]
		place := Place{Message: Message{m.class, m.packet}, Awaited: -1, Missing: -1, Source: -1}
		for _, q := range waits[at] {
			k, _ := slices.BinarySearch(set, q)
			place.Waits = append(place.Waits, k)
		}
		if m.packet == nil {
			t := w.tableAt(at)
			place.Host, place.Source, place.Missing = t.host, t.source, t.missing
			if held, ok := w.awaited(t, waits[at][0]); ok {
				place.Awaited = len(d.Behind)
				d.Behind = append(d.Behind, held)
			}
		}
		d.Places = append(d.Places, place)
	}
	return d
}

// mostStarts bounds the places from which smallestClosure starts.
const mostStarts = 512

// smallestClosure returns the smallest set found that contains the places waited for by each of its
// places, ascending.
func smallestClosure(waits map[int32][]int32) (best []int32) {
	starts := make([]int32, 0, len(waits))
	for at := range waits {
		starts = append(starts, at)
	}
	slices.Sort(starts)
	for i := 0; i < len(starts); i += 1 + len(starts)/mostStarts {
		seen, list := map[int32]bool{starts[i]: true}, []int32{starts[i]}
		for k := 0; k < len(list) && (best == nil || len(list) < len(best)); k++ {
			for _, q := range waits[list[k]] {
				if !seen[q] {
					seen[q] = true
					list = append(list, q)
				}
			}
		}
		if best == nil || len(list) < len(best) {
			best = list
		}
	}
	// A place of the set may have a smaller closure of its own.
	for more := true; more; {
		more = false
		for _, at := range best {
			seen, list := map[int32]bool{at: true}, []int32{at}
			for k := 0; k < len(list); k++ {
				for _, q := range waits[list[k]] {
					if !seen[q] {
						seen[q] = true
						list = append(list, q)
					}
				}
			}
			if len(list) < len(best) {
				best, more = list, true
				break
			}
		}
	}
	slices.Sort(best)
	return best
}

// awaited returns a message at place at that a transaction in table t waits for. It returns false if the
// transaction waits for a queue or a table there.
func (w *Waits) awaited(t *messageTable, at int32) (Message, bool) {
	if int(at) >= w.networks*(w.links+w.endpoints) {
		return Message{}, false
	}
	for _, f := range w.awaitedFlows(t) {
		for _, s := range f.from {
			for _, to := range f.to {
				for d := range model.DestID(w.r.Destinations()) {
					if w.r.DestinationHost(d) != to || !model.Sends(w.r, s, d) || !w.p.SendsTo(f.class, s, to) {
						continue
					}
					walk := newMessageWalk(w.r, d)
					for _, k := range w.r.Inject(s, d, nil) {
						walk.start(model.InjectState(w.r, s, d, k))
					}
					for i := 0; i < len(walk.states); i++ {
						if w.at(f.class, walk.states[i]) == at {
							return Message{f.class, walk.packet(i)}, true
						}
						walk.expand(i)
					}
				}
			}
		}
	}
	return Message{}, false
}

// Text returns what the deadlock is, in one line.
func (d *Deadlock) Text(p *model.Protocol) string {
	var names []string
	for _, m := range d.Places {
		names = append(names, p.Names[m.Class])
	}
	for _, m := range d.Behind {
		names = append(names, p.Names[m.Class])
	}
	slices.Sort(names)
	return fmt.Sprintf("messages of %s wait for each other in %d places", strings.Join(slices.Compact(names), ", "), len(d.Places))
}

// Write writes the deadlock into a claim.
func (d *Deadlock) Write(c *cert.Claim) {
	var packets []*cdg.Packet
	carries, tables := cert.Ints{}, cert.Ints{}
	fronts, table := map[*cdg.Packet]int{}, map[int]int{} // table: by index in Places, the number of a table
	holds := cert.Ints{}
	for i, m := range d.Places {
		if m.Packet != nil {
			fronts[m.Packet] = len(packets)
			packets, carries, holds = append(packets, m.Packet), append(carries, int32(m.Class)), append(holds, int32(m.Holds))
		} else {
			table[i] = len(table)
		}
	}
	for _, m := range d.Places {
		if m.Packet != nil {
			continue
		}
		awaited := int32(-1)
		if k, ok := table[m.Waits[0]]; ok {
			awaited = int32(-2 - k)
		} else if m.Awaited >= 0 {
			b := &d.Behind[m.Awaited]
			k, ok := fronts[b.Packet]
			if !ok {
				k = len(packets)
				packets, carries, holds = append(packets, b.Packet), append(carries, int32(b.Class)), append(holds, 0)
			}
			awaited = int32(k)
		}
		tables = append(tables, int32(m.Class), int32(m.Host), int32(m.Source), int32(m.Missing), awaited)
	}
	if c.Packets, c.Carries, c.Tables = encode.Packets(packets), &carries, &tables; d.Worms {
		c.Holds = &holds
	}
}
