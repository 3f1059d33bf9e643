package ethernet

import (
	"fmt"
	"maps"
	"slices"

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

// failChannels adds to failed the members of port channels that have fewer members left than must be up (min_links). A member without a cable is
// down.
func (c *cabling) failChannels(failed map[end]bool) {
	for changed := true; changed; {
		changed = false
		for u, sw := range c.switches {
			if sw.QoS == nil {
				continue
			}
			for group, least := range sw.QoS.MinLinks {
				changed = c.failChannel(u, group, least, failed) || changed
			}
		}
	}
}

// failChannel does so for one port channel, and reports whether it has added cables.
func (c *cabling) failChannel(u int, group string, least int, failed map[end]bool) (added bool) {
	lost, left := false, []end{}
	for _, port := range c.switches[u].QoS.Members[group] {
		e := end{u, port}
		if _, isCabled := c.peer[e]; isCabled && !failed[e] {
			left = append(left, e)
		} else if isCabled {
			lost = true
		}
	}
	if least < 2 || len(left) >= least || !lost {
		return false
	}
	for _, e := range append(left, end{u, group}) {
		if there, ok := c.peer[e]; ok && !failed[e] {
			failed[e], failed[there], added = true, true, true
		}
	}
	return added
}

// hasMinLinks reports whether some port channel needs several members.
func (c *cabling) hasMinLinks() bool {
	return slices.ContainsFunc(c.switches, func(sw *dumps.Switch) bool {
		return sw.QoS != nil && slices.ContainsFunc(slices.Collect(maps.Values(sw.QoS.MinLinks)), func(least int) bool { return least > 1 })
	})
}
