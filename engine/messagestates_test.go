package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
)

// This file searches all states of small networks with requests and replies for one in which
// nothing can move. It shares no code with the simulator. A message is one flit, and a state has
// the messages of each VC, and of each queue of a host, in order.

// A note is a message: its class, its source and its destination.
type note struct{ class, from, to byte }

// states is a search. Host h sends all its requests to host to[h].
type states struct {
	rel      *model.VirtualNetworks
	rules    *Messages
	to       []int
	requests int
	room     int
	seen     map[string]bool
}

// A scene is a state.
type scene struct {
	on     [][]note // by VC
	caused [][]note // by host and queue: messages that have not been chosen
	chosen []note   // by host and queue; class 255 for none
	sent   []int    // by host: requests chosen so far
}

func (x *scene) clone() *scene {
	y := &scene{on: make([][]note, len(x.on)), caused: make([][]note, len(x.caused))}
	for i := range x.on {
		y.on[i] = append([]note(nil), x.on[i]...)
	}
	for i := range x.caused {
		y.caused[i] = append([]note(nil), x.caused[i]...)
	}
	y.chosen, y.sent = append(y.chosen, x.chosen...), append(y.sent, x.sent...)
	return y
}

// search reports whether a state is reachable in which messages wait and nothing can move.
func (s *states) search() bool {
	queues := s.rel.Messages()
	first := &scene{on: make([][]note, s.rel.Network().NumVCs()), caused: make([][]note, len(s.to)*queues), sent: make([]int, len(s.to))}
	for range first.caused {
		first.chosen = append(first.chosen, note{class: 255})
	}
	s.seen = map[string]bool{}
	for todo := []*scene{first}; len(todo) > 0; {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		moves := s.moves(x)
		if len(moves) == 0 && s.waits(x) {
			return true
		}
		for _, y := range moves {
			if key := fmt.Sprint(*y); !s.seen[key] {
				s.seen[key] = true
				todo = append(todo, y)
			}
		}
	}
	return false
}

// waits reports whether messages are in the network or at hosts.
func (s *states) waits(x *scene) bool {
	for _, list := range append(x.on, x.caused...) {
		if len(list) > 0 {
			return true
		}
	}
	for _, c := range x.chosen {
		if c.class != 255 {
			return true
		}
	}
	return false
}

// entries returns the number of messages of a class that host h has to send.
func (s *states) entries(x *scene, h int, class byte) (sum int) {
	queues := s.rel.Messages()
	for q := range queues {
		for _, m := range append(x.caused[h*queues+q], x.chosen[h*queues+q]) {
			if m.class == class {
				sum++
			}
		}
	}
	return sum
}

// moves returns the states after one step: a host chooses or sends a message, a message takes a
// hop, or a host consumes it.
func (s *states) moves(x *scene) (list []*scene) {
	n, queues := s.rel.Network(), s.rel.Messages()
	for h := range s.to {
		for q := range queues {
			i := h*queues + q
			switch c := x.chosen[i]; {
			case c.class != 255:
				first, count := s.rel.VCsOf(int(c.class))
				for k := first; k < first+count; k++ {
					if v := n.VC(n.InjectChannel(model.HostID(h)), k); len(x.on[v]) < s.room {
						y := x.clone()
						y.on[v] = append(y.on[v], c)
						y.chosen[i] = note{class: 255}
						list = append(list, y)
					}
				}
			case len(x.caused[i]) > 0:
				y := x.clone()
				y.chosen[i], y.caused[i] = x.caused[i][0], y.caused[i][1:]
				list = append(list, y)
			case s.rules.Queue[0] == q && x.sent[h] < s.requests:
				y := x.clone()
				y.chosen[i] = note{0, byte(h), byte(s.to[h])}
				y.sent[h]++
				list = append(list, y)
			}
		}
	}
	for v := range x.on {
		if len(x.on[v]) == 0 {
			continue
		}
		m := x.on[v][0]
		for _, hop := range s.rel.Next(model.State{VC: model.VCID(v), Dest: model.DestID(m.to), Class: model.Class(m.class)}, nil) {
			y := x.clone()
			y.on[v] = y.on[v][1:]
			c, _ := n.Channel(hop.VC)
			if n.Kind(c) != model.Eject {
				if len(y.on[hop.VC]) < s.room {
					y.on[hop.VC] = append(y.on[hop.VC], m)
					list = append(list, y)
				}
				continue
			}
			if next := s.rules.Causes[m.class]; next >= 0 {
				if s.entries(x, int(m.to), byte(next)) >= s.rules.Entries {
					continue
				}
				at := int(m.to)*queues + s.rules.Queue[next]
				y.caused[at] = append(y.caused[at], note{byte(next), m.to, m.from})
			}
			list = append(list, y)
		}
	}
	return list
}

// freezes reports whether a run freezes. Runs of the same network differ in their times.
func (s *states) freezes(t *testing.T, seed uint64) bool {
	rules := *s.rules
	rules.Service = Clock(Draw(seed, 1, 1) % 12)
	lists := &listSource{lists: make([][]Packet, len(s.to))}
	for h, to := range s.to {
		clock := Clock(0)
		for k := range s.requests {
			clock += Clock(Draw(seed, uint64(h)+2, uint64(k)) % 6)
			lists.lists[h] = append(lists.lists[h], Packet{Created: clock, Source: model.HostID(h), Dest: model.DestID(to), Flits: 1})
		}
	}
	sim, err := New(s.rel, lists, Options{BufferFlits: s.room, Messages: &rules}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := sim.Watch(context.Background(), 3000)
	if err != nil {
		t.Fatal(err)
	}
	if d == nil && sim.Answered() != int64(s.requests*len(s.to)) {
		t.Errorf("no deadlock, but %d requests answered", sim.Answered())
	}
	if d != nil && len(d.Queues) == 0 {
		t.Error("a deadlock without a queue of a host")
	}
	return d != nil
}

// TestMessageStates: a run freezes only if the search reaches a state in which nothing can move,
// and then some run freezes. Separate virtual networks have no such state.
func TestMessageStates(t *testing.T) {
	stuck, free := 0, 0
	for _, spec := range []string{"mesh:2x1", "mesh:3x1"} {
		for _, classes := range []string{"request+reply", "request,reply"} {
			for _, room := range []int{1, 2} {
				for requests := 1; requests <= 5; requests++ {
					rel, m := replicated(t, spec, "dor", classes)
					s := &states{rel: rel, rules: rulesOf(m, 1), requests: requests, room: room}
					s.rules.Entries = 1
					hosts := rel.Network().NumHosts()
					for h := range hosts {
						s.to = append(s.to, hosts-1-h)
					}
					if s.to[hosts/2] = (hosts/2 + 1) % hosts; spec == "mesh:2x1" {
						s.to = []int{1, 0}
					}
					if few := map[string]int{"mesh:2x1": 3, "mesh:3x1": 1}[spec]; requests*room > few && (classes != "request+reply" || requests*room != 5) {
						continue // too many states
					}
					found := s.search()
					frozen := 0
					for seed := range uint64(40) {
						if s.freezes(t, seed) {
							frozen++
						}
					}
					what := fmt.Sprintf("%s %s, room for %d, %d requests: %d states, stuck %v, %d of 40 runs freeze", spec, classes, room, requests,
						len(s.seen), found, frozen)
					t.Log(what)
					if found != (frozen > 0) {
						t.Error(what)
					}
					if found {
						stuck++
					} else {
						free++
					}
					if found && strings.Contains(classes, ",") {
						t.Errorf("%s: separate networks freeze", what)
					}
				}
			}
		}
	}
	if stuck < 3 || free < 8 {
		t.Errorf("%d cases freeze, %d do not: the test is too weak", stuck, free)
	}
}
