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
