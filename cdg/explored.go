package cdg

import (
	"context"
	"errors"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// TurnsOf returns the turns of a relation: those of its turn set if it has one, or else those that it uses for
// some pair of hosts.
func TurnsOf(ctx context.Context, r model.Relation) (*model.TurnSet, error) {
	if r, ok := r.(model.Restricted); ok {
		return r.Turns(), nil
	}
	g, err := Build(ctx, r)
	if err != nil {
		return nil, err
	}
	return g.Turns(), nil
}

// EachSpace explores the destinations one after the other and calls visit for each. If to is a host, it explores the
// destinations of that host only.
func EachSpace(ctx context.Context, r model.Relation, to model.HostID, visit func(d model.DestID, space *Space) error) error {
	x := NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		if to != model.NoHost && r.DestinationHost(d) != to {
			continue
		}
		space := x.Explore(d)
		if err := errors.Join(ctx.Err(), x.Err()); err != nil {
			return err
		}
		if err := visit(d, space); err != nil {
			return err
		}
	}
	return nil
}

// LinksFrom returns, by host, the fewest links on a permitted path to the destination of the space. Hosts without a path
// are not in the map.
func LinksFrom(n *model.Network, space *Space) map[model.HostID]int {
	links, best := hopsToDelivery(space), map[model.HostID]int{}
	for i, at := range space.States {
		c, _ := n.Channel(at.VC)
		if n.Kind(c) != model.Inject { // those come first
			break
		}
		if old, known := best[n.HostOf(c)]; links[i] >= 0 && (!known || links[i] < old) {
			best[n.HostOf(c)] = links[i]
		}
	}
	return best
}

// hopsToDelivery returns, by state, the fewest links on a path to the destination, or -1 if there is no path.
func hopsToDelivery(space *Space) []int {
	links := make([]int, len(space.States))
	var queue []int
	for i := range links {
		links[i] = -1
		if _, next := space.HopsOf(i); slices.Contains(next, Delivered) {
			links[i] = 0
			queue = append(queue, i)
		}
	}
	var back Backward
	back.Of(space)
	for ; len(queue) > 0; queue = queue[1:] {
		for _, j := range back.Before(int32(queue[0])) {
			if links[j] < 0 {
				links[j] = links[queue[0]] + 1
				queue = append(queue, int(j))
			}
		}
	}
	return links
}
