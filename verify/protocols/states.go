package protocols

import (
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/worms"
)

// This file lists the states of the messages of a protocol, and which states follow each other.

// messageState is a state of the messages of a group: a class, a destination and their sources, or
// a multicast class and its source.
type messageState struct {
	place   int32
	group   int32
	at      model.State
	any     [][]int32 // alternatives, as in messageWait
	commits bool
}

// messageGroup is messages that share their states.
type messageGroup struct {
	class int
	dest  model.DestID // -1 for multicast
	from  []model.HostID
	first int32 // its first state
}

// messageGraph is all states of the messages of a protocol, and the edges between those of link VCs and before them.
type messageGraph struct {
	*Places
	wormhole    bool
	groups      []messageGroup
	states      []messageState
	worms.Edges // between states of the same group
	on          [][]int32
}

// maxMessageStates bounds the states, for each table too, and the edges of a messageGraph.
const maxMessageStates = 1 << 20

// newMessageGraph returns the states of w's protocol in the order of the certificate, or nil if there are too many.
func newMessageGraph(w *Waits, commits func(model.State) bool, wormhole bool) *messageGraph {
	g := &messageGraph{Places: w.Places, wormhole: wormhole}
	for c := range g.p.Rules {
		from := g.p.Rules[c].From
		if g.p.Rules[c].Multicast {
			for i := range from {
				g.addCopies(c, from[i:i+1])
			}
			continue
		}
		for d := range model.DestID(g.r.Destinations()) {
			from := g.sendersOf(c, d)
			parts := slices.Collect(slices.Chunk(from, max(1, len(from))))
			if g.namesSources(c) {
				parts = slices.Collect(slices.Chunk(from, 1))
			}
			for _, part := range parts {
				g.addGroup(c, d, part, commits)
			}
		}
		if (len(g.tables)+1)*len(g.states)+len(g.To) > maxMessageStates {
			return nil
		}
	}
	g.First = append(g.First, int32(len(g.To)))
	g.on = make([][]int32, g.size())
	for i := range g.states {
		g.on[g.states[i].place] = append(g.on[g.states[i].place], int32(i))
	}
	return g
}

// addCopies adds the states of a multicast class from one host, by VC.
func (g *messageGraph) addCopies(c int, from []model.HostID) {
	only := &Waits{Places: g.Places, seen: map[string]bool{}}
	_ = only.copiesFrom(c, from[0]) // the waits have been collected before without an error
	slices.SortFunc(only.list, func(a, b messageWait) int { return int(last(a.packet).VC) - int(last(b.packet).VC) })
	g.groups = append(g.groups, messageGroup{c, -1, from, int32(len(g.states))})
	for _, m := range only.list {
		g.First = append(g.First, int32(len(g.To)))
		g.states = append(g.states, messageState{place: m.place, group: int32(len(g.groups) - 1), at: last(m.packet), any: m.any})
	}
}

func last(p *cdg.Packet) model.State { return p.Path[len(p.Path)-1] }

// addGroup adds the states of class c from some hosts to destination d, by VC and class.
func (g *messageGraph) addGroup(c int, d model.DestID, from []model.HostID, commits func(model.State) bool) {
	walk := newMessageWalk(g.r, d)
	for _, h := range from {
		if model.Sends(g.r, h, d) {
			for _, k := range g.r.Inject(h, d, nil) {
				walk.start(model.InjectState(g.r, h, d, k))
			}
		}
	}
	for i := 0; i < len(walk.states); i++ {
		walk.expand(i)
	}
	list := walk.states
	slices.SortFunc(list, compareStates)
	begin := int32(len(g.states))
	g.groups = append(g.groups, messageGroup{c, d, from, begin})
	home, end := g.consumption(c, from[0], g.r.DestinationHost(d)), g.n.EjectChannel(g.r.DestinationHost(d))
	for _, at := range list {
		s := messageState{place: g.at(c, at), group: int32(len(g.groups) - 1), at: at, commits: commits != nil && commits(at)}
		g.First = append(g.First, int32(len(g.To)))
		edges := len(g.To)
		for _, hop := range g.r.Next(at, nil) {
			channel, _ := g.n.Channel(hop.VC)
			switch {
			case g.n.IsLinkVC(hop.VC):
				next := model.State{VC: hop.VC, Dest: d, Class: hop.Class}
				s.any = append(s.any, []int32{g.at(c, next)})
				if k, _ := slices.BinarySearchFunc(list, next, compareStates); g.wormhole {
					g.To = append(g.To, begin+int32(k))
				}
			case channel == end:
				s.any = append(s.any, home)
			default:
				s.any = append(s.any, nil)
			}
		}
		slices.Sort(g.To[edges:])
		g.To = g.To[:edges+len(slices.Compact(g.To[edges:]))]
		g.states = append(g.states, s)
	}
}

func compareStates(a, b model.State) int {
	if a.VC != b.VC {
		return int(a.VC) - int(b.VC)
	}
	return int(a.Class) - int(b.Class)
}
