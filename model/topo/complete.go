package topo

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// Complete returns the network in which every two switches are linked. Port v+1 of switch u
// leads to v if v < u, and port v leads to v if v > u.
func Complete(switches int, o Options) (*model.Network, error) {
	if switches < 1 || switches > MaxSwitches {
		return nil, fmt.Errorf("a complete network of %d switches, allowed are 1 to %d", switches, MaxSwitches)
	}
	hosts := o.hosts(1)
	d, err := newDraft(size{
		switches: switches,
		links:    product(switches, switches-1) / 2,
		hosts:    product(switches, hosts),
		ports:    switches - 1 + hosts,
	}, o)
	if err != nil {
		return nil, err
	}
	for u := range switches {
		for v := u + 1; v < switches; v++ {
			d.join(u, v)
		}
	}
	d.permute(func(u int) int { return (u + 1) % switches })
	d.attachAll(hosts)
	d.name = numbered("s")
	return d.build()
}
