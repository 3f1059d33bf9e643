package engine

import (
	"math"

	"github.com/turnproof/turnproof/model"
)

// This file computes distances between switches by the costs of links (model.Costed).
//
// Method: Dijkstra with a bucket for each cost, from the target against the channels. Cost: one search for each target
// that is asked for, and four bytes for each switch and such target.

// distances has the distances to the switches that have been asked for.
type distances struct {
	net  *model.Network
	cost []uint8   // by channel between switches
	to   [][]reach // by target: by switch, or nil
}

// reach is how far a switch is from a target.
type reach struct {
	cost  uint16 // unreached if there is no path
	links uint16 // of a path of this cost with the fewest links
}

const unreached = math.MaxUint16

func newDistances(r model.Relation) *distances {
	n := r.Network()
	d := &distances{net: n, cost: make([]uint8, n.NumLinkChannels()), to: make([][]reach, n.NumSwitches())}
	for c := range d.cost {
		d.cost[c] = uint8(model.LinkCost(r, model.ChannelID(c)))
	}
	return d
}

// from returns how far each switch is from target t.
func (d *distances) from(t model.SwitchID) []reach {
	if d.to[t] == nil {
		d.to[t] = d.search(t)
	}
	return d.to[t]
}

func (d *distances) search(t model.SwitchID) []reach {
	row := make([]reach, d.net.NumSwitches())
	for u := range row {
		row[u] = reach{unreached, unreached}
	}
	row[t] = reach{}
	const buckets = model.MaxLinkCost + 1
	var open [buckets][]model.SwitchID // by cost modulo their number
	open[0] = append(open[0], t)
	for cost, left := uint16(0), 1; left > 0; cost++ {
		list := open[cost%buckets]
		open[cost%buckets] = nil
		left -= len(list)
		for _, u := range list {
			if row[u].cost != cost {
				continue // a cheaper path has been found
			}
			for _, c := range d.net.Out(u) {
				w := d.net.Head(c)
				if w == model.NoSwitch {
					continue
				}
				by := reach{cost + uint16(d.cost[d.net.Reverse(c)]), row[u].links + 1}
				if by.cost < row[w].cost {
					open[by.cost%buckets], left = append(open[by.cost%buckets], w), left+1
				} else if by.cost > row[w].cost || by.links >= row[w].links {
					continue
				}
				row[w] = by
			}
		}
	}
	return row
}

// nearer reports whether channel c is the first one of a path of least cost to the target of row.
func (d *distances) nearer(row []reach, c model.ChannelID) bool {
	u, w := row[d.net.Tail(c)].cost, row[d.net.Head(c)].cost
	return w != unreached && w+uint16(d.cost[c]) == u
}
