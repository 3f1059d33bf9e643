package protocols

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// Premises returns the premises of a verdict about p.
func Premises(p *model.Protocol) []string {
	list := []string{
		"a host consumes a message once it has room for all that this one causes, and takes this room at once",
		"hosts keep the messages of each virtual network in queues of their own, and send them in order",
		"messages of a host to itself need no room, and a lost message ends its transaction",
	}
	for c, r := range p.Rules {
		if r.Consumed {
			list = append(list, fmt.Sprintf("hosts consume %s in any case", p.Names[c]))
		}
		if r.Multicast {
			list = append(list, fmt.Sprintf("a message of %s is copied where its paths part, and keeps its buffer until each copy has been "+
				"given the next one, while each copy goes on, whatever the others wait for", p.Names[c]))
		}
		for what, room := range map[string]model.Room{"queue": r.Queue, "table": r.Table} {
			if p.Join(c) == nil && what == "table" || len(r.After) == 0 {
				continue
			}
			if room.Reserved {
				list = append(list, fmt.Sprintf("each host has room in the %s of %s for all unfinished transactions", what, p.Names[c]))
			} else if room.Entries == 0 {
				list = append(list, fmt.Sprintf("the %s of %s has no limit", what, p.Names[c]))
			} else if !p.Fills(c, room) {
				list = append(list, fmt.Sprintf("the %s of %s has %d entries, enough for %d unfinished transactions of each host",
					what, p.Names[c], room.Entries, p.Outstanding))
			}
		}
	}
	slices.Sort(list[3:])
	return list
}
