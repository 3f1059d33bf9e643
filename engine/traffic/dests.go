package traffic

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// Patterns and files name hosts; a routing knows destinations. With InfiniBand's LMC a host has
// several destinations.

// Destinations returns, by host, the first destination of r that belongs to it.
// It fails for a host without one.
func Destinations(r model.Relation) ([]model.DestID, error) {
	list := make([]model.DestID, r.Network().NumHosts())
	for h := range list {
		list[h] = -1
	}
	for d := model.DestID(r.Destinations()) - 1; d >= 0; d-- {
		if h := r.DestinationHost(d); int(h) < len(list) {
			list[h] = d
		}
	}
	for h, d := range list {
		if d < 0 {
			return nil, fmt.Errorf("traffic: the routing knows no destination at host %d", h)
		}
	}
	return list, nil
}

func checkDests(dests []model.DestID, hosts int) error {
	if dests != nil && len(dests) != hosts {
		return fmt.Errorf("traffic: destinations of %d hosts, the network has %d", len(dests), hosts)
	}
	return nil
}

// dest returns the destination used for host h.
func dest(dests []model.DestID, h model.HostID) model.DestID {
	if dests == nil {
		return model.DestID(h)
	}
	return dests[h]
}
