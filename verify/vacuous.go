package verify

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file rejects relations without pairs of endpoints. Every claim is about packets of
// some pair, so every claim would hold vacuously.

// NoPairs is the error of Check for a relation in which no endpoint sends to another one.
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

// CheckPairs returns nil if some endpoint sends to another one, otherwise a *NoPairs.
func CheckPairs(r model.Relation) error {
	for d := range model.DestID(r.Destinations()) {
		for h := range model.HostID(r.Sources()) {
			if model.Sends(r, h, d) {
				return nil
			}
		}
	}
	return &NoPairs{r.Network().NumHosts(), r.Sources(), r.Destinations()}
}
