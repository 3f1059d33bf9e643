package protocols

import (
	"encoding/binary"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/worms"
)

// This file reads a deadlock of messages from a model of the clauses (worms.go).

// messageBody is a message of the model: its states, that of its tail first.
type messageBody struct {
	states []int32
	from   []model.HostID // the hosts that may have sent it
}

// readBodies returns the messages of the model. If several are in a queue, one keeps the place of its
// front, and the others lie on VCs between switches only.
func (f *messageFormula) readBodies() (list []messageBody) {
	next := f.NextStates()
	follows := make([]bool, len(next))
	for _, j := range next {
		if j >= 0 {
			follows[j] = true
		}
	}
	front := make([]bool, f.size())
	for i := range int32(len(next)) {
		if !f.Solver.True(f.lies(i)) || follows[i] {
			continue
		}
		var b messageBody
		for at := i; at >= 0; at = next[at] {
			b.states = append(b.states, at)
		}
		place := f.states[i].place
		if front[place] {
			b.states = b.states[1:]
		}
		if front[place] = true; len(b.states) > 0 {
			b.from = f.groups[f.states[i].group].from
			list = append(list, b)
		}
	}
	return list
}

// readDeadlock returns the smallest deadlock that it finds in the model. It returns nil if it finds no host that sends what a table waits for,
// and true if it has added clauses instead, because a message cannot reach its states.
func (f *messageFormula) readDeadlock() (*Deadlock, bool) {
	bodies := f.readBodies()
	reached := true
	for _, b := range bodies {
		switch path, known := f.approach(b.states, b.from); {
		case path != nil:
		case !known:
			return nil, false
		default:
			f.Solver.Add(worms.StepApart, f.Without(b.states)...)
			reached = false
		}
	}
	if !reached {
		return nil, true
	}
	holder := map[int32]int32{} // by place: a number of bodies; after these come the tables
	for k, b := range bodies {
		for _, i := range b.states {
			holder[f.states[i].place] = int32(k)
		}
	}
	why := map[int32]tableLiteral{}
	for i := range f.tables {
		if at := int32(f.firstTable() + i); f.Solver.True(f.held(at)) {
			list := f.reasons[i]
			n := int32(len(bodies) + i)
			holder[at] = n
			why[n] = list[slices.IndexFunc(list, func(w tableLiteral) bool { return f.Solver.True(w.literal) })]
		}
	}
	waits := map[int32][]int32{}
	for n, w := range why {
		if w.state >= 0 {
			w.place = f.states[w.state].place
		}
		waits[n] = []int32{holder[w.place]}
	}
	for k, b := range bodies {
		own := f.ownTables(int32(k), len(bodies), waits, why)
		s := &f.states[b.states[len(b.states)-1]]
		if waits[int32(k)] = f.heldBy(s, holder, own); waits[int32(k)] == nil || len(own) > 0 && f.groups[s.group].dest < 0 {
			return nil, false
		}
	}
	return f.build(smallestClosure(waits), waits, bodies, why), false
}

// ownTables returns the tables whose transactions wait for message k of n messages, maybe by way of other tables. The message finds its
// entry there.
func (f *messageFormula) ownTables(k int32, n int, waits map[int32][]int32, why map[int32]tableLiteral) (own []int32) {
	for i := range f.tables {
		at, last := int32(n+i), int32(-1)
		for steps := 0; int(at) >= n && len(waits[at]) > 0 && steps <= len(f.tables); steps++ {
			at, last = waits[at][0], at
		}
		if at == k && last >= 0 && why[last].state >= 0 {
			own = append(own, f.tablesOf[f.tables[i].tableOwner]...)
		}
	}
	return own
}

// heldBy returns who holds a place of each alternative of a state, or of one that is held if the state commits. The tables of own do
// not count. It returns nil if an alternative has no such place.
func (f *messageFormula) heldBy(s *messageState, holder map[int32]int32, own []int32) (list []int32) {
	for _, one := range s.any {
		if k := slices.IndexFunc(one, func(at int32) bool { return f.Solver.True(f.held(at)) && !slices.Contains(own, at) }); k >= 0 {
			list = append(list, holder[one[k]])
		}
	}
	if s.commits && len(list) > 0 {
		list = list[:1]
	} else if len(list) < len(s.any) {
		return nil
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// build returns the deadlock of some messages and tables.
func (f *messageFormula) build(set []int32, waits map[int32][]int32, bodies []messageBody, why map[int32]tableLiteral) *Deadlock {
	d := &Deadlock{Worms: f.wormhole}
	for _, n := range set { // a table says who sends what it waits for
		if w, isTable := why[n]; isTable && w.state >= 0 {
			bodies[waits[n][0]].from = slices.DeleteFunc(slices.Clone(bodies[waits[n][0]].from), func(h model.HostID) bool { return h != w.flow.from[0] })
		}
	}
	for _, n := range set {
		place := Place{Awaited: -1, Missing: -1, Source: -1}
		for _, other := range waits[n] {
			k, _ := slices.BinarySearch(set, other)
			place.Waits = append(place.Waits, k)
		}
		if int(n) < len(bodies) {
			b := &bodies[n]
			path, _ := f.approach(b.states, b.from)
			if path == nil {
				return nil
			}
			g := &f.groups[f.states[b.states[0]].group]
			place.Message, place.Holds = Message{g.class, path}, len(b.states)
		} else {
			t, w := &f.tables[int(n)-len(bodies)], why[n]
			place.Class, place.Host, place.Source, place.Missing = t.join, t.host, t.source, t.missing
			switch held, ok := f.awaitedAt(t, w); {
			case w.state >= 0:
				place.Awaited = -2 // it is the message of a place, which is known when all places are
			case ok:
				place.Awaited = len(d.Behind)
				d.Behind = append(d.Behind, held)
			}
		}
		d.Places = append(d.Places, place)
	}
	for i := range d.Places {
		if m := &d.Places[i]; m.Awaited == -2 {
			m.Awaited = len(d.Behind)
			d.Behind = append(d.Behind, d.Places[m.Waits[0]].Message)
		}
	}
	return d
}

// awaitedAt returns the message behind the front of a queue that a table waits for, or false if it waits for something else.
func (f *messageFormula) awaitedAt(t *messageTable, w tableLiteral) (Message, bool) {
	switch {
	case !f.wormhole:
		return (&Waits{Places: f.Places}).awaited(t, w.place)
	case len(w.flow.from) == 0 || w.state >= 0:
		return Message{}, false
	}
	s := w.flow.from[0]
	first := model.InjectState(f.r, s, w.dest, f.r.Inject(s, w.dest, nil)[0])
	return Message{w.flow.class, &cdg.Packet{Source: s, Dest: w.dest, Path: []model.State{first}}}, true
}

// maxApproach bounds the places that approach visits.
const maxApproach = 1 << 12

// approach returns a packet from one of some hosts whose path ends with the given states, such that a message that lies
// on as many VCs goes there while the network is empty. It returns nil if there is none.
func (f *messageFormula) approach(states []int32, from []model.HostID) (*cdg.Packet, bool) {
	group := &f.groups[f.states[states[0]].group]
	if group.dest < 0 {
		return f.copyAt(group, f.states[states[0]].at.VC, from), false
	}
	into := f.before(states[0])
	type place struct {
		states []int32
		after  int // the place that a move leads to, or -1
	}
	list, seen := []place{{states, -1}}, map[string]bool{}
	for k := 0; k < len(list); k++ {
		if k == maxApproach {
			return nil, false
		}
		at := list[k].states
		first := f.states[at[0]].at
		if !f.n.IsLinkVC(first.VC) {
			channel, _ := f.n.Channel(first.VC)
			if h := f.n.HostOf(channel); slices.Contains(from, h) {
				p := &cdg.Packet{Source: h, Dest: group.dest}
				for _, i := range at {
					p.Path = append(p.Path, f.states[i].at)
				}
				for j := list[k].after; j >= 0; j = list[j].after {
					p.Path = append(p.Path, f.states[list[j].states[len(list[j].states)-1]].at)
				}
				return p, true
			}
			continue
		}
		for _, b := range into(at[0]) {
			if slices.ContainsFunc(at, func(i int32) bool { return f.states[i].at.VC == f.states[b].at.VC }) {
				continue
			}
			back := append([]int32{b}, at...)
			after := k
			if f.n.IsLinkVC(f.states[b].at.VC) || len(at) == 1 { // its head moves back
				back = back[:len(at)]
			} else { // it has come from here directly
				after = list[k].after
			}
			if key := stateKey(back); !seen[key] {
				seen[key] = true
				list = append(list, place{back, after})
			}
		}
	}
	return nil, len(states) > 1
}

// before returns a function that returns the states before a state of the group of state i.
func (f *messageFormula) before(i int32) func(int32) []int32 {
	group := f.states[i].group
	into := map[int32][]int32{}
	for at := f.groups[group].first; int(at) < len(f.states) && f.states[at].group == group; at++ {
		for _, hop := range f.r.Next(f.states[at].at, nil) {
			if f.n.IsLinkVC(hop.VC) {
				next := f.find(group, model.State{VC: hop.VC, Class: hop.Class})
				into[next] = append(into[next], at)
			}
		}
	}
	return func(i int32) []int32 { return into[i] }
}

// find returns the number of a state of a group.
func (f *messageFormula) find(group int32, at model.State) int32 {
	first := f.groups[group].first
	end := int(first)
	for end < len(f.states) && f.states[end].group == group {
		end++
	}
	k, _ := slices.BinarySearchFunc(f.states[first:end], at, func(s messageState, at model.State) int { return compareStates(s.at, at) })
	return first + int32(k)
}

func stateKey(states []int32) string {
	var key []byte
	for _, i := range states {
		key = binary.LittleEndian.AppendUint32(key, uint32(i))
	}
	return string(key)
}

// copyAt returns a copy of a multicast message on a VC.
func (f *messageFormula) copyAt(g *messageGroup, v model.VCID, from []model.HostID) *cdg.Packet {
	if !slices.Contains(from, g.from[0]) {
		return nil
	}
	for _, d := range f.p.Rules[g.class].To {
		if d == g.from[0] || !f.p.SendsTo(g.class, g.from[0], d) {
			continue
		}
		path := onePath(f.r, g.from[0], d)
		if k := slices.IndexFunc(path.Path, func(s model.State) bool { return s.VC == v }); k >= 0 {
			return &cdg.Packet{Source: path.Source, Dest: path.Dest, Path: path.Path[:k+1]}
		}
	}
	return nil
}
