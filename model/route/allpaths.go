package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// AllPaths returns every path that packets can take, for each pair of hosts. A path has the weight
// of its class at the source. With Paths it makes a routing whose sources draw the whole path (source
// routing). It fails if there are more than most paths, or if a packet can return to a VC. Cost:
// O(hops of all paths) time and memory.
func AllPaths(r model.Relation, most int) ([]Path, error) {
	c := &pathCollector{rel: r, most: most}
	var classes []model.Class
	var weights []uint32
	for d := range model.DestID(r.Destinations()) {
		for h := range model.HostID(r.Sources()) {
			if !model.Sends(r, h, d) {
				continue
			}
			classes = r.Inject(h, d, classes[:0])
			weights = model.Weights(r, h, d, classes, weights[:0])
			for i, k := range classes {
				c.path, c.weight = c.path[:0], weights[i]
				if err := c.follow(h, model.State{VC: r.Network().VC(r.Network().InjectChannel(h), 0), Dest: d, Class: k}); err != nil {
					return nil, err
				}
			}
		}
	}
	return c.list, nil
}

// pathCollector collects paths depth first.
type pathCollector struct {
	rel    model.Relation
	most   int
	path   []model.VCID // VCs between switches, up to the present state
	weight uint32
	list   []Path
}

// follow collects the paths of packets of host h that are in state s.
func (c *pathCollector) follow(h model.HostID, s model.State) error {
	n := c.rel.Network()
	for _, hop := range c.rel.Next(s, nil) {
		to, _ := n.Channel(hop.VC)
		switch {
		case n.Kind(to) == model.Eject && n.HostOf(to) == c.rel.DestinationHost(s.Dest):
			if len(c.list) == c.most {
				return fmt.Errorf("route: more than %d paths", c.most)
			}
			c.list = append(c.list, Path{Source: h, Dest: n.HostOf(to), VCs: append([]model.VCID(nil), c.path...),
				Weight: c.weight})
		case n.Kind(to) == model.Eject: // the packet is lost
		case len(c.path) > n.NumLinkVCs():
			return fmt.Errorf("route: a packet from host %s can return to a channel", n.HostLabel(h))
		default:
			c.path = append(c.path, hop.VC)
			if err := c.follow(h, model.State{VC: hop.VC, Dest: s.Dest, Class: hop.Class}); err != nil {
				return err
			}
			c.path = c.path[:len(c.path)-1]
		}
	}
	return nil
}
