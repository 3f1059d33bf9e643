package figure

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// Network draws a network: switches, hosts, cables, and port numbers if there is room for them.
func Network(n *model.Network, o Options) *Graph {
	draw := o.Hosts == HostsDrawn || o.Hosts == HostsAuto && n.NumHosts() <= maxDrawnHosts
	most, hosts := 0, make([]int, n.NumSwitches())
	for h := model.HostID(0); draw && int(h) < n.NumHosts(); h++ {
		u := n.Host(h).Switch
		hosts[u]++
		most = max(most, hosts[u])
	}
	o.tight = most == 0
	focus := focusOn(n, o)
	c := newCanvas(n, o, focus.keep(n, o), most)
	c.cables(midGrey, c.roomForPorts())
	if draw {
		for h := range model.HostID(n.NumHosts()) {
			if c.node[n.Host(h).Switch] >= 0 {
				c.addHost(h, true)
			}
		}
	}
	if o.Hosts != HostsHidden {
		c.countHosts()
	}
	c.g.Notes = append(c.g.Notes, fmt.Sprintf("%s, %s, %s",
		pluralOf(n.NumSwitches(), "switch", "switches"), plural(n.NumHosts(), "host"), plural(n.NumLinks(), "link")))
	focus.note(c)
	return c.g
}

func pluralOf(k int, one, many string) string {
	if k == 1 {
		return "1 " + one
	}
	return fmt.Sprint(k, " ", many)
}
