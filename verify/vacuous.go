package verify

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file refuses questions without content. Each claim is about the packets
// of some pair of endpoints, so it says nothing about a relation without pairs.

// NoPairs is the error of Check for a relation in which no endpoint sends to
// another one. Every claim would hold of such a relation.
type NoPairs struct{ Hosts, Sources, Destinations int }

// Error implements error.
func (e *NoPairs) Error() string {
	switch {
	case e.Hosts == 0:
		return "nothing to judge: the network has no hosts"
	case e.Hosts == 1:
		return "nothing to judge: the network has 1 host, which has no other host to send to"
	case e.Destinations == 0:
		return fmt.Sprintf("nothing to judge: the routing has no destinations among %d hosts", e.Hosts)
	}
	return fmt.Sprintf("nothing to judge: no host sends to another one (%d sources, %d destinations)", e.Sources, e.Destinations)
}

// hasPairs returns nil if some endpoint is a source of traffic to another one,
// and *NoPairs otherwise.
func hasPairs(r model.Relation) error {
	for d := range model.DestID(r.Destinations()) {
		for h := range model.HostID(min(r.Sources(), 2)) {
			if model.Sends(r, h, d) {
				return nil
			}
		}
	}
	return &NoPairs{r.Network().NumHosts(), r.Sources(), r.Destinations()}
}
