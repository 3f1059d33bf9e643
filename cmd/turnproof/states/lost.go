package states

import (
	"fmt"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
)

// This file finds pairs that the old tables connect and the new ones do not, but those whose packets loop.

// lostPairs is the pairs of which the new tables lose the path.
type lostPairs struct {
	count  int
	source model.HostID // of the first pair, in the new network
	dest   model.DestID
	at     model.SwitchID // where its packets are dropped, or go to another host
	apart  int            // more pairs, that no path connects any more
}

// findLost compares the pairs of hosts by their ports. Pairs whose switches the new network does not connect are counted apart: no table has
// a path for them. Cost: O(destinations × (switches + hosts)).
func (s *Pair) findLost() lostPairs {
	before, after := s.In[0].Table, s.In[1].Table
	from, to := before.Network(), after.Network()
	dests, hosts := map[uint16]model.DestID{}, map[hostKey]model.HostID{} // of the old network
	for d := range model.DestID(before.Destinations()) {
		dests[before.Destination(d).LID] = d
	}
	for h := range model.HostID(from.NumHosts()) {
		hosts[keyOf(from.Host(h))] = h
	}
	part := components(to)
	var lost lostPairs
	for d := range model.DestID(after.Destinations()) {
		e, ok := dests[after.Destination(d).LID]
		if !ok {
			continue
		}
		old, now := endsOf(before, e), endsOf(after, d)
		for h := range model.HostID(to.NumHosts()) {
			g, ok := hosts[keyOf(to.Host(h))]
			if !ok || !model.Sends(after, h, d) || !old[from.Host(g).Switch].arrives || now[to.Host(h).Switch].arrives {
				continue
			}
			if now[to.Host(h).Switch].at == model.NoSwitch {
				continue // a loop: verdicts name it
			}
			if part[to.Host(h).Switch] != part[to.Host(after.DestinationHost(d)).Switch] {
				lost.apart++
				continue
			}
			if lost.count++; lost.count == 1 {
				lost.source, lost.dest, lost.at = h, d, now[to.Host(h).Switch].at
			}
		}
	}
	return lost
}

// hostKey identifies a host in two networks.
type hostKey struct {
	guid uint64
	name string // if it has no GUID
}

func keyOf(h *model.Host) hostKey {
	if h.PortGUID != 0 {
		return hostKey{guid: h.PortGUID}
	}
	return hostKey{name: h.Name}
}

// ending is where packets end.
type ending struct {
	known, arrives bool
	at             model.SwitchID
}

// endsOf returns by switch where packets to d end.
func endsOf(t *model.Table, d model.DestID) []ending {
	n := t.Network()
	ends, row := make([]ending, n.NumSwitches()), t.Row(d)
	links := model.ChannelID(n.NumLinkChannels())
	for u := range model.SwitchID(len(ends)) {
		var path []model.SwitchID
		end, at := ending{at: model.NoSwitch}, u
		for range len(ends) + 1 {
			if ends[at].known {
				end = ends[at]
				break
			}
			path = append(path, at)
			out := row[at]
			if out < 0 || out >= links {
				end = ending{arrives: out >= 0 && n.EjectChannel(t.DestinationHost(d)) == out, at: at}
				break
			}
			at = n.Head(out)
		}
		end.known = true
		for _, v := range path {
			ends[v] = end
		}
	}
	return ends
}

// components returns by switch the number of its part of the network.
func components(n *model.Network) []int {
	part, parts := make([]int, n.NumSwitches()), 0
	for u := range model.SwitchID(n.NumSwitches()) {
		if part[u] != 0 {
			continue
		}
		parts++
		part[u] = parts
		for todo := []model.SwitchID{u}; len(todo) > 0; {
			v := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, out := range n.Out(v) {
				if w := n.Head(out); w != model.NoSwitch && part[w] == 0 {
					part[w] = parts
					todo = append(todo, w)
				}
			}
		}
	}
	return part
}

// losesPaths returns an error if the new tables lose a path that a table could have.
func (s *Pair) losesPaths() error {
	lost := s.findLost()
	if lost.count == 0 {
		return nil
	}
	n, t := s.In[1].Table.Network(), s.In[1].Table
	where := "its packets end at " + n.SwitchLabel(lost.at)
	if p, ok := t.Port(lost.at, lost.dest); ok {
		where += fmt.Sprintf(", whose entry is port %d", p)
	} else {
		where += ", which has no entry"
	}
	want := "both tables of the whole fabric"
	if !s.Diff.Same() {
		want = "new tables that were computed for the new fabric"
	}
	return fmt.Errorf("%s loses the path of %s that %s has, of %s -> %s first: %s; want %s", s.Names[1],
		wording.Count(lost.count, "pair", "s"), s.Names[0], n.HostLabel(lost.source),
		fmt.Sprintf("%s (LID %d)", n.HostLabel(t.DestinationHost(lost.dest)), model.LIDOf(t, lost.dest)), where, want)
}
