package booksim

import (
	"bytes"
	"cmp"
	"container/heap"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/format/wiring"
)

// This file computes the routing table that BookSim 2 uses on an anynet network, and writes forwarding tables as such a
// network if BookSim routes packets as the tables do.
//
// Source: booksim/booksim2, src/networks/anynet.cpp (route).

// maxAnynetEntries is the largest number of entries of the routing table; an entry takes four
// bytes.
const maxAnynetEntries = 1 << 29

// table returns BookSim's routing table (routing_function = min). It has a path of minimum latency
// from each router to each node, found by Dijkstra's algorithm with BookSim's tie-breaking: of
// several such paths, it takes the one whose last router was found first. Among routers at equal
// distance, the one with the lower number counts as found first. BookSim offers all VCs of the
// channel to every packet. They then behave like a single VC, so the table has one VC per channel,
// and its verdict holds for any number of VCs. Cost: O(routers × links × log routers).
func (a *anynet) table(n *model.Network) (*model.Table, error) {
	if cells := n.NumSwitches() * n.NumHosts(); cells > maxAnynetEntries {
		return nil, a.src.FileError("a routing table of %d entries, allowed are %d", cells, maxAnynetEntries)
	}
	dests := make([]model.Destination, n.NumHosts())
	for h := range dests {
		dests[h].Host = model.HostID(h)
	}
	t := model.NewTable(n, dests)
	g := a.neighbours()
	first := make([]model.Port, n.NumSwitches())
	for u := range g {
		a.firstHops(g, n, u, first)
		for h := range dests {
			e := n.Host(model.HostID(h))
			switch v := e.Switch; {
			case int(v) == u:
				t.SetPort(v, model.DestID(h), e.Port)
			case first[v] != wiring.NoPort:
				t.SetPort(model.SwitchID(u), model.DestID(h), first[v])
			}
		}
	}
	return t, nil
}

// firstHops stores in first the port by which router u sends to each router, or wiring.NoPort if there is
// no path.
func (a *anynet) firstHops(g [][]int, n *model.Network, u int, first []model.Port) {
	distance := make([]int, len(g))
	done := make([]bool, len(g))
	for v := range g {
		distance[v], first[v] = -1, wiring.NoPort
	}
	port := map[int]model.Port{}
	for _, c := range n.Out(model.SwitchID(u)) {
		if n.Kind(c) == model.SwitchToSwitch {
			port[int(n.Head(c))] = n.TailPort(c)
		}
	}
	distance[u] = 0
	for q := (frontier{{0, u}}); len(q) > 0; {
		v := heap.Pop(&q).(reached).router
		if done[v] {
			continue
		}
		done[v] = true
		for _, w := range g[v] {
			d := distance[v] + a.latency[[2]int{v, w}]
			if distance[w] >= 0 && d >= distance[w] {
				continue
			}
			distance[w], first[w] = d, first[v]
			if v == u {
				first[w] = port[w]
			}
			heap.Push(&q, reached{d, w})
		}
	}
}

// frontier is a heap of routers, sorted by distance, then by number.
type (
	reached  struct{ distance, router int }
	frontier []reached
)

func (q frontier) Len() int { return len(q) }

func (q frontier) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q frontier) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].distance, q[j].distance), cmp.Compare(q[i].router, q[j].router)) < 0
}

func (q *frontier) Push(x any) { *q = append(*q, x.(reached)) }

func (q *frontier) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// Write writes the network of forwarding tables as an anynet file, if BookSim routes
// packets as the tables do. BookSim 2 reads no routing table for anynet: with routing_function =
// min it computes its own (see table) by the latencies of the links. If that table sends
// packets of some switch to another neighbour, WriteBookSim fails with *OtherRouting. Cost:
// O(routers × links × log routers).
func Write(w io.Writer, t *model.Table) error {
	n := t.Network()
	var text bytes.Buffer
	if err := writeAnynet(&text, n); err != nil {
		return err
	}
	src, err := textfile.New("anynet", bytes.NewReader(text.Bytes()), nil)
	if err != nil {
		return err
	}
	defer src.Close()
	a, err := parseAnynet(src)
	if err != nil {
		return err
	}
	as, err := a.network()
	if err != nil {
		return err
	}
	own, err := a.table(as)
	if err != nil {
		return err
	}
	if other := differing(t, own); other != nil {
		return other
	}
	_, err = w.Write(text.Bytes())
	return err
}

// OtherRouting is the error that BookSim would not route as a table does.
type OtherRouting struct {
	Differ, Entries int
	Switch          model.SwitchID // a switch at which they differ
	Dest            model.HostID   // the destination for which they differ there
}

// Error implements error.
func (o *OtherRouting) Error() string {
	return fmt.Sprintf("BookSim 2 loads no routing table for anynet, and its own (routing_function = min) differs in %d of %d entries, "+
		"first at switch %d for host %d; the network alone is written by convert --to anynet", o.Differ, o.Entries, o.Switch, o.Dest)
}

// differing compares the next switches of table t with BookSim's own table, whose ports have other
// numbers. t must have one destination for each host. It returns nil if all next switches are
// equal.
func differing(t, own *model.Table) *OtherRouting {
	var o OtherRouting
	for d := range model.DestID(t.Destinations()) {
		h := t.DestinationHost(d)
		for u := range model.SwitchID(t.Network().NumSwitches()) {
			if o.Entries++; nextOf(t, u, d) == nextOf(own, u, model.DestID(h)) {
				continue
			}
			if o.Differ++; o.Differ == 1 {
				o.Switch, o.Dest = u, h
			}
		}
	}
	if o.Differ == 0 {
		return nil
	}
	return &o
}

// nextOf returns the switch to which u sends packets for d, or the host if u is the last switch.
func nextOf(t *model.Table, u model.SwitchID, d model.DestID) [2]int {
	c := t.Row(d)[u]
	if c < 0 {
		return [2]int{-1, -1}
	}
	return [2]int{int(t.Network().Head(c)), int(t.Network().HostOf(c))}
}
