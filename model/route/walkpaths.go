package route

import (
	"fmt"
	"iter"

	"github.com/turnproof/turnproof/model"
)

// WalkPaths yields the path of each pair of hosts and class, sorted by source and destination.
// A pair without a class has no path. WalkPaths yields an error and stops if a packet has no
// next hop or several, returns to a VC, or reaches the wrong host. Cost: the hops of all paths.
func WalkPaths(r model.Relation) iter.Seq2[Path, error] {
	return func(yield func(Path, error) bool) {
		n := r.Network()
		var classes []model.Class
		var weights []uint32
		for h := range model.HostID(min(n.NumHosts(), r.Sources())) {
			for d := range model.DestID(r.Destinations()) {
				if to := r.DestinationHost(d); !model.Sends(r, h, d) || int(to) >= n.NumHosts() {
					continue
				}
				classes = r.Inject(h, d, classes[:0])
				weights = model.Weights(r, h, d, classes, weights[:0])
				for i, k := range classes {
					p, err := walkPath(r, h, d, k)
					p.Weight = weights[i]
					if !yield(p, err) || err != nil {
						return
					}
				}
			}
		}
	}
}

// walkPath returns the path of packets from h to d in class k, or an error as in WalkPaths.
func walkPath(r model.Relation, h model.HostID, d model.DestID, k model.Class) (Path, error) {
	n := r.Network()
	p := Path{Source: h, Dest: r.DestinationHost(d)}
	fail := func(what string) (Path, error) {
		return p, fmt.Errorf("a packet from %s to %s %s", n.HostLabel(h), n.HostLabel(p.Dest), what)
	}
	s := model.InjectState(r, h, d, k)
	seen := map[model.VCID]bool{}
	var hops []model.Hop
	for {
		if hops = r.Next(s, hops[:0]); len(hops) != 1 {
			return fail(fmt.Sprintf("has %d next hops at a switch; want 1", len(hops)))
		}
		s.VC, s.Class = hops[0].VC, hops[0].Class
		c, _ := n.Channel(s.VC)
		switch to := n.HostOf(c); {
		case to == p.Dest:
			return p, nil
		case to != model.NoHost:
			return fail("is delivered to " + n.HostLabel(to))
		case seen[s.VC]:
			return fail("comes back to a virtual channel")
		}
		seen[s.VC] = true
		p.VCs = append(p.VCs, s.VC)
	}
}
