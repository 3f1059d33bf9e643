package ethernet

import (
	"fmt"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file takes from config_db.json what concerns cables and whole fabrics.

// hasQoS reports whether some switch states its lossless priorities. It fails if others do not.
func (c *cabling) hasQoS() (bool, error) {
	var with, without *dumps.Switch
	for _, sw := range c.switches {
		if sw.QoS != nil && len(sw.QoS.Ports) > 0 {
			with = sw
		} else {
			without = sw
		}
	}
	if with != nil && without != nil {
		return false, &textfile.Error{File: with.QoS.File,
			Msg: fmt.Sprintf("PORT_QOS_MAP of %s, and none of %s; want config_db.json with it of every switch, or of none",
				with.Name, without.Name)}
	}
	return with != nil, nil
}

// addMembers adds the members of port channels that config_db.json states.
func (c *cabling) addMembers() {
	for i, sw := range c.switches {
		if sw.QoS == nil {
			continue
		}
		for _, group := range sortedKeys(sw.QoS.Members) {
			if e := (end{i, group}); !isVirtual(group) && c.members[e] == nil {
				c.members[e] = sw.QoS.Members[group]
			}
		}
	}
}

// failChannels adds to failed the other members of port channels that have fewer members left than must be up (min_links).
func (c *cabling) failChannels(failed map[end]bool) {
	for changed := true; changed; {
		changed = false
		for group, members := range c.members {
			least := c.minLinks(group)
			var left []end
			for _, port := range members {
				if e := (end{group.sw, port}); !failed[e] {
					left = append(left, e)
				}
			}
			if least < 2 || len(left) >= least || len(left) == len(members) {
				continue
			}
			for _, e := range left {
				failed[e], changed = true, true
				if there, ok := c.peer[e]; ok {
					failed[there] = true
				}
			}
		}
	}
}

// minLinks returns how many members of a port channel must be up, or 0 if no dump says it.
func (c *cabling) minLinks(group end) int {
	if q := c.switches[group.sw].QoS; q != nil {
		return q.MinLinks[group.port]
	}
	return 0
}

// hasMinLinks reports whether some port channel needs several members.
func (c *cabling) hasMinLinks() bool {
	for group := range c.members {
		if c.minLinks(group) > 1 {
			return true
		}
	}
	return false
}
