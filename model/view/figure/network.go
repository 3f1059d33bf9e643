package figure

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// countAir is the free space around nodes, in points, into which the number of hosts fits.
const countAir = 16

// Network draws a network: switches, hosts, cables, and port numbers if there is room for them.
func Network(n *model.Network, o Options) *Graph {
	list := o.Show
	if o.Hosts == HostsDrawn || o.Hosts == HostsAuto && n.NumHosts() <= maxDrawnHosts {
		list = nil
		for h := range model.HostID(n.NumHosts()) {
			list = append(list, h)
		}
	}
	most, hosts := 0, make([]int, n.NumSwitches())
	for _, h := range list {
		u := n.Host(h).Switch
		hosts[u]++
		most = max(most, hosts[u])
	}
	o.tight = most == 0 && len(o.Focus) == 0
	focus := focusOn(n, o)
	c := newCanvas(n, o, focus.keep(n, o), most)
	c.cables(midGrey, c.roomForPorts())
	for _, h := range list {
		if c.node[n.Host(h).Switch] >= 0 {
			c.addHost(h, true)
		}
	}
	if len(list) > 0 {
		c.g.air = max(c.g.air, countAir) // other drawings of the network have the number of hosts in the box of a switch
	}
	if o.Hosts != HostsAuto || len(o.Show) > 0 {
		c.likeNetwork()
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
