package model

import (
	"fmt"
	"slices"
)

// This file says what is left of a network, and of a protocol on it.

// Remaining numbers what is left of a network without some switches and their hosts: the number that each had in the network gives that in
// what is left, or NoSwitch or NoHost.
type Remaining struct {
	Switches []SwitchID
	Hosts    []HostID // and other endpoints
}

// among returns the hosts that are left.
func (r *Remaining) among(hosts []HostID) (list []HostID) {
	for _, h := range hosts {
		if r.Hosts[h] != NoHost {
			list = append(list, r.Hosts[h])
		}
	}
	return list
}

// On returns the protocol among the hosts that are left. Transactions with others do not begin. It fails if no host is left that sends a
// class, or to which it goes.
func (p *Protocol) On(left *Remaining) (Condition, error) {
	if p.IsList() || p.Begins != nil {
		return p, nil
	}
	q := *p
	q.Rules = slices.Clone(p.Rules)
	for c := range q.Rules {
		r := &q.Rules[c]
		isMessage := len(r.To) > 0
		r.From, r.To = left.among(r.From), left.among(r.To)
		switch {
		case len(r.From) == 0:
			return nil, fmt.Errorf("no host is left that sends class %s", p.Names[c])
		case isMessage && len(r.To) == 0:
			return nil, fmt.Errorf("no host is left that receives class %s", p.Names[c])
		case r.Copies > 1 && len(r.To) <= r.Copies:
			return nil, fmt.Errorf("class %s has %d copies, and %d hosts are left that receive it", p.Names[c], r.Copies, len(r.To))
		}
	}
	if err := q.Settle(); err != nil {
		return nil, err
	}
	return &q, nil
}
