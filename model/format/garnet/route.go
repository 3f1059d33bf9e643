package garnet

import (
	"container/heap"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/route"
)

// This file makes the routing of a Garnet network.
//
// With routing_algorithm 0, a packet at router u for a controller at router d may take the links with weight(u, v) + distance(v, d) =
// distance(u, d), where distances are sums of weights over the links of its virtual network. Of these it may take those with the
// least weight (lookupRoutingTable). Several are a random choice for each packet, made when it arrives; the packet then waits
// for this one. On an ordered virtual network it is always the first of them. The file does not state which are ordered, so all are
// permitted: what is proved holds for both.
//
// With routing_algorithm 1, a packet takes the link whose src_outport is East or West until the column is right, then North or South
// (outportComputeXY).

// committed is a relation whose packets wait for the hop that they chose on arrival.
type committed struct{ model.Grouped }

// Commits implements model.Committer.
func (committed) Commits(model.State) bool { return true }

// routed returns the network with its routing.
func (g *network) routed() (*format.Routed, error) {
	r := &format.Routed{Network: g.net, Routing: "table of " + textfile.Base(g.src.Name), Run: g.run}
	file, groups := textfile.Base(g.src.Name), g.groups()
	r.Notes = append(r.Notes, groupNote(file, groups))
	if g.unknown != nil {
		r.Warnings = append(r.Warnings, file+": parameters that are not known have no effect: "+strings.Join(g.unknown, ", "))
	}
	g.stateHosts(r)
	if g.oneWay {
		r.Notes = append(r.Notes, file+": some links have one direction; the other direction of their cables is not used")
	}
	s := route.Steps{Net: g.net.WithVCs(len(groups)), Classes: len(groups), BySwitch: true, Delivers: true}
	for h := range g.hosts {
		s.Dests = append(s.Dests, model.HostID(h))
	}
	var err error
	choice := false
	switch g.algorithm {
	case 0:
		choice, err = g.tables(&s, groups)
	case 1:
		r.Routing = "XY of " + file
		err = g.columns(&s, groups)
	default:
		r.Unrouted = g.src.FileError("routing_algorithm %d is code of your gem5, known are 0 (table) and 1 (XY): want --routing", g.algorithm)
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if choice {
		r.Notes = append(r.Notes, file+": packets choose among links of equal weight on arrival; ordered virtual networks always take the first of them")
	}
	rel, err := route.FromSteps(s)
	if err != nil {
		return nil, g.src.FileError("%s", strings.TrimPrefix(err.Error(), "route: "))
	}
	r.Relation, r.Network = committed{rel.(model.Grouped)}, rel.Network()
	return r, nil
}

// stateHosts adds a doubt if a controller lacks a link for some virtual network. All virtual networks are judged for all controllers, so
// what is proved holds for fewer packets.
func (g *network) stateHosts(r *format.Routed) {
	for _, h := range g.hosts {
		if slices.Contains(h.nets, false) {
			r.Doubts = append(r.Doubts, model.Doubt{Premise: model.PremiseFlows, Against: model.AgainstRefutation,
				Claims: []string{model.ClaimDeadlockFree, model.ClaimConnected, model.ClaimLivelockFree},
				Reason: fmt.Sprintf("%s: %s has no link for some virtual network, and packets of all of them are judged", textfile.Base(g.src.Name), h.name)})
			return
		}
	}
}

// step permits a hop over a link to all controllers of a router.
func (g *network) step(s *route.Steps, l *link, group int, hosts []model.DestID) {
	for _, d := range hosts {
		hop := model.Hop{VC: s.Net.VC(l.channel, group), Class: model.Class(group)}
		s.List = append(s.List, route.Step{Place: int32(l.from), Dest: d, Class: model.Class(group), Hop: hop})
	}
}

// hostsAt returns the controllers of each router.
func (g *network) hostsAt() [][]model.DestID {
	at := make([][]model.DestID, len(g.names))
	for h, x := range g.hosts {
		at[x.router] = append(at[x.router], model.DestID(h))
	}
	return at
}

// tables adds the steps of routing_algorithm 0. choice reports whether some packet has several. Cost: O(routers × links × log links)
// for each group.
func (g *network) tables(s *route.Steps, groups [][]int) (choice bool, err error) {
	out, at := g.sortLinks(), g.hostsAt()
	for k, group := range groups {
		for d := range g.names {
			if len(at[d]) == 0 {
				continue
			}
			dist := g.distances(d, group[0])
			for u := range g.names {
				best, count := g.nearest(out[u], group[0], dist, u)
				choice = choice || count > 1
				for _, l := range out[u] {
					if u != d && l.weight == best && g.nearer(l, group[0], dist) {
						g.step(s, l, k, at[d])
					}
				}
				if u != d && count == 0 && len(at[u]) > 0 && len(groups) == 1 {
					return false, g.src.FileError("no path from %s to %s", g.names[u], g.names[d])
				}
			}
		}
	}
	return choice, nil
}

// nearer reports whether a link is on a shortest path.
func (g *network) nearer(l *link, vnet int, dist []int) bool {
	return l.carries(vnet) && dist[l.to] < maxWeight+1 && l.weight+dist[l.to] == dist[l.from]
}

// nearest returns the least weight of the links on shortest paths, and how many links have it.
func (g *network) nearest(list []*link, vnet int, dist []int, u int) (best, count int) {
	for _, l := range list {
		switch {
		case dist[u] == 0 || !g.nearer(l, vnet, dist):
		case count == 0 || l.weight < best:
			best, count = l.weight, 1
		case l.weight == best:
			count++
		}
	}
	return best, count
}

// queueItem is a router in the queue of distances.
type queueItem struct{ router, dist int }

type queue []queueItem

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, k int) bool { return q[i].dist < q[k].dist }
func (q queue) Swap(i, k int)      { q[i], q[k] = q[k], q[i] }

// Push adds an item.
func (q *queue) Push(x any) { *q = append(*q, x.(queueItem)) }

// Pop removes the last item.
func (q *queue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// distances returns the sum of weights from each router to d (Dijkstra 1959). A router without a path has maxGarnetWeight + 1.
func (g *network) distances(d, vnet int) []int {
	into := g.incoming()
	dist := make([]int, len(g.names))
	for u := range dist {
		dist[u] = maxWeight + 1
	}
	dist[d] = 0
	q := &queue{{d, 0}}
	for q.Len() > 0 {
		x := heap.Pop(q).(queueItem)
		if x.dist > dist[x.router] {
			continue
		}
		for _, i := range into[x.router] {
			l := &g.links[i]
			if k := x.dist + l.weight; l.carries(vnet) && k < dist[l.from] {
				dist[l.from] = k
				heap.Push(q, queueItem{l.from, k})
			}
		}
	}
	return dist
}

// incoming returns the links into each router.
func (g *network) incoming() [][]int {
	if g.into == nil {
		g.into = make([][]int, len(g.names))
		for i, l := range g.links {
			g.into[l.to] = append(g.into[l.to], i)
		}
	}
	return g.into
}

// columns adds the steps of routing_algorithm 1. Links need a direction in src_outport.
func (g *network) columns(s *route.Steps, groups [][]int) error {
	if g.rows < 1 || len(g.names)%g.rows != 0 {
		return g.src.FileError("routing_algorithm 1 (XY) with num_rows %d: want a divisor of the number of routers, %d", g.rows, len(g.names))
	}
	side, at := len(g.names)/g.rows, g.hostsAt()
	toward := make([]map[string]*link, len(g.names))
	for i := range g.links {
		l := &g.links[i]
		if toward[l.from] == nil {
			toward[l.from] = map[string]*link{}
		}
		if other := toward[l.from][l.port]; other != nil && strings.Contains(" East West North South ", " "+l.port+" ") {
			return g.src.ErrorAt(l.line, "two links of %s have src_outport %s", g.names[l.from], l.port)
		}
		toward[l.from][l.port] = l
	}
	for u := range g.names {
		for d := range g.names {
			if u == d || len(at[d]) == 0 {
				continue
			}
			name := directionOf(u, d, side)
			l := toward[u][name]
			if l == nil {
				return g.src.FileError("%s has no link with src_outport %s, which XY routing to %s needs", g.names[u], name, g.names[d])
			}
			for k, group := range groups {
				if l.carries(group[0]) {
					g.step(s, l, k, at[d])
				}
			}
		}
	}
	return nil
}

// directionOf returns the direction from router u to d in rows of side routers.
func directionOf(u, d, side int) string {
	switch dx, dy := d%side-u%side, d/side-u/side; {
	case dx > 0:
		return "East"
	case dx < 0:
		return "West"
	case dy > 0:
		return "North"
	}
	return "South"
}
