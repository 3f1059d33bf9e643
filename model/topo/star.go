package topo

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// Star returns a star of the given number of switches including its hub, switch 0. Port v of
// the hub leads to switch v. The hub has hosts like the other switches.
func Star(switches int, o Options) (*model.Network, error) {
	if switches < 1 || switches > MaxSwitches {
		return nil, fmt.Errorf("a star of %d switches, allowed are 1 to %d", switches, MaxSwitches)
	}
	hosts := o.hosts(1)
	d, err := newDraft(size{
		switches: switches,
		links:    switches - 1,
		hosts:    product(switches, hosts),
		ports:    switches - 1 + hosts,
	}, o)
	if err != nil {
		return nil, err
	}
	for v := 1; v < switches; v++ {
		d.join(0, v)
	}
	d.attachAll(hosts)
	d.name = func(u model.SwitchID) string {
		if u == 0 {
			return "hub"
		}
		return "s" + strconv.Itoa(int(u))
	}
	return d.build()
}
